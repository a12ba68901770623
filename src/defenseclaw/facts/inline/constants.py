"""Constant folding for Python syntax trees: imports, names bound once, simple string building."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Final

from defenseclaw.facts.inline.decoding import decode_base64, decode_hex
from defenseclaw.facts.tables import python_calls as table

MAX_TEXT = 64 * 1024  # of a folded string: the command limit, nothing longer can be a literal
MAX_UNROLLED = 4_000  # nodes of all loops over literals of one body, counted for each round


def _starred() -> dict[str, dict[str, str]]:
    """What ``from MODULE import *`` binds, as far as the tables know the module."""
    found: dict[str, dict[str, str]] = {}
    for name in (*table.REACHES, *table.OPENERS, *table.NETWORK, *table.HOSTS, *table.PATH_TYPES):
        module, _, last = name.rpartition(".")
        found.setdefault(module, {})[last] = name
    return found


_STARRED: Final = _starred()


class _Unknown:
    """The value of an expression that is not known."""


UNKNOWN: Final = _Unknown()
_JOINERS = frozenset({"os.path.join", "posixpath.join", "ntpath.join"})
_SAME = frozenset({"os.path.abspath", "os.path.normpath", "os.path.realpath", "os.fspath", "str",
                   "shlex.quote", "os.path.expandvars"})  # fmt: skip


class Constants:
    """What names stand for, as far as the text determines it."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.modules: dict[str, str] = {}
        self.values: dict[str, object] = {}
        self.unrolled = 0

    def learn_import(self, node: ast.Import | ast.ImportFrom) -> None:
        """Remember what an import binds."""
        for alias in node.names:
            if alias.name == "*" and isinstance(node, ast.ImportFrom):
                self.modules.update(_STARRED.get(node.module or "", {}))
            elif isinstance(node, ast.Import):
                bound = alias.asname or alias.name.partition(".")[0]
                self.modules[bound] = alias.name if alias.asname else bound
            else:
                self.modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def learn_binding(self, node: ast.stmt) -> None:
        """Remember a constant bound to a name; any other binding forgets it."""
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name):
                self._bind(target.id, node.value)
                return
        for name in ast.walk(node):
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                self.values.pop(name.id, None)

    def _bind(self, name: str, node: ast.expr) -> None:
        function = self.dotted(node) if isinstance(node, ast.Attribute | ast.Name) else ""
        if function:
            self.modules[name] = function
        value = self.value(node)
        if value is UNKNOWN:
            self.values.pop(name, None)
        else:
            self.values[name] = value

    def loop_items(self, node: ast.stmt) -> list[ast.expr]:
        """The literals that a loop goes over, where they are few and every one is known."""
        if not isinstance(node, ast.For) or not isinstance(node.target, ast.Name):
            return []
        listed = node.iter.elts if isinstance(node.iter, ast.List | ast.Tuple | ast.Set) else []
        size = sum(1 for _ in islice(ast.walk(node), MAX_UNROLLED)) if listed else 0
        self.unrolled += len(listed) * size
        known = self.unrolled <= MAX_UNROLLED and all(self.value(i) is not UNKNOWN for i in listed)
        return listed if known else []

    def bind_loop(self, node: ast.For, item: ast.expr) -> None:
        """Bind a loop's name to one of its literals."""
        if isinstance(node.target, ast.Name):
            self._bind(node.target.id, item)

    def dotted(self, node: ast.AST) -> str:
        """The dotted name of a function through imports, or empty if it is computed."""
        if isinstance(node, ast.Name):
            return self.modules.get(node.id, node.id)
        if isinstance(node, ast.Attribute):
            owner = self.dotted(node.value)
            if owner in ("__builtins__", "builtins"):
                return node.attr
            return f"{owner}.{node.attr}" if owner else ""
        return self._dotted_call(node) if isinstance(node, ast.Call) else ""

    def _dotted_call(self, node: ast.Call) -> str:
        """What ``__import__("os")`` and ``getattr(os, "system")`` stand for."""
        function = self.dotted(node.func)
        if function in ("__import__", "importlib.import_module") and node.args:
            name = self.value(node.args[0])
            return name if isinstance(name, str) else ""
        if function == "getattr" and len(node.args) > 1:
            owner, name = self.dotted(node.args[0]), self.value(node.args[1])
            return f"{owner}.{name}" if owner and isinstance(name, str) else ""
        return ""

    def is_path(self, node: ast.AST | None) -> bool:
        """Whether an expression surely is a path object."""
        return isinstance(node, ast.Call) and self.dotted(node.func) in table.PATH_TYPES

    def path_of(self, node: ast.AST | None) -> object:
        """The text of a path expression, or UNKNOWN."""
        value = self.value(node) if node is not None else UNKNOWN
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        return value if isinstance(value, str) else UNKNOWN

    def value(self, node: ast.AST | None) -> object:
        """Fold an expression to a constant, or UNKNOWN."""
        if node is None:
            return UNKNOWN
        folder = _FOLDERS.get(type(node))
        result = folder(self, node) if folder is not None else UNKNOWN
        if isinstance(result, str | bytes) and len(result) > MAX_TEXT:
            return UNKNOWN
        return result

    def _sequence(self, node: ast.AST) -> object:
        assert isinstance(node, ast.List | ast.Tuple)
        items = tuple(self.value(item) for item in node.elts)
        return UNKNOWN if any(item is UNKNOWN for item in items) else items

    def _joined(self, node: ast.AST) -> object:
        assert isinstance(node, ast.JoinedStr)
        parts = []
        for piece in node.values:
            inner = piece.value if isinstance(piece, ast.FormattedValue) else piece
            value = self.value(inner)
            if not isinstance(value, str | int):
                return UNKNOWN
            parts.append(str(value))
        return "".join(parts)

    def _operation(self, node: ast.AST) -> object:
        assert isinstance(node, ast.BinOp)
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.Add):
            return _add(left, right)
        if isinstance(node.op, ast.Div) and isinstance(left, str) and isinstance(right, str):
            return posixpath.join(left, right)
        if isinstance(node.op, ast.Mod) and isinstance(left, str):
            return _percent(left, right)
        if isinstance(node.op, ast.Mult) and isinstance(left, str) and isinstance(right, int):
            return left * right if 0 <= right * len(left) <= MAX_TEXT else UNKNOWN
        return UNKNOWN

    def _name(self, node: ast.AST) -> object:
        assert isinstance(node, ast.Name)
        return self.values.get(node.id, UNKNOWN)

    def _call(self, node: ast.AST) -> object:
        assert isinstance(node, ast.Call)
        name = self.dotted(node.func)
        arguments = [self.value(a) for a in node.args]
        for known, fold in _FUNCTIONS:
            if name in known:
                return fold(name, arguments, self.home)
        if isinstance(node.func, ast.Attribute):
            owner = self.value(node.func.value)
            if node.func.attr == "expanduser":
                return expand_home(owner, self.home)
            return _method(owner, node.func.attr, arguments)
        return UNKNOWN

    def _subscript(self, node: ast.AST) -> object:
        assert isinstance(node, ast.Subscript)
        owner = self.value(node.value)
        if not isinstance(owner, str | tuple) or not isinstance(node.slice, ast.Slice):
            return self._environment(node)
        bounds = [self.value(b) if b is not None else None for b in
                  (node.slice.lower, node.slice.upper, node.slice.step)]  # fmt: skip
        numbers = [b for b in bounds if b is None or isinstance(b, int)]
        if len(numbers) == 3 and numbers[2] != 0:
            return owner[numbers[0] : numbers[1] : numbers[2]]
        return UNKNOWN

    def _environment(self, node: ast.Subscript) -> object:
        if self.dotted(node.value) == "os.environ" and self.value(node.slice) == "HOME":
            return self.home or UNKNOWN
        return UNKNOWN


