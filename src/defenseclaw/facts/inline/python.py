"""A bounded reader of Python text, on Python's own syntax tree.

It follows imports, constants bound once and simple string building. What it knows to reach files,
programs or the network becomes an effect; a reach whose target it cannot determine, and code that
is evaluated, make the reading incomplete.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from itertools import islice

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
from defenseclaw.facts.inline.python_reach import (
    goes_through,
    hands_on,
    imports_foreign,
    is_hidden,
    is_statement,
    leading_text,
)
from defenseclaw.facts.inline.python_sources import Origin, Sources, argument, keyword
from defenseclaw.facts.tables import python_calls as table

_MAX_TOKENS = 20_000  # of a text before it is parsed: parsing more takes a tenth of a second
_TOKEN = re.compile(r"\w+|[^\w\s]")
_MAX_NODES = 20_000  # a 64 KiB text stays below; deeper trees are refused by the parser itself
_SHELL_NAMES = frozenset({"sh", "bash", "zsh", "dash", "ksh", "cmd.exe", "powershell.exe"})
_HARMLESS_MODES = frozenset("rbtU")


def read(text: str, home: str) -> Reading:
    """Read a module's text."""
    reading = Reading()
    if sum(1 for _ in _TOKEN.finditer(text)) > _MAX_TOKENS:
        reading.fail()
        return reading
    try:
        tree = ast.parse(_dedent(text))
        count = sum(1 for _ in islice(ast.walk(tree), _MAX_NODES + 1))
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
        self.sources = Sources(self.known)
        self.connects = self.listens = self.wires = self.spawns = False
        self.target: tuple[object, object] | None = None  # of the last connection

    # --- statements ---

    def body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import | ast.ImportFrom):
            self.known.learn_import(node)
            if imports_foreign(node):
                self.reading.fail()
            return
        if isinstance(node, ast.While) and _endless(node) and self._forks(node):
            self.reading.add(TraitEffect(Trait.FORK_BOMB))
        if isinstance(node, ast.For) and (items := self.known.loop_items(node)):
            self._unroll(node, items)
            return
        bound = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self.statement(child)
            else:  # a name that is bound to another is followed
                self.expression(child, followed=bound and len(getattr(node, "targets", ())) == 1)
        self.known.learn_binding(node)
        self.sources.learn(node)

    def _unroll(self, node: ast.For, items: list[ast.expr]) -> None:
        """A loop over literals does for each of them what its body says."""
        for item in items:
            self.expression(item)
            self.known.bind_loop(node, item)
            self.body(node.body)
        self.body(node.orelse)
        self.known.learn_binding(node)

    def expression(self, node: ast.AST, *, followed: bool = False) -> None:
        """Visit calls inside out, so that inner effects come first."""
        if is_hidden(self.known, node) or (not followed and hands_on(self.known, node)):
            self.reading.fail()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self.statement(child)
            else:
                named = isinstance(node, ast.Attribute) or child is getattr(node, "func", None)
                self.expression(child, followed=named)
        if isinstance(node, ast.Call):
            self.call(node)

    def _forks(self, node: ast.AST) -> bool:
        return any(
            isinstance(n, ast.Call) and self.known.dotted(n.func) == "os.fork"
            for n in ast.walk(node)
        )

    # --- calls ---

    def call(self, node: ast.Call) -> None:
        name = self.known.dotted(node.func)
        if goes_through(name):
            self.reading.fail()
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
        if accesses and (
            path is not UNKNOWN or self.known.is_path(owner) or method in table.PATH_ONLY
        ):
            for access in accesses:
                self.file(path, access)
            if method in table.PATH_TARGETS and len(node.args) == 1:
                self.file(self.known.path_of(node.args[0]), PathAccess.WRITE)
        elif method == "open" and path is not UNKNOWN:
            self._opened(path, argument(node, 0, "mode"))
        elif method in ("connect", "connect_ex", "bind"):
            self._socket(node, method)
        elif method == "listen":
            self.listens = True
        else:
            self._library_method(node, method)

    def _library_method(self, node: ast.Call, method: str) -> None:
        """Methods of archives, databases, sessions and connections, whoever made them."""
        text = self._text(node.args[0]) if node.args else None
        if method in table.EXTRACTORS:
            target = argument(node, int(method == "extract"), "path")
            self.file("." if target is None else self.known.path_of(target), PathAccess.WRITE)
        elif method in table.STATEMENTS and is_statement(text):
            self.reading.add(CodeEffect("sql", text))
        elif method in table.URL_METHODS and node.args and self._is_address(node.args[0]):
            self._exchange(node, table.URL_METHODS[method], node.args[0])
        elif method in table.SENDERS and self.target is not None:
            self._sent(node)
        elif method in ("exec_command", "sudo") and node.args:
            self.reading.add(ArgvEffect(("ssh", "host", text)))

    def _socket(self, node: ast.Call, method: str) -> None:
        pair = self.known.value(node.args[0]) if node.args else UNKNOWN
        if isinstance(pair, tuple) and len(pair) == 2:
            if method == "bind":
                self.listens = True
                return
            host, port = pair
            self.connects = True
            self.target = host, port
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
        text = self._text(argument(node, 0, "cmd"))
        mode = self.known.value(argument(node, 1, "mode")) if len(node.args) > 1 else ""
        self.reading.add(ShellEffect(text, fed=name.endswith("popen") and mode == "w"))

    def subprocess(self, node: ast.Call, name: str) -> None:
        self.spawns = True
        first = argument(node, 0, "args")
        shell = self.known.value(keyword(node, "shell"))
        if any(k.arg is None for k in node.keywords):
            self.reading.fail()  # perhaps with a shell
        if any(k.arg in ("stdin", "stdout") and self._is_socket(k.value) for k in node.keywords):
            self.wires = True
        if shell not in (UNKNOWN, None, False, 0) or (
            shell is UNKNOWN and keyword(node, "shell") is not None
        ):
            self.reading.add(ShellEffect(self._text(first), fed=_is_fed(node)))
            return
        self.words(first, fed=_is_fed(node))

    def _is_socket(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Call | ast.Name) and self.connects

    def words(self, node: ast.AST | None, *, fed: bool = False) -> None:
        """A list of words, or one string that names the program."""
        if isinstance(node, ast.List | ast.Tuple):
            self.reading.add(ArgvEffect(tuple(self._text(item) for item in node.elts), fed))
            return
        value = self.known.value(node) if node is not None else UNKNOWN
        if isinstance(value, str):
            self.reading.add(ArgvEffect((value,), fed))
        elif isinstance(value, tuple | list):
            known = tuple(v if isinstance(v, str) else None for v in value)
            self.reading.add(ArgvEffect(known, fed))
        else:
            self.reading.add(ArgvEffect((None,)))

    def argv(self, node: ast.Call, name: str) -> None:
        self.spawns = True
        index, as_list = table.ARGV[name]
        if as_list:
            self.words(argument(node, index, "args"))
        else:
            words = node.args[index : -1 if name in table.WITH_ENVIRONMENT else None]
            self.reading.add(ArgvEffect(tuple(self._text(word) for word in words)))

    def files(self, node: ast.Call, name: str) -> None:
        for position, name_of, accesses, recursive in table.FILES[name]:
            found = argument(node, position, name_of)
            if found is None:
                continue
            for access in accesses:
                self.file(self.known.path_of(found), access, recursive)

    def open(self, node: ast.Call, name: str) -> None:
        self._opened(self.known.path_of(argument(node, 0, "file")), argument(node, 1, "mode"))

    def _opened(self, path: object, mode_node: ast.AST | None) -> None:
        mode = self._text(mode_node) if mode_node is not None else "r"
        if mode is None:
            self.reading.fail()
            return
        if set(mode) <= _HARMLESS_MODES:
            self.file(path, PathAccess.READ)
        else:
            self.file(path, PathAccess.APPEND if "a" in mode else PathAccess.WRITE)

    def fetch(self, node: ast.Call, name: str) -> None:
        at = 1 if name.endswith(".request") and len(node.args) > 1 else 0
        self._exchange(node, table.NETWORK[name], argument(node, at, "url"))
        if name.endswith("urlretrieve") and len(node.args) > 1:
            self.file(self.known.path_of(node.args[1]), PathAccess.WRITE)

    def _is_address(self, node: ast.AST) -> bool:
        return "://" in (self._text(node) or leading_text(self.known, node) or "")

    def _exchange(self, node: ast.Call, action: NetworkAction, url: ast.AST | None) -> None:
        """A request, and what of files and the environment goes with it."""
        if any(keyword(node, k) is not None for k in ("data", "json", "files", "content")):
            action = NetworkAction.UPLOAD
        origin = self._given(node)
        target = self._text(url)
        if target is None:
            target = leading_text(self.known, url)
        if origin.files or origin.environment:
            action = NetworkAction.UPLOAD
        self.reading.add(NetworkEffect(action, target, 0, "http", origin.files, origin.environment))

    def _given(self, node: ast.Call) -> Origin:
        return self.sources.of([*node.args, *(k.value for k in node.keywords)])

    def _sent(self, node: ast.Call) -> None:
        """What is sent over the connection that was made before."""
        origin = self._given(node)
        host, port = self.target or (None, 0)
        if isinstance(host, str) and (origin.files or origin.environment):
            number = port if isinstance(port, int) else 0
            given = origin.files, origin.environment
            self.reading.add(NetworkEffect(NetworkAction.UPLOAD, host, number, "tcp", *given))

    def host(self, node: ast.Call, name: str) -> None:
        self.connects = self.connects or name == "socket.create_connection"
        first = self.known.value(argument(node, 0, "host"))
        if isinstance(first, tuple) and len(first) == 2:
            self.target = first[0], first[1]
        else:
            self.target = first, self.known.value(argument(node, 1, "port"))
        self.network(NetworkAction.CONNECT, *self.target)

    def kill(self, node: ast.Call, name: str) -> None:
        """A signal: the same as the program of that name."""
        values = [self.known.value(argument) for argument in node.args[:2]]
        numbers = [str(v) if isinstance(v, int) else None for v in values] + [None, None]
        signal = f"-{numbers[1]}" if numbers[1] is not None else "-9"
        if not (len(values) > 1 and values[1] == 0):
            self.reading.add(ArgvEffect(("kill", signal, numbers[0])))

    def evaluate(self, node: ast.Call, name: str) -> None:
        argument = node.args[0] if node.args else None
        if isinstance(argument, ast.Call) and self.known.dotted(argument.func) == "compile":
            argument = argument.args[0] if argument.args else None
        text = self._text(argument)
        if argument is not None and text is None:
            self._code_origin(argument)
        self.reading.add(CodeEffect("python", text))

    def _code_origin(self, node: ast.AST) -> None:
        for name in self.sources.of([node]).calls:
            traits = (Trait.CODE_FROM_NETWORK, Trait.CODE_FROM_DECODE)
            self.reading.add(TraitEffect(traits[name in table.DECODERS]))

    def opaque(self, node: ast.Call, name: str) -> None:
        text = self._text(node.args[0]) if node.args else None
        if name not in ("__import__", "importlib.import_module") or text is None:
            self.reading.fail()

    def lookup(self, node: ast.Call, name: str) -> None:
        """getattr with a computed name may reach any function."""
        if len(node.args) > 1 and self._text(node.args[1]) is None:
            self.reading.fail()

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


def _is_fed(node: ast.Call) -> bool:
    """Whether the body writes to the standard input of the program that it starts."""
    return any(k.arg in ("stdin", "input") for k in node.keywords)


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
    (frozenset({"os.kill", "os.killpg"}), _Reader.kill),
)
