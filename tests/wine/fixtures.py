"""The prefix, and code that is run by a Windows interpreter in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.wine.guest import Guest
from tests.wine.prefix import Wine

FOLDER = "DEFENSECLAW_WINE"


@pytest.fixture(scope="session")
def wine() -> Iterator[Wine]:
    """The prepared prefix; its programs are ended at the end."""
    folder = os.environ.get(FOLDER)
    if not folder:
        pytest.fail("there is no prepared Wine; run: ./test wine")
    prefix = Wine(Path(folder))
    try:
        yield prefix
    finally:
        prefix.end()


@pytest.fixture(scope="session")
def wine_python(wine: Wine) -> Iterator[Guest]:
    """``wine_python(code, **names)``: what the code left in ``result`` on Windows."""
    guest = Guest(wine)
    try:
        yield guest
    finally:
        guest.close()
