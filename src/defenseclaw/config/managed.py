"""Reading an administrator's policy. It only tightens, so a stranger's file could only annoy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from defenseclaw.config.rows import read_rows
from defenseclaw.config.tables import Reader, Word, word_reader
from defenseclaw.core.controls import ListAction, ManagedPolicy
from defenseclaw.core.verdict import FailMode, Mode, Profile
from defenseclaw.platform import DataHome, Owner, Trust, UnsafeFileError, owner_of, read_bounded

MAX_POLICY_BYTES = 256 * 1024  # a file that an administrator writes by hand
POLICY_VERSION = 1
_IMPACT = "the gateway keeps its last good configuration; a stopped one does not start"
_CHECK = "defenseclaw doctor"


def load_managed(home: DataHome) -> tuple[ManagedPolicy, tuple[str, ...]]:
    """(the policy, what to tell people). Raises ConfigError for one that cannot be understood."""
    path = home.managed_policy
    reader = Reader(str(path), _IMPACT, _CHECK)
    owner = owner_of(path)
    if owner is Owner.NOBODY:
        return ManagedPolicy(), ()
    if owner is Owner.OTHER:
        return ManagedPolicy(), (f"{path} is not an administrator's alone and has no effect",)
    try:
        data = read_bounded(path, MAX_POLICY_BYTES, Trust.SYSTEM)
    except (FileNotFoundError, UnsafeFileError) as error:
        reader.refuse("the file", f"cannot be used ({error})", "ask the administrator")
    return parse_managed(data, reader), ()


def parse_managed(data: bytes, reader: Reader) -> ManagedPolicy:
    """The policy in a file's bytes. Raises ConfigError."""
    document = reader.document(data)
    reader.only(document, "", ("version", "minimum", "block"))
    if document.get("version") != POLICY_VERSION:
        reader.refuse("version", f"is not {POLICY_VERSION}", f"write version = {POLICY_VERSION}")
    minimum = reader.table(document, "minimum")
    reader.only(minimum, "minimum.", ("mode", "fail_mode", "profile"))
    rows = read_rows(reader.table(document, "block"), "block.", ListAction.BLOCK, reader)
    return ManagedPolicy(
        mode=_minimum(minimum, "mode", Mode, reader),
        fail_mode=_minimum(minimum, "fail_mode", FailMode, reader),
        profile=_minimum(minimum, "profile", Profile, reader),
        rows=rows,
    )


def _minimum(table: Mapping[str, Any], name: str, kind: type[Word], reader: Reader) -> Word | None:
    if name not in table:
        return None
    return word_reader(kind)(table[name], f"minimum.{name}", reader)
