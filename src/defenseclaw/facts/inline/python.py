"""A bounded reader of Python text, on Python's own syntax tree.

It follows imports, constants bound once and simple string building. What it knows to reach files,
programs or the network becomes an effect; a reach whose target it cannot determine, and code that
is evaluated, make the reading incomplete.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from defenseclaw.core.facts import NetworkAction, PathAccess
from defenseclaw.core.labels import Trait
from defenseclaw.facts.inline.constants import UNKNOWN, Constants
from defenseclaw.facts.inline.model import (
    ArgvEffect,
    CodeEffect,
    FileEffect,
    NetworkEffect,
    Reading,
    ShellEffect,
    TraitEffect,
)
from defenseclaw.facts.tables import python_calls as table

_MAX_NODES = 20_000  # a 64 KiB text stays below; deeper trees are refused by the parser itself
_SHELL_NAMES = frozenset({"sh", "bash", "zsh", "dash", "ksh", "cmd.exe", "powershell.exe"})
_HARMLESS_MODES = frozenset("rbtU")


def read(text: str, home: str) -> Reading:
    """Read a module's text."""
    reading = Reading()
    try:
        tree = ast.parse(_dedent(text))
        count = sum(1 for _ in ast.walk(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        reading.fail()
        return reading
    if count > _MAX_NODES:
        reading.fail()
        return reading
    reader = _Reader(reading, home)
    try:
        reader.body(tree.body)
    except RecursionError:
        reading.fail()
    reader.conclude()
    return reading


def _dedent(text: str) -> str:
    return text.strip("\n") if text[:1] != " " else "if 1:\n" + text


class _Reader:
    """Walks statements in order, keeping what names stand for."""

    def __init__(self, reading: Reading, home: str) -> None:
        self.reading = reading
        self.known = Constants(home)
        self.taints: dict[str, list[ast.AST]] = {}
        self.connects = self.listens = self.wires = self.spawns = False

    # --- statements ---

    def body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            self.known.learn_import(node)
            return
        if isinstance(node, ast.While) and _endless(node) and self._forks(node):
            self.reading.add(TraitEffect(Trait.FORK_BOMB))
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self.statement(child)
            else:
                self.expression(child)
        self.known.learn_binding(node)
        self._learn_taint(node)

    def expression(self, node: ast.AST) -> None:
        """Visit calls inside out, so that inner effects come first."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self.statement(child)
            else:
                self.expression(child)
        if isinstance(node, ast.Call):
            self.call(node)

    def _learn_taint(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name):
                self.taints[target.id] = [node.value]
        elif isinstance(node, ast.With):
            for item in node.items:
                if isinstance(item.optional_vars, ast.Name):
                    self.taints[item.optional_vars.id] = [item.context_expr]

    def _forks(self, node: ast.AST) -> bool:
        return any(
            isinstance(n, ast.Call) and self.known.dotted(n.func) == "os.fork"
            for n in ast.walk(node)
        )

    # --- calls ---

    def call(self, node: ast.Call) -> None:
        name = self.known.dotted(node.func)
        for known, handler in _HANDLERS:
            if name in known:
                handler(self, node, name)
                return
        if name == "":
            self._unnamed(node)
        elif name.startswith(("os.dup2", "os.dup")):
            self.wires = True
        elif "." in name:
            self._method(node, name.rpartition(".")[2])

    def _unnamed(self, node: ast.Call) -> None:
        """A call of something computed: a method of an expression, or anything at all."""
        if isinstance(node.func, ast.Attribute):
            self._method(node, node.func.attr)
        elif not isinstance(node.func, ast.Lambda | ast.Name):
            self.reading.fail()

    def _method(self, node: ast.Call, method: str) -> None:
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        accesses = table.PATH_METHODS.get(method)
        path = self.known.path_of(owner) if owner is not None else UNKNOWN
        if accesses and (path is not UNKNOWN or self.known.is_path(owner)):
            for access in accesses:
                self.file(path, access)
        elif method in ("connect", "connect_ex", "bind"):
            self._socket(node, method)
        elif method == "listen":
            self.listens = True
        elif method in ("exec_command", "sudo") and node.args:
            self.reading.add(ArgvEffect(("ssh", "host", self._text(node.args[0]))))

    def _socket(self, node: ast.Call, method: str) -> None:
        pair = self.known.value(node.args[0]) if node.args else UNKNOWN
        if isinstance(pair, tuple) and len(pair) == 2:
            if method == "bind":
                self.listens = True
                return
            host, port = pair
            self.connects = True
            self.network(NetworkAction.CONNECT, host, port)

    # --- effects ---

    def file(self, path: object, access: PathAccess, recursive: bool = False) -> None:
        if isinstance(path, str):
            self.reading.add(FileEffect(path, access, recursive))
        elif access not in (PathAccess.READ, PathAccess.LIST):
            self.reading.add(FileEffect(None, access, recursive))
            self.reading.fail()

    def network(self, action: NetworkAction, host: object, port: object = 0) -> None:
        if isinstance(host, str):
            number = port if isinstance(port, int) else 0
            self.reading.add(NetworkEffect(action, host, number, "tcp"))

    def _text(self, node: ast.AST | None) -> str | None:
        value = self.known.value(node) if node is not None else UNKNOWN
        return value if isinstance(value, str) else None

    def shell(self, node: ast.Call, name: str) -> None:
        self.spawns = True
        text = self._text(_argument(node, 0, "cmd"))
        self.reading.add(ShellEffect(text))

    def subprocess(self, node: ast.Call, name: str) -> None:
        self.spawns = True
        first = _argument(node, 0, "args")
        shell = self.known.value(_keyword(node, "shell"))
        if any(k.arg in ("stdin", "stdout") and self._is_socket(k.value) for k in node.keywords):
            self.wires = True
        if shell not in (UNKNOWN, None, False, 0) or (
            shell is UNKNOWN and _keyword(node, "shell") is not None
        ):
            self.reading.add(ShellEffect(self._text(first)))
            return
        self.words(first)

    def _is_socket(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call | ast.Name) and self.connects

    def words(self, node: ast.AST | None) -> None:
        """A list of words, or one string that names the program."""
        if isinstance(node, ast.List | ast.Tuple):
            self.reading.add(ArgvEffect(tuple(self._text(item) for item in node.elts)))
            return
        value = self.known.value(node) if node is not None else UNKNOWN
        if isinstance(value, str):
            self.reading.add(ArgvEffect((value,)))
        elif isinstance(value, tuple | list):
            self.reading.add(ArgvEffect(tuple(v if isinstance(v, str) else None for v in value)))
        else:
            self.reading.add(ArgvEffect((None,)))

    def argv(self, node: ast.Call, name: str) -> None:
        self.spawns = True
        index, as_list = table.ARGV[name]
        if as_list:
            self.words(_argument(node, index, "args"))
        else:
            self.reading.add(ArgvEffect(tuple(self._text(a) for a in node.args[index:])))

    def files(self, node: ast.Call, name: str) -> None:
        for position, keyword, accesses, recursive in table.FILES[name]:
            argument = _argument(node, position, keyword)
            if argument is None:
                continue
            for access in accesses:
                self.file(self.known.path_of(argument), access, recursive)

    def open(self, node: ast.Call, name: str) -> None:
        path = self.known.path_of(_argument(node, 0, "file"))
        mode_node = _argument(node, 1, "mode")
        mode = self._text(mode_node) if mode_node is not None else "r"
        if mode is None:
            self.reading.fail()
            return
        if set(mode) <= _HARMLESS_MODES:
            self.file(path, PathAccess.READ)
        else:
            self.file(path, PathAccess.APPEND if "a" in mode else PathAccess.WRITE)

    def fetch(self, node: ast.Call, name: str) -> None:
        action = table.NETWORK[name]
        if any(_keyword(node, k) is not None for k in ("data", "json", "files", "content")):
            action = NetworkAction.UPLOAD
        target = self._text(_argument(node, 0, "url"))
        files, environment = self.sources(node)
        self.reading.add(NetworkEffect(action, target, 0, "http", files, environment))
        if name.endswith("urlretrieve") and len(node.args) > 1:
            self.file(self.known.path_of(node.args[1]), PathAccess.WRITE)

    def host(self, node: ast.Call, name: str) -> None:
        self.connects = self.connects or name == "socket.create_connection"
        first = self.known.value(_argument(node, 0, "host"))
        if isinstance(first, tuple) and len(first) == 2:
            self.network(NetworkAction.CONNECT, first[0], first[1])
        else:
            self.network(NetworkAction.CONNECT, first, self.known.value(_argument(node, 1, "port")))

    def evaluate(self, node: ast.Call, name: str) -> None:
        argument = node.args[0] if node.args else None
        if isinstance(argument, ast.Call) and self.known.dotted(argument.func) == "compile":
            argument = argument.args[0] if argument.args else None
        text = self._text(argument)
        if argument is not None and text is None:
            self._code_origin(argument)
        self.reading.add(CodeEffect("python", text))

    def _code_origin(self, node: ast.AST) -> None:
        for call in self._calls(node):
            name = self.known.dotted(call.func)
            if name in table.NETWORK:
                self.reading.add(TraitEffect(Trait.CODE_FROM_NETWORK))
            elif name in table.DECODERS:
                self.reading.add(TraitEffect(Trait.CODE_FROM_DECODE))

    def opaque(self, node: ast.Call, name: str) -> None:
        text = self._text(node.args[0]) if node.args else None
        if name not in ("__import__", "importlib.import_module") or text is None:
            self.reading.fail()

    def lookup(self, node: ast.Call, name: str) -> None:
        """getattr with a computed name may reach any function."""
        if len(node.args) > 1 and self._text(node.args[1]) is None:
            self.reading.fail()

    # --- what flows where ---

    def _calls(self, node: ast.AST, depth: int = 0) -> list[ast.Call]:
        found = []
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call):
                found.append(inner)
            elif isinstance(inner, ast.Name) and depth < 4:
                for value in self.taints.get(inner.id, ()):
                    found.extend(self._calls(value, depth + 1))
        return found

    def sources(self, node: ast.Call) -> tuple[tuple[str, ...], bool]:
        """The files and the environment that reach a call's arguments."""
        files: list[str] = []
        arguments = [*node.args[1:], *(k.value for k in node.keywords)]
        for argument in arguments:
            for call in self._calls(argument):
                path = self._read_path(call)
                if isinstance(path, str):
                    files.append(path)
        environment = any(
            isinstance(n, ast.Attribute) and self.known.dotted(n) == "os.environ"
            for argument in arguments
            for n in ast.walk(argument)
        )
        return tuple(dict.fromkeys(files)), environment

    def _read_path(self, call: ast.Call) -> object:
        if self.known.dotted(call.func) in table.OPENERS:
            return self.known.path_of(_argument(call, 0, "file"))
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("read_text", "read_bytes"):
            return self.known.path_of(call.func.value)
        return UNKNOWN

    def conclude(self) -> None:
        """What the body as a whole proves."""
        shell = self.spawns or any(
            isinstance(e, ShellEffect | ArgvEffect) for e in self.reading.effects
        )
        if shell and self.wires and self.connects:
            self.reading.add(TraitEffect(Trait.REVERSE_SHELL))
        elif shell and self.wires and self.listens:
            self.reading.add(TraitEffect(Trait.SHELL_LISTENER))


def _endless(node: ast.While) -> bool:
    return isinstance(node.test, ast.Constant) and bool(node.test.value)


def _argument(node: ast.Call, position: int, keyword: str) -> ast.AST | None:
    if position < len(node.args):
        return node.args[position]
    return _keyword(node, keyword)


def _keyword(node: ast.Call, name: str) -> ast.AST | None:
    return next((k.value for k in node.keywords if k.arg == name), None)


_Handler = Callable[[_Reader, ast.Call, str], None]
_HANDLERS: tuple[tuple[frozenset[str] | Mapping[str, object], _Handler], ...] = (
    (table.SHELL, _Reader.shell),
    (table.SUBPROCESS, _Reader.subprocess),
    (table.ARGV, _Reader.argv),
    (table.FILES, _Reader.files),
    (table.OPENERS, _Reader.open),
    (table.NETWORK, _Reader.fetch),
    (table.HOSTS, _Reader.host),
    (table.EVALUATORS, _Reader.evaluate),
    (table.OPAQUE, _Reader.opaque),
    (frozenset({"getattr"}), _Reader.lookup),
)
