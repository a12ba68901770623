"""What a piece of code may assign, found without running it: needed where it may run again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from defenseclaw.facts.posix.expand.patterns import Patterns
from defenseclaw.facts.posix.expand.state import NO_FUNCTION, UNKNOWN, Scalar, State, joined
from defenseclaw.facts.posix.expand.words import expand_word
from defenseclaw.facts.posix.syntax import tree
from defenseclaw.facts.posix.syntax.tree import Lit, Node, RawWord
from defenseclaw.facts.script import SimpleCommand

# Builtins that assign the variables named by their operands.
NAMING = frozenset(
    {"read", "mapfile", "readarray", "printf", "getopts", "unset", "export", "declare", "typeset",
     "local", "readonly", "let", "wait", "vared"}
)  # fmt: skip
IMPLIED = ("REPLY", "MAPFILE", "OPTARG", "OPTIND")
MOVING = frozenset({"cd", "pushd", "popd", "chdir"})
# Code that the text does not show runs in this shell.
BLINDING = frozenset({"eval", "source", "."})
TRANSPARENT = frozenset({"command", "builtin", "exec"})
READING = NAMING | TRANSPARENT | {"eval"}  # of these all words decide
MAX_READ_CHARS = 4096  # of values in one command's words, as in core.limits.MAX_SCALAR_BYTES
MAX_FOLLOWED = 16  # functions calling functions; behind so many, anything may have changed
Operands = tuple[str | None, ...]
ANYTHING: Operands = (None,) * 2  # stands for more calls than are told apart
Foresee = Callable[[State, tree.Subst], Scalar]
POSITIONAL = frozenset({"@", "*", *"123456789"})
PLAIN = re.compile(r"[A-Za-z0-9_./:,+%-]+")  # words that stay what they are when read again
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(slots=True)
class Changes:
    """Names that may be assigned, commands that may be functions, and what else may change."""

    names: set[str] = field(default_factory=set)
    calls: dict[str, set[Operands]] = field(default_factory=dict)
    blind: bool = False
    moves: bool = False
    leaves: bool = False  # `break` or `continue`
    args: bool = False  # the positional parameters
    defines: dict[str, tuple[tree.Function, ...]] = field(default_factory=dict)
    unnamed: dict[int, tree.Simple] = field(default_factory=dict)  # run what a variable names

    def add(self, other: Changes) -> None:
        """These changes and others."""
        self.names |= other.names
        for name, given in other.calls.items():
            self.call(name, *given)
        self.blind |= other.blind
        self.moves |= other.moves
        self.leaves |= other.leaves
        self.args |= other.args
        for name, functions in other.defines.items():
            self.defines[name] = joined(self.defines.get(name, ()), functions)
        self.unnamed.update(other.unnamed)

    def call(self, name: str, *given: Operands) -> None:
        """A command that may be a function, with what it is given."""
        found = self.calls.setdefault(name, set())
        found.update(given[:MAX_FOLLOWED])
        if len(found) > MAX_FOLLOWED:
            found.clear()
            found.add(ANYTHING)


class Survey:
    """The changes of trees; each compound command is looked at once, however often it is asked."""

    def __init__(self, foresee: Foresee) -> None:
        self.known: dict[int, Changes] = {}
        self.foresee = foresee

    def changes(self, node: object) -> Changes:
        """What a node may change."""
        found = self.known.get(id(node))
        if found is None:
            found = self.known[id(node)] = Changes()
            if isinstance(node, tree.Simple):
                simple(node, found)
            for child in children(node, found):
                found.add(self.changes(child))
        return found

    def forget(self, state: State, *nodes: Node) -> Changes:
        """Make unknown what the nodes may change when they run any number of times."""
        total = Changes()
        for node in nodes:
            total.add(self.changes(node))
        if total.args:
            state.args = None
        for name, functions in total.defines.items():
            before, certain = state.functions.get(name, NO_FUNCTION)
            state.functions[name] = (joined(before, functions), certain)
        self.follow(state, total)
        self.name(state, total)
        if total.blind:
            state.kill_all()
        for name in total.names:
            state.set(name, UNKNOWN)
        if total.moves:
            state.cwd = state.old = None
            state.stack = ()
        return total

    def name(self, state: State, total: Changes) -> None:
        """Add what the commands change whose names are variables that stay as they are."""
        named: dict[int, tree.Simple] = {}
        used: set[str] = set()
        while not total.blind and (new := total.unnamed.keys() - named.keys()):
            for key in new:
                named[key] = total.unnamed[key]
                texts = self.known_words(state, named[key])
                command(texts or [None], total)
                used.update(deciding(named[key], texts))
            self.follow(state, total)
            total.blind |= len(named) > MAX_FOLLOWED
        total.blind |= not total.names.isdisjoint(used)

    def follow(self, state: State, total: Changes) -> None:
        """Add what the functions change that are called, and those that these define and call."""
        seen: set[int] = set()
        todo = list((state.functions.keys() | total.defines.keys()) & total.calls.keys())
        while todo:
            name = todo.pop()
            for function in (*known_as(state, name), *total.defines.get(name, ())):
                if id(function) in seen:
                    continue
                seen.add(id(function))
                found = self.called(state, function.body, total.calls[name])
                total.add(found)
                todo.extend(found.calls)
                todo.extend(found.defines.keys() & total.calls.keys())
            if len(seen) > MAX_FOLLOWED:
                total.blind = total.moves = True
                return

    def called(self, state: State, body: Node, given: set[Operands]) -> Changes:
        """What a function's body may change; commands that its arguments name are looked up."""
        found = self.changes(body)
        own = {k: n for k, n in found.unnamed.items() if set(names_of(n)) <= POSITIONAL}
        if not own or ANYTHING in given:
            return found
        resolved = Changes()
        resolved.add(found)
        for key, node in own.items():
            del resolved.unnamed[key]
            for operands in given:
                inside = state.copy()
                inside.args = tuple(UNKNOWN if text is None else text for text in operands)
                command(self.known_words(inside, node) or [None], resolved)
        return resolved

    def known_words(self, state: State, node: tree.Simple) -> list[str | None]:
        """The words of a command before it runs for the first time."""
        reader = Reader(state, self.foresee)
        words = [word for raw in node.words for word in expand_word(reader, raw, SimpleCommand(0))]
        return [None if word.glob or word.example else word.value for word in words]


