"""The pages about agents, followed by a user who really has them installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.docs import Page
from tests.docs.story import AGENT_OUTPUT, OUTPUT, Reader, follow, stories
from tests.harness import VERSION_TEXTS, Sandbox
from tests.live.roster import read_roster, shelve

pytestmark = pytest.mark.live


@pytest.fixture
def reader(box: Sandbox) -> Iterator[Reader]:
    """A fresh user who installed the agents that have a stand-in elsewhere."""
    known = [agent for agent in VERSION_TEXTS if agent in read_roster()]
    ours = Reader(box, shelve(box.root / "agents", known))
    try:
        yield ours
    finally:
        ours.close()


@pytest.mark.parametrize("page", stories("run-in-sandbox-agent"), ids=lambda page: page.name)
def test_page_does_what_it_says_with_real_agents(page: Page, reader: Reader) -> None:
    follow(page, reader, OUTPUT, AGENT_OUTPUT)
