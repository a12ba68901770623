"""A throwaway user on whose search path both agents seem to be installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.harness import Product, make_sandbox, write_fake_agents

CONNECTORS = {"codex": "codex", "claude-code": "claudecode"}  # command-line name: key


@contextmanager
def make_product(*connectors: str, mode: str = "action") -> Iterator[Product]:
    """A product with these connectors set up and its gateway running."""
    with make_sandbox() as box:
        ours = Product(box, write_fake_agents(box.root / "agents"))
        try:
            for connector in connectors:
                ours.protect(connector, mode)
            yield ours
        finally:
            ours.close()


@pytest.fixture
def product() -> Iterator[Product]:
    """Nothing set up yet."""
    with make_product() as ours:
        yield ours


@pytest.fixture(scope="module")
def protected() -> Iterator[Product]:
    """Both connectors in action mode and failing closed, shared by the tests of a module."""
    with make_product(*CONNECTORS) as ours:
        yield ours
