"""How far a file is trusted, and the refusal of one that is not. Known to both systems' halves."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Protocol

from defenseclaw.errors import DefenseClawError

PRIVATE_FILE = 0o600
PRIVATE_PROGRAM = 0o700
PRIVATE_DIR = 0o700
TEMP_MARK = ".defenseclaw-"
IS_LINK = "is a symbolic link"
IS_FOREIGN = "belongs to another user"
IS_SPECIAL = "is not a regular file"
IS_NO_FOLDER = "is not a directory of its own (a link or another kind of file)"
OTHERS_WRITE = "can be changed by other users"
OTHERS_READ = "can be read by other users"


class UnsafeFileError(DefenseClawError):
    """A file exists and may not be trusted or touched: its kind, owner, mode or size is wrong."""


class Trust(StrEnum):
    """How much a file must prove before its content is used."""

    ANY = "any"  # a regular file of the user or the system; links are followed
    OWN = "own"  # ours: no link, our owner, nobody else may write
    SECRET = "secret"  # as OWN, and nobody else may read
    SYSTEM = "system"  # an administrator's alone: no link, nobody else may write


class Owner(StrEnum):
    """Whose a file in a system folder is."""

    NOBODY = "nobody"  # there is no such file
    SYSTEM = "system"
    OTHER = "other"  # a user's, or one that others may write


class Files(Protocol):
    """What differs between the systems when files are read, replaced and judged.

    ``open_trusted`` raises FileNotFoundError; everything else raises UnsafeFileError only.
    """

    def open_trusted(self, path: Path, trust: Trust) -> int:
        """A descriptor for reading a file that may be used."""

    def open_private(self, path: Path, flags: int) -> int:
        """A descriptor for a file of ours that is made owner-only where it is new. OSError."""

    def owner_of(self, path: Path) -> Owner:
        """Whether a file can have been written by an administrator only."""

    def target_problem(self, path: Path) -> str:
        """Why a file may not be replaced by us, or empty."""

    def replace(self, path: Path, data: bytes, mode: int) -> None:
        """Put an owner-only file in the place of what is there, in one step."""

    def replace_keeping(self, path: Path, data: bytes) -> None:
        """The same with the protection that the present file has; a new one is owner-only."""

    def make_private_dir(self, path: Path) -> None:
        """Create a directory of ours, or tighten the one that exists."""

    def make_parents(self, path: Path) -> None:
        """Create the directory of a user's file, owner-only where it is new."""

    def sync_directory(self, path: Path) -> None:
        """Make a rename or removal durable where the system can do that."""

    def file_mode(self, path: Path) -> int | None:
        """Permission bits, or None where there is no file."""

    def exposed_folder(self, path: Path) -> Path | None:
        """The first folder on the way in which others can replace what stands there."""

    def is_open_to_writers(self, path: Path) -> bool:
        """Whether other users can change a file or folder; links do not count."""


def unsafe(path: Path, problem: str) -> UnsafeFileError:
    """The refusal of a file, with the way out."""
    return UnsafeFileError(
        f"{path} {problem}",
        impact="nothing was changed",
        hint="make it a plain file or folder of yours that only you can write, then try again",
    )
