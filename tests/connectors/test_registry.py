"""Names of connectors and the promises that every one of them makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from defenseclaw.connectors import CONNECTORS, find
from defenseclaw.core.tool import FieldRole, Platform, ToolFamily
from tests.connectors.cases import HERE, decoded, payload

SAMPLES = sorted((HERE / "payloads").rglob("*.json"))
# Agents whose payloads have the plain envelope; the others' own tests say where theirs has what.
SERVED = (".echo", ".fail", ".crash")  # tools of the server that the recordings were made with
PLAIN = ("codex", "claudecode")
# Words in the names of samples whose tool no table can have.
UNTABLED = ("mcp", "stub", "no_such_tool", "nulltoolcall", "minimal", "pascal", *SERVED)
CERTIFIED_ON_WINDOWS = {"codex", "claudecode", "amp"}


def bound_event(path: Path) -> str:
    """The event that a sample is of: the longest event name that its file name begins with."""
    names = [spec.name for spec in CONNECTORS[path.parent.name].events]
    return max((n for n in names if f"{path.stem}.".startswith(f"{n}.")), key=len)


def test_order_is_stable() -> None:
    known = [
        *("codex", "claudecode", "amp", "hermes", "cursor", "windsurf", "geminicli", "copilot"),
        *("openhands", "antigravity", "opencode", "omnigent"),
    ]
    assert list(CONNECTORS) == [key for key in known if key in CONNECTORS]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("codex", "codex"),
        (" Codex ", "codex"),
        ("codex_cli", "codex"),
        ("claude", "claudecode"),
        ("Claude-Code", "claudecode"),
        ("claude_code", "claudecode"),
        ("CLAUDE CODE", "claudecode"),
        ("claudecode", "claudecode"),
    ],
)
def test_connector_is_found_by_any_of_its_spellings(name: str, key: str) -> None:
    found = find(name)
    assert found is not None
    assert found.key == key


@pytest.mark.parametrize("name", ["", "claud", "claudecodes", "codex2", "amp\0"])
def test_other_names_find_nothing(name: str) -> None:
    assert find(name) is None


@pytest.mark.parametrize(
    "path",
    [path for path in SAMPLES if path.parent.name in PLAIN],
    ids=lambda p: f"{p.parent.name}/{p.stem}",
)
def test_recorded_payload_keeps_its_identities(path: Path) -> None:
    connector = CONNECTORS[path.parent.name]
    raw = payload(connector.key, path.stem)
    event = decoded(connector, raw)
    assert event.connector == connector.key
    assert event.spec.name == raw["hook_event_name"]
    assert event.session_id == raw["session_id"]
    assert event.call_id == raw.get("tool_use_id", "")
    assert event.cwd == raw["cwd"]
    if "tool_name" in raw:
        assert event.call is not None
        assert event.call.tool == raw["tool_name"]
        assert event.call.args == raw["tool_input"]
        assert (event.call.home, event.call.cwd) == ("/home/dev", raw["cwd"])


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_recorded_tool_arguments_are_all_reviewed(path: Path) -> None:
    connector = CONNECTORS[path.parent.name]
    event = decoded(connector, payload(connector.key, path.stem), bound_event(path))
    if event.call is not None:
        is_served = event.call.spec is not None and event.call.spec.family is ToolFamily.MCP
        if event.call.tool.startswith("mcp__"):
            assert is_served
        elif event.call.spec is None or is_served:
            assert any(word in path.stem.lower() for word in UNTABLED), "a table may lack a tool"
        else:
            assert set(event.call.args) <= set(event.call.spec.fields)


@pytest.mark.parametrize("key", CONNECTORS)
def test_tool_rows_are_named_by_themselves_and_have_known_roles(key: str) -> None:
    for name, spec in CONNECTORS[key].tools.items():
        assert spec.name == name
        assert all(isinstance(role, FieldRole) for role in spec.fields.values())


@pytest.mark.parametrize("key", CONNECTORS)
def test_registration_names_a_file_for_the_platforms_that_are_proven(key: str) -> None:
    registration = CONNECTORS[key].registration
    windows = {Platform.WINDOWS} if key in CERTIFIED_ON_WINDOWS else set()
    assert set(registration.files) == {Platform.POSIX} | windows
    assert registration.home_default.startswith(".")
