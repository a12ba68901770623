"""The calls of Windows that the product makes, as one interface that tests replace.

``native`` makes them; everything that decides something is in the other modules and sees only this.
Every call that can fail raises OSError, with the system's code in ``winerror`` where there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from pathlib import Path
from typing import Protocol

# winerror.h
ACCESS_DENIED, SHARING_VIOLATION, LOCK_VIOLATION, INVALID_PARAMETER = 5, 32, 33, 87
CANNOT_MOVE_REPLACEMENT, CANNOT_MOVE_REPLACEMENT_2 = 1176, 1177


class OpenMode(StrEnum):
    """How a file is opened; only FOLLOW goes where a link leads."""

    FOLLOW = "follow"  # for reading
    READ = "read"  # for reading, the thing itself: a link is refused with ELOOP
    NEW = "new"  # for writing, and it must not exist yet
    UPDATE = "update"  # for reading and writing, made where it is missing; a link is refused


class Folder(Enum):
    """Folders that only the system's own answer names (KNOWNFOLDERID)."""

    PROFILE = "5e6c858f-0e22-4760-9afe-ea3317b67173"
    PROGRAM_DATA = "62ab5d82-fdc1-4dc3-a9dd-070d1d495d97"
    PROGRAM_FILES = "905e63b6-c1bf-494e-b29c-65b732d3d21a"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a name stands for; ``is_link`` for everything that leads somewhere else."""

    is_link: bool
    is_folder: bool
    is_file: bool


class FileApi(Protocol):
    """Files, folders and their security descriptors in the self-relative form."""

    def user(self) -> str:
        """The security identifier of the user that this process belongs to."""

    def facts(self, path: Path) -> Facts:
        """What a name stands for, without following it."""

    def open_file(self, path: Path, mode: OpenMode, security: bytes | None = None) -> int:
        """A descriptor of the C library; a new file gets ``security`` before any content."""

    def make_folder(self, path: Path, security: bytes) -> None:
        """Create one folder with this descriptor."""

    def security_of_open(self, descriptor: int) -> bytes:
        """Owner and access list of an open file."""

    def security_of(self, path: Path) -> bytes:
        """Owner and access list of a file or folder, without following it."""

    def set_access(self, path: Path, security: bytes) -> None:
        """Replace the access list of a file or folder; nothing comes from above any more."""

    def move(self, source: Path, target: Path) -> None:
        """Rename over what is there, on disk when this returns."""

    def exchange(self, source: Path, target: Path) -> None:
        """Put a file in another one's place, which hands on its access list and attributes."""


class LockApi(Protocol):
    """Locks that end with their process."""

    def user(self) -> str:
        """The security identifier of the user that this process belongs to."""

    def lock_file(self, descriptor: int) -> bool:
        """Lock an open file's first byte; False when somebody else has it."""

    def open_mutex(self, name: str, security: bytes) -> int:
        """A handle of a named mutex, created with this descriptor unless it exists."""

    def security_of_handle(self, handle: int) -> bytes:
        """Owner and access list of what a handle stands for."""

    def wait(self, handle: int, timeout_ms: int) -> bool:
        """Wait for a mutex or a process; an abandoned mutex counts as free."""

    def release_mutex(self, handle: int) -> None:
        """Let the next one have a mutex."""

    def close(self, handle: int) -> None:
        """Give a handle back."""


class ProcessApi(Protocol):
    """Other processes, through handles: an id is used again, a handle never changes its meaning."""

    def open_process(self, pid: int, *, to_end: bool) -> int:
        """A handle that can be waited for, and that may end the process if asked."""

    def created(self, handle: int) -> int:
        """When a process started, in the system's own units."""

    def image(self, handle: int) -> str:
        """The full path of the program that a process runs."""

    def end_process(self, handle: int) -> None:
        """End a process at once."""

    def wait(self, handle: int, timeout_ms: int) -> bool:
        """Wait for a process to end; False when it still runs."""

    def close(self, handle: int) -> None:
        """Give a handle back."""


class SystemApi(Protocol):
    """What only the system itself may say, never a variable that an agent can set."""

    def system_directory(self) -> str:
        """Where the system's own programs are."""

    def known_folder(self, folder: Folder) -> str:
        """One of the user's or the machine's folders."""

    def is_raised(self) -> bool:
        """Whether this process has an administrator's rights that the user's others lack."""

    def session(self) -> int:
        """The session of this process; services run in session 0."""

    def run_value(self, name: str) -> str | None:
        """A command that the system starts when this user logs on, or None."""

    def machine_value(self, key: str, name: str) -> str | None:
        """A text that an administrator put into the machine's registry, or None."""

    def set_run_value(self, name: str, command: str | None) -> None:
        """Set or remove such a command."""


class WinApi(FileApi, LockApi, ProcessApi, SystemApi, Protocol):
    """All of it."""


def code_of(error: OSError) -> int:
    """The system's own code of an error, or 0."""
    return getattr(error, "winerror", None) or 0
