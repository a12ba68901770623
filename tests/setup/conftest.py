"""Fixtures of the setup tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.setup.world import KEYS, World, make_world


@pytest.fixture(params=KEYS)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    """A user of each agent in turn."""
    return make_world(tmp_path, request.param)


@pytest.fixture
def toml_world(tmp_path: Path) -> World:
    """A user of the agent that keeps hooks in TOML and ties consent to positions."""
    return make_world(tmp_path, "codex")


@pytest.fixture
def json_world(tmp_path: Path) -> World:
    """A user of the agent that keeps hooks in plain JSON."""
    return make_world(tmp_path, "claudecode")
