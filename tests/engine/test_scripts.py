"""When scripts are looked into: the event and the contract decide, not how much is remembered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from defenseclaw.chains import GuardState
from defenseclaw.connectors import CONNECTORS, find_lifecycle
from defenseclaw.core.event import EventSpec, HookEvent, Route
from defenseclaw.core.lifecycle import Compatibility, Lifecycle, StateLevel
from defenseclaw.core.posture import Posture
from defenseclaw.core.tool import Platform, ToolCall
from defenseclaw.core.verdict import Action, Mode, Profile
from defenseclaw.engine import (
    Binding,
    Decision,
    Snapshot,
    decide_event,
    judge_scripts,
    plan_scripts,
)
from tests.engine.test_replay import generation

CLAUDE = CONNECTORS["claudecode"]


def lifecycle(level: StateLevel) -> Lifecycle:
    found = find_lifecycle("claudecode", "claudecode-hooks-v1")
    assert found is not None
    return replace(found, state_level=level)


def proposed(spec: EventSpec, tool: str = "Bash") -> HookEvent:
    args = {"command": "bash s.sh"}
    call = ToolCall(tool, args, "/home/dev/p", "/home/dev", Platform.POSIX, CLAUDE.tools.get(tool))
    return HookEvent("claudecode", spec, session_id="s", call=call)


def snapshot(**binding: object) -> Snapshot:
    held = Binding(lifecycle(StateLevel.PAIRED), Compatibility.KNOWN)
    posture = Posture(mode=Mode.ACTION, profile=Profile.STRICT)
    return Snapshot(generation(Profile.STRICT), posture, binding=replace(held, **binding))


def judged(event: HookEvent, held: Snapshot) -> Decision:
    decision = decide_event(event, held)
    bodies = [(c, b"rm -rf /etc\n") for c in plan_scripts(event, decision, held)]
    return judge_scripts(event, (decision, held), bodies, 0)


PROPOSAL = next(spec for spec in CLAUDE.events if spec.name == "PreToolUse")


@pytest.mark.parametrize("level", StateLevel)
def test_state_level_does_not_matter(level: StateLevel) -> None:
    """207"""
    held = snapshot(lifecycle=lifecycle(level))
    assert judged(proposed(PROPOSAL), held).verdict.action is Action.BLOCK


@pytest.mark.parametrize("chains", GuardState)
def test_chains_and_scripts_are_switched_apart(chains: GuardState) -> None:
    held = snapshot(chains=chains)
    assert judged(proposed(PROPOSAL), held).verdict.action is Action.BLOCK


@pytest.mark.parametrize(
    "changes",
    [
        {"gate": GuardState.OFF},
        {"lifecycle": None},
        {"compatibility": Compatibility.UNKNOWN},
        {"compatibility": Compatibility.NOT_GATED},
    ],
)
def test_without_a_contract_nothing_is_looked_into(changes: dict[str, object]) -> None:
    """208"""
    event, held = proposed(PROPOSAL), snapshot(**changes)
    assert plan_scripts(event, decide_event(event, held), held) == ()


@pytest.mark.parametrize(
    "spec",
    [
        replace(PROPOSAL, can_block=False),
        EventSpec("PostToolUse", Route.RESULT, can_block=True),
        EventSpec("pretooluse", Route.PROPOSAL, can_block=True),
        EventSpec("PreToolUse", Route.UNKNOWN, can_block=True),
    ],
)
def test_event_that_cannot_stop_a_call_looks_into_nothing(spec: EventSpec) -> None:
    event, held = proposed(spec), snapshot()
    assert plan_scripts(event, decide_event(event, held), held) == ()


def test_only_shells_run_scripts() -> None:
    event, held = proposed(PROPOSAL, "Unknown"), snapshot()
    assert plan_scripts(event, decide_event(event, held), held) == ()
