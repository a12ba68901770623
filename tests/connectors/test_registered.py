"""Settings that would no longer run our hooks are recognised from their bytes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from defenseclaw.connectors import (
    CONNECTORS,
    Connector,
    disarmed,
    hook_variables,
    switched_off,
)
from defenseclaw.core.event import Route

LAUNCHER = "/home/dev/.defenseclaw/hooks/x.sh"
# Only an agent that tells of changes to its settings can be kept from dropping our hooks.
JSON_AGENTS = [c for c in CONNECTORS.values() if any(e.route is Route.CONFIG for e in c.events)]


def settings(connector: Connector, **extra: Any) -> dict[str, Any]:
    group = {"hooks": [{"type": "command", "command": f"'{LAUNCHER}'", "timeout": 30}]}
    return {"hooks": {event.name: [group] for event in connector.events}, **extra}


def content(value: object) -> bytes:
    return json.dumps(value).encode()


@pytest.mark.parametrize("connector", JSON_AGENTS, ids=lambda c: c.key)
class TestDisarmed:
    def test_full_registration_is_armed(self, connector: Connector) -> None:
        assert disarmed(connector, content(settings(connector)), LAUNCHER) == ""

    def test_foreign_settings_beside_it_do_not_matter(self, connector: Connector) -> None:
        value = settings(connector, model="x", env={"A": "b"})
        value["hooks"]["PreToolUse"].insert(0, {"hooks": [{"type": "command", "command": "y"}]})
        assert disarmed(connector, content(value), LAUNCHER) == ""

    def test_each_blocking_event_is_needed(self, connector: Connector) -> None:
        for event in connector.events:
            value = settings(connector)
            del value["hooks"][event.name]
            problem = disarmed(connector, content(value), LAUNCHER)
            assert bool(problem) == event.can_block, event.name

    @pytest.mark.parametrize(
        "raw", [b"", b"{}", b"[]", b"{", b"\xff", b'{"hooks":[]}', b'{"hooks":{"PreToolUse":7}}']
    )
    def test_emptied_or_broken_settings_are_not_armed(
        self, connector: Connector, raw: bytes
    ) -> None:
        assert disarmed(connector, raw, LAUNCHER)

    def test_each_switch_disarms_wherever_it_stands(self, connector: Connector) -> None:
        for switch in connector.registration.switches:
            value = settings(connector)
            place = value
            for name in switch.path[:-1]:
                place = place.setdefault(name, {})
            place[switch.path[-1]] = switch.off
            assert disarmed(connector, content(value), LAUNCHER)
            assert switched_off(connector, content(value))
            place[switch.path[-1]] = not switch.off
            assert not switched_off(connector, content(value))


@pytest.mark.parametrize("connector", CONNECTORS.values(), ids=lambda c: c.key)
def test_variables_of_a_project_are_named(connector: Connector) -> None:
    table = connector.registration.project_env
    found = hook_variables(connector, content({table: {"A": "1", "B": "2"}}))
    assert found == (("A", "B") if table else ())
    for odd in (b"", b"{", b"[]", content({table: ["A"]}), b"\xff"):
        assert hook_variables(connector, odd) == ()
