"""What only Codex has: trust records, patches, and tools called from JavaScript."""

from __future__ import annotations

import json

import pytest

from tests.harness import Product, Sandbox
from tests.live.conftest import make_driver
from tests.live.drivers.codex import CODE_MODEL, Codex
from tests.live.model_server import tool

pytestmark = pytest.mark.live
CERTIFIED_EVENTS = 10


@pytest.fixture
def agent() -> Codex:
    """Codex only."""
    driver = make_driver("codex")
    assert isinstance(driver, Codex)
    return driver


def test_every_registered_event_is_trusted_by_the_agent(
    agent: Codex, box: Sandbox, product: Product
) -> None:
    product.protect(agent.connector)
    ours = [hook for hook in agent.hooks_list(box) if str(box.data) in hook["command"]]
    assert len({hook["eventName"] for hook in ours}) == CERTIFIED_EVENTS
    assert {(hook["trustStatus"], hook["enabled"]) for hook in ours} == {("trusted", True)}


def test_repeated_setup_keeps_the_trust(agent: Codex, box: Sandbox, product: Product) -> None:
    product.protect(agent.connector, "observe")
    first = agent.config_file(box).read_bytes()
    product.protect(agent.connector, "action")
    mode = ("guardrail", "fail-mode", "open", "--connector", agent.connector, "--yes")
    product.cli(*mode).expect()
    assert agent.config_file(box).read_bytes() == first
    assert {hook["trustStatus"] for hook in agent.hooks_list(box)} == {"trusted"}


def test_patch_of_the_shell_profile_is_recorded(
    agent: Codex, box: Sandbox, product: Product
) -> None:
    profile = box.home / ".bashrc"
    product.protect(agent.connector)
    patch = f"*** Begin Patch\n*** Add File: {profile}\n+alias ll='ls -l'\n*** End Patch\n"
    outcome = agent.run(box, [agent.patch(patch)])
    [row] = product.audit("codex", event="PreToolUse")
    assert row["tool"] == "apply_patch", outcome.output
    assert row["rules"]
    assert row["raw"] in {"confirm", "block"}
    assert profile.exists() == (row["action"] != "block")


def test_patch_in_the_project_runs(agent: Codex, box: Sandbox, product: Product) -> None:
    product.protect(agent.connector)
    patch = "*** Begin Patch\n*** Add File: note.txt\n+hi\n*** End Patch\n"
    outcome = agent.run(box, [agent.patch(patch)])
    assert (box.project / "note.txt").exists(), outcome.output
    [row] = product.audit("codex", event="PreToolUse")
    assert (row["action"], row["parse"]) == ("allow", "complete")


def test_call_made_from_a_script_is_blocked_and_the_script_may_go_on(
    agent: Codex, box: Sandbox, product: Product
) -> None:
    planted = box.plant()
    product.protect(agent.connector)
    command = json.dumps(agent.destroy(planted).value)
    script = f"try {{ await tools.exec_command({command}); }} catch (e) {{ text('caught ' + e); }}"
    outcome = agent.run(box, [agent.code(script)], arguments=["-m", CODE_MODEL])
    assert planted.exists(), outcome.output
    [row] = product.audit("codex", action="block")
    assert row["call_id"].startswith("exec-")
    assert "caught" in outcome.results[-1]


def test_alert_of_a_risky_call_is_recorded_and_the_call_runs(
    agent: Codex, box: Sandbox, product: Product
) -> None:
    product.protect(agent.connector)
    outcome = agent.run(box, [agent.shell("git reset --hard; echo hi > effect.txt")])
    assert (box.project / "effect.txt").exists(), outcome.output
    [row] = product.audit("codex", event="PreToolUse")
    assert (row["raw"], row["action"], row["severity"]) == ("confirm", "alert", "HIGH")


def test_calls_of_an_agent_and_its_subagent_are_both_blocked(
    agent: Codex, box: Sandbox, product: Product
) -> None:
    planted = box.plant()
    product.protect(agent.connector)
    spawn = tool("spawn_agent", "multi_agent_v1", message="do it", agent_type="default")
    # Which of the two takes which step is open, so both get the same one.
    outcome = agent.run(box, [spawn, agent.destroy(planted), agent.destroy(planted)])
    assert planted.exists(), outcome.output
    assert len(product.audit("codex", action="block")) == 2
    assert product.audit("codex", event="SubagentStart")
