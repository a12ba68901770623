"""Ordered chains on the other agents that prove outcomes, with a restart of the gateway between."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.live.matrix.runs import World, make_world
from tests.live.test_chains import CHAIN, ELEVATION, FAILING, SURVEY, Restarter

pytestmark = pytest.mark.live
PAIRED = ("opencode", "hermes", "amp")
# The stand-in for Amp's service does not tell how a command ended.
TELLS_STATUS = ("opencode", "hermes")


def each(keys: tuple[str, ...]) -> pytest.MarkDecorator:
    """One worker per agent."""
    rows = [pytest.param(key, marks=pytest.mark.xdist_group(key), id=key) for key in keys]
    return pytest.mark.parametrize("key", rows)


@pytest.fixture
def world(key: str) -> Iterator[World]:
    """A user with this agent in strict action mode."""
    with make_world(key) as made:
        made.product.protect(made.agent.connector, "action", "--profile", "strict")
        yield made


def play(world: World, *commands: str) -> str:
    agent, box = world.agent, world.box
    return agent.run(box, [agent.shell(command) for command in commands]).output


@each(PAIRED)
def test_proven_survey_blocks_the_elevation_after_a_restart(world: World) -> None:
    project = world.box.project
    restarter = Restarter(world.box, world.product)
    restarter.start()
    wait = (
        f"touch {project}/ready; "
        f"for i in $(seq 600); do test -e {project}/go && break; sleep 0.1; done"
    )
    output = play(world, SURVEY, wait, ELEVATION)
    restarter.join()
    assert restarter.is_done
    [row] = [row for row in world.rows() if CHAIN in row["rules"]]
    assert row["action"] == "block", output
    assert row["route"] == "proposal"


@each(TELLS_STATUS)
def test_failed_survey_blocks_nothing(world: World) -> None:
    output = play(world, FAILING, ELEVATION)
    assert len(world.rows(route="proposal")) >= 2, output
    assert [row for row in world.rows() if CHAIN in row["rules"]] == []
