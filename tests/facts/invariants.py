"""What holds for every result of the analyser, whatever the input was.

Shared by the property tests and the fuzz lane; each check names what it protects.
"""

from __future__ import annotations

from defenseclaw.core.facts import (
    ActionFacts,
    CommandContext,
    CommandEffect,
    CommandFact,
    CommandKind,
    DataFlowFact,
    FactsResult,
    OperationKind,
    ParseStatus,
)
from defenseclaw.core.limits import MAX_ISSUES
from defenseclaw.facts import enforcement_projection, validate

NEVER_RUNS = (CommandContext.DEAD, CommandContext.FUNCTION_BODY)
UNTROUBLED = (ParseStatus.COMPLETE, ParseStatus.NOT_APPLICABLE)


def check_result(result: FactsResult) -> None:
    """Every invariant of one result, and of what enforcement may use of it."""
    check_status(result)
    check_texts(result)
    for command in result.facts.commands:
        check_command(command)
    check_references(result.facts)
    check_projection(result.facts)


def check_status(result: FactsResult) -> None:
    """A status has its issues, and only a complete parse has authority."""
    facts = result.facts
    status, issues = facts.parse.status, facts.parse.issues
    assert len(issues) == len(set(issues)) <= MAX_ISSUES
    assert (status in UNTROUBLED) == (not issues)
    assert result.authoritative == (status is ParseStatus.COMPLETE)
    if status is ParseStatus.NOT_APPLICABLE:
        assert [facts.commands, facts.paths, facts.network] == [[], [], []]
    if status is ParseStatus.COMPLETE:
        assert validate(facts).value == "ok"


def check_texts(result: FactsResult) -> None:
    """Every character of every text has exactly one tag."""
    for text in result.texts:
        at = 0
        for span in text.spans:
            assert span.start == at
            assert span.end > span.start
            at = span.end
        assert at == len(text.text)
        assert len(text.visible()) == len(text.text)


def check_command(command: CommandFact) -> None:
    """One command: its words, its identity, and what it is said to do."""
    assert OperationKind.EXECUTE in command.operations
    assert len(command.operations) == len(set(command.operations))
    assert len(command.argv) == len(command.arguments)
    assert command.program == command.program.lower()
    for word, argument in zip(command.argv, command.arguments, strict=True):
        assert argument.value == word
        assert not (argument.expands and word)
    if command.argv_complete:
        assert not any(argument.expands for argument in command.arguments)
    if command.kind is CommandKind.SHELL_REDIRECT:
        assert (command.executable, command.program) == ("", "")
        assert [command.argv, command.wrappers] == [[], []]
    elif command.argv:
        assert command.executable == command.argv[0]
    for redirect in command.redirects:
        assert not (redirect.expands and redirect.target)


def check_references(facts: ActionFacts) -> None:
    """Ids ascend, and everything that names a command names one that exists."""
    ids = [command.id for command in facts.commands]
    assert ids == sorted(set(ids))
    assert all(i > 0 for i in ids)
    known = {0, *ids}
    for command in facts.commands:
        assert command.parent_command_id in known
        assert command.parent_command_id != command.id
    assert {path.command_id for path in facts.paths} <= known
    assert {network.command_id for network in facts.network} <= known
    for flow in facts.data_flows:
        assert {flow.from_command_id, flow.to_command_id} <= known
        assert flow.from_command_id or flow.to_command_id


def check_projection(facts: ActionFacts) -> None:
    """Enforcement sees a part of the facts, and nothing that may not happen."""
    projected = enforcement_projection(facts)
    if projected is None:
        return
    assert facts.parse.status is ParseStatus.COMPLETE
    assert facts.commands
    assert validate(projected).value == "ok"
    before = {command.id: command for command in facts.commands}
    kept = {command.id for command in projected.commands}
    running = {
        command.id
        for command in facts.commands
        if command.effect is CommandEffect.EXECUTE and command.context not in NEVER_RUNS
    }
    assert running <= kept
    for command in projected.commands:
        check_kept(command, before[command.id])
        check_parent(command, before, kept)
    assert all(any(path is own for own in facts.paths) for path in projected.paths)
    assert all(any(item is own for own in facts.network) for item in projected.network)
    assert {path.command_id for path in projected.paths} <= kept
    assert {item.command_id for item in projected.network} <= running
    for flow in projected.data_flows:
        check_flow(flow, facts, kept, running)
    assert projected.parse.status <= facts.parse.status
    again = enforcement_projection(projected)
    assert again is not None
    assert again.commands == projected.commands


def check_kept(command: CommandFact, original: CommandFact) -> None:
    """A running command stays as it is; a preview leaves its redirections only."""
    assert command.effect is CommandEffect.EXECUTE
    assert command.context not in NEVER_RUNS
    if original.effect is CommandEffect.EXECUTE:
        assert command.argv == original.argv
        assert command.operations == original.operations
        return
    assert original.effect is CommandEffect.PREVIEW
    assert command.kind is CommandKind.SHELL_REDIRECT
    assert command.argv_complete
    assert command.redirects
    assert all(item.target and not item.expands for item in command.redirects)
    assert command.program == ""
    assert [command.argv, command.arguments, command.wrappers] == [[], [], []]
    assert not command.pipeline_id


def check_parent(command: CommandFact, before: dict[int, CommandFact], kept: set[int]) -> None:
    """A survivor hangs on its nearest surviving ancestor."""
    at, steps = before[command.id].parent_command_id, 0
    while at and at not in kept and steps <= len(before):
        at, steps = before[at].parent_command_id, steps + 1
    assert command.parent_command_id == at


def check_flow(flow: DataFlowFact, facts: ActionFacts, kept: set[int], running: set[int]) -> None:
    """A flow survives between running commands; one of a preview's redirections is its own."""
    ends = {flow.from_command_id, flow.to_command_id} - {0}
    assert ends <= kept
    if ends <= running:
        assert any(flow == own for own in facts.data_flows)
    else:
        assert len(ends) == 1
