"""Each agent's own payloads through a replay: a proven survey, then the shell that it prepares.

Where an agent proves outcomes the shell is stopped; where it only shows them nothing is committed,
and where nothing of it is remembered there is nothing to find.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS, find_lifecycle, is_denial, reviewed_bridge
from defenseclaw.core.event import Answer
from defenseclaw.core.lifecycle import StateLevel
from tests.engine.test_replay import CHAIN, SHELL, SURVEY, Tape

CWD = "/home/dev/p"
Payload = dict[str, Any]
Builder = Callable[[str, str], Payload]
VERSIONS = {
    "codex": "0.171.0",
    "claudecode": "2.1.197",
    "amp": "0.0.1790142911",
    "hermes": "0.19.0",
    "cursor": "3.0.0",
    "windsurf": "1.13.0",
    "geminicli": "0.61.0",
    "copilot": "1.0.102",
    "openhands": "1.16.0",
    "antigravity": "1.2.7",
    "opencode": "1.18.33",
    "omnigent": "0.19.1",
}


def hermes(event: str, call: str, command: str, **extra: Any) -> Payload:
    return {
        "hook_event_name": event,
        "session_id": "s",
        "cwd": CWD,
        "tool_name": "terminal",
        "tool_input": {"command": command},
        "extra": {"tool_call_id": call, **extra},
    }


def cursor(event: str, call: str, command: str, **more: Any) -> Payload:
    return {
        "hook_event_name": event,
        "conversation_id": "s",
        "workspace_roots": [CWD],
        "tool_name": "Shell",
        "tool_input": {"command": command},
        "tool_use_id": call,
        **more,
    }


def bridged(event: str, call: str, command: str, **more: Any) -> Payload:
    field = "cmd" if event.startswith(("tool.call", "tool.result")) else "command"
    return {
        "hook_event_name": event,
        "session_id": "s",
        "tool_call_id": call,
        "cwd": CWD,
        "tool_name": "Bash" if field == "cmd" else "bash",
        "tool_input": {field: command},
        **more,
    }


# agent: what proposes a call and what says that it succeeded, each with the call and its command
PAIRS: Mapping[str, tuple[Builder, Builder]] = {
    "hermes": (
        lambda call, command: hermes("pre_tool_call", call, command),
        lambda call, command: hermes(
            "post_tool_call", call, command, status="ok", result='{"output":"","exit_code":0}'
        ),
    ),
    "cursor": (
        lambda call, command: cursor("preToolUse", call, command),
        lambda call, command: cursor("postToolUse", call, command, tool_output='{"exitCode":0}'),
    ),
    "amp": (
        lambda call, command: bridged("tool.call", call, command),
        lambda call, command: bridged(
            "tool.result", call, command, status="done", tool_response="x"
        ),
    ),
    "opencode": (
        lambda call, command: bridged("tool.execute.before", call, command),
        lambda call, command: bridged(
            "tool.execute.after",
            call,
            command,
            tool_response={"output": "x", "metadata": {"exit": 0}},
        ),
    ),
    "geminicli": (
        lambda call, command: {
            "hook_event_name": "BeforeTool",
            "session_id": "s",
            "cwd": CWD,
            "tool_name": "run_shell_command",
            "tool_input": {"command": command},
        },
        lambda call, command: {
            "hook_event_name": "AfterTool",
            "session_id": "s",
            "cwd": CWD,
            "tool_name": "run_shell_command",
            "tool_input": {"command": command},
            "tool_response": {"llmContent": "x"},
        },
    ),
    "copilot": (
        lambda call, command: {
            "hookName": "preToolUse",
            "sessionId": "s",
            "cwd": CWD,
            "toolName": "bash",
            "toolArgs": {"command": command},
        },
        lambda call, command: {
            "hookName": "postToolUse",
            "sessionId": "s",
            "cwd": CWD,
            "toolName": "bash",
            "toolArgs": {"command": command},
            "toolResult": {"resultType": "success", "textResultForLlm": "x"},
        },
    ),
    "openhands": (
        lambda call, command: {
            "event_type": "PreToolUse",
            "session_id": "s",
            "working_dir": CWD,
            "tool_name": "terminal",
            "tool_input": {"command": command, "kind": "TerminalAction"},
        },
        lambda call, command: {
            "event_type": "PostToolUse",
            "session_id": "s",
            "working_dir": CWD,
            "tool_name": "terminal",
            "tool_input": {"command": command, "kind": "TerminalAction"},
            "tool_response": {"is_error": False, "exit_code": 0, "content": []},
        },
    ),
    "windsurf": (
        lambda call, command: {
            "agent_action_name": "pre_run_command",
            "trajectory_id": "s",
            "tool_info": {"command_line": command, "cwd": CWD},
        },
        lambda call, command: {
            "agent_action_name": "post_run_command",
            "trajectory_id": "s",
            "tool_info": {"command_line": command, "cwd": CWD},
        },
    ),
    "antigravity": (
        lambda call, command: {
            "hook_event_name": "PreToolUse",
            "conversationId": "s",
            "workspacePaths": [CWD],
            "stepIdx": 1,
            "toolCall": {"name": "run_command", "args": {"CommandLine": command, "Cwd": CWD}},
        },
        lambda call, command: {
            "hook_event_name": "PostToolUse",
            "conversationId": "s",
            "workspacePaths": [CWD],
            "stepIdx": 1,
            "error": "",
            "toolCall": {"name": "run_command", "args": {"CommandLine": command, "Cwd": CWD}},
        },
    ),
    "omnigent": (
        lambda call, command: {
            "hook_event_name": "PreToolUse",
            "session_id": "s",
            "tool_call_id": call,
            "cwd": CWD,
            "tool_name": "sys_os_shell",
            "tool_input": {"command": command},
        },
        lambda call, command: {
            "hook_event_name": "PostToolUse",
            "session_id": "s",
            "tool_call_id": call,
            "cwd": CWD,
            "tool_name": "sys_os_shell",
            "tool_response": '{"exit_code": 0}',
        },
    ),
}


def play(key: str, payloads: list[Payload], **given: Any) -> list[dict[str, Any]]:
    """The results of these payloads, a second apart."""
    tape = Tape()
    results = []
    for payload in payloads:
        tape.now_ms += 1000
        line = {"at_ms": tape.now_ms, "connector": key, "agent_version": VERSIONS[key], **given}
        results.append(tape.feed({**line, "payload": payload}))
    return results


def level(key: str) -> StateLevel:
    contract = next(c.id for c in CONNECTORS[key].contracts if c.default)
    life = find_lifecycle(key, contract, reviewed_bridge(key))
    assert life is not None
    return life.state_level


def test_every_other_agent_has_a_pair() -> None:
    assert PAIRS.keys() == CONNECTORS.keys() - {"codex", "claudecode"}


@pytest.mark.parametrize("key", PAIRS)
def test_only_a_paired_outcome_is_committed_and_stops_the_next_step(key: str) -> None:
    propose, succeed = PAIRS[key]
    first, proof, second = play(
        key, [propose("a", SURVEY), succeed("a", SURVEY), propose("b", SHELL)]
    )
    assert "error" not in first
    paired = level(key) is StateLevel.PAIRED
    assert first["pending"] == (1 if paired else 0)
    assert (proof["pending"], proof["committed"]) == ((0, 1) if paired else (0, 0))
    assert (second["denied"] == [CHAIN]) == paired
    assert (second["effective"] == "block") == paired


@pytest.mark.parametrize("key", [key for key in PAIRS if level(key) is StateLevel.PAIRED])
def test_proposal_alone_stops_nothing(key: str) -> None:
    propose, _ = PAIRS[key]
    _, second = play(key, [propose("a", SURVEY), propose("b", SHELL)])
    assert second["denied"] == second["chains"] == []


@pytest.mark.parametrize("key", ["amp", "opencode"])
def test_bridge_of_another_revision_pairs_nothing(key: str) -> None:
    propose, succeed = PAIRS[key]
    results = play(
        key, [propose("a", SURVEY), succeed("a", SURVEY), propose("b", SHELL)], bridge="v1"
    )
    assert [r["committed"] for r in results] == [0, 0, 0]
    assert results[-1]["denied"] == []


@pytest.mark.parametrize("key", PAIRS)
def test_destructive_call_is_answered_in_the_agents_own_form(key: str) -> None:
    connector = CONNECTORS[key]
    (result,) = play(key, [PAIRS[key][0]("a", "rm -rf ~/")])
    assert (result["action"], result["effective"]) == ("block", "block")
    native = result["native"]
    if connector.in_body:
        assert native["body"]["action"] == "block"
        assert native["body"]["reason"]
        return
    answer = Answer(native["stdout"], native["stderr"], native["exit"])
    event = next(e.name for e in connector.events if is_denial(connector, e.name, answer))
    assert connector.event(event)


@pytest.mark.parametrize("key", PAIRS)
def test_bound_event_serves_payloads_without_a_name(key: str) -> None:
    connector = CONNECTORS[key]
    payload = PAIRS[key][0]("a", "rm -rf ~/")
    named = next((n for n in connector.name_fields if n in payload), "hook_event_name")
    told = payload.pop(named)
    event = connector.name_aliases.get(told, told)
    (result,) = play(key, [payload], event=event)
    assert result["effective"] == "block"
    (nameless,) = play(key, [payload])
    assert "error" in nameless


@pytest.mark.parametrize("key", PAIRS)
def test_result_is_one_line_of_json(key: str) -> None:
    (result,) = play(key, [PAIRS[key][0]("a", "ls")])
    assert json.loads(json.dumps(result)) == result
    assert result["action"] == "allow"
