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
    says that tools outside shell, patch and MCP reach the hook and may be remembered. Events of
    ``introduced`` exist only from a version on, and are not registered where none is known.
    """

    id: str
    since: Version
    below: Version | None
    events: tuple[str, ...]
    default: bool = False  # used when no version is known
    opt_in: bool = False
    generic_tools: bool = True
    introduced: Mapping[str, Version] = field(default_factory=dict)

    def events_of(self, version: Version | None) -> tuple[str, ...]:
        """The events that an agent of this version has."""
        known = version or self.since
        return tuple(e for e in self.events if self.introduced.get(e, known) <= known)


@dataclass(frozen=True, slots=True)
class Probe:
    """How the agent's version is found: executable names, arguments and a time limit.

    ``in_scratch`` asks in an empty home, for a program that rewrites its user's settings whenever
    it starts.
    """

    executables: tuple[str, ...]
    arguments: tuple[str, ...] = ("--version",)
    timeout_s: float = 2.0
    in_scratch: bool = False


class ConfigFormat(StrEnum):
    """Formats of agents' configuration files. An agent that reads JSON ignores a file with comments
    or trailing commas as a whole; one that reads JSONC accepts both."""

    TOML = "toml"
    JSON = "json"
    JSONC = "jsonc"
    YAML = "yaml"


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting that makes an agent ignore registered hooks while it has the value ``off``; where
    that is a text, while it is a list with this text in it."""

    path: tuple[str, ...]
    off: bool | str

    def is_off(self, value: object) -> bool:
        """Whether the setting with this value makes the agent ignore our hooks."""
        if isinstance(self.off, bool):
            return value is self.off
        return isinstance(value, list) and self.off in value

    @property
    def told(self) -> str:
        """The setting in words."""
        name, off = ".".join(self.path), self.off
        return f"{name} = {str(off).lower()}" if isinstance(off, bool) else f"{off} in {name}"


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


EVERY_EVENT = "*"


@dataclass(frozen=True, slots=True)
class Layout:
    """Where handlers stand in an agent's document, and what one is made of.

    ``root`` is the member that holds the events; empty where they are members of the document.
    ``flat`` are the events whose handlers stand in the event's list without a group around them
    (``EVERY_EVENT``: all); a matcher is then a field of the handler. ``named`` begins the name of
    our own table above each event, for agents whose documents hold named sets of events.
    ``required`` are members that the document must have with exactly these values.

    A handler has the fields of ``before``, the command under ``command``, the time limit under
    ``timeout`` (empty: none) in ``per_second`` units, and the fields of ``after``. ``closed`` names
    a field that is true while action mode answers failures with a denial.
    """

    root: str = "hooks"
    flat: tuple[str, ...] = ()
    named: str = ""
    required: Mapping[str, object] = field(default_factory=dict)
    before: Mapping[str, object] = field(default_factory=lambda: {"type": "command"})
    command: str = "command"
    timeout: str = "timeout"
    per_second: int = 1
    after: Mapping[str, object] = field(default_factory=dict)
    closed: str = ""
    tables: tuple[str, ...] = ()  # members of the root that are tables and no events
    values: tuple[str, ...] = ()  # other members of the root that are no events

    @property
    def aside(self) -> tuple[str, ...]:
        """Members of the root that are no events."""
        return (*self.tables, *self.values)

    def is_flat(self, event: str) -> bool:
        """Whether an event's handlers stand without groups."""
        return event in self.flat or EVERY_EVENT in self.flat


@dataclass(frozen=True, slots=True)
class Plugin:
    """A file of ours that an agent loads and runs by itself.

    ``resource`` is the text in ``connectors/plugins``; ``COMMAND_MARK`` in it becomes the list of
    words that starts our hook client. Its first line is ``marker``. It is the registration's own
    file, or ``module`` among the packages of the private Python environment that the agent runs in.
    """

    resource: str
    marker: str
    module: str = ""


COMMAND_MARK = '"@DEFENSECLAW_COMMAND@"'


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an agent's document that a registration needs besides hooks.

    In a list the value is one more item; anywhere else somebody else's value is refused.
    """

    path: tuple[str, ...]
    value: object
    in_list: bool = False


@dataclass(frozen=True, slots=True)
class Consents:
    """A file beside the agent's own that lists the commands its user has agreed to.

    ``table`` holds objects with an event and a command under these names.
    """

    file: str
    table: str
    event: str
    command: str


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

    ``layout`` says how hooks are written, ``plugin`` that a file of ours is loaded instead,
    ``members`` what else the document needs. ``binds_events`` puts the event's name into each
    command, ``plain_command`` refuses a place whose path a shell would not take as it is.

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
    layout: Layout = field(default_factory=Layout)
    plugin: Plugin | None = None
    members: tuple[Member, ...] = ()
    consents: Consents | None = None
    binds_events: bool = False
    plain_command: bool = False
    shadowing: tuple[str, ...] = ()  # a project's files that take the place of the user's
    home_env_below: str = ""  # what an agent adds to the folder that ``home_env`` names

    def form(self, platform: Platform) -> CommandForm:
        """How hooks are registered on a platform."""
        return self.windows_form if platform is Platform.WINDOWS else CommandForm.SCRIPT

    def keeps_records(self, file_name: str) -> bool:
        """Whether the agent demands records of consent in a file of this name."""
        return bool(self.trust) and file_name == self.files[Platform.POSIX]


@dataclass(frozen=True, slots=True)
class McpSources:
    """Where an agent reads which MCP servers it has.

    ``tool`` is how a tool's name is put together. ``user_file`` is below the configuration home;
    where that is the default one, ``home_file`` below the user's home is meant instead. ``table``
    leads to the servers by name, and ``folders`` to tables of the same kind for single folders. A
    project's own files are looked for in the session's folder and above.
    """

    user_file: str
    format: ConfigFormat
    table: str
    home_file: str = ""
    folders: str = ""
    project_files: tuple[str, ...] = ()
    tool: str = "mcp__{server}__{tool}"


@dataclass(frozen=True, slots=True)
class Sample:
    """What the agent sends before it runs a shell command: an event and a template of its payload.

    ``"{command}"``, ``"{cwd}"`` and ``"{id}"`` as whole texts stand for the values of one call.
    """

    event: str
    payload: Mapping[str, object]


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


def _silence(_event: str) -> Answer:
    """Most agents take silence for "no objection"."""
    return Answer()


@dataclass(frozen=True, slots=True)
class Connector:
    """One agent. ``tools`` maps exact tool names to reviewed schemas.

    ``name_fields`` are where a payload may name its event, and ``name_aliases`` other spellings of
    events that the agent sends. ``failure_answer`` is what stops an event, ``open_answer`` what
    lets it go where nothing is known: some agents take silence for a denial. Another agent may run
    this one's hooks as well: ``imported_by`` has the payload's field that says so, and its key.

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
    name_fields: tuple[str, ...] = ("hook_event_name",)
    name_aliases: Mapping[str, str] = field(default_factory=dict)
    open_answer: Callable[[str], Answer] = _silence
    in_body: bool = False  # a plugin of ours reads the answer: it is no process's output
    advisory_window_s: float = 0.0
    advisory_families: Mapping[str, str] = field(default_factory=dict)
    mcp: McpSources | None = None
    sample: Sample | None = None
    imported_by: Mapping[str, str] = field(default_factory=dict)
    demonstrated: bool = False  # one of those that the demonstration shows

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
