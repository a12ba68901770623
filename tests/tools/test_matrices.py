"""The generated matrices say exactly what was promised, for every agent that is built."""

from __future__ import annotations

import re

import pytest
from tools.pages.matrices import gate_of, outcome_matrix, pages, surface_matrix

from defenseclaw.connectors import CONNECTORS
from defenseclaw.connectors.tables.evidence import EVIDENCE
from defenseclaw.connectors.tables.lifecycles import GATES
from defenseclaw.connectors.tables.matrix_notes import NOTES
from defenseclaw.core.lifecycle import StateLevel

P, DETECTION, DIRECT = StateLevel.PAIRED, StateLevel.DETECTION, StateLevel.DIRECT
WINDSURF = ("pre_read_code", "pre_write_code", "pre_run_command", "pre_mcp_tool_use")
# agent: level, structured proposals, the call's identity
PROMISED = {
    "codex": (P, ("PreToolUse", "PermissionRequest"), "tool_use_id"),
    "claudecode": (P, ("PreToolUse", "PermissionRequest"), "tool_use_id"),
    "hermes": (P, ("pre_tool_call",), "extra.tool_call_id"),
    "cursor": (
        P,
        (
            *("preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"),
            "beforeTabFileRead",
        ),
        "tool_use_id",
    ),
    "windsurf": (DETECTION, WINDSURF, ""),
    "geminicli": (DETECTION, ("BeforeTool",), ""),
    "copilot": (DETECTION, ("preToolUse", "permissionRequest"), ""),
    "openhands": (DETECTION, ("pre_tool_use",), ""),
    "antigravity": (DETECTION, ("PreToolUse",), ""),
    "opencode": (P, ("tool.execute.before",), "callID"),
    "amp": (P, ("tool.call",), "tool_call_id"),
    "omnigent": (DIRECT, ("PreToolUse",), ""),
}
# agent: generic, shell, file read, file write and edit, MCP, skills
YES, NO = "yes", "no"
SURFACES = {
    "codex": ("from 0.135.0", YES, "no reviewed coverage", YES, YES, "no dedicated"),
    "claudecode": (YES, YES, YES, YES, YES, "yes, with gaps"),
    "hermes": (YES, YES, YES, YES, YES, YES),
    "cursor": (YES, YES, YES, YES, YES, "no dedicated"),
    "windsurf": ("no generic event", YES, YES, YES, YES, "no dedicated"),
    "geminicli": (YES, YES, YES, YES, YES, YES),
    "copilot": (YES, YES, YES, YES, "yes, where emitted", "no dedicated"),
    "openhands": (YES, YES, YES, YES, YES, "yes (`InvokeSkill`)"),
    "antigravity": (YES, YES, YES, YES, "undocumented", "no dedicated"),
    "opencode": (YES, YES, YES, YES, YES, YES),
    "amp": (YES, YES, YES, YES, YES, "no dedicated"),
    "omnigent": (YES, YES, YES, YES, YES, YES),
}
TURN_CUTOFFS = {
    "codex": "Stop",
    "claudecode": "Stop",
    "cursor": "stop",
    "opencode": "session.idle",
    "amp": "agent.end",
    "hermes": "on_session_end",
}


def rows_of(text: str) -> dict[str, list[str]]:
    """Cells of a table by the agent in the first one."""
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines()[2:]]
    return {cells[0].strip(): [cell.strip() for cell in cells[1:]] for cells in lines}


def test_every_agent_has_its_notes() -> None:
    assert NOTES.keys() == GATES.keys() == EVIDENCE.keys() == PROMISED.keys() == SURFACES.keys()


@pytest.mark.parametrize("key", PROMISED)
def test_lifecycle_is_the_promised_one(key: str) -> None:
    level, structured, identity = PROMISED[key]
    life = gate_of(key).lifecycle
    assert life.state_level is level
    assert {*life.proposals, *life.direct} == set(structured)
    assert not life.transitions
    named = {".".join(path) for path in EVIDENCE[key].call}
    assert (identity in named) if identity else not named


@pytest.mark.parametrize(("key", "event"), TURN_CUTOFFS.items())
def test_turn_ends_with_the_promised_event(key: str, event: str) -> None:
    assert event in gate_of(key).lifecycle.turn_cutoffs
    assert event not in gate_of(key).lifecycle.session_cutoffs


@pytest.mark.parametrize("key", CONNECTORS)
def test_outcome_matrix_shows_the_row(key: str) -> None:
    level, structured, _ = PROMISED[key]
    proposals, _, _, shown = rows_of(outcome_matrix())[CONNECTORS[key].label]
    assert set(re.findall(r"`([^`]+)`", proposals)) == set(structured)
    assert shown.startswith(level.value)


@pytest.mark.parametrize("key", CONNECTORS)
def test_surface_matrix_shows_the_row(key: str) -> None:
    cells = rows_of(surface_matrix())[CONNECTORS[key].label]
    for cell, promised in zip(cells, SURFACES[key], strict=False):
        assert cell == promised if promised in (YES, NO) else cell.startswith(promised)


@pytest.mark.parametrize("key", NOTES)
def test_events_in_the_notes_are_events_of_the_contract(key: str) -> None:
    quoted = re.findall(r"`([A-Za-z_.]+)`", NOTES[key].outcome)
    outcomes = EVIDENCE[key].outcomes or {}
    assert quoted[0] in gate_of(key).events
    assert any(name in outcomes for name in quoted)


def test_pages_have_a_row_for_every_agent() -> None:
    for text in pages().values():
        assert all(connector.label in text for connector in CONNECTORS.values())
