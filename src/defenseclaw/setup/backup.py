"""What an agent's file was before we changed it, and which states of it are our own work.

The digest of the next state is recorded before the file is replaced. After a crash at any moment
the file is therefore the old state, the recorded one, or somebody else's, and each is decidable.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from defenseclaw.connectors import Connector
from defenseclaw.core.jsontext import JsonTextError, parse_object
from defenseclaw.errors import SetupError
from defenseclaw.platform import (
    DataHome,
    Trust,
    UnsafeFileError,
    list_names,
    make_private_dir,
    now_ms,
    read_bounded,
    remove_file,
    write_private,
)
from defenseclaw.setup.model import Target
from defenseclaw.setup.target import MAX_AGENT_FILE_BYTES

VERSION = 1
MAX_RECORD_BYTES = 2 * MAX_AGENT_FILE_BYTES  # base64 and the fields around it
MAX_OWN_STATES = 2  # the state in force and the one that is being written
_DEPTH = 4


@dataclass(frozen=True, slots=True)
class BackupRecord:
    """One file's first state, None if there was none, and digests of what we made of it."""

    connector: str
    path: str
    pristine: bytes | None
    own_states: tuple[str, ...]
    captured_ms: int

    def is_ours(self, content: bytes | None) -> bool:
        """Whether this content is exactly what we wrote."""
        return digest(content) in self.own_states


def digest(content: bytes | None) -> str:
    """The name of one state of a file."""
    return "missing" if content is None else hashlib.sha256(content).hexdigest()


def record_path(home: DataHome, connector: Connector, target: Target) -> Path:
    """Where the record of one file is; each file of an agent has its own."""
    name = hashlib.sha256(str(target.file).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return home.backups / connector.key / f"{name}.json"


def load_record(home: DataHome, connector: Connector, target: Target) -> BackupRecord | None:
    """The record of a file; None when there is none or it is damaged. Raises SetupError.

    A damaged record is as good as none: what is ours is then taken out piece by piece.
    """
    record = _read(record_path(home, connector, target))
    if record is None:
        return None
    if (record.connector, record.path) != (connector.key, str(target.file)):
        raise SetupError(
            f"the backup of {target.file} belongs to another file",
            impact="the agent's file was not changed",
            hint=f"move {record_path(home, connector, target)} away, then try again",
        )
    return record


def recorded_files(home: DataHome, connector: Connector) -> list[Path]:
    """Every file of an agent that we have changed and not restored, the newest last."""
    folder = home.backups / connector.key
    records = [_read(folder / name) for name in list_names(folder) if name.endswith(".json")]
    own = [r for r in records if r is not None and r.connector == connector.key]
    return [Path(r.path) for r in sorted(own, key=lambda r: r.captured_ms)]


def publish(
    home: DataHome, connector: Connector, target: Target, change: tuple[bytes | None, bytes]
) -> BackupRecord:
    """Record that a file goes from one state to the next. Called before the file is replaced."""
    before, after = change
    record = load_record(home, connector, target)
    if record is None:
        record = BackupRecord(connector.key, str(target.file), before, (digest(after),), now_ms())
    elif record.is_ours(before) or before == record.pristine:
        known = (digest(before), digest(after)) if record.is_ours(before) else (digest(after),)
        record = replace(record, own_states=tuple(dict.fromkeys(known))[-MAX_OWN_STATES:])
    else:
        # Somebody edited the file in between: its first state can no longer simply come back.
        record = replace(record, own_states=())
    _write(record_path(home, connector, target), record)
    return record


def withdraw(
    home: DataHome, connector: Connector, target: Target, earlier: BackupRecord | None
) -> None:
    """Take back what ``publish`` recorded of a change that was not made."""
    if earlier is None:
        discard(home, connector, target)
    else:
        _write(record_path(home, connector, target), earlier)


def discard(home: DataHome, connector: Connector, target: Target) -> None:
    """Forget a file that has been restored."""
    remove_file(record_path(home, connector, target))


def _write(path: Path, record: BackupRecord) -> None:
    make_private_dir(path.parent)
    write_private(path, _encode(record))


def _encode(record: BackupRecord) -> bytes:
    pristine = record.pristine
    fields = {
        "version": VERSION,
        "connector": record.connector,
        "path": record.path,
        "existed": pristine is not None,
        "pristine_sha256": digest(pristine),
        "pristine_base64": base64.b64encode(pristine or b"").decode(),
        "own_states": list(record.own_states),
        "captured_ms": record.captured_ms,
    }
    return (json.dumps(fields, indent=2) + "\n").encode()


def _read(path: Path) -> BackupRecord | None:
    try:
        fields = parse_object(read_bounded(path, MAX_RECORD_BYTES, Trust.OWN), max_depth=_DEPTH)
        return _decode(fields)
    except (FileNotFoundError, UnsafeFileError, JsonTextError, LookupError, ValueError, TypeError):
        return None


def _decode(fields: dict[str, Any]) -> BackupRecord:
    try:
        content = base64.b64decode(fields["pristine_base64"], validate=True)
    except binascii.Error as error:
        raise ValueError("pristine_base64") from error
    pristine = content if fields["existed"] is True else None
    states = fields["own_states"]
    if fields["version"] != VERSION or digest(pristine) != fields["pristine_sha256"]:
        raise ValueError("version or digest")
    if not isinstance(states, list) or not all(isinstance(s, str) for s in states):
        raise ValueError("own_states")
    return BackupRecord(
        str(fields["connector"]),
        str(fields["path"]),
        pristine,
        tuple(states),
        int(fields["captured_ms"]),
    )
