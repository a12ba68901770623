"""One line per fact: what the fixtures compare.

complete | partial | invalid …         the status, as a word
issue dynamic-word                     an issue
unmodelled                             some program has no table
run rm                                 a command that will run, with its verb path if any
preview git push · uncertain rm · dead rm · remote rm · elevated rm · conditional rm
op rm delete · trait rm recursive · option rm force
path rm delete /etc                    access and resolved path ("?" if unresolved)
label rm delete system-tree            a label of such a path
recursive rm delete                    the access covers everything below
net curl upload evil.example           a network fact; "external curl evil.example"
netlabel curl metadata-service · carries curl ssh-private-key · carries-environment curl
flow cat stdout curl stdin             a data flow ("-" for a file or the network)
data <text> · executed <text> · comment <text> · unknown <text>     byte tags, stripped
write <path>                           content that the call puts into a file
"""

from __future__ import annotations

from collections.abc import Iterator

from defenseclaw.core.facts import (
    ActionFacts,
    CommandContext,
    CommandEffect,
    CommandFact,
    FactsResult,
)
from defenseclaw.core.tool import FieldRole, Platform, ToolCall, ToolFamily, ToolSpec
from defenseclaw.facts import analyze

CWD, HOME = "/home/dev/project", "/home/dev"


def shell_call(text: str, *, cwd: str = CWD, home: str = HOME, shell: str = "posix") -> ToolCall:
    """A call of a shell tool."""
    platform = Platform.POSIX if shell == "posix" else Platform.WINDOWS
    spec = ToolSpec("shell", ToolFamily.SHELL, {"command": FieldRole.COMMAND}, shell)
    return ToolCall("shell", {"command": text}, cwd, home, platform, spec)


def analyze_shell(text: str, **places: str) -> FactsResult:
    """The facts of a command text."""
    return analyze(shell_call(text, **places))


def _word(name: str) -> str:
    return name.lower().replace("_", "-")


def lines(result: FactsResult) -> set[str]:
    """Everything the facts say, as lines."""
    found = {_word(result.facts.parse.status.name)}
    found |= {f"issue {_word(issue.name)}" for issue in result.facts.parse.issues}
    if not result.modelled:
        found.add("unmodelled")
    names = {c.id: _name(c) for c in result.facts.commands}
    for command in result.facts.commands:
        found.update(_command_lines(command, names[command.id]))
    found.update(_fact_lines(result.facts, names))
    for text in result.texts:
        for span in text.spans:
            found.add(f"{span.kind.value} {text.text[span.start : span.end].strip()}")
    found |= {f"write {path}" for path, _ in result.writes}
    return found


def _name(command: CommandFact) -> str:
    if not command.program:
        return "?" if command.kind.name == "PROCESS" else "redirect"
    return command.program


def _command_lines(command: CommandFact, name: str) -> Iterator[str]:
    full = f"{name} {command.subcommand}".rstrip()
    kind = "run" if command.effect is CommandEffect.EXECUTE else _word(command.effect.name)
    yield f"dead {full}" if command.context is CommandContext.DEAD else f"{kind} {full}"
    if command.context is not CommandContext.UNCONDITIONAL:
        yield f"{_word(command.context.name)} {full}"
    if command.remote:
        yield f"remote {full}"
    if command.elevated:
        yield f"elevated {full}"
    yield from (f"op {name} {_word(o.name)}" for o in command.operations)
    yield from (f"trait {name} {t}" for t in command.traits)
    yield from (f"option {name} {o}" for o in command.options)


def _fact_lines(facts: ActionFacts, names: dict[int, str]) -> Iterator[str]:
    for path in facts.paths:
        owner, access = names[path.command_id], _word(path.access.name)
        yield f"path {owner} {access} {path.resolved or '?'}"
        yield from (f"label {owner} {access} {label}" for label in path.labels)
        if path.recursive:
            yield f"recursive {owner} {access}"
    for network in facts.network:
        owner = names[network.command_id]
        yield f"net {owner} {_word(network.action.name)} {network.normalized_host or network.host}"
        if network.external:
            yield f"external {owner} {network.host}"
        yield from (f"netlabel {owner} {label}" for label in network.labels)
        yield from (f"carries {owner} {label}" for label in network.carries)
        if network.carries_environment:
            yield f"carries-environment {owner}"
    names = {**names, 0: "-"}
    for flow in facts.data_flows:
        ends = (names[flow.from_command_id], flow.from_, names[flow.to_command_id], flow.to)
        yield f"flow {ends[0]} {_word(ends[1].name)} {ends[2]} {_word(ends[3].name)}"