def _constant(constants: Constants, node: ast.AST) -> object:
    assert isinstance(node, ast.Constant)
    return node.value if isinstance(node.value, str | bytes | int | None) else UNKNOWN


def expand_home(value: object, home: str) -> object:
    """A leading tilde replaced by the home folder."""
    if not isinstance(value, str):
        return UNKNOWN
    if value == "~" or value.startswith("~/"):
        return home + value[1:] if home else UNKNOWN
    return value


def _add(left: object, right: object) -> object:
    for kind in (str, bytes, tuple):
        if isinstance(left, kind) and isinstance(right, kind):
            return left + right  # type: ignore[operator]
    return UNKNOWN


def _percent(form: str, values: object) -> object:
    items = values if isinstance(values, tuple) else (values,)
    if form.count("%") != form.count("%s"):
        return UNKNOWN
    if len(items) != form.count("%s") or not all(isinstance(i, str | int) for i in items):
        return UNKNOWN
    return form % items


def _join(arguments: list[object]) -> object:
    parts = [a for a in arguments if isinstance(a, str)]
    if not parts or len(parts) != len(arguments):
        return "." if not arguments else UNKNOWN
    return posixpath.join(*parts)


def _decode(name: str, value: object) -> object:
    text = value.decode("ascii", "replace") if isinstance(value, bytes) else value
    if not isinstance(text, str):
        return UNKNOWN
    if name in ("codecs.decode", "zlib.decompress"):
        return UNKNOWN
    decoded = decode_hex(text) if "hex" in name else decode_base64(text)
    return decoded if decoded is not None else UNKNOWN


