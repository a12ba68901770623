"""Roots of skills, plugins and servers are places below one of three known folders."""

from __future__ import annotations

import posixpath

import pytest

from defenseclaw.connectors import CONNECTORS
from defenseclaw.connectors.tables.assets import ASSETS, CONFIG, HOME, PROJECT
from defenseclaw.connectors.tables.lifecycles import GATES

PLACES = [
    (key, place)
    for key, roots in ASSETS.items()
    for place in (*roots.skills, *roots.plugins, *roots.servers)
]


def test_every_agent_has_a_row() -> None:
    assert ASSETS.keys() == GATES.keys()
    assert ASSETS.keys() >= CONNECTORS.keys()


@pytest.mark.parametrize(("key", "place"), PLACES)
def test_root_is_a_plain_place_below_a_known_folder(key: str, place: str) -> None:
    head, _, rest = place.partition("/")
    assert head in (CONFIG, HOME, PROJECT)
    assert rest == posixpath.normpath(rest)
    assert not rest.startswith("..")


@pytest.mark.parametrize("key", ASSETS)
def test_no_root_is_named_twice(key: str) -> None:
    roots = ASSETS[key]
    for places in (roots.skills, roots.plugins, roots.servers):
        assert len(set(places)) == len(places)
    assert bool(roots.servers) == bool(roots.table)


def test_folder_that_several_agents_share_is_known_under_each() -> None:
    shared = {key for key, roots in ASSETS.items() if "{home}/.agents/skills" in roots.skills}
    assert shared == {"amp", "cursor", "openhands", "antigravity", "opencode"}
