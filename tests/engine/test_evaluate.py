"""Rows of ``eval`` become the events that a hook would have produced, or a readable error."""

from __future__ import annotations

from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS
from defenseclaw.core.event import Route
from defenseclaw.core.tool import Platform, ToolFamily
from defenseclaw.engine import parse_row
from defenseclaw.errors import DefenseClawError


def call_of(raw: dict[str, Any], platform: Platform = Platform.POSIX) -> Any:
    return parse_row({"id": "r", **raw}, platform).event.call


@pytest.mark.parametrize(
    ("shell", "platform"),
    [("posix", Platform.POSIX), ("powershell", Platform.WINDOWS), ("cmd", Platform.WINDOWS)],
)
def test_shell_decides_the_platform(shell: str, platform: Platform) -> None:
    call = call_of({"shell": shell, "command": "dir"})
    assert (call.platform, call.spec.dialect) == (platform, shell)


@pytest.mark.parametrize(
    ("platform", "dialect"), [(Platform.POSIX, "posix"), (Platform.WINDOWS, "powershell")]
)
def test_without_a_shell_the_default_platform_decides(platform: Platform, dialect: str) -> None:
    call = call_of({"command": "dir"}, platform)
    assert (call.platform, call.spec.dialect) == (platform, dialect)


def test_place_is_taken_from_the_row() -> None:
    call = call_of({"command": "ls", "cwd": "/srv/app", "home": "/home/dana"})
    assert (call.cwd, call.home) == ("/srv/app", "/home/dana")


def test_tool_without_connector_uses_the_global_table() -> None:
    assert call_of({"tool": "Read", "args": {"file_path": "/x"}}).spec.family is ToolFamily.READ
    assert call_of({"tool": "NoSuchTool", "args": {}}).spec is None


@pytest.mark.parametrize("key", list(CONNECTORS))
def test_tool_with_connector_uses_that_connectors_table(key: str) -> None:
    for name, spec in CONNECTORS[key].tools.items():
        assert call_of({"tool": name, "args": {}, "connector": key}).spec == spec


@pytest.mark.parametrize(("surface", "route"), [("prompt", Route.PROMPT), ("result", Route.RESULT)])
def test_content_is_a_text_event(surface: str, route: Route) -> None:
    row = parse_row({"id": 7, "surface": surface, "content": "hello"}, Platform.POSIX)
    assert (row.id, row.event.spec.route, row.event.contents) == ("7", route, ("hello",))


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ({}, "none of command, tool or content"),
        ({"shell": "fish", "command": "ls"}, "shell is none of"),
        ({"command": 7}, "command is not a string"),
        ({"tool": "Read", "args": []}, "args is not an object"),
        ({"tool": "Read", "args": {}, "connector": "nobody"}, "is not known"),
        ({"command": "ls", "cwd": 1}, "cwd is not a string"),
    ],
)
def test_unusable_row_names_itself_and_its_fault(raw: dict[str, Any], why: str) -> None:
    with pytest.raises(DefenseClawError, match=why) as caught:
        call_of(raw)
    assert "'r'" in caught.value.what
