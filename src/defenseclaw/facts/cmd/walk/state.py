"""What the text has set so far: variables, folders, arguments, and where control is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from defenseclaw.core.facts import IssueCode
from defenseclaw.core.limits import MAX_COMMAND_BYTES
from defenseclaw.core.tool import Platform
from defenseclaw.facts.cmd.syntax.cursor import LimitFault
from defenseclaw.facts.cmd.syntax.percent import MARKS
from defenseclaw.facts.cmd.syntax.text import EXAMPLE, UNKNOWN
from defenseclaw.facts.paths import Place, has_drive, is_windows_spelling, locate
from defenseclaw.facts.tables.environment import FIXED, PROFILE, SOMEBODY

MAX_FILLED_CHARS = 4 * MAX_COMMAND_BYTES  # values put into text, all together
MAX_VALUE = 8191  # what a line and a variable of cmd can hold
# What may well be set by whoever started cmd; anything else between percent signs is text.
_LIKELY = re.compile(r"[a-z_]\w*(?:\.\w+|\(x86\))?")
# So short are directives of formats (`%h%n`), bytes of URLs (`%C3%A9`) and loop variables.
_SHORT = 2
_MACHINE = frozenset(
    {"random", "errorlevel", "date", "time", "computername", "userdomain", "sessionname",
     "number_of_processors", "processor_architecture", "processor_level", "cmdextversion",
     "highestnumanodenumber",
     "userdnsdomain", "logonserver", "processor_revision", "processor_identifier"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Places:
    """The caller's directories."""

    cwd: str = ""
    home: str = ""


@dataclass(slots=True)
class Budget:
    """What a whole text may fill in."""

    left: int = MAX_FILLED_CHARS

    def spend(self, count: int) -> None:
        """Count characters; raises beyond the limit."""
        self.left -= count
        if self.left < 0:
            raise LimitFault(IssueCode.INPUT_LIMIT)


Saved = tuple[dict[str, str | None], bool | None, str | None]


