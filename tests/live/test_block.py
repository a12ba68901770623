"""The milestone: a destructive call of a real agent is blocked, an ordinary one is not."""

from __future__ import annotations

import pytest

from tests.harness import Product, Sandbox
from tests.live.drivers import Driver

pytestmark = pytest.mark.live


def test_destructive_call_is_blocked_and_recorded_once(
    agent: Driver, box: Sandbox, product: Product
) -> None:
    planted = box.plant()
    product.protect(agent.connector)
    outcome = agent.run(box, [agent.shell(f"rm -rf {planted}")])
    assert (planted / "keep.txt").read_text(encoding="utf-8") == "keep\n", outcome.output
    blocks = product.audit(agent.connector_key, action="block")
    assert [(row["event"], row["tool"], row["mode"]) for row in blocks] == [
        ("PreToolUse", "Bash", "action")
    ]
    assert blocks[0]["rules"]
    assert len(outcome.turns) == 2
    assert blocks[0]["rules"][0] in outcome.results[-1]


def test_same_call_succeeds_without_our_registration(agent: Driver, box: Sandbox) -> None:
    planted = box.plant()
    outcome = agent.run(box, [agent.shell(f"rm -rf {planted}")])
    assert not planted.exists(), outcome.output


def test_ordinary_calls_run_and_are_recorded_as_allowed(
    agent: Driver, box: Sandbox, product: Product
) -> None:
    product.protect(agent.connector)
    effect = box.project / "effect.txt"
    steps = [agent.shell("echo hi > effect.txt"), agent.shell("cat effect.txt && ls -la")]
    outcome = agent.run(box, steps)
    assert effect.read_text(encoding="utf-8") == "hi\n", outcome.output
    assert "hi" in outcome.results[-1]
    calls = product.audit(agent.connector_key, event="PreToolUse")
    assert [row["action"] for row in calls] == ["allow", "allow"]
    assert product.failures() == []


def test_prompt_passes_and_the_turn_ends_once(
    agent: Driver, box: Sandbox, product: Product
) -> None:
    product.protect(agent.connector)
    outcome = agent.run(box, [agent.shell("true")])
    assert outcome.exit == 0, outcome.output
    rows = product.audit(agent.connector_key)
    events = [row["event"] for row in rows]
    assert events.count("UserPromptSubmit") == 1
    assert events.count("Stop") == 1
    assert {row["action"] for row in rows} == {"allow"}


def test_destructive_call_hidden_in_a_shell_string_is_blocked(
    agent: Driver, box: Sandbox, product: Product
) -> None:
    planted = box.plant()
    product.protect(agent.connector)
    script = f"d={planted.parent}; bash -c \"cd '$d' && rm -r -f planted\""
    outcome = agent.run(box, [agent.shell(script)])
    assert (planted / "keep.txt").exists(), outcome.output
    assert len(product.audit(agent.connector_key, action="block")) == 1
