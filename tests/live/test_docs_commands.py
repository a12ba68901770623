"""The pages about agents, followed by a user who really has them installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.docs import Page
from tests.docs.story import AGENT_OUTPUT, OUTPUT, Reader, follow, stories
from tests.harness import Sandbox
from tests.live.roster import installation

pytestmark = pytest.mark.live


@pytest.fixture
def reader(box: Sandbox) -> Iterator[Reader]:
    """A fresh user with the installed agents."""
    ours = Reader(box, installation() / "node_modules" / ".bin")
    try:
        yield ours
    finally:
        ours.close()


@pytest.mark.parametrize("page", stories("run-in-sandbox-agent"), ids=lambda page: page.name)
def test_page_does_what_it_says_with_real_agents(page: Page, reader: Reader) -> None:
    follow(page, reader, OUTPUT, AGENT_OUTPUT)
