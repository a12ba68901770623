"""What a connector is: tables and pure functions for one agent.

Everything that differs between agents is a field or a function here; no other package names an
agent. Registration is data: ``setup`` merges it into the agent's own files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from defenseclaw.core.event import Answer, EventSpec, HookEvent, Route
from defenseclaw.core.tool import Platform, ToolSpec
from defenseclaw.core.verdict import Verdict

Version = tuple[int, int, int]

# The client must answer before the agent gives up on it (design: deadlines nest).
BUDGET_MARGIN_S = 1.0
UNKNOWN_EVENT_BUDGET_S = 9.0  # connector contract, section 5.5


class ContractStatus(StrEnum):
    """How well the installed agent is known."""

    KNOWN = "known"
    UNVERSIONED = "unversioned"  # no version was found; the reviewed default contract is used
    UNKNOWN = "unknown"  # older than every contract, or unparsable: nothing stateful is trusted


@dataclass(frozen=True, slots=True)
class Contract:
    """One reviewed range of agent versions and the events it has. ``below`` is exclusive.

    ``opt_in`` contracts are resolved only when the operator asked for them; ``generic_tools``
    says that tools outside shell, patch and MCP reach the hook and may be remembered.
    """

    id: str
    since: Version
    below: Version | None
    events: tuple[str, ...]
    default: bool = False  # used when no version is known
    opt_in: bool = False
    generic_tools: bool = True


@dataclass(frozen=True, slots=True)
class Probe:
    """How the agent's version is found: executable names, arguments and a time limit."""

    executables: tuple[str, ...]
    arguments: tuple[str, ...] = ("--version",)
    timeout_s: float = 2.0


class ConfigFormat(StrEnum):
    """Formats of agents' configuration files. An agent that reads JSON ignores a file with comments
    or trailing commas as a whole; one that reads JSONC accepts both."""

    TOML = "toml"
    JSON = "json"
    JSONC = "jsonc"


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting that makes an agent ignore registered hooks while it has the value ``off``."""

    path: tuple[str, ...]
    off: bool


MACHINE_REGISTRY = "HKLM\\"


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """An administrator's file and the settings in it that make a user's hooks ineffective.

    A path that ends with a slash means every file of that format in the folder; ``{programs}`` is
    where Windows keeps programs for all users. One that starts with ``MACHINE_REGISTRY`` is the key
    and the name of a text in the machine's registry.
    """

    path: str
    format: ConfigFormat
    switches: tuple[Switch, ...]


@dataclass(frozen=True, slots=True)
class Introspection:
    """How the agent itself is asked, as JSON-RPC lines: which hooks it has, and what is required.

    ``managed_only`` is the requirement that leaves only an administrator's hooks in force.
    """

    arguments: tuple[str, ...]
    list_method: str
    requirements_method: str
    managed_only: str
    timeout_s: float = 20.0


class CommandForm(StrEnum):
    """How a registered hook is told to run our client."""

    SCRIPT = "script"  # one word of a shell: the launcher in the data home
    ENCODED = "encoded"  # a command for the system's PowerShell, which reads the launcher
    WORDS = "words"  # a program and its arguments, without a shell


@dataclass(frozen=True, slots=True)
class Registration:
    """Where and how hooks are written. Paths are relative to the agent's configuration home.

    ``home_env`` is the agent's own variable for that home, ``home_default`` its place below the
    user's home. ``trust`` names the extra records the agent demands before it runs a hook.
    ``switches`` are in the same file, ``policies`` in an administrator's. ``project_files`` are a
    project's own settings, which have the same switches; ``project_env`` names the table in them
    that sets variables for hooks.

    An agent without a file for a platform is not supported there. ``managed_on`` says where our own
    file is what an administrator's would be, ``former`` which other files held our hooks before.
    """

    home_env: str
    home_default: str
    files: Mapping[Platform, str]
    format: ConfigFormat
    trust: str = ""  # "" or "hooks-state" (position-keyed digests in the same file)
    restart_hint: str = ""
    switches: tuple[Switch, ...] = ()
    policies: Mapping[Platform, tuple[PolicyFile, ...]] = field(default_factory=dict)
    introspection: Introspection | None = None
    project_files: tuple[str, ...] = ()
    project_env: str = ""
    windows_form: CommandForm = CommandForm.WORDS
    managed_on: tuple[Platform, ...] = ()
    former: Mapping[Platform, tuple[str, ...]] = field(default_factory=dict)

    def form(self, platform: Platform) -> CommandForm:
        """How hooks are registered on a platform."""
        return self.windows_form if platform is Platform.WINDOWS else CommandForm.SCRIPT

    def keeps_records(self, file_name: str) -> bool:
        """Whether the agent demands records of consent in a file of this name."""
        return bool(self.trust) and file_name == self.files[Platform.POSIX]


@dataclass(frozen=True, slots=True)
class McpSources:
    """Where an agent reads which MCP servers it has.

    ``user_file`` is below the configuration home; where that is the default one, ``home_file``
    below the user's home is meant instead. ``table`` leads to the servers by name, and
    ``folders`` to tables of the same kind for single folders. A project's own files are looked
    for in the session's folder and above.
    """

    user_file: str
    format: ConfigFormat
    table: str
    home_file: str = ""
    folders: str = ""
    project_files: tuple[str, ...] = ()


class FailureKind(StrEnum):
    """Why no verdict could be obtained."""

    TRANSPORT = "transport"
    RESPONSE = "response"


class DecodeFault(StrEnum):
    """Why a payload was refused; the value is the whole text that anybody is shown."""

    NO_EVENT_NAME = "the payload names no event"
    WRONG_TYPE = "a payload field has the wrong type"
    TOO_LONG = "a payload field is too long"
    BAD_TEXT = "a payload field holds characters that no identifier or path may hold"


class DecodeError(Exception):
    """A payload is not what the agent's contract says; its text never quotes the payload."""

    def __init__(self, fault: DecodeFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Connector:
    """One agent. ``tools`` maps exact tool names to reviewed schemas.

    ``advisory_window_s`` asks the gateway not to repeat the same advisory text to the same session
    within that time; events that share an entry of ``advisory_families`` count as one.
    """

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
    advisory_window_s: float = 0.0
    advisory_families: Mapping[str, str] = field(default_factory=dict)
    mcp: McpSources | None = None

    def event(self, name: str) -> EventSpec | None:
        """The row of an exact, case-sensitive event name."""
        return self.event_index.get(name)

    def event_or_unknown(self, name: str) -> EventSpec:
        """The row of an event name, or a row without any trusted boundary."""
        return self.event_index.get(name) or EventSpec(name, Route.UNKNOWN, registered=False)

    def client_budget_s(self, name: str) -> float:
        """The hook client's total time for one event; below the timeout that is registered."""
        spec = self.event_index.get(name)
        own = spec.timeout_s - BUDGET_MARGIN_S if spec else UNKNOWN_EVENT_BUDGET_S
        return min(self.budget_s, own)


@dataclass(frozen=True, slots=True)
class Environment:
    """What the server knows about the machine that an event came from."""

    home: str
    platform: Platform
    own_paths: tuple[str, ...] = ()
    hook_paths: tuple[str, ...] = ()
