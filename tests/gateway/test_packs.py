"""Rule packs in a running gateway: per agent, swapped as a whole, and never worse than before."""

from __future__ import annotations

import json
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS
from defenseclaw.core.verdict import Profile
from defenseclaw.errors import ConfigError
from defenseclaw.gateway.advisories import Advisories
from defenseclaw.gateway.app import Service, build_app
from defenseclaw.gateway.auth import TokenStore
from defenseclaw.gateway.health import Health
from defenseclaw.gateway.pipeline import Pipeline
from defenseclaw.gateway.runtime import Runtime
from defenseclaw.platform import DataHome, catalog_files, now_ms
from defenseclaw.store import AuditRow
from tests.gateway.asgi import request
from tests.gateway.test_app import HEAD, MASTER, PAYLOAD, token_of
from tests.rules.packs import rule, rule_file

FIRST, SECOND = list(CONNECTORS)[:2]
COMMAND = "frobnicate --now"


def write_pack(folder: Path, mark: str) -> Path:
    """A pack of two categories whose rules hit the same command, so that a mixture would show."""
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    for part in ("one", "two"):
        text = rule_file(
            rule(id=f"{mark}-{part}", pattern="frobnicate", severity="CRITICAL"),
            category=f"house-{part}",
        )
        (folder / "rules" / f"{part}.yaml").write_bytes(text)
    return folder


def break_pack(folder: Path) -> None:
    (folder / "rules" / "two.yaml").write_bytes(b"version: 1\n")


@dataclass
class House:
    """A runtime over a data home on disk, with the whole request path around it."""

    root: Path
    health: Health = field(default_factory=lambda: Health(0))
    rows: list[AuditRow] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.home = DataHome(self.root / "data")
        self.home.create()
        self.write()

    def write(self, **settings: Any) -> None:
        """The configuration: ``common`` for all agents, the others by agent."""
        tables = [("guardrail", {"mode": "action", **settings.get("common", {})})]
        tables += [
            (f"guardrail.connectors.{key}", settings.get(key, {})) for key in (FIRST, SECOND)
        ]
        lines = ["config_version = 1"]
        for name, values in tables:
            lines.append(f"[{name}]")
            lines += [f"{key} = {json.dumps(str(value))}" for key, value in values.items()]
        self.home.config.touch(mode=0o600)
        self.home.config.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def start(self) -> Pipeline:
        """What the gateway process builds."""
        key = b"k" * 32
        runtime = Runtime(self.home, self.root, catalog_files(), digest_key=key, health=self.health)
        return Pipeline(
            runtime=runtime,
            health=self.health,
            record=self.rows.append,
            digest_key=key,
            log_exception=lambda where: self.health.count(f"fault.{where}"),
            disarmed=lambda _connector, _event: "",
            advisories=Advisories(lambda: 0.0),
        )


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def ask(pipeline: Pipeline, key: str = FIRST, command: str = COMMAND) -> list[str]:
    raw = json.dumps({**PAYLOAD, "tool_input": {"command": command}}).encode()
    reply = pipeline.handle(CONNECTORS[key], raw, "")
    assert reply.status == 200
    return list(reply.body["rule_ids"])


def test_a_pack_for_all_and_a_pack_for_one_agent(house: House, tmp_path: Path) -> None:
    a, b = (write_pack(tmp_path / mark, mark) for mark in "ab")
    house.write(common={"rule_pack_dir": a}, **{SECOND: {"rule_pack_dir": b}})
    pipeline = house.start()
    assert ask(pipeline, FIRST) == ["a-one", "a-two"]
    assert ask(pipeline, SECOND) == ["b-one", "b-two"]
    assert "CMD-RM-RF" in ask(pipeline, SECOND, "rm -rf /")
    house.write(common={"rule_pack_dir": a}, **{SECOND: {"rule_pack_dir": ""}})
    pipeline.runtime.reload()
    assert ask(pipeline, SECOND) == []


def test_agents_with_the_same_pack_and_profile_share_one_generation(
    house: House, tmp_path: Path
) -> None:
    a = write_pack(tmp_path / "a", "a")
    house.write(common={"rule_pack_dir": a}, **{SECOND: {"profile": "strict"}})
    runtime = house.start().runtime
    first, second = (runtime.snapshot(key).generation for key in (FIRST, SECOND))
    assert first is not second
    assert (first.profile, second.profile) == (Profile.DEFAULT, Profile.STRICT)
    house.write(common={"rule_pack_dir": a})
    runtime.reload()
    assert runtime.snapshot(SECOND).generation is runtime.snapshot(FIRST).generation is first


def test_the_report_says_which_pack_runs(house: House, tmp_path: Path) -> None:
    a = write_pack(tmp_path / "a", "a")
    house.write(**{FIRST: {"rule_pack_dir": a}})
    runtime = house.start().runtime
    first, second = runtime.report()["connectors"]
    assert first["rule_pack_dir"] == str(a)
    assert len(first["rule_pack_digest"]) == 64
    assert (second["rule_pack_dir"], second["rule_pack_digest"]) == ("", None)
    assert first["rules"] != second["rules"]


def test_a_pack_is_read_again_only_on_reload(house: House, tmp_path: Path) -> None:
    a = write_pack(tmp_path / "a", "a")
    house.write(common={"rule_pack_dir": a})
    pipeline = house.start()
    write_pack(a, "z")
    assert ask(pipeline) == ["a-one", "a-two"]
    pipeline.runtime.reload()
    assert ask(pipeline) == ["z-one", "z-two"]