def names_of(node: tree.Simple) -> Iterator[str]:
    """The variables that a command's words name."""
    for raw in node.words:
        yield from (part.name for part in raw.parts if isinstance(part, tree.Param))


def known_as(state: State, name: str) -> tuple[tree.Function, ...]:
    """Functions that a name may stand for."""
    return state.functions.get(name, NO_FUNCTION)[0]


def children(node: object, found: Changes) -> Iterator[object]:
    """The parts of a node that run in the same shell."""
    if isinstance(node, tree.Sequence):
        yield from (item for item, background in node.items if not background)
    elif isinstance(node, tree.AndOr):
        yield from (item for _, item in node.items)
    elif isinstance(node, tree.Pipeline):
        # Only the last command may run in this shell (zsh, lastpipe).
        yield node.commands[-1]
    elif isinstance(node, tree.Group):
        if not node.subshell:
            yield node.body
    else:
        yield from compound_children(node, found)


def compound_children(node: object, found: Changes) -> Iterator[object]:
    """The same for conditions and loops."""
    if isinstance(node, tree.Function):
        found.defines[node.name] = (node,)
    elif isinstance(node, tree.If):
        yield from (part for pair in node.branches for part in pair)
        yield node.otherwise or tree.Sequence()
    elif isinstance(node, tree.Loop):
        yield from (node.condition, node.body)
    elif isinstance(node, tree.For):
        found.names.add(node.name)
        yield node.body
    elif isinstance(node, tree.Case):
        yield from (clause.body for clause in node.clauses)
    elif isinstance(node, tree.ArithCommand):
        found.names.update(names_in(node.parts))
        yield node.body or tree.Sequence()


def names_in(parts: tuple[tree.Part, ...]) -> list[str]:
    """Every name of an arithmetic expression."""
    return IDENTIFIER.findall(" ".join(part.text for part in parts if isinstance(part, Lit)))


def simple(node: tree.Simple, found: Changes) -> None:
    """Assignments, and builtins that assign."""
    found.names.update(item.name for item in node.assigns)
    found.names.update(r.fd for r in node.redirects if r.fd and not r.fd.isdigit())
    for raw in (*node.words, *(item.value for item in node.assigns)):
        assigning_expansions(raw, found)
    texts = [literal_text(raw) for raw in node.words]
    if texts[:1] == [None] or (texts[:1] and texts[0] in READING and None in texts):
        found.unnamed[id(node)] = node
    else:
        command(texts, found)


def command(texts: list[str | None], found: Changes) -> None:
    """What a command of these words may change."""
    while texts and texts[0] in TRANSPARENT:
        texts = texts[1:]
    if texts:
        builtin(texts[0], texts[1:], found)


class Reader:
    """Just enough of the interpreter to read words that stand in variables."""

    def __init__(self, state: State, foresee: Foresee) -> None:
        self.state = state.copy()
        self.patterns = Patterns()
        self.text_left = MAX_READ_CHARS
        self.foresee = foresee

    def substitute(
        self, part: tree.Subst, command: SimpleCommand
    ) -> tuple[Scalar, tuple[int, ...]]:
        """What a command prints, where it is known before it runs."""
        return self.foresee(self.state, part), ()


def deciding(node: tree.Simple, texts: list[str | None]) -> Iterator[str]:
    """The variables that decide what a command changes: its name's, and a few operands'."""
    all_words = texts and texts[0] in NAMING | BLINDING | TRANSPARENT
    for raw in node.words if all_words else node.words[:1]:
        yield from (part.name for part in raw.parts if isinstance(part, tree.Param))


def builtin(name: str | None, operands: list[str | None], found: Changes) -> None:
    """What the named command may change."""
    if name == "eval" and operands and all(text and PLAIN.fullmatch(text) for text in operands):
        command(operands, found)
        return
    if name is None or name in BLINDING or (name in NAMING and None in operands):
        found.blind = True
        return
    found.call(name, tuple(operands))
    if name in ("break", "continue"):
        found.leaves = True
    elif name in ("set", "shift"):
        found.args = True
    elif name in MOVING:
        found.moves = True
    elif name in NAMING:
        found.names.update(IMPLIED)
        for text in operands:
            found.names.update(IDENTIFIER.findall(str(text).partition("=")[0]))


def assigning_expansions(raw: RawWord, found: Changes) -> None:
    """``${x:=…}`` and ``$((x = …))``."""
    for part in raw.parts:
        if isinstance(part, tree.Param) and "=" in part.op:
            found.names.add(part.name)
        elif isinstance(part, tree.Arith):
            found.names.update(names_in(part.parts))


def literal_text(raw: RawWord) -> str | None:
    """The text of a word without expansions."""
    if not raw.parts:
        return raw.text
    if not all(isinstance(part, Lit) for part in raw.parts):
        return None
    return "".join(part.text for part in raw.parts if isinstance(part, Lit))
