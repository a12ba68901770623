"""The commands on our pages, run as they are typed, by a user with stand-ins for the agents."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.docs import Page
from tests.docs.story import EXECUTED, OUTPUT, Reader, follow, stories
from tests.harness import make_sandbox, write_fake_agents

pytestmark = pytest.mark.acceptance


@pytest.fixture
def reader() -> Iterator[Reader]:
    """A fresh user, on whose search path both agents seem to be installed."""
    with make_sandbox() as box:
        ours = Reader(box, write_fake_agents(box.root / "agents"))
        try:
            yield ours
        finally:
            ours.close()


@pytest.mark.parametrize("page", stories(*EXECUTED), ids=lambda page: page.name)
def test_page_does_what_it_says(page: Page, reader: Reader) -> None:
    follow(page, reader, OUTPUT)
