"""Shell state as far as the text determines it: variables, working directory, functions."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum

from defenseclaw.facts.posix.syntax.tree import Function
from defenseclaw.facts.script import Redirect, Word


class Kind(IntEnum):
    """What is known of a value that is not simply known."""

    UNKNOWN = 0  # `text` and `suffix` are known ends of it
    PATTERN = 1  # some path that `text` matches
    EXAMPLE = 2  # like `text` but for plain characters


@dataclass(frozen=True, slots=True)
class Soft:
    """A value that is not a known string."""

    kind: Kind
    text: str = ""
    suffix: str = ""
    many: bool = False  # an element of a list that stands for any number of elements, also none


DEFAULT_IFS = " \t\n"
UNKNOWN = Soft(Kind.UNKNOWN)
Scalar = str | Soft
Value = Scalar | tuple[Scalar, ...]  # a tuple is an array; the empty one also an unset variable
Definitions = tuple[tuple[Function, ...], bool]  # what a name may run; certainly one of them
Saved = dict[str, "Value | None"]
UNSET: tuple[Scalar, ...] = ()


class Ending(IntEnum):
    """Whether control has left a list for certain."""

    NO = 0
    RETURNED = 1
    EXITED = 2
    LEFT = 3  # the round of a loop, by `break` or `continue`


@dataclass(frozen=True, slots=True)
class ShellEnv:
    """What is known before the first command runs."""

    home: str = ""
    cwd: str = ""
    variables: Mapping[str, str | None] = field(default_factory=dict)
    arguments: tuple[Word, ...] | None = None
    first_id: int = 1
    depth: int = 0  # how many shells or evaluations this text is nested in
    exported: frozenset[str] = frozenset()
    examples: frozenset[str] = frozenset()  # variables whose values stand for others like them
    plain: bool = False  # a small shell, such as dash
    zsh: bool = False  # what other shells refuse may be read as zsh does


class Exits:
    """The states in which a loop's round may be left early: for good, and for the next round."""

    __slots__ = ("again", "done", "outer")

    def __init__(self, outer: Exits | None) -> None:
        self.outer = outer
        self.done: State | None = None
        self.again: State | None = None

    def leave(self, state: State, *, done: bool, again: bool) -> None:
        """Control may leave here."""
        if done:
            self.done = either(self.done, state)
        if again:
            self.again = either(self.again, state)

    def leave_any(self, state: State) -> None:
        """Control may leave here, from this loop or one around it."""
        exits: Exits | None = self
        while exits is not None:
            exits.leave(state, done=True, again=True)
            exits = exits.outer


