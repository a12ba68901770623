"""What a connector is: tables and pure functions for one agent.

Everything that differs between agents is a field or a function here; no other package names an
agent. Registration is data: ``setup`` merges it into the agent's own files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from defenseclaw.core.event import Answer, EventSpec, HookEvent
from defenseclaw.core.tool import Platform, ToolSpec
from defenseclaw.core.verdict import Verdict

Version = tuple[int, int, int]


class ContractStatus(StrEnum):
    """How well the installed agent is known."""

    KNOWN = "known"
    UNVERSIONED = "unversioned"  # no version was found; the reviewed default contract is used
    UNKNOWN = "unknown"  # older than every contract, or unparsable: nothing stateful is trusted


@dataclass(frozen=True, slots=True)
class Contract:
    """One reviewed range of agent versions and the events it has. ``below`` is exclusive."""

    id: str
    since: Version
    below: Version | None
    events: tuple[str, ...]
    default: bool = False  # used when no version is known


@dataclass(frozen=True, slots=True)
class Probe:
    """How the agent's version is found: executable names, arguments and a time limit."""

    executables: tuple[str, ...]
    arguments: tuple[str, ...] = ("--version",)
    timeout_s: float = 2.0


class ConfigFormat(StrEnum):
    """Formats of agents' configuration files."""

    TOML = "toml"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class Registration:
    """Where and how hooks are written. Paths are relative to the agent's configuration home.

    ``home_env`` is the agent's own variable for that home, ``home_default`` its place below the
    user's home. ``trust`` names the extra records the agent demands before it runs a hook.
    """

    home_env: str
    home_default: str
    files: Mapping[Platform, str]
    format: ConfigFormat
    trust: str = ""  # "" or "hooks-state" (position-keyed digests in the same file)
    restart_hint: str = ""


class FailureKind(StrEnum):
    """Why no verdict could be obtained."""

    TRANSPORT = "transport"
    RESPONSE = "response"


@dataclass(frozen=True, slots=True)
class Connector:
    """One agent. ``tools`` maps exact tool names to reviewed schemas."""

    key: str
    label: str
    aliases: tuple[str, ...]
    contracts: tuple[Contract, ...]
    events: tuple[EventSpec, ...]
    tools: Mapping[str, ToolSpec]
    probe: Probe
    registration: Registration
    decode: Callable[[Mapping[str, Any], EventSpec, Environment], HookEvent]
    encode: Callable[[HookEvent, Verdict], Answer]
    failure_answer: Callable[[str, bool], Answer]
    docs_url: str = ""
    budget_s: float = 10.0  # the hook client's own deadline, below every registered timeout
    event_index: Mapping[str, EventSpec] = field(default_factory=dict)

    def event(self, name: str) -> EventSpec | None:
        """The row of an exact, case-sensitive event name."""
        return self.event_index.get(name)


@dataclass(frozen=True, slots=True)
class Environment:
    """What the server knows about the machine that an event came from."""

    home: str
    platform: Platform
    own_paths: tuple[str, ...] = ()
    hook_paths: tuple[str, ...] = ()
