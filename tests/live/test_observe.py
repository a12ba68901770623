"""Observe mode never stops an agent; it records what it would have stopped."""

from __future__ import annotations

import pytest

from tests.harness import Product, Sandbox
from tests.live.drivers import TalkingDriver

pytestmark = pytest.mark.live


def test_both_calls_run_and_the_row_says_would_block(
    agent: TalkingDriver, box: Sandbox, product: Product
) -> None:
    planted = box.plant()
    product.protect(agent.connector, "observe")
    steps = [agent.shell("echo hi > effect.txt"), agent.destroy(planted)]
    outcome = agent.run(box, steps)
    assert (box.project / "effect.txt").exists(), outcome.output
    assert not planted.exists(), outcome.output
    calls = product.audit(agent.connector_key, event="PreToolUse")
    assert [(row["raw"], row["action"], row["would_block"]) for row in calls] == [
        ("allow", "allow", False),
        ("block", "allow", True),
    ]
    assert calls[1]["rules"]


def test_promotion_to_action_takes_effect_for_the_next_run(
    agent: TalkingDriver, box: Sandbox, product: Product
) -> None:
    planted = box.plant()
    product.protect(agent.connector, "observe")
    product.protect(agent.connector, "action")
    agent.run(box, [agent.destroy(planted)])
    assert planted.exists()
    product.protect(agent.connector, "observe")
    agent.run(box, [agent.destroy(planted)])
    assert not planted.exists()
