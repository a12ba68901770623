"""What is known about an agent's tools: families, argument roles and the call itself.

A connector declares one ``ToolSpec`` per exact tool name from that agent's own schema. Any other
name, and any argument outside ``fields``, makes the analysis partial: a family is never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

JsonObject = Mapping[str, Any]


class Platform(StrEnum):
    """Path and shell conventions of the machine the call runs on, never guessed from our own."""

    POSIX = "posix"
    WINDOWS = "windows"


class ToolFamily(StrEnum):
    """Closed families of tools."""

    SHELL = "shell"  # runs command text
    SHELL_INPUT = "shell-input"  # writes to a running shell's standard input
    READ = "read"
    WRITE = "write"
    EDIT = "edit"
    PATCH = "patch"  # the Begin Patch / End Patch envelope
    DELETE = "delete"
    COPY = "copy"
    MOVE = "move"
    LIST = "list"
    SEARCH = "search"  # grep- and glob-like tools over local files
    FETCH = "fetch"  # obtains a URL
    REQUEST = "request"  # any HTTP request; what it sends leaves the machine
    UPLOAD = "upload"  # sends files or texts to a URL
    DOWNLOAD = "download"  # puts what a URL gives into a file
    INERT = "inert"  # no effect outside the agent (todo lists, questions, plans)
    AGENT = "agent"  # starts a sub-agent; the prompt is data
    SKILL = "skill"
    MCP = "mcp"


class FieldRole(StrEnum):
    """What one argument means."""

    COMMAND = "command"
    ARGV = "argv"
    CWD = "cwd"
    PATH = "path"
    PATHS = "paths"
    DESTINATION = "destination"
    CONTENT = "content"  # text that becomes file content
    CONTENT_KIND = "content-kind"  # whether the content is code or text for people
    REMOVED = "removed"  # text an edit takes away
    EDITS = "edits"  # list of objects with CONTENT and REMOVED fields
    PATCH = "patch"
    PATTERN = "pattern"  # a search pattern: data
    GLOB = "glob"
    RESTART = "restart"  # a flag: the tool starts its shell anew, with or without a command
    RECURSIVE = "recursive"  # a flag: the access covers everything below
    URL = "url"
    METHOD = "method"  # of an HTTP request
    PAYLOAD = "payload"  # leaves the machine with the request
    OPERAND = "operand"  # a word of the command that the tool is a form of
    PROMPT = "prompt"  # text for a model: data
    INERT = "inert"  # reviewed: changes nothing about what the call touches


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """Reviewed argument schema of one tool: argument name to role, and the shell it feeds.

    ``dialect`` is a shell or a language; without one the platform's shell is meant. Where the value
    of the argument ``select`` decides what the tool does, ``variants`` has its other schemas.
    ``template`` is the command that the tool is a form of, ``endpoint`` the place that it always
    talks to, and ``marks`` are traits that hold for every call.
    """

    name: str
    family: ToolFamily
    fields: Mapping[str, FieldRole] = field(default_factory=dict)
    dialect: str = ""
    select: str = ""
    variants: Mapping[str, ToolSpec] = field(default_factory=dict)
    template: str = ""
    endpoint: str = ""
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class McpServer:
    """A declared server: how it is started or reached, never what its user called it.

    ``environment`` has the names of the variables that are set for it.
    """

    command: tuple[str, ...] = ()
    url: str = ""
    environment: tuple[str, ...] = ()
    cwd: str = ""


@dataclass(frozen=True, slots=True)
class McpTool:
    """An operation of a declared server that a call was proven to be meant for."""

    name: str  # what the user called the server, as the tool's name spells it
    operation: str
    server: McpServer


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A program that its user declared to run the rest of its words as a command.

    ``words`` are the program and its verbs; with ``dashes`` the command stands behind ``--``, else
    it begins at the first word that is neither verb nor option. Options have their dashes.
    """

    words: tuple[str, ...]
    dashes: bool = False
    flags: frozenset[str] = frozenset()
    valued: frozenset[str] = frozenset()

    @property
    def spelling(self) -> str:
        """As it is declared."""
        return " ".join((*self.words, *(("--",) if self.dashes else ())))


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One proposed call, ready for analysis.

    ``cwd`` and ``home`` come from the authenticated event and the server, never from ``args``.
    ``spec`` is None for a tool the connector has no reviewed schema for.
    """

    tool: str
    args: JsonObject
    cwd: str = ""
    home: str = ""
    platform: Platform = Platform.POSIX
    spec: ToolSpec | None = None
    own_paths: tuple[str, ...] = ()  # absolute paths of our data home, for the own-state label
    hook_paths: tuple[str, ...] = ()  # absolute paths of files that hold agents' hook registrations
    mcp: McpTool | None = None
