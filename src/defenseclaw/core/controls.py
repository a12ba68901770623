"""What people say about calls beside the rules: lists, suppressions, least strict values."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, replace
from enum import StrEnum

from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import FailMode, Mode, Profile

EVERY_CONNECTOR = ""
SELF_PROTECTION = ("SELF-", "tamper.")  # how every rule that protects the guard itself begins
PROMPT_SUBJECT = "prompt"  # stands for the tool where a suppressed finding is about a prompt
_BY_STRICTNESS = (Profile.PERMISSIVE, Profile.DEFAULT, Profile.STRICT)
# Shared roots, below which a path means something narrow only from the second folder on.
_SHARED_ROOTS = ("/home", "/Users", "/root", "/etc", "/usr", "/var", "/opt", "/srv", "/mnt")


class Subject(StrEnum):
    """What a list row names."""

    TOOL = "tool"
    MCP = "mcp"


class ListAction(StrEnum):
    """What a list row says."""

    BLOCK = "block"
    ALLOW = "allow"


@dataclass(frozen=True, slots=True)
class ListRow:
    """One row. ``connector`` is empty for every agent; ``managed`` marks an administrator's."""

    subject: Subject
    name: str
    action: ListAction
    connector: str = EVERY_CONNECTOR
    reason: str = ""
    created: str = ""
    managed: bool = False

    @property
    def key(self) -> tuple[Subject, str]:
        """How a call finds the row: names differ in case between agents and their documents."""
        return self.subject, self.name.casefold()

    @property
    def words(self) -> dict[str, str | bool]:
        """What the row says, without its reason, which is its author's own text."""
        return {
            "subject": self.subject.value,
            "action": self.action.value,
            "name": self.name,
            "managed": self.managed,
        }


@dataclass(frozen=True, slots=True)
class ManagedPolicy:
    """The least strict values that are allowed, None where the user decides, and blocking rows."""

    mode: Mode | None = None
    fail_mode: FailMode | None = None
    profile: Profile | None = None
    rows: tuple[ListRow, ...] = ()

    def tighten(self, posture: Posture) -> Posture:
        """The posture with nothing below what the administrator asks for."""
        wanted = self.profile or posture.profile
        return replace(
            posture,
            mode=Mode.ACTION if self.mode is Mode.ACTION else posture.mode,
            fail_mode=FailMode.CLOSED if self.fail_mode is FailMode.CLOSED else posture.fail_mode,
            profile=max(wanted, posture.profile, key=_BY_STRICTNESS.index),
        )


class Refusal(StrEnum):
    """Why a suppression is not accepted."""

    PROTECTED = "is a rule that protects the guard itself and cannot be suppressed"
    SUBJECT = "needs exactly one of path and call"
    RELATIVE = "has a path that is not absolute and plain"
    BROAD = "has a path that covers a whole disk, home or system folder"


@dataclass(frozen=True, slots=True)
class Suppression:
    """Findings of one rule on one tool that a person has judged to be fine.

    It covers everything below ``path``, or exactly the call whose keyed digest is ``call``. Times
    are milliseconds since 1970.
    """

    id: str
    rule: str
    tool: str
    reason: str
    created_ms: int
    expires_ms: int
    path: str = ""
    call: str = ""
    connector: str = EVERY_CONNECTOR

    def refusal(self) -> Refusal | None:
        """Why this row may not stand, or None."""
        if self.rule.startswith(SELF_PROTECTION):
            return Refusal.PROTECTED
        if bool(self.path) == bool(self.call):
            return Refusal.SUBJECT
        return _path_refusal(self.path) if self.path else None


def _path_refusal(path: str) -> Refusal | None:
    clean = plain_path(path)
    has_drive = clean[1:3] == ":/"
    is_plain = posixpath.normpath(clean) == (clean.rstrip("/") or "/")
    if not is_plain or not (clean.startswith("/") or has_drive):
        return Refusal.RELATIVE
    parts = [part for part in clean.split("/") if part]
    is_shared = has_drive or clean.startswith("//") or f"/{''.join(parts[:1])}" in _SHARED_ROOTS
    return Refusal.BROAD if len(parts) < (3 if is_shared else 2) else None


def plain_path(path: str) -> str:
    """A path as facts resolve it: forward slashes where it is a Windows one."""
    is_windows = path[1:2] == ":" or path.startswith("\\\\")
    return path.replace("\\", "/") if is_windows else path
