"""An observe advisory is told once in a window; the audit has every event."""

from __future__ import annotations

import dataclasses

import pytest

from defenseclaw.connectors import CONNECTORS, Connector
from defenseclaw.core.event import EventSpec, HookEvent, Route
from defenseclaw.core.limits import MAX_REMEMBERED_ADVISORIES
from defenseclaw.gateway.advisories import Advisories

RULES = frozenset({"A", "B"})
WINDOW = 300.0


class Clock:
    """Seconds that a test moves."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def connector() -> Connector:
    return dataclasses.replace(
        next(iter(CONNECTORS.values())),
        advisory_window_s=WINDOW,
        advisory_families={"Before": "call", "Asked": "call"},
    )


def event(name: str = "Before", session: str = "s1") -> HookEvent:
    return HookEvent("x", EventSpec(name, Route.PROPOSAL), session_id=session)


def test_the_same_is_repeated_only_after_the_window(connector: Connector) -> None:
    clock = Clock()
    told = Advisories(clock)
    assert not told.is_repeated(connector, event(), RULES)
    clock.now += WINDOW - 1
    assert told.is_repeated(connector, event(), RULES)
    clock.now += 1
    assert not told.is_repeated(connector, event(), RULES)


def test_events_of_one_family_count_as_one(connector: Connector) -> None:
    told = Advisories(Clock())
    assert not told.is_repeated(connector, event("Before"), RULES)
    assert told.is_repeated(connector, event("Asked"), RULES)
    assert not told.is_repeated(connector, event("Other"), RULES)


def test_another_session_rule_set_or_agent_is_something_new(connector: Connector) -> None:
    told = Advisories(Clock())
    assert not told.is_repeated(connector, event(), RULES)
    assert not told.is_repeated(connector, event(session="s2"), RULES)
    assert not told.is_repeated(connector, event(), frozenset({"A"}))
    assert not told.is_repeated(dataclasses.replace(connector, key="other"), event(), RULES)


def test_without_a_window_or_a_session_nothing_is_held_back(connector: Connector) -> None:
    told = Advisories(Clock())
    always = dataclasses.replace(connector, advisory_window_s=0.0)
    for _ in range(2):
        assert not told.is_repeated(always, event(), RULES)
        assert not told.is_repeated(connector, event(session=""), RULES)


def test_the_longest_unused_is_forgotten_first(connector: Connector) -> None:
    told = Advisories(Clock())
    for number in range(MAX_REMEMBERED_ADVISORIES):
        told.is_repeated(connector, event(session=f"s{number}"), RULES)
    assert told.is_repeated(connector, event(session="s0"), RULES)
    told.is_repeated(connector, event(session="new"), RULES)
    assert told.is_repeated(connector, event(session="s0"), RULES)
    assert not told.is_repeated(connector, event(session="s1"), RULES)
