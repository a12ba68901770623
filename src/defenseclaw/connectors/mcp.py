"""Which MCP servers an agent's files declare, and which of them a tool's name means."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from defenseclaw.connectors.api import ConfigFormat, McpSources
from defenseclaw.core.limits import MAX_ARGV_ITEMS, MAX_SCALAR_BYTES
from defenseclaw.core.tool import McpServer, McpTool

MAX_SERVERS = 256  # of one table; nobody has that many
MAX_FOLDERS = 4096  # an agent keeps one entry for each folder it was ever started in
# Agents replace in a server's name what their tool names cannot hold.
_OUTSIDE_NAMES = re.compile(r"[^A-Za-z0-9_-]")
MCP_TOOL = "mcp__{server}__{tool}"  # how most agents name a server's tool
_URL_KEYS = ("url", "serverUrl", "httpUrl")


@dataclass(frozen=True, slots=True)
class Declared:
    """One entry of a table of servers; an entry that cannot be read stands for no server."""

    name: str
    server: McpServer | None


Servers = tuple[Declared, ...]


@dataclass(frozen=True, slots=True)
class ServerTable:
    """The servers that one file declares: for every session, and for sessions in a folder."""

    everywhere: Servers = ()
    folders: Mapping[str, Servers] = field(default_factory=dict)


def read_servers(sources: McpSources, content: bytes) -> ServerTable:
    """The servers of one file; none when it cannot be read, as the agent has none then either."""
    data = _parse(sources.format, content)
    folders = data.get(sources.folders) if sources.folders else None
    found = {}
    for folder, entry in list(folders.items())[:MAX_FOLDERS] if isinstance(folders, dict) else ():
        servers = _servers(entry.get(sources.table)) if isinstance(entry, dict) else ()
        if servers:
            found[folder] = servers
    return ServerTable(_servers(data.get(sources.table)), found)


def bind_tool(tool: str, declared: Iterable[Declared], template: str = MCP_TOOL) -> McpTool | None:
    """The operation and server that a tool's name means; None when that is not certain.

    ``template`` is how the agent puts such a name together. Two servers may fit one name, and files
    may disagree about a server: then none is taken.
    """
    head, _, tail = template.partition("{server}")
    tail = tail.removesuffix("{tool}")
    found: set[tuple[str, str, McpServer | None]] = set()
    spellings = set()
    for entry in declared:
        name = _OUTSIDE_NAMES.sub("_", entry.name)
        start = f"{head}{name}{tail}"
        if tool.startswith(start) and len(tool) > len(start):
            found.add((name, tool[len(start) :], entry.server))
            spellings.add(entry.name)
    if len(found) != 1 or len(spellings) != 1:
        return None
    name, operation, server = found.pop()
    return McpTool(name, operation, server) if server is not None else None


def _load_yaml(text: str) -> Any:
    return yaml.safe_load(text)


_LOADERS: Mapping[ConfigFormat, Callable[[str], Any]] = {
    ConfigFormat.TOML: tomllib.loads,
    ConfigFormat.YAML: _load_yaml,
}


def _parse(form: ConfigFormat, content: bytes) -> Mapping[str, Any]:
    try:
        text = content.decode("utf-8-sig")
        data = _LOADERS.get(form, json.loads)(text)
    except (ValueError, RecursionError, yaml.YAMLError):
        return {}
    return data if isinstance(data, dict) else {}


def _servers(table: object) -> Servers:
    entries = list(table.items())[:MAX_SERVERS] if isinstance(table, dict) else []
    return tuple(Declared(name, read_server(entry)) for name, entry in entries)


def read_server(entry: object) -> McpServer | None:
    """A server from its entry; None unless every part that matters is plain text."""
    if not isinstance(entry, dict):
        return None
    head, rest = entry.get("command", ""), entry.get("args", [])
    url = next((entry[key] for key in _URL_KEYS if key in entry), "")
    environment, cwd = entry.get("env", {}), entry.get("cwd", "")
    lead = head if isinstance(head, list) else [head]  # some agents keep all words in one list
    words = [*lead, *rest] if isinstance(rest, list) and head else []
    if rest and not words:
        return None
    if not isinstance(environment, dict) or len(words) > MAX_ARGV_ITEMS:
        return None
    if not all(_is_plain(value) for value in (*words, url, cwd, *environment)):
        return None
    return McpServer(tuple(words), url, tuple(sorted(environment)), cwd)


def _is_plain(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MAX_SCALAR_BYTES and "\0" not in value