@dataclass(slots=True)
class State:
    """Variables by their lower-case names; one that is None is not defined.

    ``given`` are the arguments of a batch file or function, None where the caller's are not known.
    """

    places: Places
    batch: bool = False
    delayed: bool | None = None  # whether `!name!` is read; None if nobody said
    variables: dict[str, str | None] = field(default_factory=dict)
    loops: dict[str, str] = field(default_factory=dict)
    assigned: frozenset[str] = frozenset()  # what the text sets somewhere
    given: tuple[str, ...] | None = None
    cwd: str | None = ""  # "" as the caller's
    stack: tuple[str | None, ...] = ()
    saved: tuple[Saved, ...] = ()
    ended: bool = False
    budget: Budget = field(default_factory=Budget)

    def copy(self) -> State:
        """The same again, to be changed apart."""
        return replace(self, variables=dict(self.variables), loops=dict(self.loops))

    # --- values ---

    def value(self, name: str) -> str | None:
        """What stands for ``%name%``; None where it is not defined, or cannot be a variable."""
        if name in self.variables:
            return self.variables[name]
        known = self._of_machine(name)
        if known is not None:
            return known
        if name in self.assigned and not self.batch:
            return None  # it stays as it is written, and is looked at again when it runs
        if len(name) <= _SHORT and name not in self.assigned:
            return None
        return UNKNOWN if _LIKELY.fullmatch(name) else None

    def _of_machine(self, name: str) -> str | None:
        home = self.home
        if name in PROFILE:
            return home + PROFILE[name]
        if name in FIXED:
            return FIXED[name]
        if name == "cd":
            return self.here or UNKNOWN
        if name == "homepath":
            return home[2:] if has_drive(home) else home
        if name == "username":
            return home.replace("\\", "/").rpartition("/")[2] or EXAMPLE
        return EXAMPLE if name in _MACHINE else None

    def argument(self, digit: str, modifiers: str | None) -> str:
        """``%1``, ``%~dp1`` and ``%*``."""
        if digit == "0" and modifiers is not None and "p" in modifiers.lower() and self.here:
            return f"{self.here}\\"  # scripts lie in the folder that they are meant for
        if digit == "0" or self.given is None:
            return UNKNOWN
        if digit == "*":
            return " ".join(self.given)
        at = int(digit) - 1
        value = self.given[at] if at < len(self.given) else ""
        return value if modifiers is None else shaped(value, modifiers, self)

    def spend(self, count: int) -> None:
        """Count characters that were filled in."""
        self.budget.spend(count)

    def set(self, name: str, value: str | None) -> None:
        """A variable has this value from here on."""
        if value is not None and len(value) > MAX_VALUE:
            value = UNKNOWN
        self.variables[name.lower()] = value

    def forget(self, names: Iterable[str]) -> None:
        """Make variables unknown."""
        for name in names:
            self.variables[name] = UNKNOWN

    def kill_all(self) -> None:
        """Any variable may have been set by code that is not seen."""
        self.variables = dict.fromkeys(self.variables, UNKNOWN)

    # --- folders ---

    @property
    def home(self) -> str:
        """The profile; somebody's if the caller did not say whose."""
        return self.places.home or SOMEBODY

    @property
    def here(self) -> str:
        """The working directory, empty if it is not known."""
        return self.places.cwd if self.cwd == "" else self.cwd or ""

    def move(self, target: str | None, *, drive: bool = True) -> None:
        """Another working directory; without ``drive`` only on the drive that is current."""
        if target is None or not MARKS.isdisjoint(target):
            self.cwd = None
            return
        here = self.here
        other = has_drive(target) and has_drive(here) and target[0].lower() != here[0].lower()
        if other and not drive:
            return  # it becomes that drive's folder, and the current one stays
        platform = Platform.WINDOWS
        if self.places.cwd.startswith("/") and not is_windows_spelling(target):
            target, platform = target.replace("\\", "/"), Platform.POSIX
        if len(target) == 2 and has_drive(target):
            target = here if here[:2].lower() == target.lower() else target + "\\"
        self.cwd = locate(target, Place(here, self.home, platform)).resolved or None

    # --- control ---

    def join(self, others: list[State]) -> None:
        """What is the same in all of several states that may follow."""
        alive = [other for other in others if not other.ended] or others
        first = alive[0]
        names = {name for other in alive for name in other.variables}
        self.variables = {
            name: value if all(other.value(name) == value for other in alive[1:]) else UNKNOWN
            for name in names
            for value in (first.value(name),)
        }
        self.cwd = first.cwd if all(o.cwd == first.cwd for o in alive) else None
        self.stack = first.stack if all(o.stack == first.stack for o in alive) else ()
        self.saved, self.given = first.saved, first.given
        modes = {other.delayed for other in alive}
        self.delayed = modes.pop() if len(modes) == 1 else True
        self.ended = all(other.ended for other in others)

    def scalars(self) -> dict[str, str | None]:
        """Variables as texts, for code that is read on its own."""
        return {
            name: value
            for name, value in self.variables.items()
            if value is not None and MARKS.isdisjoint(value)
        }


# --- modifiers of loop variables and arguments, as in %~nx1 ---


def shaped(value: str, modifiers: str, state: State) -> str:
    """A value after ``~`` and letters: without quotes, and only some parts of the path."""
    text = value[1:] if value.startswith('"') else value
    text = text.removesuffix('"') if value.startswith('"') else text
    letters = set(modifiers.lower())
    if not letters or not letters <= set("fdpnxs"):
        return text if not letters else EXAMPLE
    if UNKNOWN in text:
        return UNKNOWN
    if not letters - {"s"}:
        return text
    if letters & set("fdp"):
        text = _full(text, state)
        if not text:
            return UNKNOWN
    drive, folder, stem, suffix = _split(text)
    if "f" in letters:
        return drive + folder + stem + suffix
    parts = (("d", drive), ("p", folder), ("n", stem), ("x", suffix))
    return "".join(part for letter, part in parts if letter in letters)


def _full(text: str, state: State) -> str:
    place = Place(state.here, state.home, Platform.WINDOWS)
    return locate(text, place).resolved.replace("/", "\\")


def _split(path: str) -> tuple[str, str, str, str]:
    path = path.replace("/", "\\")
    drive = path[:2] if has_drive(path) else ""
    folder, slash, base = path[len(drive) :].rpartition("\\")
    stem, dot, suffix = base.rpartition(".")
    return (drive, folder + slash, stem, dot + suffix) if dot else (drive, folder + slash, base, "")
