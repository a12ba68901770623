"""The identity record: which process serves a data home, and on which port."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from defenseclaw.core.jsontext import JsonTextError, parse_object
from defenseclaw.platform.clock import now_ms
from defenseclaw.platform.fs import Trust, UnsafeFileError, read_optional, write_private
from defenseclaw.platform.process import ProcessIdentity, is_running, own_identity

MAX_RECORD_BYTES = 4096  # the record has about a hundred
_DEPTH = 2
_PORTS = range(1, 65536)
_PIDS = range(1, 2**31)


@dataclass(frozen=True, slots=True)
class Running:
    """A gateway process and its port."""

    identity: ProcessIdentity
    port: int


def read_running(path: Path) -> Running | None:
    """The process that a record names, if exactly that one still runs.

    Raises UnsafeFileError for a record that may not be trusted or cannot be read.
    """
    raw = read_optional(path, MAX_RECORD_BYTES, Trust.OWN)
    if raw is None:
        return None
    try:
        fields = parse_object(raw, max_depth=_DEPTH)
    except JsonTextError as error:
        raise _malformed(path) from error
    pid, started, port = (fields.get(name) for name in ("pid", "started", "port"))
    if not _is_in(pid, _PIDS) or not _is_in(port, _PORTS) or not isinstance(started, str):
        raise _malformed(path)
    assert isinstance(pid, int)
    assert isinstance(port, int)
    identity = ProcessIdentity(pid, started)
    return Running(identity, port) if is_running(identity) else None


def write_running(path: Path, port: int) -> None:
    """Record that this process serves. Raises UnsafeFileError."""
    own = own_identity()
    fields = {"pid": own.pid, "started": own.started, "port": port, "at_ms": now_ms()}
    write_private(path, json.dumps(fields).encode())


def _is_in(value: object, allowed: range) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in allowed


def _malformed(path: Path) -> UnsafeFileError:
    return UnsafeFileError(
        f"{path} is malformed",
        impact="the gateway cannot be found; hooks are served if it runs",
        hint="end the gateway process, remove the file, run `defenseclaw-gateway start`",
    )
