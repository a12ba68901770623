"""What setup works with: hooks that should be registered, where, and what it reports."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from defenseclaw.connectors import (
    Contract,
    ContractStatus,
    Layout,
    is_below,
    registered_paths,
)
from defenseclaw.platform import current_directory

HOOKS = "hooks"
# Where a handler may have its command; the last two name the shell that runs it.
COMMAND_FIELDS = ("command", "bash", "powershell")
Slot = tuple[int, int]  # index of the group, index of the handler in it


class Lone(dict[str, Any]):
    """A group that only stands for a handler which has none around it in the agent's file."""


@dataclass(frozen=True, slots=True)
class Hook:
    """One handler that should be registered for one event; ``closed`` is the value of the layout's
    field for failures."""

    event: str
    command: str
    timeout: int
    matcher: str | None = None
    is_async: bool = False
    extra: tuple[tuple[str, str | tuple[str, ...]], ...] = ()
    layout: Layout = field(default_factory=Layout)
    closed: bool = False

    def handler(self) -> dict[str, Any]:
        """The handler as the agent's file has it."""
        layout = self.layout
        more = {name: list(v) if isinstance(v, tuple) else v for name, v in self.extra}
        found: dict[str, Any] = {**layout.before, layout.command: self.command, **more}
        if layout.timeout:
            found[layout.timeout] = self.timeout * layout.per_second
        if self.matcher is not None and layout.is_flat(self.event):
            found["matcher"] = self.matcher
        if layout.closed:
            found[layout.closed] = self.closed
        found |= layout.after
        return {**found, "async": True} if self.is_async else found

    @property
    def group_matcher(self) -> str | None:
        """The matcher of the group around the handler; None where there is no such thing."""
        return None if self.layout.is_flat(self.event) else self.matcher

    def group(self) -> dict[str, Any]:
        """A group that holds nothing but this handler."""
        if self.layout.is_flat(self.event):
            return Lone({HOOKS: [self.handler()]})
        matcher = {} if self.matcher is None else {"matcher": self.matcher}
        return {**matcher, HOOKS: [self.handler()]}


@dataclass(frozen=True, slots=True)
class Command:
    """What agents run; ``extra`` are further fields of a handler that say it in other words."""

    text: str
    extra: tuple[tuple[str, str | tuple[str, ...]], ...] = ()

    def of(self, event: str) -> str:
        """The command that says which event it is for."""
        return f"{self.text} --event {event}"


@dataclass(frozen=True, slots=True)
class Ownership:
    """Which handlers are ours: the exact command, or any command that starts in our folder.

    Where a command is a script or words, ``folder`` is what one of their paths must be in.
    """

    command: str
    prefixes: tuple[str, ...]
    folder: str = ""

    def owns(self, handler: object) -> bool:
        """Whether a handler of an agent's file is ours."""
        if not isinstance(handler, dict):
            return False
        if self.folder:
            return any(is_below(path, self.folder) for path in registered_paths(handler))
        commands = [handler.get(name) for name in COMMAND_FIELDS]
        return any(
            command == self.command or command.startswith(self.prefixes)
            for command in commands
            if isinstance(command, str)
        )


@dataclass(frozen=True, slots=True)
class Target:
    """One agent's configuration file; ``file`` is lexical, ``real`` is where links lead.

    ``sources`` are the names under which the agent may know the file.
    """

    config_home: Path
    file: Path
    real: Path
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Detection:
    """The installed agent as far as it could be found; ``problem`` says why it could not."""

    executable: Path | None
    version_text: str
    contract: Contract
    status: ContractStatus
    problem: str = ""


class Step(StrEnum):
    """Moments of a transaction, in order; an interruption between any two can be completed."""

    ASSETS = "assets"  # launcher, settings and credential are in place
    RECORD = "record"  # the backup names the state that comes next
    PLANNED = "planned"  # a removal knows the state that comes next
    REPLACED = "replaced"  # the agent's file is the new one
    VERIFIED = "verified"
    INERT = "inert"  # the launcher does nothing any more
    DONE = "done"


def ignore_step(_step: Step) -> None:
    """The observer that observes nothing."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a caller may know better than the defaults.

    ``config_home`` is the agent's; None finds it in the environment, then in what was recorded.
    ``detection`` spares the probe, ``port`` is the gateway's where the configuration does not say;
    ``on_step`` is told of each step of the transaction.
    """

    config_home: Path | None = None
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    cwd: Path = field(default_factory=current_directory)
    detection: Detection | None = None
    optional_events: bool = False
    port: int | None = None
    on_step: Callable[[Step], None] = ignore_step


@dataclass(frozen=True, slots=True)
class SetupReport:
    """What a registration did. ``changed`` lists the files that were written."""

    files: tuple[Path, ...]
    backup: Path | None
    contract: str
    version: str
    status: ContractStatus
    changed: tuple[Path, ...]
    restart_hint: str
    warnings: tuple[str, ...] = ()
    config_home: Path = field(default_factory=Path)


@dataclass(frozen=True, slots=True)
class RemovalReport:
    """What a removal did. ``restored`` are files that are byte for byte what they were."""

    changed: tuple[Path, ...]
    restored: tuple[Path, ...]
    restart_hint: str


@dataclass(frozen=True, slots=True)
class RegistrationState:
    """What is registered. ``trusted`` is None for agents without such a record."""

    registered: bool
    complete: bool
    trusted: bool | None
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrustReport:
    """What the agent itself says of our hooks: event to status; ``problem`` if it said nothing."""

    hooks: Mapping[str, str]
    problem: str = ""

    @property
    def trusted(self) -> bool:
        """Whether the agent runs every one of them."""
        return bool(self.hooks) and set(self.hooks.values()) <= {"trusted", "managed"}