class State:
    """One point in the run. Branches copy it; where they meet, only what agrees stays known."""

    __slots__ = (
        "after_exec", "aliased", "aliases", "args", "blind", "cwd", "ended", "env", "examples",
        "exit_risk", "exported", "functions", "leaves", "locals", "old", "redirects", "references",
        "returns", "shot", "stack", "vars",
    )  # fmt: skip

    def __init__(self, env: ShellEnv) -> None:
        self.env = env
        self.vars: dict[str, Value] = {}
        self.cwd: str | None = env.cwd
        self.old: str | None = None
        self.stack: tuple[str | None, ...] = ()
        self.args: tuple[Scalar, ...] | None = (
            None if env.arguments is None else tuple(scalar_of(word) for word in env.arguments)
        )
        self.functions: dict[str, Definitions] = {}
        self.aliases: dict[str, str] = {}
        self.aliased: dict[str, int] = {}  # names surely defined so far, and where that ends
        self.exported = env.exported
        self.redirects: tuple[Redirect, ...] = ()  # of `exec` without a command
        self.locals: Saved | None = None  # what a function has to restore
        self.returns: list[State] = []  # the states at each `return` of the function so far
        self.leaves: Exits | None = None  # of the innermost loop in this shell
        self.references: frozenset[str] = frozenset()  # names that stand for other variables
        self.blind = False  # anything may have been assigned
        self.ended = Ending.NO
        self.after_exec = False
        self.exit_risk = False  # the script may have ended with success before
        self.shot: dict[str, str | None] | None = None
        self.examples: frozenset[str] = frozenset()  # of the last snapshot

    def copy(self) -> State:
        """An independent state."""
        new = State.__new__(State)
        new.env, new.vars, new.shot = self.env, self.vars.copy(), self.shot
        new.examples = self.examples
        new.cwd, new.old, new.stack = self.cwd, self.old, self.stack
        new.args, new.locals, new.leaves = self.args, self.locals, self.leaves
        new.functions, new.aliases = self.functions.copy(), self.aliases.copy()
        new.aliased = self.aliased
        new.exported, new.references = self.exported, self.references
        new.redirects, new.blind, new.returns = self.redirects, self.blind, self.returns
        new.ended, new.after_exec, new.exit_risk = self.ended, self.after_exec, self.exit_risk
        return new

    def apart(self) -> State:
        """An independent state whose end is nobody's concern, as in a subshell."""
        new = self.copy()
        new.returns, new.leaves = [], None
        return new

    def get(self, name: str) -> Value:
        """The value of a variable."""
        value = self.vars.get(name)
        if value is not None:
            return value
        special = DERIVED.get(name)
        if special is not None:
            return special(self)
        if self.blind:
            return UNKNOWN
        known = self.env.variables.get(name)
        if known is None:
            return UNKNOWN
        return Soft(Kind.EXAMPLE, known) if name in self.env.examples else known

    def set(self, name: str, value: Value) -> None:
        """Assign a variable."""
        if not name:
            return
        if name in self.references:
            self.kill_all()
        self.vars[name] = value
        self.shot = None

    def keep_local(self, name: str) -> None:
        """Remember the value that the end of the function brings back."""
        if self.locals is not None and name not in self.locals:
            self.locals = {**self.locals, name: self.vars.get(name)}

    def kill_all(self) -> None:
        """Any variable may have any value now."""
        self.vars = dict.fromkeys(self.vars, UNKNOWN)
        self.blind = True
        self.args = None
        self.shot = None
        if self.leaves is not None and not self.ended:
            self.leaves.leave_any(self)

    def change_directory(self, target: str | None) -> None:
        """A successful ``cd``."""
        self.old, self.cwd = self.cwd, self.resolve(target)

    def resolve(self, target: str | None) -> str | None:
        """A directory as seen from here."""
        if target is None:
            return None
        if target.startswith(("/", "~")):
            return posixpath.normpath(target)
        if self.cwd is None:
            return None
        return posixpath.normpath(posixpath.join(self.cwd, target))

    def place(self) -> tuple[str | None, str | None, tuple[str | None, ...]]:
        """All that a ``cd`` changes."""
        return self.cwd, self.old, self.stack

    def elsewhere(self, place: tuple[str | None, str | None, tuple[str | None, ...]]) -> State:
        """This state in another place: what holds after a ``cd`` that failed."""
        new = self.copy()
        new.cwd, new.old, new.stack = place
        return new

    def snapshot(self) -> Mapping[str, str | None]:
        """The variables as plain values; shared until one changes."""
        if self.shot is None:
            self.shot = {name: plain_value(value) for name, value in self.vars.items()}
            self.examples = frozenset(n for n, v in self.vars.items() if is_example(v))
        return self.shot

    def meet(self, other: State) -> None:
        """Become the state after two alternative ways, this one and the other."""
        if other.ended or self.ended:
            if self.ended and not other.ended:
                self.become(other)
            self.exit_risk |= other.exit_risk
            return
        if self.vars != other.vars or self.blind != other.blind:
            for name in self.vars.keys() | other.vars.keys():
                mine = self.get(name)
                self.vars[name] = mine if mine == other.get(name) else UNKNOWN
            self.shot = None
        self.cwd = self.cwd if self.cwd == other.cwd else None
        self.old = self.old if self.old == other.old else None
        self.stack = self.stack if self.stack == other.stack else ()
        self.args = self.args if self.args == other.args else None
        if self.locals != other.locals:
            kept, theirs = self.locals or {}, other.locals or {}
            # Whether the caller's value comes back depends on the way taken.
            same = both_ways(kept, theirs)
            self.locals = {**dict.fromkeys({**kept, **theirs}, UNKNOWN), **same}
        self.redirects = self.redirects or other.redirects
        self.exported |= other.exported
        self.references |= other.references
        self.blind |= other.blind
        self.after_exec |= other.after_exec
        self.exit_risk |= other.exit_risk
        if self.aliases or other.aliases:
            self.aliases.update(other.aliases)
            self.aliased = dict(self.aliased.items() & other.aliased.items())
        if self.functions or other.functions:
            self.meet_functions(other)

    def meet_functions(self, other: State) -> None:
        """Functions that only one way defines are possible from here on."""
        for name in self.functions.keys() | other.functions.keys():
            mine, sure = self.functions.get(name, NO_FUNCTION)
            theirs, also = other.functions.get(name, NO_FUNCTION)
            self.functions[name] = (joined(mine, theirs), sure and also)

    def same_as(self, other: State) -> bool:
        """Nothing that commands can see differs."""
        return all(getattr(self, name) == getattr(other, name) for name in VISIBLE)

    def become(self, other: State) -> None:
        """Take over another state."""
        risk = self.exit_risk
        for name in State.__slots__:
            setattr(self, name, getattr(other, name))
        self.exit_risk |= risk