def _character(name: str, value: object) -> object:
    if name == "chr" and isinstance(value, int) and 0 <= value < 0x110000:
        return chr(value)
    if name == "ord" and isinstance(value, str) and len(value) == 1:
        return ord(value)
    return UNKNOWN


def _method(owner: object, name: str, arguments: list[object]) -> object:
    """Methods of constant text."""
    if isinstance(owner, bytes) and name == "decode":
        return owner.decode("utf-8", "replace")
    if not isinstance(owner, str):
        return UNKNOWN
    if name in ("decode", "encode", "resolve", "absolute", "as_posix"):
        return owner
    if name == "join" and arguments and isinstance(arguments[0], tuple):
        items = [i for i in arguments[0] if isinstance(i, str)]
        return owner.join(items) if len(items) == len(arguments[0]) else UNKNOWN
    texts = [a for a in arguments if isinstance(a, str)]
    return _text_method(owner, name, texts) if len(texts) == len(arguments) else UNKNOWN


def _text_method(owner: str, name: str, texts: list[str]) -> object:
    if name in ("strip", "lower", "upper", "lstrip", "rstrip"):
        return str(getattr(owner, name)(*texts[:1]))
    if name == "replace" and len(texts) == 2:
        return owner.replace(texts[0], texts[1])
    if name == "joinpath":
        return posixpath.join(owner, *texts)
    if name == "split" and len(texts) <= 1 and texts != [""]:
        return tuple(owner.split(texts[0] if texts else None))
    return UNKNOWN


def _path_text(name: str, arguments: list[object], home: str) -> object:
    return _join(arguments)


def _home(name: str, arguments: list[object], home: str) -> object:
    return home or UNKNOWN


def _decoded(name: str, arguments: list[object], home: str) -> object:
    return _decode(name, arguments[0]) if arguments else UNKNOWN


def _unchanged(name: str, arguments: list[object], home: str) -> object:
    return arguments[0] if arguments and isinstance(arguments[0], str) else UNKNOWN


def _expanded(name: str, arguments: list[object], home: str) -> object:
    return expand_home(arguments[0], home) if arguments else UNKNOWN


def _characters(name: str, arguments: list[object], home: str) -> object:
    return _character(name, arguments[0]) if len(arguments) == 1 else UNKNOWN


_FUNCTIONS: tuple[tuple[frozenset[str], Callable[[str, list[object], str], object]], ...] = (
    (table.PATH_TYPES | _JOINERS, _path_text),
    (frozenset({"pathlib.Path.home"}), _home),
    (table.DECODERS, _decoded),
    (_SAME, _unchanged),
    (frozenset({"os.path.expanduser"}), _expanded),
    (frozenset({"chr", "ord"}), _characters),
)
_FOLDERS: Mapping[type[ast.AST], Callable[[Constants, ast.AST], object]] = {
    ast.Constant: _constant,
    ast.List: Constants._sequence,
    ast.Tuple: Constants._sequence,
    ast.JoinedStr: Constants._joined,
    ast.BinOp: Constants._operation,
    ast.Name: Constants._name,
    ast.Call: Constants._call,
    ast.Subscript: Constants._subscript,
}
