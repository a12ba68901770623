"""The commands on our pages, run as they are typed, by a user with stand-ins for the agents."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.docs import Page
from tests.docs.page import ROOT
from tests.docs.story import EXECUTED, OUTPUT, Reader, follow, stories
from tests.harness import make_sandbox, write_fake_agents

pytestmark = pytest.mark.acceptance
CHECKS = (
    ("-m", "ruff", "check", "."),
    ("-m", "ruff", "format", "--check", "."),
    ("-m", "mypy"),
)


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


def test_front_page_shows_what_the_checks_print() -> None:
    shown = Page(ROOT / "README.md").blocks[-1].text.splitlines()
    assert shown[0] == "=== check"
    for line, check in zip(shown[1:], CHECKS, strict=False):
        done = subprocess.run([sys.executable, *check], cwd=ROOT, capture_output=True, text=True)
        assert re.sub(r"\d+", "N", done.stdout.strip()) == re.sub(r"\d+", "N", line)
    assert re.fullmatch(r"\d+ passed in [\d.]+s \(\d+:\d\d:\d\d\)", shown[-1])
