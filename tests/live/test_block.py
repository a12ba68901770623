"""The milestone: a destructive call of a real agent is blocked, an ordinary one is not."""

from __future__ import annotations

import shlex
from contextlib import closing

import pytest

from tests.harness import Product, Sandbox, make_sandbox
from tests.live.drivers import TalkingDriver
from tests.live.roster import shelve

pytestmark = pytest.mark.live


# Spellings that both agents run by themselves; each is proven by the control test.
SPELLINGS = ("rm -r {0}", "find {0} -delete", "bash <<< 'rm -rf {0}'")


def test_plain_recursive_delete_is_blocked_and_recorded_once(
    agent: TalkingDriver, box: Sandbox, product: Product
) -> None:
    planted = box.plant()
    product.protect(agent.connector)
    outcome = agent.run(box, [agent.shell(f"rm -rf {planted}")])
    assert (planted / "keep.txt").read_text(encoding="utf-8") == "keep\n", outcome.output
    [row] = product.audit(agent.connector_key, action="block")
    assert (row["event"], row["tool"], row["mode"]) == ("PreToolUse", "Bash", "action")
    assert len(outcome.turns) == 2
    assert row["rules"][0] in outcome.results[-1]


def test_every_spelling_is_blocked(agent: TalkingDriver, box: Sandbox, product: Product) -> None:
    folders = [box.plant(f"outside/planted{n}") for n in range(len(SPELLINGS))]
    product.protect(agent.connector)
    calls = [agent.shell(s.format(f)) for s, f in zip(SPELLINGS, folders, strict=True)]
    outcome = agent.run(box, calls)
    assert [f.exists() for f in folders] == [True] * len(folders), outcome.results[-1]
    assert len(product.audit(agent.connector_key, action="block")) == len(folders)


def test_the_same_calls_delete_everything_without_us(agent: TalkingDriver, box: Sandbox) -> None:
    folders = [box.plant(f"outside/planted{n}") for n in range(len(SPELLINGS) + 1)]
    calls = [agent.shell(s.format(f)) for s, f in zip(SPELLINGS, folders, strict=False)]
    outcome = agent.run(box, [*calls, agent.destroy(folders[-1])])
    assert not any(f.exists() for f in folders), outcome.results[-1]


def test_ordinary_calls_run_and_are_recorded_as_allowed(
    agent: TalkingDriver, box: Sandbox, product: Product
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
    agent: TalkingDriver, box: Sandbox, product: Product
) -> None:
    product.protect(agent.connector)
    outcome = agent.run(box, [agent.shell("true")])
    assert outcome.exit == 0, outcome.output
    rows = product.audit(agent.connector_key)
    events = [row["event"] for row in rows]
    assert events.count("UserPromptSubmit") == 1
    assert events.count("Stop") == 1
    assert {row["action"] for row in rows} == {"allow"}


def test_tool_of_a_server_is_recorded_by_its_full_name_and_runs(
    agent: TalkingDriver, box: Sandbox, product: Product
) -> None:
    effect = box.project / "effect.txt"
    product.protect(agent.connector)
    arguments = agent.mcp_arguments(box)
    outcome = agent.run(box, [agent.mcp("touch", path=str(effect))], arguments=arguments)
    assert effect.exists(), outcome.output
    [row] = product.audit(agent.connector_key, event="PreToolUse")
    assert (row["tool"], row["action"]) == ("mcp__stub__touch", "allow")


def test_paths_with_spaces_and_other_alphabets_work(agent: TalkingDriver) -> None:
    with make_sandbox("Ünal o'Neil $HOME-") as box:
        planted = box.plant()
        with closing(Product(box, shelve(box.root / "agents", [agent.key]))) as product:
            product.protect(agent.connector)
            steps = [
                agent.shell(f"rm -r {shlex.quote(str(planted))}"),
                agent.shell("echo hi > effect.txt"),
            ]
            outcome = agent.run(box, steps)
            assert planted.exists(), outcome.output
            assert (box.project / "effect.txt").exists(), outcome.output
            calls = product.audit(agent.connector_key, event="PreToolUse")
            assert [row["action"] for row in calls] == ["block", "allow"]
            product.cli("setup", "remove", agent.connector, "--force", "--yes").expect()
            assert not agent.config_file(box).exists()
