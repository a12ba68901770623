"""Every event of every connector has a reviewed answer for every case."""

from __future__ import annotations

import json

import pytest

from defenseclaw.connectors import CONNECTORS
from defenseclaw.core.verdict import Action, Severity, Verdict
from tests.connectors.cases import HERE, Case, actual, decoded, matrix, payload

DENIALS = (
    *('"deny"', '"decision":"block"', '"decline"', '"continue":false', '"ask"'),
    *('"action":"block"', '"action":"confirm"'),
)
QUESTIONS = ('"ask"', '"action":"confirm"')
# Agents that let their own end of a turn go where nobody can judge it: they would loop.
LET_GO = {("copilot", "agentStop"), ("copilot", "subagentStop"), ("openhands", "stop")}
BLOCKING = {
    "codex": {"UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "Stop"},
    "claudecode": {
        "UserPromptSubmit",
        "UserPromptExpansion",
        "PreToolUse",
        "PermissionRequest",
        "PostToolBatch",
        "TaskCreated",
        "TaskCompleted",
        "TeammateIdle",
        "Stop",
        "SubagentStop",
        "ConfigChange",
        "PreCompact",
        "Elicitation",
        "ElicitationResult",
    },
    "hermes": {"pre_tool_call"},
    "cursor": {
        *("preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"),
        *("beforeTabFileRead", "beforeSubmitPrompt"),
    },
    "windsurf": {
        *("pre_user_prompt", "pre_read_code", "pre_write_code", "pre_run_command"),
        "pre_mcp_tool_use",
    },
    "geminicli": {"BeforeAgent", "BeforeModel", "BeforeTool", "AfterTool", "AfterAgent"},
    "copilot": {"preToolUse", "permissionRequest", "agentStop", "subagentStop"},
    "openhands": {"pre_tool_use", "user_prompt_submit", "stop"},
    "antigravity": {"PreToolUse"},
    "opencode": {"tool.execute.before"},
    "amp": {"tool.call", "tool.result"},
    "omnigent": {"UserPromptSubmit", "PreToolUse", "BeforeModel"},
}
SAYS_AND_REFUSES = {"openhands"}  # a document and exit 2: some of its releases read only one
CASES = list(matrix())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_answer_equals_its_golden_file(case: Case) -> None:
    assert case.path.exists(), "run python -m tests.connectors.write_goldens and review the file"
    golden = json.loads(case.path.read_text(encoding="utf-8"))
    raw = golden.pop("payload")
    assert decoded(case.connector, raw, case.spec.name).spec.name == case.spec.name
    assert actual(case, raw) == golden


def test_no_golden_file_is_left_over() -> None:
    found = {p.relative_to(HERE / "golden") for p in (HERE / "golden").rglob("*.json")}
    assert found == {c.path.relative_to(HERE / "golden") for c in CASES}


@pytest.mark.parametrize("key", CONNECTORS)
def test_blocking_events_are_exactly_the_declared_ones(key: str) -> None:
    assert {s.name for s in CONNECTORS[key].events if s.can_block} == BLOCKING[key]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_denial_only_where_a_block_or_question_was_decided(case: Case) -> None:
    golden = json.loads(case.path.read_text(encoding="utf-8"))
    denies = golden["exit"] != 0 or any(word in golden["stdout"] for word in DENIALS)
    loops = case.name == "failure-closed" and (case.connector.key, case.spec.name) in LET_GO
    decided = case.name in ("block", "failure-closed") and case.spec.can_block and not loops
    asked = case.name == "confirm" and case.spec.can_ask
    assert denies == (decided or asked)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_answer_is_one_document_or_an_exit_with_text(case: Case) -> None:
    golden = json.loads(case.path.read_text(encoding="utf-8"))
    if golden["stdout"]:
        assert isinstance(json.loads(golden["stdout"]), dict)
        assert golden["stdout"].count("\n") == 1
        assert golden["exit"] == 0 or case.connector.key in SAYS_AND_REFUSES
    if golden["exit"] == 2 and case.connector.key not in SAYS_AND_REFUSES:
        assert golden["stderr"].strip()
        assert golden["stdout"] == ""


@pytest.mark.parametrize("key", CONNECTORS)
def test_block_forced_on_an_event_without_one_stays_an_advisory(key: str) -> None:
    forced = Verdict(Action.BLOCK, Action.BLOCK, Severity.CRITICAL, "rule T-1")
    for spec in CONNECTORS[key].events:
        if not spec.can_block:
            event = decoded(CONNECTORS[key], payload(key, spec.name), spec.name)
            answer = CONNECTORS[key].encode(event, forced)
            assert answer.exit == 0
            assert not any(word in answer.stdout for word in DENIALS)


@pytest.mark.parametrize("key", CONNECTORS)
def test_question_forced_on_an_event_without_one_stays_an_advisory(key: str) -> None:
    forced = Verdict(Action.CONFIRM, Action.CONFIRM, Severity.HIGH, "rule T-1")
    for spec in CONNECTORS[key].events:
        event = decoded(CONNECTORS[key], payload(key, spec.name), spec.name)
        answer = CONNECTORS[key].encode(event, forced)
        assert any(word in answer.stdout for word in QUESTIONS) == spec.can_ask
