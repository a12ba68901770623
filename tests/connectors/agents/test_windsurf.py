"""Windsurf: what its payloads mean and what it takes as an answer."""

from __future__ import annotations

from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS, DecodeError
from defenseclaw.core.event import Answer, HookEvent, Outcome, Route
from defenseclaw.core.tool import ToolFamily
from defenseclaw.core.verdict import ALLOW, Action, Severity, Verdict
from tests.connectors.cases import REASON, decoded, payload

WINDSURF = CONNECTORS["windsurf"]
BLOCK = Verdict(Action.BLOCK, Action.BLOCK, Severity.CRITICAL, REASON)


def event(name: str, **info: Any) -> HookEvent:
    raw = payload("windsurf", name)
    return decoded(WINDSURF, {**raw, "tool_info": {**raw["tool_info"], **info}})


@pytest.mark.parametrize("spec", WINDSURF.events, ids=lambda spec: spec.name)
def test_only_exit_2_with_a_text_stops_and_only_before(spec: Any) -> None:
    answer = WINDSURF.encode(event(spec.name), BLOCK)
    before = spec.name.startswith("pre_")
    assert answer == (Answer(stderr=REASON + "\n", exit=2) if before else Answer())
    assert WINDSURF.encode(event(spec.name), ALLOW) == Answer()
    failed = WINDSURF.failure_answer(spec.name, False)
    assert (failed.exit, bool(failed.stderr), failed.stdout) == (
        (2, True, "") if before else (0, False, "")
    )


def test_command_is_a_call_of_the_shell_in_its_own_folder() -> None:
    call = event("pre_run_command", command_line="ls", cwd="/srv/app").call
    assert call is not None
    assert call.spec is not None
    assert (call.spec.family, call.args["command_line"], call.cwd) == (
        ToolFamily.SHELL, "ls", "/srv/app",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("path", "family"), [("/srv/app/a.py", ToolFamily.READ), ("/srv/app/src/", ToolFamily.LIST)]
)
def test_folder_that_is_read_is_listed(path: str, family: ToolFamily) -> None:
    call = event("pre_read_code", file_path=path).call
    assert call is not None
    assert call.spec is not None
    assert call.spec.family is family


def test_server_and_tool_stand_beside_the_arguments() -> None:
    call = event("pre_mcp_tool_use", mcp_server_name="gh", mcp_tool_name="x").call
    assert call is not None
    assert call.spec is not None
    assert (call.tool, call.spec.family) == ("mcp__gh__x", ToolFamily.MCP)
    assert "owner" in call.args


def test_ids_name_a_conversation_and_a_turn_and_never_a_call() -> None:
    for spec in WINDSURF.events:
        found = event(spec.name)
        assert (found.session_id, found.turn_id, found.call_id) == ("traj-1", "exec-1", "")
        assert found.proof.call == ""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("post_read_code", Outcome.SUCCESS),
        ("post_write_code", Outcome.SUCCESS),
        ("post_mcp_tool_use", Outcome.SUCCESS),
        ("post_run_command", Outcome.UNKNOWN),
    ],
)
def test_finished_command_proves_nothing(name: str, expected: Outcome) -> None:
    assert event(name).outcome is expected


def test_answer_ends_a_turn_and_nothing_ends_a_session() -> None:
    routes = {spec.name: spec.route for spec in WINDSURF.events}
    assert routes["post_cascade_response"] is Route.TURN_END
    assert Route.SESSION_END not in routes.values()


@pytest.mark.parametrize("info", [7, "x", ["x"], True])
def test_wrong_types_are_refused(info: object) -> None:
    with pytest.raises(DecodeError):
        decoded(WINDSURF, {**payload("windsurf", "pre_run_command"), "tool_info": info})
