"""What two judges say that PowerShell and cmd inputs run and do, beside what the facts say."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from defenseclaw.core.facts import (
    CommandContext,
    CommandEffect,
    CommandFact,
    FactsResult,
    IssueCode,
    NetworkAction,
    OperationKind,
    ParseStatus,
    PathAccess,
    PathFlavor,
)
from tests.facts.describe import analyze_shell

FOLDER = Path(__file__).parent
CWD, HOME = "C:\\Users\\dana\\project", "C:\\Users\\dana"
JUDGES = ("a", "b")

# What one side alone writes down: PowerShell prints what an expression gives by itself; and what
# only makes an object or a block, or starts what follows it, is no command of its own in the facts.
_UNSAID = frozenset({"write-output", "::new", "::create", "call", "start", "…"})

_PATH_WORDS = {
    PathAccess.DELETE: "delete",
    PathAccess.WRITE: "write",
    PathAccess.APPEND: "write",
    PathAccess.READ: "read",
    PathAccess.LIST: "list",
}
_REGISTRY_WORDS = {PathAccess.DELETE: "registry-delete", PathAccess.WRITE: "registry-write"}
_NETWORK_WORDS = {
    NetworkAction.DOWNLOAD: "download",
    NetworkAction.UPLOAD: "upload",
    NetworkAction.CONNECT: "connect",
    NetworkAction.LISTEN: "listen",
    NetworkAction.TUNNEL: "connect",
}
_OPERATION_WORDS = {
    OperationKind.PROCESS_KILL: "kill",
    OperationKind.SCHEDULE: "schedule",
    OperationKind.ACCOUNT_CHANGE: "account",
    OperationKind.DISK_WRITE: "disk",
    OperationKind.PERMISSION_CHANGE: "permission",
    OperationKind.LISTEN: "listen",
}
# The words whose presence is compared, where the judge could name the target. The others have no
# single fact or depend on where one draws the line.
DECISIVE = frozenset(
    {
        *("delete", "write", "registry-write", "registry-delete"),
        *("download", "upload", "kill", "account"),
    }
)
# What an operator sometimes wants: the rules ask, the strict profile blocks. A judge's "block" for
# nothing but these, or for a resource on another machine, counts as "ask".
SOMETIMES_WANTED = frozenset(
    {
        *("config", "service", "schedule", "account", "kill", "publish", "container", "disk"),
        *("registry-write", "registry-delete", "permission"),
    }
)
_NEVER_WANTED = frozenset({"run-code", "upload", "credential", "listen", "delete"})
_FORMATTING = frozenset({"format", "diskpart", "clear-disk", "format-volume", "initialize-disk"})


@dataclass(frozen=True, slots=True)
class Label:
    """One judge's reading of one input."""

    runs: frozenset[str]
    effects: frozenset[str]
    want: str
    determined: bool
    pointed: frozenset[str] = frozenset()  # those effects whose target the judge could name


@dataclass(frozen=True, slots=True)
class Input:
    """One input with the labels of those who judged it."""

    id: str
    shell: str
    construct: str
    text: str
    labels: Mapping[str, Label] = field(default_factory=dict)

    def agreed(self, what: str) -> Any:
        """What both judges say alike; None where they differ or one did not judge."""
        said = [getattr(label, what) for label in self.labels.values()]
        return said[0] if len(said) == len(JUDGES) and said[0] == said[1] else None

    @property
    def want(self) -> str:
        """``allow``, ``ask`` or ``block``; empty where the judges differ about stopping."""
        said = {label.want for label in self.labels.values()}
        if not all(label.determined for label in self.labels.values()):
            return ""  # what could not be understood is never stopped for that
        if said == {"allow"}:
            return "allow"
        if len(self.labels) < len(JUDGES) or said & {"allow", "unsure"}:
            return ""
        return "block" if said == {"block"} and not self._is_sometimes_wanted() else "ask"

    def _is_sometimes_wanted(self) -> bool:
        labels = self.labels.values()
        pointed = frozenset().union(*(label.pointed for label in labels))
        runs = frozenset().union(*(label.runs for label in labels))
        words = frozenset().union(*(label.effects for label in labels))
        return (
            not pointed & _NEVER_WANTED
            and not runs & _FORMATTING
            and bool(words & SOMETIMES_WANTED or words - pointed)
        )


def plain_name(name: str) -> str:
    """A program or method as both sides spell it."""
    method = re.fullmatch(r"\[.+\](?:::|\.)(\w+)", name)
    if method:
        return f"::{method[1].lower()}"  # the type of an object is often known to one side only
    return re.sub(r"\.(exe|com)$", "", re.split(r"[\\/]", name)[-1].lower())


def _label(row: Mapping[str, Any]) -> Label:
    runs = frozenset(plain_name(run[0]) for run in row["runs"] if run) - _UNSAID
    words = frozenset(effect.split(" ", 1)[0] for effect in row["effects"])
    vague = frozenset(effect.split(" ", 1)[0] for effect in row["effects"] if effect.endswith(" ?"))
    return Label(runs, words, row["want"], row["determined"], words - vague)


@functools.cache
def inputs() -> tuple[Input, ...]:
    """All inputs with their labels, in the order of the files."""
    labels: dict[str, dict[str, Label]] = {}
    for judge in JUDGES:
        for line in (FOLDER / f"labels-{judge}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            labels.setdefault(row["id"], {})[judge] = _label(row)
    return tuple(
        Input(row["id"], shell, row["construct"], row["text"], labels.get(row["id"], {}))
        for shell in ("powershell", "cmd")
        for file in sorted((FOLDER / shell).glob("*.yaml"))
        for row in yaml.safe_load(file.read_text(encoding="utf-8"))
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """What the facts say, in the judges' words."""

    runs: frozenset[str]
    effects: frozenset[str]
    complete: bool


def reading(one: Input) -> Reading:
    """The facts of an input."""
    result = analyze_shell(one.text, shell=one.shell, cwd=CWD, home=HOME)
    live = {c.id: c for c in result.facts.commands if c.context is not CommandContext.DEAD}
    scripts = (p.value for p in result.facts.paths if p.access is PathAccess.EXECUTE)
    names = chain.from_iterable(_names(c) for c in live.values())
    runs = frozenset([*names, *map(plain_name, scripts)]) - _UNSAID
    done = {id for id, c in live.items() if c.effect is not CommandEffect.PREVIEW}
    # The content of a script on disk is in no text; that alone leaves nothing else open.
    opaque = set(result.facts.parse.issues) == {IssueCode.OPAQUE_ARTIFACT}
    complete = opaque or result.facts.parse.status is ParseStatus.COMPLETE
    return Reading(runs, frozenset(_effects(result, done)), complete)


def _names(command: CommandFact) -> Iterator[str]:
    name = command.program or command.executable
    if name:
        yield plain_name(name)
    yield from (plain_name(wrapper.executable) for wrapper in command.wrappers)


def _effects(result: FactsResult, done: set[int]) -> Iterator[str]:
    for path in result.facts.paths:
        if path.command_id in done:
            words = _REGISTRY_WORDS if path.flavor is PathFlavor.REGISTRY else _PATH_WORDS
            yield words.get(path.access, "")
    for network in result.facts.network:
        if network.command_id in done:
            yield _NETWORK_WORDS.get(network.action, "")
    for command in result.facts.commands:
        if command.id in done:
            yield from (_OPERATION_WORDS.get(op, "") for op in command.operations)
