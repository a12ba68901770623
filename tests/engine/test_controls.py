"""Lists and suppressions in the way of a call to its verdict."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from defenseclaw.core.controls import ListAction, ListRow, Subject, Suppression
from defenseclaw.core.digest import keyed_digest
from defenseclaw.core.event import EventSpec, HookEvent, Route
from defenseclaw.core.posture import Posture
from defenseclaw.core.tool import FieldRole, ToolCall, ToolFamily, ToolSpec
from defenseclaw.core.verdict import Action, Mode, Profile, Severity
from defenseclaw.engine import Decision, Snapshot, decide_event, subject_of
from defenseclaw.policy import Controls, effective, in_force
from defenseclaw.rules import Generation, build_generation, load_pack

CATALOG = Path(__file__).parents[2] / "src" / "defenseclaw" / "rules" / "catalog"
FIELDS = {"command": FieldRole.COMMAND, "description": FieldRole.INERT}
SPECS = {
    "Bash": ToolSpec("Bash", ToolFamily.SHELL, FIELDS),
    "mcp__files__rm": ToolSpec("mcp__files__rm", ToolFamily.MCP),
}
KEY = b"k" * 32
ACTION = Posture(mode=Mode.ACTION)


@pytest.fixture(scope="module")
def generation() -> Generation:
    files = {f"rules/{path.name}": path.read_bytes() for path in CATALOG.glob("*.yaml")}
    return build_generation([load_pack(files, name="catalog")], Profile.DEFAULT)


def event(tool: str = "Bash", **args: str) -> HookEvent:
    call = ToolCall(tool, args, "/srv/app", "/home/dev", spec=SPECS[tool])
    spec = EventSpec("E", Route.PROPOSAL, can_block=True, can_ask=True)
    return HookEvent("codex", spec, call=call)


def row(name: str, action: ListAction, subject: Subject = Subject.TOOL) -> ListRow:
    return ListRow(subject, name, action)


def judge(
    generation: Generation, about: HookEvent, *rows: ListRow, posture: Posture = ACTION
) -> Decision:
    controls = Controls(effective(rows, "codex"), digest_key=KEY)
    return decide_event(about, Snapshot(generation, posture, controls), 10)


@pytest.mark.parametrize("profile", Profile)
def test_blocked_tool_is_blocked_under_every_profile(
    generation: Generation, profile: Profile
) -> None:
    posture = replace(ACTION, profile=profile)
    listed = row("Bash", ListAction.BLOCK)
    decision = judge(generation, event(command="ls"), listed, posture=posture)
    assert decision.verdict.action is Action.BLOCK
    assert [f.rule_id for f in decision.findings] == ["STATIC-BLOCK"]
    assert decision.facts is not None


def test_observe_reports_a_listed_block_and_lets_the_call_pass(generation: Generation) -> None:
    posture = replace(ACTION, mode=Mode.OBSERVE)
    listed = row("Bash", ListAction.BLOCK)
    verdict = judge(generation, event(command="ls"), listed, posture=posture).verdict
    assert (verdict.action, verdict.would_block) == (Action.ALLOW, True)


def test_blocked_server_blocks_its_tools_although_one_is_allowed(generation: Generation) -> None:
    rows = (
        row("files", ListAction.BLOCK, Subject.MCP),
        row("mcp__files__rm", ListAction.ALLOW),
    )
    decision = judge(generation, event("mcp__files__rm", path="x"), *rows)
    assert decision.verdict.action is Action.BLOCK
    assert [f.rule_id for f in decision.findings] == ["MCP-BLOCK"]
    assert "files" in decision.verdict.reason


@pytest.mark.parametrize(
    ("command", "before", "after"),
    [
        ("git push --force", Action.CONFIRM, Action.ALLOW),
        ("rm -rf /", Action.BLOCK, Action.BLOCK),
        ("defenseclaw-gateway stop", Action.BLOCK, Action.BLOCK),
    ],
)
def test_allowed_tool_passes_below_critical_findings_only(
    generation: Generation, command: str, before: Action, after: Action
) -> None:
    about = event(command=command)
    assert judge(generation, about).verdict.action is before
    decision = judge(generation, about, row("Bash", ListAction.ALLOW))
    assert decision.verdict.action is after
    if after is Action.ALLOW:
        assert {w.by for w in decision.waived} == {"tool-allow"}
        assert decision.verdict.severity is Severity.NONE


def suppressed(generation: Generation, about: HookEvent, judged: HookEvent) -> Decision:
    """The decision on a call after ``judged`` was found to be fine."""
    digest = keyed_digest(subject_of(judged), KEY)
    rows = [
        Suppression("s-1", finding.rule_id, "Bash", "fine", 0, 1000, call=digest)
        for finding in judge(generation, judged).findings
    ]
    controls = Controls(suppressions=in_force(rows, "codex"), digest_key=KEY)
    return decide_event(about, Snapshot(generation, ACTION, controls), 10)


def test_call_that_was_fine_is_fine_again_whatever_its_description(
    generation: Generation,
) -> None:
    judged = event(command="rm -rf /", description="one")
    again = event(command="rm -rf /", description="two")
    decision = suppressed(generation, again, judged)
    assert decision.verdict.action is Action.ALLOW
    assert [w.by for w in decision.waived] == ["s-1"]


@pytest.mark.parametrize("command", ["rm -rf / ", "rm -rf /etc", "rm -rf / && ls"])
def test_any_other_call_is_judged_as_ever(generation: Generation, command: str) -> None:
    decision = suppressed(generation, event(command=command), event(command="rm -rf /"))
    assert decision.verdict.action is Action.BLOCK


def test_same_command_elsewhere_is_another_call(generation: Generation) -> None:
    judged = event(command="rm -rf ../data")
    assert judged.call is not None
    elsewhere = replace(judged, call=replace(judged.call, cwd="/srv/other"))
    assert subject_of(judged) != subject_of(elsewhere)


def test_prompt_that_was_fine_is_fine_again(generation: Generation) -> None:
    secret = "AKIA" + "QWERTYUIOPASDFGH"  # built here, so that no token-like text is committed
    about = HookEvent("codex", EventSpec("P", Route.PROMPT, can_block=True), contents=(secret,))
    [finding] = decide_event(about, Snapshot(generation, ACTION)).findings
    digest = keyed_digest(subject_of(about), KEY)
    rows = [Suppression("s-1", finding.rule_id, "prompt", "sample", 0, 1000, call=digest)]
    controls = Controls(suppressions=in_force(rows, "codex"), digest_key=KEY)
    decision = decide_event(about, Snapshot(generation, ACTION, controls), 10)
    assert (decision.findings, len(decision.waived)) == ((), 1)
