"""Our registration lives beside the user's own and leaves without a trace."""

from __future__ import annotations

import pytest

from tests.harness import Product, Sandbox
from tests.live.drivers import TalkingDriver

pytestmark = pytest.mark.live


def test_removal_restores_the_file_byte_for_byte_and_foreign_hooks_run_meanwhile(
    agent: TalkingDriver, box: Sandbox, product: Product
) -> None:
    planted, log = box.plant(), box.root / "foreign.log"
    text = agent.user_config(box, f"cat >/dev/null; echo ran >> '{log}'")
    agent.config_file(box).write_text(text, encoding="utf-8")
    before = agent.config_file(box).read_bytes()
    product.protect(agent.connector)
    assert agent.config_file(box).read_bytes() != before
    outcome = agent.run(box, [agent.shell("echo hi > effect.txt")])
    assert (box.project / "effect.txt").exists(), outcome.output
    assert log.read_text(encoding="utf-8") == "ran\n"
    assert len(product.audit(agent.connector_key, event="PreToolUse")) == 1
    product.cli("setup", "remove", agent.connector, "--force", "--yes").expect()
    assert agent.config_file(box).read_bytes() == before
    agent.run(box, [agent.destroy(planted)])
    assert not planted.exists()
    assert log.read_text(encoding="utf-8") == "ran\nran\n"


def test_removal_deletes_a_file_that_setup_created(
    agent: TalkingDriver, box: Sandbox, product: Product
) -> None:
    product.protect(agent.connector)
    assert agent.config_file(box).exists()
    product.cli("setup", "remove", agent.connector, "--force", "--yes").expect()
    assert not agent.config_file(box).exists()
    verify = ("connector", "verify", "--connector", agent.connector)
    product.gateway(*verify).expect(0)


def test_disabled_connector_does_not_stop_the_agent_until_it_is_enabled(
    agent: TalkingDriver, box: Sandbox, product: Product
) -> None:
    planted = box.plant()
    product.protect(agent.connector)
    product.cli("guardrail", "disable", "--connector", agent.connector, "--yes").expect()
    agent.run(box, [agent.destroy(planted)])
    assert not planted.exists()
    planted = box.plant("outside/again")
    product.cli("guardrail", "enable", "--connector", agent.connector, "--yes").expect()
    outcome = agent.run(box, [agent.destroy(planted)])
    assert planted.exists(), outcome.output