@pytest.mark.parametrize("damage", ["content", "gone", "configuration"])
def test_a_refused_reload_leaves_everything_as_it_was(
    house: House, tmp_path: Path, damage: str
) -> None:
    a = write_pack(tmp_path / "a", "a")
    house.write(common={"rule_pack_dir": a})
    pipeline = house.start()
    before = pipeline.runtime.report()
    if damage == "content":
        break_pack(a)
    elif damage == "gone":
        a.rename(tmp_path / "elsewhere")
    else:
        house.write(common={"rule_pack_dir": "relative/pack"})
    with pytest.raises(ConfigError) as refused:
        pipeline.runtime.reload()
    assert refused.value.hint
    assert pipeline.runtime.report() == before
    assert ask(pipeline) == ["a-one", "a-two"]
    assert "not in force" in house.health.report()["problems"]["configuration"]["what"]


def test_a_later_good_reload_clears_the_failure(house: House, tmp_path: Path) -> None:
    a = write_pack(tmp_path / "a", "a")
    house.write(common={"rule_pack_dir": a})
    runtime = house.start().runtime
    break_pack(a)
    with pytest.raises(ConfigError, match="validation"):
        runtime.reload()
    assert house.health.state == "degraded"
    write_pack(a, "a")
    runtime.reload()
    assert house.health.state == "ok"


def test_at_start_built_in_rules_stand_in_for_a_broken_pack_and_the_state_says_so(
    house: House, tmp_path: Path
) -> None:
    a, b = (write_pack(tmp_path / mark, mark) for mark in "ab")
    break_pack(a)
    house.write(common={"rule_pack_dir": a}, **{SECOND: {"rule_pack_dir": b}})
    pipeline = house.start()
    assert ask(pipeline, FIRST) == []
    assert "CMD-RM-RF" in ask(pipeline, FIRST, "rm -rf /")
    assert ask(pipeline, SECOND) == ["b-one", "b-two"]
    problem = house.health.report()["problems"]["rule packs"]["what"]
    assert str(a) in problem
    assert "rules/two.yaml" in problem
    write_pack(a, "a")
    pipeline.runtime.reload()
    assert (ask(pipeline, FIRST), house.health.state) == (["a-one", "a-two"], "ok")


def test_a_folder_named_after_a_profile_sets_it(house: House, tmp_path: Path) -> None:
    strict = write_pack(tmp_path / "Strict", "a")
    house.write(common={"rule_pack_dir": strict}, **{SECOND: {"profile": "permissive"}})
    runtime = house.start().runtime
    assert runtime.snapshot(FIRST).generation.profile is Profile.STRICT
    assert runtime.snapshot(SECOND).generation.profile is Profile.PERMISSIVE


@pytest.mark.parametrize("place", ["link", "pack"])
def test_an_agent_may_read_the_rules_in_force_and_not_change_them(
    house: House, tmp_path: Path, place: str
) -> None:
    write_pack(tmp_path / "pack", "a")
    (tmp_path / "link").symlink_to(tmp_path / "pack")
    house.write(common={"rule_pack_dir": tmp_path / "link"})
    pipeline = house.start()
    file = tmp_path / place / "rules" / "one.yaml"
    assert "SELF-OWN-STATE" in ask(pipeline, FIRST, f"sed -i s/a/b/ {file}")
    assert "SELF-OWN-STATE" in ask(pipeline, SECOND, f"rm -r {tmp_path / place}")
    assert ask(pipeline, FIRST, f"cat {file}") == []
    assert ask(pipeline, FIRST, f"sed -i s/a/b/ {tmp_path / 'copy' / 'one.yaml'}") == []


def test_the_authenticated_route_reloads_and_says_why_not(house: House, tmp_path: Path) -> None:
    a = write_pack(tmp_path / "a", "a")
    house.write(common={"rule_pack_dir": a})
    pipeline = house.start()
    tokens = TokenStore(lambda: MASTER, token_of, now_ms)
    app = build_app(Service(18970, 7, "/data", pipeline, tokens, lambda: None))
    head = {**HEAD, "authorization": f"Bearer {MASTER}"}
    assert request(app, "POST", "/api/v1/admin/reload", head, [b"{}"]).status == 200
    break_pack(a)
    refused = request(app, "POST", "/api/v1/admin/reload", head, [b"{}"])
    assert refused.status == 409
    assert "rules/two.yaml" in refused.json()["error"]
    assert "validate-pack" in refused.json()["hint"]
    status = request(app, "GET", "/api/v1/status", head).json()
    assert status["status"] == "degraded"
    assert "configuration" in status["problems"]


def test_no_answer_is_dropped_or_mixed_while_packs_switch(house: House, tmp_path: Path) -> None:
    a, b = (write_pack(tmp_path / mark, mark) for mark in "ab")
    house.write(common={"rule_pack_dir": a})
    pipeline = house.start()
    seen: Counter[tuple[str, ...]] = Counter()
    faults: list[BaseException] = []
    done = threading.Event()

    def hammer() -> None:
        try:
            while not done.is_set():
                seen[tuple(ask(pipeline))] += 1
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=hammer) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for turn in range(12):
            house.write(common={"rule_pack_dir": (a, b)[turn % 2]})
            if turn % 4 == 3:
                break_pack(b)
                with pytest.raises(ConfigError):
                    pipeline.runtime.reload()
                write_pack(b, "b")
            pipeline.runtime.reload()
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert faults == []
    assert set(seen) == {("a-one", "a-two"), ("b-one", "b-two")}
    assert sum(seen.values()) == len(house.rows)
    assert {row.rules for row in house.rows} == set(seen)
    assert not any(row.degraded for row in house.rows)
