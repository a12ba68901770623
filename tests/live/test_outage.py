"""The gateway is gone: the fail mode decides, a killed gateway comes back by itself."""

from __future__ import annotations

import pytest

from tests.harness import Product, Sandbox
from tests.live.drivers import TalkingDriver
from tests.live.model_server import Script

pytestmark = pytest.mark.live
OUTAGE = "no policy was consulted"


def test_stopped_gateway_blocks_the_prompt_when_closed(
    agent: TalkingDriver, box: Sandbox, product: Product
) -> None:
    product.protect(agent.connector)
    product.gateway("stop").expect()
    outcome, _ = agent.talk(box, [agent.shell("echo hi > effect.txt")], approve=True)
    assert not (box.project / "effect.txt").exists()
    assert outcome.turns == []
    assert OUTAGE in outcome.output
    assert {row["fail_mode"] for row in product.failures()} == {"closed"}


def test_gateway_stopped_during_the_session_blocks_the_call_and_names_the_outage(
    agent: TalkingDriver, box: Sandbox, product: Product
) -> None:
    product.protect(agent.connector)
    steps = [agent.shell("echo hi > effect.txt")]
    script = Script(steps, before={0: lambda: product.gateway("stop").expect()})
    outcome = agent.run(box, script)
    assert not (box.project / "effect.txt").exists(), outcome.output
    assert OUTAGE in agent.transcript(box)
    assert outcome.exit == 0, "the closing Stop hook must not loop"


def test_stopped_gateway_lets_calls_run_and_records_them_when_open(
    agent: TalkingDriver, box: Sandbox, product: Product
) -> None:
    product.protect(agent.connector)
    mode = ("guardrail", "fail-mode", "open", "--connector", agent.connector, "--yes")
    product.cli(*mode).expect()
    product.gateway("stop").expect()
    outcome = agent.run(box, [agent.shell("echo hi > effect.txt")])
    assert (box.project / "effect.txt").exists(), outcome.output
    records = product.failures()
    assert records
    assert {(row["connector"], row["fail_mode"], row["category"]) for row in records} == {
        (agent.connector_key, "open", "transport")
    }


def test_killed_gateway_is_started_by_the_next_hook_and_judges_rightly(
    agent: TalkingDriver, box: Sandbox, product: Product
) -> None:
    planted = box.plant()
    product.protect(agent.connector)
    killed = product.kill_gateway()
    steps = [agent.destroy(planted), agent.shell("echo hi > effect.txt")]
    outcome = agent.run(box, steps)
    assert planted.exists(), outcome.output
    assert (box.project / "effect.txt").exists(), outcome.output
    assert product.identity()["pid"] != killed
    calls = product.audit(agent.connector_key, event="PreToolUse")
    assert [row["action"] for row in calls] == ["block", "allow"]


def test_gateway_killed_during_the_session_does_not_open_a_gap(
    agent: TalkingDriver, box: Sandbox, product: Product
) -> None:
    planted = box.plant()
    product.protect(agent.connector)
    steps = [agent.shell("echo hi > effect.txt"), agent.destroy(planted)]
    outcome = agent.run(box, Script(steps, before={1: product.kill_gateway}))
    assert planted.exists(), outcome.output
    assert len(product.audit(agent.connector_key, action="block")) == 1
