"""Hermes: what its payloads mean and what it takes as an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS, ContractStatus, DecodeError, resolve_contract
from defenseclaw.core.event import HookEvent, Outcome, Route
from defenseclaw.core.tool import Platform, ToolFamily
from defenseclaw.core.verdict import Action, Severity, Verdict
from defenseclaw.facts import analyze
from tests.connectors.cases import CASES, HERE, REASON, decoded, payload

HERMES = CONNECTORS["hermes"]
EVENTS = [spec.name for spec in HERMES.events]
BLOCK = Verdict(Action.BLOCK, Action.BLOCK, Severity.HIGH, REASON)


def call(tool: str, event: str = "pre_tool_call", **args: Any) -> HookEvent:
    return decoded(HERMES, {**payload("hermes", event), "tool_name": tool, "tool_input": args})


def outcome(**extra: Any) -> Outcome:
    raw = payload("hermes", "post_tool_call")
    changed = {key: v for key, v in {**raw["extra"], **extra}.items() if v != "absent"}
    return decoded(HERMES, {**raw, "extra": changed}).outcome


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", EVENTS)
def test_nothing_but_a_clean_block_or_a_context_is_ever_printed(name: str, case: str) -> None:
    golden = json.loads((HERE / "golden" / "hermes" / f"{name}--{case}.json").read_text())
    assert golden["exit"] == 0
    body = json.loads(golden["stdout"] or "{}")
    if "decision" in body:
        assert (name, body["decision"], set(body)) == (
            "pre_tool_call",
            "block",
            {"decision", "reason"},
        )
        assert body["reason"].strip()
    elif body:
        assert (name, set(body)) == ("pre_llm_call", {"context"})


@pytest.mark.parametrize("reason", ["", "   ", "\n"])
def test_denial_without_a_reason_gets_the_default_one(reason: str) -> None:
    verdict = Verdict(Action.BLOCK, Action.BLOCK, Severity.HIGH, reason)
    told = json.loads(HERMES.encode(call("terminal", command="ls"), verdict).stdout)
    assert told == {"decision": "block", "reason": "Blocked by DefenseClaw Hermes policy."}


@pytest.mark.parametrize("name", EVENTS)
def test_event_name_in_another_case_is_no_trusted_boundary(name: str) -> None:
    for other in (name.upper(), name.title(), f" {name}", name.replace("_", "")):
        spec = decoded(HERMES, {**payload("hermes", name), "hook_event_name": other}).spec
        assert (spec.route, spec.can_block, spec.can_ask) == (Route.UNKNOWN, False, False)


@pytest.mark.parametrize(
    ("version", "is_known"),
    [("0.10.9", False), ("0.11.0", True), ("v0.11.0", True), ("0.19.0", True)],
)
def test_hooks_are_known_from_their_first_version(version: str, is_known: bool) -> None:
    _, status = resolve_contract(HERMES, version)
    assert (status is ContractStatus.KNOWN) == is_known


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        ({}, Outcome.SUCCESS),
        ({"result": '{"output":"","exit_code":3,"error":null}'}, Outcome.UNKNOWN),
        ({"result": '{"error":"File not found"}'}, Outcome.UNKNOWN),
        ({"status": " ok"}, Outcome.UNKNOWN),
        ({"status": "OK"}, Outcome.UNKNOWN),
        ({"status": "success"}, Outcome.UNKNOWN),
        ({"status": True}, Outcome.UNKNOWN),
        ({"status": ["ok"]}, Outcome.UNKNOWN),
        ({"status": None}, Outcome.UNKNOWN),
        ({"status": "absent"}, Outcome.UNKNOWN),
        ({"status": "error"}, Outcome.FAILURE),
        ({"status": "blocked"}, Outcome.DENIED),
    ],
)
def test_only_ok_with_a_result_that_agrees_is_a_success(
    extra: dict[str, Any], expected: Outcome
) -> None:
    assert outcome(**extra) is expected


@pytest.mark.parametrize("extra", [None, {}, "text", ["call_1"], 7])
def test_call_without_an_id_is_judged_and_proves_nothing(extra: object) -> None:
    event = decoded(HERMES, {**payload("hermes", "pre_tool_call"), "extra": extra})
    assert event.call is not None
    assert (event.call_id, event.proof.call) == ("", "")
    assert json.loads(HERMES.encode(event, BLOCK).stdout)["decision"] == "block"


def test_only_the_id_in_extra_names_a_call() -> None:
    raw = payload("hermes", "pre_tool_call.noid")
    assert decoded(HERMES, {**raw, "tool_call_id": "call_9"}).proof.call == ""
    told = {"tool_call_id": "call_1", "tool_use_id": "call_2"}
    assert decoded(HERMES, {**raw, "extra": told}).proof.call == ""


@pytest.mark.parametrize("field", ["session_id", "cwd", "tool_name", "tool_input"])
@pytest.mark.parametrize("value", [7, True, ["x"]])
def test_field_of_another_type_is_refused(field: str, value: object) -> None:
    with pytest.raises(DecodeError):
        decoded(HERMES, {**payload("hermes", "pre_tool_call"), field: value})


@pytest.mark.parametrize("name", ["post_tool_call", "pre_llm_call", "on_session_end"])
def test_fields_that_nobody_declared_raise_no_authority(name: str) -> None:
    raw = payload("hermes", name)
    more = {"permission": "allow", "structured": True, "can_block": True, "state_transition": True}
    assert decoded(HERMES, {**raw, **more}) == decoded(HERMES, raw)


def test_sessions_end_where_their_names_do_not_say_so() -> None:
    routes = {spec.name: spec.route for spec in HERMES.events}
    assert routes["on_session_end"] is Route.TURN_END
    assert routes["on_session_finalize"] is routes["on_session_reset"] is Route.SESSION_END
    assert routes["subagent_stop"] is Route.LIFECYCLE


def test_code_is_a_program_of_python_and_no_shell_line() -> None:
    event = call("execute_code", code="import shutil\nshutil.rmtree('/srv/data')\n")
    assert event.call is not None
    assert event.call.spec is not None
    assert event.call.spec.dialect == "python"


def test_patch_envelope_names_files_below_the_folder_of_the_call() -> None:
    text = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** End Patch\n"
    event = call("patch", mode="patch", patch=text)
    assert event.call is not None
    assert "/home/dev/project/src/a.py" in repr(analyze(event.call).facts)


def test_tool_of_a_server_is_known_by_its_two_underscores_only() -> None:
    served, older = call("mcp__github__create_issue"), call("mcp_github_create_issue")
    assert served.call is not None
    assert older.call is not None
    assert served.call.spec is not None
    assert served.call.spec.family is ToolFamily.MCP
    assert older.call.spec is None


@pytest.mark.parametrize("name", EVENTS)
def test_closed_answer_stops_exactly_what_hermes_lets_us_stop(name: str) -> None:
    spec, answer = HERMES.event(name), HERMES.failure_answer(name, False)
    assert spec is not None
    assert answer.exit == 0
    assert bool(answer.stdout) == spec.can_block == (name == "pre_tool_call")


def test_event_that_nobody_knows_is_stopped_when_closed() -> None:
    assert json.loads(HERMES.failure_answer("no_such_event", False).stdout)["decision"] == "block"


def test_registration_is_flat_and_bound_with_matchers_on_tool_events_only() -> None:
    registration = HERMES.registration
    assert registration.files == {Platform.POSIX: "config.yaml"}
    assert (registration.home_env, registration.binds_events) == ("HERMES_HOME", True)
    assert registration.consents is not None
    assert registration.consents.file == "shell-hooks-allowlist.json"
    matched = {spec.name: spec.matcher for spec in HERMES.events if spec.matcher}
    assert matched == {"pre_tool_call": ".*", "post_tool_call": ".*"}
    assert len(EVENTS) == 10
