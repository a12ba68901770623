"""Reading hook documents: total, bounded, and never more trusting than the contract."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.connectors import CONNECTORS, DecodeError, DecodeFault, Environment, named_event
from defenseclaw.connectors.shapes import (
    MAX_CONTENT_TEXTS,
    absolute,
    contents,
    leaves,
    mcp_spec,
)
from defenseclaw.core.event import HookEvent, Route
from defenseclaw.core.tool import Platform, ToolFamily
from tests.connectors.cases import ENV, decoded, payload

CLAUDE = CONNECTORS["claudecode"]
CODEX = CONNECTORS["codex"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=20,
)
FIELDS = [
    *("session_id", "cwd", "prompt_id", "turn_id", "tool_name", "tool_input", "tool_use_id"),
    *("tool_response", "tool_calls", "stop_hook_active", "prompt", "source", "new_cwd", "error"),
]


def pre(**changes: Any) -> HookEvent:
    return decoded(CLAUDE, {**payload("claudecode", "PreToolUse"), **changes})


def fault(**changes: Any) -> DecodeFault:
    with pytest.raises(DecodeError) as caught:
        pre(**changes)
    assert str(caught.value) == caught.value.fault.value
    return caught.value.fault


@pytest.mark.parametrize("name", [None, "", 7, ["PreToolUse"], {"a": 1}])
def test_payload_without_an_event_name_is_refused(name: object) -> None:
    with pytest.raises(DecodeError) as caught:
        named_event(CODEX, {"hook_event_name": name, "tool_name": "Bash", "prompt": "x"}, "")
    assert caught.value.fault in (DecodeFault.NO_EVENT_NAME, DecodeFault.WRONG_TYPE)


def test_other_spellings_of_the_event_name_do_not_count() -> None:
    with pytest.raises(DecodeError):
        named_event(CODEX, {"hookEventName": "PreToolUse", "event_type": "PreToolUse"}, "")


def test_registered_command_names_the_event_of_a_payload_without_a_name() -> None:
    assert named_event(CODEX, {}, "PreToolUse").can_block
    assert named_event(CODEX, {"hook_event_name": "PreToolUse"}, "PreToolUse").can_block
    with pytest.raises(DecodeError):
        named_event(CODEX, {}, "NoSuchEvent")


@pytest.mark.parametrize("named", ["PostToolUse", "pretooluse", "NoSuchEvent"])
def test_registered_name_and_payload_that_disagree_are_no_trusted_boundary(named: str) -> None:
    spec = named_event(CODEX, {"hook_event_name": named}, "PreToolUse")
    assert (spec.route, spec.can_block) == (Route.UNKNOWN, False)


@pytest.mark.parametrize("field", ["session_id", "cwd", "prompt_id", "tool_name", "tool_use_id"])
@pytest.mark.parametrize("value", [7, True, ["x"], {"x": 1}])
def test_text_of_another_type_is_refused(field: str, value: object) -> None:
    assert fault(**{field: value}) is DecodeFault.WRONG_TYPE


@pytest.mark.parametrize("value", ["rm -rf /", ["rm"], 7, True])
def test_arguments_that_are_no_object_are_refused(value: object) -> None:
    assert fault(tool_input=value) is DecodeFault.WRONG_TYPE


@pytest.mark.parametrize("calls", ["x", {"a": 1}, ["x"], [{"tool_response": "x"}, 7]])
def test_batch_that_is_no_list_of_objects_is_refused(calls: object) -> None:
    with pytest.raises(DecodeError):
        decoded(CLAUDE, {**payload("claudecode", "PostToolBatch"), "tool_calls": calls})


@pytest.mark.parametrize("value", ["true", 1, [True]])
def test_loop_guard_of_another_type_is_refused(value: object) -> None:
    with pytest.raises(DecodeError):
        decoded(CLAUDE, {**payload("claudecode", "Stop"), "stop_hook_active": value})


def test_stop_that_goes_on_because_of_us_cannot_be_blocked_again() -> None:
    going_on = {**payload("claudecode", "Stop"), "stop_hook_active": True}
    assert not decoded(CLAUDE, going_on).spec.can_block
    assert decoded(CLAUDE, payload("claudecode", "Stop")).spec.can_block


def test_long_identifier_is_refused() -> None:
    assert fault(session_id="x" * 513) is DecodeFault.TOO_LONG


@pytest.mark.parametrize("value", ["a\0b", "a\ud800b"])
def test_identifier_with_unstorable_characters_is_refused(value: str) -> None:
    assert fault(session_id=value) is DecodeFault.BAD_TEXT


@pytest.mark.parametrize("name", [None, "", "NoSuchTool", "bash", "BASH", " Bash"])
def test_tool_that_is_not_listed_has_no_schema(name: str | None) -> None:
    event = pre(tool_name=name)
    assert event.call is not None
    assert event.call.spec is None


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("mcp__stub__echo", True),
        ("mcp__a-b__c__d", True),
        ("mcp__stub", False),
        ("mcp____echo", False),
        ("mcp__stub__", False),
        ("MCP__stub__echo", False),
        ("xmcp__stub__echo", False),
    ],
)
def test_mcp_names_need_a_server_and_a_tool(name: str, found: bool) -> None:
    spec = mcp_spec(name)
    assert (spec is not None) is found
    if spec is not None:
        assert spec.family is ToolFamily.MCP


@pytest.mark.parametrize(
    ("path", "platform", "expected"),
    [
        ("/home/dev/../dev/x/", Platform.POSIX, "/home/dev/x"),
        ("project", Platform.POSIX, ""),
        ("", Platform.POSIX, ""),
        ("C:\\work", Platform.POSIX, ""),
        ("C:\\work\\..\\app", Platform.WINDOWS, "C:\\app"),
        ("C:work", Platform.WINDOWS, ""),
        ("/work", Platform.WINDOWS, ""),
        ("\\\\server\\share\\x", Platform.WINDOWS, "\\\\server\\share\\x"),
    ],
)
def test_working_directory_is_clean_and_absolute(
    path: str, platform: Platform, expected: str
) -> None:
    assert absolute(path, platform) == expected


def test_environment_comes_from_the_server_and_not_from_the_payload() -> None:
    event = pre(tool_input={"command": "ls", "home": "/root"}, home="/root", own_paths=["/x"])
    assert event.call is not None
    assert event.call.home == ENV.home
    assert event.call.own_paths == ENV.own_paths
    assert event.call.hook_paths == ENV.hook_paths


def test_flags_in_a_payload_do_not_change_its_route() -> None:
    raw = {**payload("claudecode", "Notification"), "structured": True, "tool_call": True}
    assert decoded(CLAUDE, raw).call is None


def test_every_string_of_a_result_is_read_in_order() -> None:
    assert leaves({"a": ["x", {"b": "y"}], "c": 1, "d": "z"}) == ["x", "y", "z"]


def test_many_strings_become_a_bounded_number_of_texts_and_none_is_lost() -> None:
    texts = contents({"r": [f"t{i}" for i in range(1000)]}, ["r"])
    assert len(texts) == MAX_CONTENT_TEXTS
    assert "\n".join(texts).split("\n") == [f"t{i}" for i in range(1000)]


def test_deep_result_is_read_without_recursion() -> None:
    value: Any = "secret"
    for _ in range(100_000):
        value = [value]
    assert leaves(value) == ["secret"]


@given(st.sampled_from(list(CLAUDE.events)), st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_any_payload_ends_in_an_event_or_a_refusal(spec: Any, fields: dict[str, Any]) -> None:
    for connector in CONNECTORS.values():
        row = connector.event_or_unknown(spec.name)
        with suppress(DecodeError):
            event = connector.decode({"hook_event_name": row.name, **fields}, row, ENV)
            assert event.spec.route is row.route


def test_windows_payload_keeps_windows_paths() -> None:
    env = Environment("C:\\Users\\dev", Platform.WINDOWS)
    raw = {**payload("codex", "PreToolUse"), "cwd": "C:\\work\\app\\"}
    codex = CONNECTORS["codex"]
    event = codex.decode(raw, codex.event_or_unknown("PreToolUse"), env)
    assert event.cwd == "C:\\work\\app"
    assert event.call is not None
    assert event.call.platform is Platform.WINDOWS
