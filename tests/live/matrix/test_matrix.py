"""Every agent, the same questions: what runs, what does not, what the model is told, what is kept.

The course is run once per agent; the tests look at different sides of that run. An agent that has
no way to pass a check is not asked; its driver says why, and the printed matrix shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest

from tests.live.drivers import DRIVERS
from tests.live.matrix.checks import Check
from tests.live.matrix.report import PROPERTY, asked
from tests.live.matrix.runs import (
    Evidence,
    World,
    make_world,
    run_course,
    run_shell,
    snapshot,
    traces,
)

pytestmark = pytest.mark.live
BY_COURSE = (Check.WRITE, Check.READ, Check.TOOL_SERVER, Check.PARALLEL, Check.SUBAGENT)


def asks(*checks: Check) -> pytest.MarkDecorator:
    """Ask these checks of every agent that can do what they ask for; one worker per agent."""
    rows = [
        pytest.param(key, check, marks=pytest.mark.xdist_group(key), id=f"{key}-{check.name}")
        for key in sorted(DRIVERS)
        for check in checks
        if check in asked(key)
    ]
    return pytest.mark.parametrize("key, check", rows)


@pytest.fixture(autouse=True)
def cell(key: str, check: Check, record_property: Callable[[str, object], None]) -> None:
    """Tell the matrix which of its cells a test decides."""
    record_property(PROPERTY, f"{key} {check.name}")


@pytest.fixture
def world(key: str) -> Iterator[World]:
    """A user with this agent."""
    with make_world(key) as made:
        yield made


@cache
def guarded(key: str) -> Evidence:
    """The whole course in action mode; what went wrong with it fails every test that looks."""
    with make_world(key) as world:
        world.product.protect(world.agent.connector)
        return run_course(world)


@asks(Check.RUNS)
def test_allowed_call_runs_and_is_recorded(key: str, check: Check) -> None:
    seen = guarded(key)
    assert seen.happened(check) == {False: True}, seen.report()
    assert any(row["action"] == "allow" and row["tool"] for row in seen.rows)
    assert seen.failures == []
    assert seen.outcome.exit == 0


@asks(Check.BLOCKED)
def test_refused_call_does_not_run_and_is_recorded(key: str, check: Check) -> None:
    seen = guarded(key)
    assert seen.happened(check) == {True: False}, seen.report()
    assert seen.blocked_rules(), seen.report()


@asks(Check.TOLD)
def test_model_is_told_which_rule_refused_each_call(key: str, check: Check) -> None:
    seen = guarded(key)
    rules = seen.blocked_rules()
    refused = [(act.check.name, text) for act, text in seen.answers if act.refused]
    assert refused, seen.report()
    silent = [name for name, text in refused if not any(rule in text for rule in rules)]
    assert silent == [], seen.report()


@asks(*BY_COURSE)
def test_fine_call_of_each_kind_runs_and_the_refused_one_does_not(key: str, check: Check) -> None:
    seen = guarded(key)
    assert seen.happened(check) == {False: True, True: False}, seen.report()


@asks(Check.OBSERVE)
def test_observe_lets_both_run_and_records_what_it_would_have_blocked(
    world: World, check: Check
) -> None:
    world.product.protect(world.agent.connector, "observe")
    seen = run_shell(world)
    assert [ran for _, ran in seen.acts] == [True, True], seen.report()
    rows = [row for row in seen.rows if row["would_block"]]
    assert rows, seen.report()
    assert {(row["action"], row["mode"]) for row in rows} == {("allow", "observe")}


@asks(Check.CLOSED)
def test_gateway_that_stops_during_the_session_blocks_every_call_when_closed(
    world: World, check: Check
) -> None:
    world.product.protect(world.agent.connector)
    seen = run_shell(world, {0: lambda: world.product.gateway("stop").expect()})
    assert [ran for _, ran in seen.acts] == [False, False], seen.report()
    assert {row["fail_mode"] for row in seen.failures} == {"closed"}, seen.report()


@asks(Check.OPEN)
def test_stopped_gateway_lets_every_call_run_and_records_it_when_open(
    world: World, check: Check
) -> None:
    connector = world.agent.connector
    world.product.protect(connector)
    mode = ("guardrail", "fail-mode", "open", "--connector", connector, "--yes")
    world.product.cli(*mode).expect()
    world.product.gateway("stop").expect()
    seen = run_shell(world)
    assert [ran for _, ran in seen.acts] == [True, True], seen.report()
    kinds = {(row["connector"], row["fail_mode"]) for row in seen.failures}
    assert kinds == {(world.agent.connector_key, "open")}, seen.report()


@asks(Check.REMOVAL)
def test_removal_leaves_every_file_as_it_was_and_calls_run_again(
    world: World, check: Check
) -> None:
    folders = (world.box.home, world.box.project)
    before = snapshot(*folders)
    world.product.protect(world.agent.connector)
    assert traces(before, snapshot(*folders), world.box)
    world.product.cli("setup", "remove", world.agent.connector, "--force", "--yes").expect()
    assert traces(before, snapshot(*folders), world.box) == []
    seen = run_shell(world)
    assert [ran for _, ran in seen.acts] == [True, True], seen.report()
