"""What each agent's contract proves, against the reviewed matrix, the registry and payloads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from defenseclaw.connectors import (
    CONNECTORS,
    LIFECYCLES,
    REFUSED_LIFECYCLES,
    find_lifecycle,
    resolve_lifecycle,
    reviewed_bridge,
)
from defenseclaw.connectors.lifecycle import admit_lifecycles
from defenseclaw.connectors.tables.lifecycles import GATES
from defenseclaw.core.event import Route
from defenseclaw.core.lifecycle import (
    Boundary,
    Compatibility,
    IdAuthority,
    Lifecycle,
    OutcomeAuthority,
    StateLevel,
    StateRoute,
    Surface,
    lifecycle_problems,
)

PAYLOADS = Path(__file__).parent / "payloads"
PAIRED, DETECTION, DIRECT = StateLevel.PAIRED, StateLevel.DETECTION, StateLevel.DIRECT
# connector: level, proposals, direct, turn cutoffs, session cutoffs
MATRIX: dict[str, tuple[StateLevel, str, str, str, str]] = {
    "codex": (PAIRED, "PreToolUse", "PermissionRequest", "Stop", ""),
    "claudecode": (PAIRED, "PreToolUse", "PermissionRequest", "Stop StopFailure", "SessionEnd"),
    "hermes": (
        PAIRED, "pre_tool_call", "", "on_session_end", "on_session_finalize on_session_reset",
    ),
    "cursor": (
        PAIRED, "preToolUse",
        "beforeShellExecution beforeMCPExecution beforeReadFile beforeTabFileRead",
        "stop", "sessionEnd",
    ),
    "opencode": (PAIRED, "tool.execute.before", "", "session.idle", "session.deleted"),
    "amp": (PAIRED, "tool.call", "", "agent.end", ""),
    "windsurf": (
        DETECTION, "pre_read_code pre_write_code pre_run_command pre_mcp_tool_use", "",
        "post_cascade_response post_cascade_response_with_transcript", "",
    ),
    "geminicli": (DETECTION, "BeforeTool", "", "AfterAgent", "SessionEnd"),
    "copilot": (DETECTION, "preToolUse", "permissionRequest", "agentStop", "sessionEnd"),
    "openhands": (DETECTION, "pre_tool_use", "", "stop", "session_end"),
    "antigravity": (DETECTION, "PreToolUse", "", "Stop", ""),
    "omnigent": (DIRECT, "PreToolUse", "", "AfterAgentResponse", ""),
}  # fmt: skip
# connector: surfaces that it has no reviewed event for
UNCOVERED = {
    "codex": {Surface.FILE_READ, Surface.SKILLS},
    "cursor": {Surface.SKILLS},
    "windsurf": {Surface.GENERIC, Surface.SKILLS},
    "copilot": {Surface.SKILLS},
    "antigravity": {Surface.MCP, Surface.SKILLS},
    "amp": {Surface.SKILLS},
}
EVERY = [(name, gate) for name, gates in GATES.items() for gate in gates]
IDS = [gate.contract for _, gate in EVERY]


def default(connector: str) -> Lifecycle:
    return next(gate.lifecycle for gate in GATES[connector] if gate.default)


def sample(**changes: object) -> Lifecycle:
    return replace(default("claudecode"), **changes)  # type: ignore[arg-type]


def problems(row: Lifecycle) -> list[str]:
    events = next(gate.events for gate in GATES["claudecode"])
    return lifecycle_problems(row, events)


def test_every_lifecycle_is_admitted() -> None:
    assert REFUSED_LIFECYCLES == ()
    assert len(LIFECYCLES) == len(EVERY)
    assert set(GATES) == set(MATRIX)


@pytest.mark.parametrize("connector", MATRIX)
def test_agent_has_the_reviewed_level_and_events(connector: str) -> None:
    level, *lists = MATRIX[connector]
    row = default(connector)
    found = (row.proposals, row.direct, row.turn_cutoffs, row.session_cutoffs)
    assert row.state_level is level
    assert found == tuple(tuple(text.split()) for text in lists)


@pytest.mark.parametrize("connector", MATRIX)
def test_agent_covers_the_reviewed_surfaces(connector: str) -> None:
    assert set(Surface) - set(default(connector).surfaces) == UNCOVERED.get(connector, set())


@pytest.mark.parametrize(("connector", "gate"), EVERY, ids=IDS)
def test_no_agent_has_a_state_transition(connector: str, gate: object) -> None:
    """I14: the list is empty for every contract, and one that fills it is refused."""
    row = LIFECYCLES[connector, gate.contract].lifecycle  # type: ignore[attr-defined]
    assert row.transitions == ()
    assert all(row.route(name) is not StateRoute.TRANSITION for name in ("ConfigChange", ""))
    filled = replace(row, transitions=("X",))
    assert "no agent proves a state transition" in lifecycle_problems(filled, ("X",))


@pytest.mark.parametrize(("connector", "gate"), EVERY, ids=IDS)
def test_only_paired_ids_name_calls(connector: str, gate: object) -> None:
    row = LIFECYCLES[connector, gate.contract].lifecycle  # type: ignore[attr-defined]
    assert row.is_paired == all(map(row.has_exact_call, row.proposals))
    assert not any(map(row.has_exact_call, (*row.direct, *row.results, *row.turn_cutoffs)))


def test_subagents_and_starts_end_nothing() -> None:
    """I13: what ends below a session, and what starts, is no boundary."""
    for _, gate in EVERY:
        quiet = [n for n in gate.events if "ubagent" in n.lower() or "start" in n.lower()]
        assert all(gate.lifecycle.boundary(name) is Boundary.NONE for name in quiet)


@pytest.mark.parametrize("name", ["pretooluse", " PreToolUse", "PRETOOLUSE", "Pre_Tool_Use", ""])
def test_other_spellings_of_an_event_have_no_route(name: str) -> None:
    assert default("claudecode").route(name) is StateRoute.UNKNOWN


def test_events_outside_the_lifecycle_have_no_route() -> None:
    for _, gate in EVERY:
        assert all(gate.lifecycle.route(name) is StateRoute.UNKNOWN for name in gate.other)


@pytest.mark.parametrize("connector", sorted(CONNECTORS.keys() & GATES.keys()))
def test_registry_and_lifecycles_name_the_same_contracts(connector: str) -> None:
    listed = {row.id: row for row in CONNECTORS[connector].contracts}
    known = {gate.contract: gate for gate in GATES[connector]}
    assert known.keys() == listed.keys()
    for name, row in listed.items():
        gate = known[name]
        assert (gate.since, gate.below, gate.default) == (row.since, row.below, row.default)
        assert gate.opt_in == row.opt_in
        routed = {event for _, names in gate.lifecycle.routes() for event in names}
        assert routed <= set(row.events)


@pytest.mark.parametrize("connector", sorted(CONNECTORS.keys() & GATES.keys()))
def test_registered_agent_has_lifecycles(connector: str) -> None:
    for row in CONNECTORS[connector].contracts:
        assert find_lifecycle(connector, row.id) is not None


ROUTES = {
    StateRoute.STRUCTURED: {Route.PROPOSAL, Route.PERMISSION},
    StateRoute.RESULT: {Route.RESULT, Route.DENIAL},
    StateRoute.AUDIT: {
        *(Route.TURN_END, Route.SESSION_START, Route.SESSION_END, Route.LIFECYCLE),
        Route.PROMPT,  # a prompt that begins a turn ends nothing
    },
}


@pytest.mark.parametrize("connector", sorted(CONNECTORS.keys() & GATES.keys()))
def test_routes_agree_with_the_event_table(connector: str) -> None:
    for gate in GATES[connector]:
        for route, names in gate.lifecycle.routes():
            for name in names:
                spec = CONNECTORS[connector].event(name)
                assert spec is not None
                assert spec.route in ROUTES[route], name


@pytest.mark.parametrize("connector", sorted(p.name for p in PAYLOADS.iterdir() if p.is_dir()))
def test_recorded_payloads_are_events_of_a_contract(connector: str) -> None:
    events = {name for gate in GATES[connector] for name in gate.events}
    for path in (PAYLOADS / connector).rglob("*.json"):
        stem = path.stem.split("--")[0]
        assert any(stem == name or stem.startswith((f"{name}.", f"{name}-")) for name in events), (
            stem
        )


BROKEN = {
    "version": {"version": 2},
    "proposals is empty": {"proposals": ()},
    "surfaces is empty": {"surfaces": ()},
    "source_urls is empty": {"source_urls": ()},
    "limitations is empty": {"limitations": ()},
    "a source is not https": {"source_urls": ("http://example.test",)},
    "success names an event twice": {"success": ("PostToolUse", "PostToolUse")},
    "Nothing is no event of the contract": {"audit": ("Nothing",)},
    "PostToolUse is on two routes": {"proposals": ("PreToolUse", "PostToolUse")},
    "turn_cutoffs and session_cutoffs share an event": {"session_cutoffs": ("Stop",)},
    "proposals and direct share an event": {"direct": ("PreToolUse",)},
    "surfaces names one twice": {"surfaces": (Surface.SHELL, Surface.SHELL)},
    "paired outcomes need a call id and an outcome": {"id_authority": IdAuthority.PAIRED_SEQUENCE},
    "an event proves an outcome without authority": {
        "state_level": StateLevel.DIRECT, "outcome_authority": OutcomeAuthority.NONE,
    },
}  # fmt: skip


@pytest.mark.parametrize("problem", BROKEN)
def test_broken_lifecycle_is_told(problem: str) -> None:
    assert problem in problems(sample(**BROKEN[problem]))
    assert problems(sample()) == []


def test_refused_lifecycle_counts_as_missing() -> None:
    gate = GATES["claudecode"][0]
    broken = replace(gate, lifecycle=sample(version=2))
    usable, refused = admit_lifecycles({"claudecode": (broken,)})
    assert not usable
    assert [row.contract for row in refused] == [gate.contract]


@pytest.mark.parametrize(
    ("bridge", "level"),
    [("v7", PAIRED), ("v8", PAIRED), ("v6", DETECTION), ("", DETECTION), ("vseven", DETECTION)],
)
def test_unreviewed_bridge_lowers_what_is_proven(bridge: str, level: StateLevel) -> None:
    row = find_lifecycle("opencode", "opencode-hooks-v1", bridge)
    assert row is not None
    assert row.state_level is level


def test_unknown_contract_has_no_lifecycle() -> None:
    assert find_lifecycle("codex", "codex-hooks-v0") is None
    assert find_lifecycle("nobody", "codex-hooks-v1") is None


@pytest.mark.parametrize(
    ("agent", "version", "pin", "expected"),
    [
        ("claudecode", "2.1.151", "", Compatibility.UNKNOWN),
        ("claudecode", "2.1.152", "", Compatibility.KNOWN),
        ("claudecode", "2.1.152-beta.1", "", Compatibility.UNKNOWN),
        ("claudecode", "", "", Compatibility.UNVERSIONED),
        ("claudecode", "2.1.197 (Claude Code)", "claudecode-hooks-v1", Compatibility.KNOWN),
        ("claudecode", "2.1.197", "codex-hooks-v1", Compatibility.UNKNOWN),
        ("claudecode", "2.1.197", "nobody", Compatibility.UNKNOWN),
        ("codex", "0.123.9", "", Compatibility.UNKNOWN),
        ("codex", "0.124.0", "", Compatibility.KNOWN),
        ("codex", "codex-cli 0.130.0 (abc)", "codex-hooks-v2", Compatibility.KNOWN),
        ("codex", "0.130.0", "codex-hooks-v1", Compatibility.UNKNOWN),
        ("codex", "nightly", "", Compatibility.UNKNOWN),
        ("codex", "1" * 19 + ".0.0", "", Compatibility.UNKNOWN),
        ("antigravity", "1.1.8", "", Compatibility.UNKNOWN),
        ("antigravity", "1.1.9", "", Compatibility.KNOWN),
        ("openclaw", "1.0.0", "", Compatibility.NOT_GATED),
    ],
)
def test_version_and_pin_resolve_to_a_contract(
    agent: str, version: str, pin: str, expected: Compatibility
) -> None:
    """143, 144, 145, 146, 147, I15"""
    found = resolve_lifecycle(agent, version, pin)
    assert found.compatibility is expected
    is_usable = expected in (Compatibility.KNOWN, Compatibility.UNVERSIONED)
    assert (found.lifecycle is not None) is is_usable


def test_opt_in_contract_needs_its_pin() -> None:
    assert resolve_lifecycle("codex", "0.150.0").contract == "codex-hooks-v3-generic"
    found = resolve_lifecycle("codex", "0.150.0", "codex-hooks-v4")
    assert found.lifecycle is not None
    assert found.lifecycle.session_cutoffs == ("SessionEnd",)


@pytest.mark.parametrize("bridge", ["", "v6", "6", "vseven"])
def test_older_bridge_lowers_the_agent_to_detection(bridge: str) -> None:
    """148"""
    assert resolve_lifecycle("opencode", "1.18.33", "", bridge).lifecycle is not None
    found = resolve_lifecycle("opencode", "1.18.33", "", bridge).lifecycle
    assert found is not None
    assert found.state_level is StateLevel.DETECTION
    reviewed = resolve_lifecycle("opencode", "1.18.33", "", reviewed_bridge("opencode")).lifecycle
    assert reviewed is not None
    assert reviewed.is_paired
