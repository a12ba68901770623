"""What only Codex has: trust records, patches, and tools called from JavaScript."""

from __future__ import annotations

import json

import pytest

from tests.harness import Product, Sandbox
from tests.live.drivers.base import PROMPT
from tests.live.drivers.codex import CODE_MODEL, Codex
from tests.live.model_server import Script, tool

pytestmark = pytest.mark.live
CERTIFIED_EVENTS = 10
CHILD_TIMEOUT_S = 30.0


def test_every_registered_event_is_trusted_by_the_agent(
    codex: Codex, box: Sandbox, product: Product
) -> None:
    product.protect(codex.connector)
    ours = [hook for hook in codex.hooks_list(box) if str(box.data) in hook["command"]]
    assert len({hook["eventName"] for hook in ours}) == CERTIFIED_EVENTS
    assert {(hook["trustStatus"], hook["enabled"]) for hook in ours} == {("trusted", True)}


def test_repeated_setup_keeps_the_trust(codex: Codex, box: Sandbox, product: Product) -> None:
    product.protect(codex.connector, "observe")
    first = codex.config_file(box).read_bytes()
    product.protect(codex.connector, "action")
    mode = ("guardrail", "fail-mode", "open", "--connector", codex.connector, "--yes")
    product.cli(*mode).expect()
    assert codex.config_file(box).read_bytes() == first
    assert {hook["trustStatus"] for hook in codex.hooks_list(box)} == {"trusted"}


def test_patch_of_the_shell_profile_is_recorded(
    codex: Codex, box: Sandbox, product: Product
) -> None:
    profile = box.home / ".bashrc"
    product.protect(codex.connector)
    patch = f"*** Begin Patch\n*** Add File: {profile}\n+alias ll='ls -l'\n*** End Patch\n"
    outcome = codex.run(box, [codex.patch(patch)])
    [row] = product.audit("codex", event="PreToolUse")
    assert row["tool"] == "apply_patch", outcome.output
    assert row["rules"]
    assert row["raw"] != "allow"
    assert profile.exists() == (row["action"] != "block")


def test_patch_in_the_project_runs(codex: Codex, box: Sandbox, product: Product) -> None:
    product.protect(codex.connector)
    patch = "*** Begin Patch\n*** Add File: note.txt\n+hi\n*** End Patch\n"
    outcome = codex.run(box, [codex.patch(patch)])
    assert (box.project / "note.txt").exists(), outcome.output
    [row] = product.audit("codex", event="PreToolUse")
    assert (row["action"], row["parse"]) == ("allow", "complete")


def test_call_made_from_a_script_is_blocked_and_the_script_may_go_on(
    codex: Codex, box: Sandbox, product: Product
) -> None:
    planted = box.plant()
    product.protect(codex.connector)
    command = json.dumps(codex.destroy(planted).value)
    script = f"try {{ await tools.exec_command({command}); }} catch (e) {{ text('caught ' + e); }}"
    outcome = codex.run(box, [codex.code(script)], arguments=["-m", CODE_MODEL])
    assert planted.exists(), outcome.output
    [row] = product.audit("codex", action="block")
    assert row["call_id"].startswith("exec-")
    assert "caught" in outcome.results[-1]


def test_alert_of_a_risky_call_is_recorded_and_the_call_runs(
    codex: Codex, box: Sandbox, product: Product
) -> None:
    product.protect(codex.connector)
    outcome = codex.run(box, [codex.shell("git reset --hard; echo hi > effect.txt")])
    assert (box.project / "effect.txt").exists(), outcome.output
    [row] = product.audit("codex", event="PreToolUse")
    assert (row["raw"], row["action"], row["severity"]) == ("confirm", "alert", "HIGH")


def test_call_of_a_subagent_is_blocked(codex: Codex, box: Sandbox, product: Product) -> None:
    planted, task = box.plant(), "erase the folder for me"
    product.protect(codex.connector)
    spawn = tool("spawn_agent", "multi_agent_v1", message=task, agent_type="default")
    child = Script([codex.destroy(planted)])
    parent = Script(
        [spawn],
        before={1: lambda: child.finished.wait(CHILD_TIMEOUT_S)},
        lanes=[(lambda request: task in request and PROMPT not in request, child)],
    )
    outcome = codex.run(box, parent)
    assert child.finished.is_set(), outcome.output
    assert planted.exists()
    assert len(product.audit("codex", action="block")) == 1
    assert product.audit("codex", event="SubagentStart")