# What decides how the run goes on.
VISIBLE = tuple(
    name for name in State.__slots__ if name not in ("env", "examples", "leaves", "returns", "shot")
)


def either(one: State | None, other: State) -> State:
    """What holds whichever of two states came about; the first may not exist."""
    if one is None:
        return other.copy()
    found = one.copy()
    found.meet(other)
    return found


def scalar_of(word: Word) -> Scalar:
    """A word's value for a variable."""
    if word.value is None:
        return Soft(Kind.UNKNOWN, word.prefix, word.suffix, word.splits)
    if word.glob:
        return Soft(Kind.PATTERN, word.value)
    return Soft(Kind.EXAMPLE, word.value) if word.example else word.value


def one_of(value: Scalar) -> Scalar:
    """A list's element as the value of a variable, which holds one of them at a time."""
    return replace(value, many=False) if isinstance(value, Soft) and value.many else value


def is_counted(items: tuple[Scalar, ...]) -> bool:
    """Every element of the list stands for itself, so that they can be told apart by number."""
    return not any(isinstance(item, Soft) and item.many for item in items)


def plain_value(value: Value) -> str | None:
    """A value for those who know only strings; an example stands for itself."""
    if isinstance(value, Soft):
        return value.text if value.kind is Kind.EXAMPLE else None
    return value if isinstance(value, str) else None


def is_example(value: Value) -> bool:
    """The value stands for others like it."""
    return isinstance(value, Soft) and value.kind is Kind.EXAMPLE


def both_ways(mine: Saved, theirs: Saved) -> Saved:
    """What is the same on two ways."""
    return {name: value for name, value in mine.items() if name in theirs and theirs[name] == value}


NO_FUNCTION: Definitions = ((), False)
MAX_DEFINITIONS = 4  # of one name at one point; more are not told apart


def joined(some: tuple[Function, ...], more: tuple[Function, ...]) -> tuple[Function, ...]:
    """Definitions of two ways, each once."""
    new = tuple(item for item in more if not any(item is known for known in some))
    return (*some, *new)[-MAX_DEFINITIONS:]


def home_of(state: State) -> Scalar:
    """``$HOME``: unknown homes keep the tilde, which later steps understand."""
    return state.env.home or "~"


def directory_of(state: State) -> Scalar:
    """``$PWD``."""
    if state.cwd is None:
        return UNKNOWN
    return state.cwd or "."


def old_directory_of(state: State) -> Scalar:
    """``$OLDPWD``."""
    return UNKNOWN if state.old is None else state.old or "."


def user_of(state: State) -> Scalar:
    """``$USER``, as the home directory spells it."""
    return posixpath.basename(state.env.home) or UNKNOWN


def number_of(state: State) -> Scalar:
    """A variable that is always a number."""
    return Soft(Kind.EXAMPLE, "1000")


def separators_of(state: State) -> Scalar:
    """``$IFS`` as every shell starts with it."""
    return DEFAULT_IFS


DERIVED = {
    "IFS": separators_of,
    "HOME": home_of,
    "PWD": directory_of,
    "OLDPWD": old_directory_of,
    "USER": user_of,
    "LOGNAME": user_of,
    **dict.fromkeys(
        ("RANDOM", "SRANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "BASHPID",
         "EPOCHSECONDS", "EPOCHREALTIME", "$", "!", "?"),
        number_of,
    ),
}  # fmt: skip
