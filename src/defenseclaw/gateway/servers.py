"""Keeps what agents' files declare about MCP servers, so that a call's server can be named.

Files are looked at on the gateway's tick, and once for a folder that was not seen before: a call
only looks up what is known. Project files count for sessions in their folder or below it.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from defenseclaw.connectors import (
    CONNECTORS,
    Connector,
    Declared,
    McpSources,
    ServerTable,
    bind_tool,
    read_servers,
)
from defenseclaw.core.event import HookEvent
from defenseclaw.core.tool import ToolCall, ToolFamily, ToolSpec
from defenseclaw.platform import Trust, UnsafeFileError, read_bounded

MAX_USER_BYTES = 8 * 1024 * 1024  # such files also hold histories
MAX_PROJECT_BYTES = 256 * 1024  # a list of servers
MAX_SESSIONS = 128  # folders that are remembered; the oldest is forgotten
MAX_ANCESTORS = 32  # folders above a session that are looked at
READ_AGAIN_S = 10.0  # a file that an agent keeps writing is not read more often
NO_SERVERS = ServerTable()

Stamp = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Places:
    """Where users' files are: the home, and each connector's configuration folder."""

    home: Path
    folders: Mapping[str, Path]


@dataclass(frozen=True, slots=True)
class Cached:
    """What a file held when it looked as its stamp says."""

    stamp: Stamp
    read_at: float
    table: ServerTable


class ServerWatch:
    """Known servers by connector and folder; safe to use from several threads."""

    def __init__(self, places: Callable[[], Places], clock: Callable[[], float]) -> None:
        self._places, self._clock = places, clock
        self._files: dict[tuple[str, Path], Cached] = {}
        self._older = self._files
        self._sessions: OrderedDict[tuple[str, str], tuple[Declared, ...]] = OrderedDict()
        self._lock = threading.Lock()
        self.refresh()

    def bind(self, connector: Connector, event: HookEvent) -> HookEvent:
        """The event, its call bound to a declared server where exactly one is meant."""
        call = event.call
        if call is None or connector.mcp is None or not _may_be_served(call):
            return event
        tool = bind_tool(call.tool, self._declared(connector, event.cwd), connector.mcp.tool)
        if tool is None:
            return event
        spec = call.spec or ToolSpec(call.tool, ToolFamily.MCP)
        return replace(event, call=replace(call, mcp=tool, spec=spec))

    def refresh(self) -> None:
        """Look again at every file that a remembered folder needs, and forget the others."""
        with self._lock:
            self._older, self._files = self._files, {}
            for connector in CONNECTORS.values():
                self._user_table(connector)
            for key, cwd in list(self._sessions):
                self._sessions[key, cwd] = self._collect(CONNECTORS[key], cwd)
            self._older = self._files

    def _declared(self, connector: Connector, cwd: str) -> tuple[Declared, ...]:
        found = self._sessions.get((connector.key, cwd))
        if found is not None:
            return found
        with self._lock:
            found = self._collect(connector, cwd)
            self._sessions[connector.key, cwd] = found
            while len(self._sessions) > MAX_SESSIONS:
                self._sessions.popitem(last=False)
        return found

    def _collect(self, connector: Connector, cwd: str) -> tuple[Declared, ...]:
        """Every server that a session in this folder may have."""
        sources = connector.mcp
        if sources is None:
            return ()
        table = self._user_table(connector)
        found = list(table.everywhere)
        for folder in self._above(cwd):
            found += table.folders.get(str(folder), ())
            for name in sources.project_files:
                path = folder / name
                if path != self._user_file(connector, sources):
                    found += self._table(connector.key, sources, path, project=True).everywhere
        return tuple(found)

    def _above(self, cwd: str) -> Iterator[Path]:
        """The session's folder and those above it; what lies above a home is no project."""
        if not os.path.isabs(cwd):
            return
        folder, home = Path(cwd), self._places().home
        for place in (folder, *folder.parents)[:MAX_ANCESTORS]:
            if place == place.parent or (place == home and place != folder):
                return
            yield place
            if place == home:
                return

    def _user_file(self, connector: Connector, sources: McpSources) -> Path:
        places = self._places()
        default = places.home / connector.registration.home_default
        folder = places.folders.get(connector.key, default)
        if sources.home_file and folder == default:
            return places.home / sources.home_file
        return folder / sources.user_file

    def _user_table(self, connector: Connector) -> ServerTable:
        sources = connector.mcp
        if sources is None:
            return NO_SERVERS
        path = self._user_file(connector, sources)
        return self._table(connector.key, sources, path, project=False)

    def _table(self, key: str, sources: McpSources, path: Path, *, project: bool) -> ServerTable:
        """The servers of one file, read only when it looks different than before."""
        stamp = _stamp(path)
        if stamp is None:
            return NO_SERVERS
        known = self._files.get((key, path)) or self._older.get((key, path))
        now = self._clock()
        if known is None or (known.stamp != stamp and now - known.read_at >= READ_AGAIN_S):
            known = Cached(stamp, now, _read(sources, path, project=project))
        self._files[key, path] = known
        return known.table


def _may_be_served(call: ToolCall) -> bool:
    """Whether a tool may be a server's: it looks like one, or no table of the agent names it."""
    return call.spec is None or call.spec.family is ToolFamily.MCP


def _stamp(path: Path) -> Stamp | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _read(sources: McpSources, path: Path, *, project: bool) -> ServerTable:
    """A user's own file may be a link; a project's one must be the user's and theirs alone."""
    limit, trust = (MAX_PROJECT_BYTES, Trust.OWN) if project else (MAX_USER_BYTES, Trust.ANY)
    try:
        return read_servers(sources, read_bounded(path, limit, trust))
    except (FileNotFoundError, UnsafeFileError):
        return NO_SERVERS
