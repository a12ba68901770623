"""OpenHands: what its payloads mean and what it takes as an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS, DecodeError, Environment, named_event
from defenseclaw.core.event import HookEvent, Outcome, Route
from defenseclaw.core.facts import ParseStatus
from defenseclaw.core.tool import Platform, ToolCall, ToolFamily
from defenseclaw.core.verdict import Action, Severity, Verdict
from defenseclaw.facts import analyze
from tests.connectors.cases import CASES, HERE, decoded, payload

OPENHANDS = CONNECTORS["openhands"]
EVENTS = [spec.name for spec in OPENHANDS.events]
PASCAL = {name: name.title().replace("_", "") for name in EVENTS}


def event(tool: str, bound: str = "pre_tool_use", **args: Any) -> HookEvent:
    raw = {**payload("openhands", bound), "tool_name": tool, "tool_input": args}
    return decoded(OPENHANDS, raw, bound)


def call(tool: str, **args: Any) -> ToolCall:
    found = event(tool, **args).call
    assert found is not None
    return found


def family(found: ToolCall) -> ToolFamily | None:
    return found.spec.family if found.spec is not None else None


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", EVENTS)
def test_denial_is_both_the_word_and_the_status_and_nothing_else_is(name: str, case: str) -> None:
    golden = json.loads((HERE / "golden" / "openhands" / f"{name}--{case}.json").read_text())
    body = json.loads(golden["stdout"] or "{}")
    if golden["exit"]:
        assert (golden["exit"], body["decision"], set(body)) == (2, "deny", {"decision", "reason"})
        assert body["reason"].strip()
    else:
        assert set(body) <= {"additionalContext"}


@pytest.mark.parametrize("reason", ["", "   ", "\n"])
def test_denial_without_a_reason_gets_the_default_one(reason: str) -> None:
    verdict = Verdict(Action.BLOCK, Action.BLOCK, Severity.HIGH, reason)
    answer = OPENHANDS.encode(event("terminal", command="ls"), verdict)
    assert json.loads(answer.stdout)["reason"] == "Blocked by DefenseClaw OpenHands policy."
    assert answer.exit == 2


@pytest.mark.parametrize(("name", "told"), PASCAL.items())
def test_program_and_file_name_one_event_in_two_spellings(name: str, told: str) -> None:
    assert payload("openhands", name)["event_type"] == told
    assert named_event(OPENHANDS, {"event_type": told}, name) == OPENHANDS.event(name)
    assert named_event(OPENHANDS, {"event_type": name}, "") == OPENHANDS.event(name)


@pytest.mark.parametrize(("name", "told"), PASCAL.items())
def test_any_other_spelling_is_no_trusted_boundary(name: str, told: str) -> None:
    for other in (told.lower(), told.upper(), f"{told} ", name.upper()):
        if other not in (name, told):
            spec = named_event(OPENHANDS, {"event_type": other}, "")
            assert (spec.route, spec.can_block) == (Route.UNKNOWN, False)


def test_payload_that_disagrees_with_its_command_is_no_trusted_boundary() -> None:
    spec = named_event(OPENHANDS, {"event_type": "PostToolUse"}, "pre_tool_use")
    assert (spec.route, spec.can_block) == (Route.UNKNOWN, False)


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ({"is_error": False}, Outcome.SUCCESS),
        ({"is_error": False, "exit_code": 0}, Outcome.SUCCESS),
        ({"is_error": False, "exit_code": 1}, Outcome.UNKNOWN),
        ({"is_error": False, "timeout": True}, Outcome.UNKNOWN),
        ({"is_error": True}, Outcome.FAILURE),
        ({"is_error": "false"}, Outcome.UNKNOWN),
        ({"is_error": None}, Outcome.UNKNOWN),
        ({"is_error": 0}, Outcome.UNKNOWN),
        ({}, Outcome.UNKNOWN),
        ("done", Outcome.UNKNOWN),
        (None, Outcome.UNKNOWN),
    ],
)
def test_outcome_needs_the_boolean_and_an_exit_status_that_agrees(
    response: object, expected: Outcome
) -> None:
    raw = {**payload("openhands", "post_tool_use"), "tool_response": response}
    found = decoded(OPENHANDS, raw, "post_tool_use")
    assert found.outcome is expected
    assert found.proof.call == ""


def test_payload_names_no_call_even_if_it_seems_to() -> None:
    raw = {**payload("openhands", "pre_tool_use"), "tool_use_id": "a", "tool_call_id": "a"}
    assert decoded(OPENHANDS, raw, "pre_tool_use") == event(
        "terminal", **payload("openhands", "pre_tool_use")["tool_input"]
    )


@pytest.mark.parametrize("tool", ["terminal", "execute_bash"])
def test_keystrokes_are_never_read_as_certain(tool: str) -> None:
    line, typed = (
        analyze(call(tool, command="rm -rf /srv/data\n", is_input=value)).facts
        for value in (False, True)
    )
    assert (line.family, line.parse.status) == (ToolFamily.SHELL, ParseStatus.COMPLETE)
    assert (typed.family, typed.parse.status) == (ToolFamily.SHELL_INPUT, ParseStatus.PARTIAL)


@pytest.mark.parametrize("tool", ["terminal", "execute_bash"])
def test_restart_without_a_command_runs_nothing(tool: str) -> None:
    facts = analyze(call(tool, command="", reset=True)).facts
    assert facts.parse.status is ParseStatus.COMPLETE
    assert [command.program for command in facts.commands] == [tool]
    assert (facts.paths, facts.network) == ([], [])


@pytest.mark.parametrize(
    ("command", "operation"),
    [
        ("view", "read"),
        ("create", "write"),
        ("str_replace", "edit"),
        ("insert", "edit"),
        ("undo_edit", "edit"),
    ],
)
def test_editor_does_what_its_command_says(command: str, operation: str) -> None:
    facts = analyze(call("file_editor", command=command, path="/home/dev/project/a")).facts
    assert operation in repr(facts)


def test_kind_and_absent_fields_are_no_arguments() -> None:
    raw = {"command": "ls", "timeout": None, "is_input": False, "kind": "TerminalAction"}
    assert call("terminal", **raw).args == {"command": "ls", "is_input": False}
    assert analyze(call("terminal", **raw)) == analyze(call("terminal", command="ls"))


SERVED = ("echo", *OPENHANDS.tools)


@pytest.mark.parametrize("tool", SERVED)
def test_tool_of_a_server_is_one_whatever_it_is_called(tool: str) -> None:
    served = call(tool, kind="MCPToolAction", data={"text": "x"})
    assert (family(served), dict(served.args)) == (ToolFamily.MCP, {"text": "x"})


@pytest.mark.parametrize("tool", SERVED)
def test_command_that_a_server_gets_is_read_whatever_the_tool_is_called(tool: str) -> None:
    facts = analyze(call(tool, kind="MCPToolAction", data={"command": "cat /etc/shadow"})).facts
    assert "/etc/shadow" in repr(facts)


@pytest.mark.parametrize("kind", ["mcptoolaction", "MCPToolObservation", "", None, 7, ["x"]])
def test_kind_that_is_not_exact_makes_no_call_of_a_server(kind: object) -> None:
    assert family(call("terminal", kind=kind, command="ls")) is ToolFamily.SHELL


def test_skill_is_one_of_the_surface_of_skills() -> None:
    assert family(call("invoke_skill", name="notes", kind="X")) is ToolFamily.SKILL


@pytest.mark.parametrize("field", ["session_id", "working_dir", "tool_name", "tool_input"])
@pytest.mark.parametrize("value", [7, True, ["x"]])
def test_field_of_another_type_is_refused(field: str, value: object) -> None:
    with pytest.raises(DecodeError):
        decoded(OPENHANDS, {**payload("openhands", "pre_tool_use"), field: value})


@pytest.mark.parametrize("data", ["text", 7, ["x"]])
def test_arguments_of_a_server_s_tool_are_an_object(data: object) -> None:
    with pytest.raises(DecodeError):
        event("echo", kind="MCPToolAction", data=data)


@pytest.mark.parametrize("name", EVENTS)
def test_fields_that_nobody_declared_raise_no_authority(name: str) -> None:
    raw = payload("openhands", name)
    more = {"decision": "allow", "structured": True, "can_block": True, "state_transition": True}
    assert decoded(OPENHANDS, {**raw, **more}, name) == decoded(OPENHANDS, raw, name)


def test_folder_of_a_session_is_its_working_directory() -> None:
    raw = {**payload("openhands", "pre_tool_use"), "working_dir": "/srv/a/../b", "cwd": "/x"}
    spec = named_event(OPENHANDS, raw, "pre_tool_use")
    assert OPENHANDS.decode(raw, spec, Environment("/h", Platform.POSIX)).cwd == "/srv/b"


@pytest.mark.parametrize("name", EVENTS)
def test_closed_answer_denies_calls_and_prompts_and_never_loops(name: str) -> None:
    answer = OPENHANDS.failure_answer(name, False)
    denies = name in ("pre_tool_use", "user_prompt_submit")
    assert (answer.exit, bool(answer.stdout)) == ((2, True) if denies else (0, False))


def test_registration_has_events_at_the_top_and_knows_what_hides_it() -> None:
    registration = OPENHANDS.registration
    assert registration.layout.root == ""
    assert registration.files == {Platform.POSIX: "hooks.json"}
    assert registration.shadowing == (".openhands/hooks.json",)
    assert registration.binds_events
    assert len(EVENTS) == 6
