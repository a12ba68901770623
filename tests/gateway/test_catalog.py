"""Every example of every rule holds through the hook endpoint: bytes in, a recorded answer out.

A rule that no hook call can reach protects nobody, and fails here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from starlette.types import ASGIApp

from defenseclaw.connectors import CONNECTORS, Environment
from defenseclaw.core.posture import Posture
from defenseclaw.core.tool import Platform, ToolFamily
from defenseclaw.core.verdict import Action, Mode, Profile, Severity
from defenseclaw.engine import Snapshot
from defenseclaw.facts import GLOBAL_TOOLS
from defenseclaw.gateway.advisories import Advisories
from defenseclaw.gateway.app import Service, build_app
from defenseclaw.gateway.auth import TokenStore
from defenseclaw.gateway.health import Health
from defenseclaw.gateway.pipeline import Pipeline
from defenseclaw.platform import catalog_files, now_ms
from defenseclaw.rules import (
    Example,
    ExampleForm,
    ExampleRoute,
    Generation,
    Rule,
    build_generation,
    load_pack,
)
from defenseclaw.rules.proof import call_of
from defenseclaw.store import AuditRow
from tests.gateway.asgi import request
from tests.gateway.test_app import HEAD

AGENT = CONNECTORS["claudecode"]
TOKEN = "t" * 64
PACK = load_pack(catalog_files(), name="catalog")
# A rule about secrets speaks instead of the one about credentials in code.
SECRETS = {rule.id for rule in PACK.rules if rule.category == "secret"}
# Which tool of the agent takes an example's text; no agent has a tool for cmd.exe itself.
SHELL_TOOLS = {
    ExampleForm.SH: "Bash",
    ExampleForm.PWSH: "PowerShell",
    ExampleForm.CMD: "PowerShell",
}


@cache
def generation() -> Generation:
    """Everything on, so that rules which a profile leaves out are reached too."""
    return build_generation([PACK], Profile.STRICT)


@dataclass
class FixedRuntime:
    """A runtime whose agent is at the place that an example speaks of."""

    environment: Environment
    rows: list[AuditRow] = field(default_factory=list)

    def snapshot(self, _key: str) -> Snapshot:
        return Snapshot(generation(), Posture(mode=Mode.ACTION, profile=Profile.STRICT))

    def block_message(self, _key: str) -> str:
        return ""


def application(runtime: FixedRuntime) -> ASGIApp:
    pipeline = Pipeline(
        runtime=runtime,  # type: ignore[arg-type]
        health=Health(0),
        record=runtime.rows.append,
        digest_key=b"k" * 32,
        log_exception=lambda where: pytest.fail(f"{where} failed"),
        disarmed=lambda _connector, _event: "",
        advisories=Advisories(lambda: 0.0),
    )
    tokens = TokenStore(lambda: "m" * 64, lambda _connector: TOKEN, now_ms)
    return build_app(Service(18970, 7, "/data", pipeline, tokens, lambda: None))


def payload_of(example: Example) -> dict[str, Any] | None:
    """What the agent's hook would send; None where the agent has no such tool."""
    if example.form is ExampleForm.TEXT:
        return {"hook_event_name": "UserPromptSubmit", "prompt": example.body}
    call = call_of(example, GLOBAL_TOOLS)
    tool, args = call.tool, dict(call.args)
    if example.form is ExampleForm.WRITTEN:
        tool, args = "Write", {"file_path": args["path"], "content": args["content"]}
    if call.spec is not None and call.spec.family is ToolFamily.SHELL:
        tool = SHELL_TOOLS[example.form]
        args = {"command": shell_text(example)}
    if tool not in AGENT.tools and not tool.startswith("mcp__"):
        return None
    about = {"tool_name": tool, "tool_input": args, "tool_use_id": "call"}
    return {"hook_event_name": "PreToolUse", "cwd": call.cwd, **about}


def shell_text(example: Example) -> str:
    """What the tool's own shell has to be given, so that it leaves a text for cmd alone."""
    if example.form is not ExampleForm.CMD:
        return example.body
    quoted = example.body.replace("'", "''")
    return f"cmd /d /c '{quoted}'"


def environment_of(example: Example) -> Environment:
    if example.form is ExampleForm.TEXT:
        return Environment("/home/dana", Platform.POSIX)
    call = call_of(example, GLOBAL_TOOLS)
    registration = AGENT.registration
    hooks = f"{call.home}/{registration.home_default}/{registration.files[call.platform]}"
    return Environment(call.home, call.platform, hook_paths=(hooks,))


def send(example: Example, payload: dict[str, Any]) -> AuditRow:
    """The row of one example's call."""
    runtime = FixedRuntime(environment_of(example))
    head = {**HEAD, "authorization": f"Bearer {TOKEN}"}
    raw = json.dumps({"session_id": "s", **payload}).encode()
    got = request(application(runtime), "POST", f"/api/v1/{AGENT.key}/hook", head, [raw])
    assert got.status == 200, got.body
    [row] = runtime.rows
    return row


def sent(rule: Rule) -> list[tuple[Example, AuditRow]]:
    """The rule's examples that the agent can send, with their rows."""
    payloads = [(example, payload_of(example)) for example in rule.examples]
    return [(example, send(example, payload)) for example, payload in payloads if payload]


@pytest.mark.parametrize("rule", PACK.rules, ids=lambda r: r.id)
def test_rule_is_reached_and_its_examples_hold(rule: Rule) -> None:
    reached = {rule.id, rule.covered_by} | (SECRETS if rule.code else set())
    matched = []
    for example, row in sent(rule):
        hit = bool((reached if example.matches else {rule.id}) & set(row.rules))
        assert hit is example.matches or not is_decided(example, row), (example.line, example.body)
        matched += [row] if hit else []
    assert matched, "no hook call reaches this rule"
    if not rule.detection_only and not is_advice(rule):
        assert max(Action(row.raw).rank for row in matched) > Action.ALLOW.rank


def is_advice(rule: Rule) -> bool:
    """Whether the rule tells of weak code that is no reason to stop the write."""
    return bool(rule.code) and rule.severity.rank < Severity.HIGH.rank


def is_decided(example: Example, row: AuditRow) -> bool:
    """Whether the call took the route that the example speaks of."""
    route = {ExampleRoute.CEL: ("complete",), ExampleRoute.FALLBACK: ("partial", "unsupported")}
    return not row.parse or row.parse in route.get(example.route, (row.parse,))
