"""The HTTP surface: tokens, methods, types, sizes, and that nothing is answered without a check."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from starlette.types import ASGIApp

from defenseclaw.connectors import CONNECTORS, Environment
from defenseclaw.core.event import HookEvent, Route
from defenseclaw.core.posture import Posture
from defenseclaw.core.tool import Platform
from defenseclaw.core.verdict import Action, Mode, Severity, Verdict
from defenseclaw.engine import Decision, Snapshot
from defenseclaw.errors import ConfigError, StoreError
from defenseclaw.gateway.advisories import Advisories
from defenseclaw.gateway.app import Service, build_app
from defenseclaw.gateway.auth import TokenStore
from defenseclaw.gateway.guards import Refusal
from defenseclaw.gateway.health import Health
from defenseclaw.gateway.pipeline import PANIC_REASON, Pipeline
from defenseclaw.platform import now_ms
from defenseclaw.store import AuditRow
from tests.gateway.asgi import Response, request

KEYS = ("codex", "claudecode")  # what holds for all agents is in ``test_agents``
MASTER = "m" * 64
HEAD = {
    "host": "127.0.0.1:18970",
    "x-defenseclaw-client": "hook/1.0",
    "content-type": "application/json",
}
PAYLOAD = {
    "session_id": "s",
    "hook_event_name": "PreToolUse",
    "cwd": "/home/dev/project",
    "tool_name": "Bash",
    "tool_input": {"command": "ls"},
    "tool_use_id": "call_1",
}


def token_of(connector: str) -> str:
    return connector.ljust(64, "t")


@dataclass
class FakeRuntime:
    """A runtime with one posture for everybody."""

    posture: Posture = field(default_factory=lambda: Posture(mode=Mode.ACTION))
    refuse_reload: bool = False
    protected: tuple[str, ...] = ()
    environment: Environment = field(
        default_factory=lambda: Environment("/home/dev", Platform.POSIX)
    )

    def snapshot(self, _key: str) -> Snapshot:
        return Snapshot(None, self.posture)  # type: ignore[arg-type]

    def is_protected(self, key: str) -> bool:
        return key in self.protected

    def reload(self) -> None:
        if self.refuse_reload:
            raise ConfigError("config.toml: no")

    def report(self) -> dict[str, Any]:
        return {"connectors": []}


BLOCK = Verdict(Action.BLOCK, Action.BLOCK, Severity.CRITICAL, "T-1: Title.")


@dataclass
class House:
    """An application with everything around it replaced by values."""

    runtime: FakeRuntime = field(default_factory=FakeRuntime)
    rows: list[AuditRow] = field(default_factory=list)
    stopped: list[bool] = field(default_factory=list)
    verdict: Verdict = BLOCK
    fault: BaseException | None = None
    store_fault: BaseException | None = None
    advisories: Advisories = field(default_factory=lambda: Advisories(lambda: 0.0))
    config_problem: str = ""
    health: Health = field(default_factory=lambda: Health(0))

    def evaluate(self, _event: HookEvent, _snapshot: Snapshot, _now_ms: int) -> Decision:
        if self.fault:
            raise self.fault
        return Decision(self.verdict)

    def record(self, row: AuditRow) -> None:
        if self.store_fault:
            raise self.store_fault
        self.rows.append(row)

    def app(self) -> ASGIApp:
        pipeline = Pipeline(
            runtime=self.runtime,  # type: ignore[arg-type]
            health=self.health,
            record=self.record,
            digest_key=b"k" * 32,
            log_exception=lambda where: None,
            disarmed=lambda _connector, _event: self.config_problem,
            advisories=self.advisories,
            evaluate=self.evaluate,
        )
        tokens = TokenStore(lambda: MASTER, token_of, now_ms)
        return build_app(
            Service(18970, 7, "/data", pipeline, tokens, lambda: self.stopped.append(True))
        )

    def hook(self, payload: object = PAYLOAD, **extra: Any) -> Response:
        connector = extra.pop("connector", KEYS[0])
        raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        head = {**HEAD, "authorization": f"Bearer {token_of(connector)}", **extra}
        return request(self.app(), "POST", f"/api/v1/{connector}/hook", head, [raw])


def without(head: dict[str, str], name: str) -> dict[str, str]:
    return {k: v for k, v in head.items() if k != name}


@pytest.mark.parametrize("connector", KEYS)
def test_block_is_answered_in_ready_bytes_and_recorded_once(connector: str) -> None:
    house = House()
    got = house.hook(connector=connector)
    assert got.status == 200
    assert got.headers["cache-control"] == "no-store"
    assert got.json()["action"] == "block"
    native = json.loads(got.json()["stdout"])
    assert native["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert [row.action for row in house.rows] == ["block"]
    assert house.rows[0].record == got.json()["evaluation_id"]


@pytest.mark.parametrize(
    "authorization",
    ["", "Bearer", "Bearer ", f"Bearer {MASTER}", f"Bearer {token_of('other')}", "Basic eA=="],
)
def test_only_the_connectors_own_token_is_accepted(authorization: str) -> None:
    """169"""
    house = House()
    assert house.hook(authorization=authorization).status == 401
    assert not house.rows


def test_hook_token_opens_nothing_else() -> None:
    head = {**HEAD, "authorization": f"Bearer {token_of(KEYS[0])}"}
    for method, path in [
        ("GET", "/api/v1/status"),
        ("POST", "/api/v1/admin/reload"),
        ("POST", "/api/v1/admin/shutdown"),
    ]:
        assert request(House().app(), method, path, head).status == 401, path


@pytest.mark.parametrize(
    ("extra", "status"),
    [
        ({"content-type": "text/plain"}, 415),
        ({"x-defenseclaw-client": ""}, 403),
        ({"host": "evil.example"}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
    ],
)
def test_request_from_a_browser_is_refused(extra: dict[str, str], status: int) -> None:
    house = House()
    assert house.hook(**extra).status == status
    assert not house.rows


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b"{}",
        b'{"hook_event_name":""}',
        b'{"hook_event_name":1}',
        b'{"hook_event_name":"PreToolUse","hook_event_name":"Stop"}',
        b'{"a":' * 80 + b"1" + b"}" * 80,
        json.dumps({**PAYLOAD, "tool_input": "ls"}).encode(),
        json.dumps({**PAYLOAD, "session_id": 7}).encode(),
    ],
)
def test_bad_payload_is_a_clear_refusal(raw: bytes) -> None:
    house = House()
    got = house.hook(raw)
    assert got.status == 400
    assert "error" in got.json()
    assert not house.rows


@pytest.mark.parametrize("declared", [True, False])
def test_too_large_body_is_refused(declared: bool) -> None:
    """139"""
    chunks = [b"x" * 600_000, b"x" * 600_000]
    head = {**HEAD, "authorization": f"Bearer {token_of(KEYS[0])}"}
    if declared:
        head["content-length"] = "1200000"
    got = request(House().app(), "POST", f"/api/v1/{KEYS[0]}/hook", head, chunks)
    assert got.status == 413


@pytest.mark.parametrize("size", [100, 100_000])
def test_small_and_large_payloads_take_the_same_way(size: int) -> None:
    house = House()
    payload = {**PAYLOAD, "tool_input": {"command": "x" * size}}
    assert house.hook(payload).json()["action"] == "block"
    assert len(house.rows) == 1


def test_unknown_event_is_recorded_and_allowed() -> None:
    house = House(verdict=replace(BLOCK, raw=Action.ALLOW, action=Action.ALLOW, reason=""))
    got = house.hook({**PAYLOAD, "hook_event_name": "pretooluse"})
    assert got.json()["action"] == "allow"
    assert house.rows[0].route == "unknown"


def test_event_that_disagrees_with_the_registration_is_no_boundary() -> None:
    house = House(verdict=replace(BLOCK, raw=Action.ALLOW, action=Action.ALLOW))
    house.hook(**{"x-defenseclaw-event": "Stop"})
    assert house.rows[0].route == "unknown"


def test_evaluator_exception_allows_warns_and_degrades() -> None:
    house = House(fault=RuntimeError("secret text"))
    got = house.hook()
    assert got.status == 200
    assert got.json()["action"] == "allow"
    assert got.json()["would_block"] is False
    assert got.json()["degraded"] is True
    assert PANIC_REASON in got.json()["reason"]
    assert "secret text" not in got.body.decode()
    assert house.health.state == "degraded"
    assert [row.degraded for row in house.rows] == [True]


def test_fault_outside_the_evaluator_is_an_answer_that_quotes_nothing() -> None:
    house = House(runtime=FakeRuntime(environment="secret text"))  # type: ignore[arg-type]
    got = house.hook()
    assert got.status == 500
    assert got.json() == {"error": "internal error"}


@pytest.mark.parametrize("fault", [StoreError("disk full"), ValueError("secret"), TypeError()])
def test_store_failure_keeps_the_verdict_and_degrades(fault: Exception) -> None:
    house = House(store_fault=fault)
    assert house.hook().json()["action"] == "block"
    assert house.health.state == "degraded"
    assert "secret" not in str(house.health.report())


def test_block_message_replaces_the_reason_for_the_agent_only() -> None:
    message = "Ask the platform team."
    house = House(FakeRuntime(Posture(mode=Mode.ACTION, block_message=message)))
    got = house.hook()
    assert "Ask the platform team." in got.json()["stdout"]
    assert house.rows[0].reason == BLOCK.reason


def admin(house: House, path: str, body: object) -> Response:
    head = {**HEAD, "authorization": f"Bearer {MASTER}"}
    return request(house.app(), "POST", f"/api/v1/admin/{path}", head, [json.dumps(body).encode()])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"pid": 7, "data_dir": "/data"}, 202),
        ({"pid": 8, "data_dir": "/data"}, 409),
        ({"pid": 7, "data_dir": "/other"}, 409),
        ({"pid": 7, "data_dir": "/data", "force": True}, 409),
        ([], 400),
    ],
)
def test_shutdown_needs_exactly_this_process_and_home(body: object, status: int) -> None:
    assert admin(House(), "shutdown", body).status == status


def test_refused_reload_says_why_and_keeps_serving() -> None:
    house = House()
    assert admin(house, "reload", {}).status == 200
    house.runtime.refuse_reload = True
    got = admin(house, "reload", {})
    assert got.status == 409
    assert got.json()["error"] == "config.toml: no"


def test_health_is_open_and_says_nothing_private() -> None:
    got = request(House().app(), "GET", "/health", {"host": "localhost"})
    assert got.status == 200
    assert set(got.json()) == {"status", "version", "started_at_ms"}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", f"/api/v1/{KEYS[0]}/hook", 405),
        ("POST", "/api/v1/nobody/hook", 404),
        ("GET", "/", 404),
        ("GET", "/docs", 404),
        ("POST", "/v1/traces", 404),
        ("POST", "/v1/logs", 404),
        ("POST", "/api/v1/inspect", 404),
        ("POST", "/api/v1/notify", 404),
        ("GET", "/health/", 404),
    ],
)
def test_other_paths_and_methods_are_refused(method: str, path: str, status: int) -> None:
    """121, 167, 168, I1: nothing but a hook route reaches what is remembered."""
    head = {**HEAD, "authorization": f"Bearer {MASTER}"}
    assert request(House().app(), method, path, head).status == status


@pytest.mark.parametrize("name", ["host", "origin", "authorization", "x-defenseclaw-event"])
@pytest.mark.parametrize("first", [True, False])
def test_decisive_field_that_stands_twice_is_refused(name: str, first: bool) -> None:
    head = {**HEAD, "authorization": f"Bearer {token_of(KEYS[0])}"}
    head |= {"origin": "http://127.0.0.1:18970", "x-defenseclaw-event": "PreToolUse"}
    fields = [*head.items(), (name, "evil.example")] if first else [(name, "x"), *head.items()]
    raw = json.dumps(PAYLOAD).encode()
    house = House()
    assert request(house.app(), "POST", f"/api/v1/{KEYS[0]}/hook", fields, [raw]).status == 400
    assert not house.rows


def test_missing_token_file_is_an_unusable_service() -> None:
    def missing(_connector: str = "") -> str:
        raise FileNotFoundError

    refusal = TokenStore(missing, missing, now_ms).check({}, "/", KEYS[0])
    assert isinstance(refusal, Refusal)
    assert refusal.status == 503


CONFIG_EVENTS = [
    (connector.key, event.name)
    for connector in CONNECTORS.values()
    for event in connector.events
    if event.route is Route.CONFIG
]


@pytest.mark.parametrize(("connector", "event"), CONFIG_EVENTS)
@pytest.mark.parametrize(("problem", "action"), [("", "allow"), ("the hook is gone", "block")])
def test_settings_that_would_disarm_us_are_refused(
    connector: str, event: str, problem: str, action: str
) -> None:
    house = House(config_problem=problem)
    payload = {**PAYLOAD, "hook_event_name": event, "source": "user_settings"}
    assert house.hook(payload, connector=connector).json()["action"] == action
    assert house.rows[0].rules == (("SELF-HOOK-REGISTRATION",) if problem else ())


@pytest.mark.parametrize(("connector", "event"), CONFIG_EVENTS)
def test_disarming_settings_only_count_in_observe(connector: str, event: str) -> None:
    house = House(config_problem="the hook is gone")
    house.runtime.posture = Posture()
    got = house.hook({**PAYLOAD, "hook_event_name": event}, connector=connector).json()
    assert (got["action"], got["would_block"]) == ("allow", True)
