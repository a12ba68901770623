"""What a piece of code may assign, found without running it: needed where it may run again."""

from __future__ import annotations

from dataclasses import dataclass, field

from defenseclaw.facts.posix import tree
from defenseclaw.facts.posix.tree import Lit, Node, Quote, RawWord
from defenseclaw.facts.posix.values import UNKNOWN, State

# Builtins that assign the variables named by their operands.
NAMING = frozenset(
    {"read", "mapfile", "readarray", "printf", "getopts", "unset", "export", "declare", "typeset",
     "local", "readonly", "let", "wait", "select", "vared"}
)  # fmt: skip
MOVING = frozenset({"cd", "pushd", "popd", "chdir"})
# Anything may happen to variables: unknown code runs in this shell.
BLINDING = frozenset({"eval", "source", "."})
TRANSPARENT = frozenset({"command", "builtin", "exec"})


@dataclass(slots=True)
class Changes:
    """Names that may be assigned, whether any name may be, and whether the directory may change."""

    names: set[str] = field(default_factory=set)
    blind: bool = False
    moves: bool = False
    leaves: bool = False  # `break` or `continue`

    def apply(self, state: State) -> None:
        """Forget what may have changed."""
        if self.blind:
            state.kill_all()
        for name in self.names:
            state.set(name, UNKNOWN)
        if self.moves:
            state.cwd = state.old = None
            state.stack = ()


class Collector:
    """Gathers the changes of a tree without recursion; subshells change nothing outside."""

    def __init__(self, functions: dict[str, tuple[tree.Function, bool]]) -> None:
        self.functions = functions
        self.changes = Changes()
        self.todo: list[object] = []
        self.followed: set[str] = set()

    def collect(self, *nodes: object) -> Changes:
        """The changes of all nodes together."""
        self.todo.extend(nodes)
        while self.todo:
            self.visit(self.todo.pop())
        return self.changes

    def visit(self, node: object) -> None:
        """One node; its children are put on the list."""
        if isinstance(node, tree.Simple):
            self.simple(node)
        elif isinstance(node, tree.Sequence):
            self.todo.extend(item for item, background in node.items if not background)
        elif isinstance(node, tree.AndOr):
            self.todo.extend(item for _, item in node.items)
        elif isinstance(node, tree.Pipeline):
            # The last command may run in this shell (zsh, lastpipe).
            self.todo.append(node.commands[-1])
        elif isinstance(node, tree.Group):
            self.todo.extend([] if node.subshell else [node.body])
        else:
            self.compound(node)

    def compound(self, node: object) -> None:
        """Conditions, loops and the like."""
        if isinstance(node, tree.If):
            for condition, branch in node.branches:
                self.todo.extend((condition, branch))
            self.todo.extend([node.otherwise] if node.otherwise else [])
        elif isinstance(node, tree.Loop):
            self.todo.extend((node.condition, node.body))
        elif isinstance(node, tree.For):
            self.changes.names.add(node.name)
            self.todo.append(node.body)
        elif isinstance(node, tree.Case):
            self.todo.extend(clause.body for clause in node.clauses)
        elif isinstance(node, tree.ArithCommand):
            self.arithmetic(node.parts)
            self.todo.extend([node.body] if node.body else [])

    def arithmetic(self, parts: tuple[tree.Part, ...]) -> None:
        """Every name of an arithmetic expression."""
        text = "".join(part.text if isinstance(part, Lit) else " " for part in parts)
        self.changes.names.update(word for word in text.replace(",", " ").split() if word)
        names = "".join(c if c.isalnum() or c == "_" else " " for c in text)
        self.changes.names.update(names.split())

    def simple(self, node: tree.Simple) -> None:
        """Assignments, and builtins that assign."""
        self.changes.names.update(item.name for item in node.assigns)
        for raw in (*node.words, *(item.value for item in node.assigns)):
            self.word(raw)
        self.changes.names.update(r.fd for r in node.redirects if r.fd and not r.fd.isdigit())
        texts = [literal_text(raw) for raw in node.words]
        while texts and texts[0] in TRANSPARENT:
            texts.pop(0)
        if not texts:
            return
        name = texts[0]
        if name is None or name in BLINDING or (name in NAMING and None in texts[1:]):
            self.changes.blind = True
        elif name in ("break", "continue"):
            self.changes.leaves = True
        elif name in MOVING:
            self.changes.moves = True
        elif name in NAMING:
            self.changes.names.update({"REPLY", "MAPFILE", "OPTARG", "OPTIND"})
            self.changes.names.update(str(text).partition("=")[0].rstrip("+") for text in texts[1:])
        elif name in self.functions and name not in self.followed:
            self.followed.add(name)
            self.todo.append(self.functions[name][0].body)

    def word(self, raw: RawWord) -> None:
        """Assigning expansions."""
        for part in raw.parts:
            if isinstance(part, tree.Param) and "=" in part.op:
                self.changes.names.add(part.name)
            elif isinstance(part, tree.Arith):
                self.arithmetic(part.parts)


def literal_text(raw: RawWord) -> str | None:
    """The text of a word without expansions."""
    if not raw.parts:
        return raw.text
    if not all(isinstance(part, Lit) for part in raw.parts):
        return None
    return "".join(part.text for part in raw.parts if isinstance(part, Lit))


def is_bare(raw: RawWord) -> bool:
    """No quotes at all in the word."""
    return not raw.parts or all(isinstance(p, Lit) and p.quote == Quote.BARE for p in raw.parts)


def changes_of(state: State, *nodes: Node) -> Changes:
    """What the nodes may change when they run any number of times."""
    return Collector(state.functions).collect(*nodes)
