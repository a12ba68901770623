"""The process that evaluates: one request on standard input, one reply, and it ends.

The engine is native code that modules can send into endless recursion, endless work or all of the
memory; here that ends this process and nothing else. It is run as a file of its own, and imports
the engine and the standard library only.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

UNDEFINED = '"<undefined>"'  # what the engine prints for a rule without a value
MAX_REASON = 200  # characters of the engine's own words
_PLACE = re.compile(r"^--> (?P<path>[^\n]{1,300}):(?P<line>\d+):\d+$", re.MULTILINE)
_ERROR = re.compile(r"^error: (?P<what>[^\n]+)$", re.MULTILINE)


class RefusedError(Exception):
    """A module is refused; carries its path, the line and why."""

    def __init__(self, path: str, line: int, reason: str) -> None:
        super().__init__(reason)
        self.path, self.line, self.reason = path, line, reason


def main() -> None:
    """Answer one request. What cannot be answered says so in the reply."""
    request = json.loads(sys.stdin.readline())
    _bound(request["memory_bytes"], request["cpu_seconds"])
    regorus = _optional("regorus")
    if regorus is None:
        _reply({"missing": True})
        return
    try:
        _reply(_answer(regorus.Engine(), request))
    except RefusedError as error:
        _reply({"path": error.path, "line": error.line, "reason": error.reason})


def _reply(reply: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(reply, ensure_ascii=True) + "\n")
    sys.stdout.flush()


def _bound(memory_bytes: int, cpu_seconds: int) -> None:
    """Let the system end this process beyond its limits, and keep no image of it."""
    resource = _optional("resource")
    if resource is None:
        return
    bounds = (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_CORE, 0),
    )
    for what, limit in bounds:
        # A stricter limit that is in force already stays.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (limit, limit))


def _optional(name: str) -> Any:
    """A module, or None where it is not installed or not for this system."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _answer(engine: Any, request: Mapping[str, Any]) -> dict[str, Any]:
    engine.set_gather_prints(True)
    for path, text in request["modules"].items():
        _guarded(path, engine.add_policy, path, text)
    _admit(engine, frozenset(request["builtins"]), frozenset(request["unsafe"]))
    _guarded("data", engine.add_data_json, json.dumps(request["data"]))
    rules = request.get("rules")
    if rules is None:
        return {"packages": engine.get_packages()}
    engine.set_input_json(json.dumps(request["input"]))
    found = {}
    for field, rule in rules.items():
        value = _guarded(rule, engine.eval_rule_as_json, rule)
        if value == UNDEFINED:
            raise RefusedError(rule, 0, "has no value")
        found[field] = json.loads(value)
    return {"found": found}


def _guarded(place: str, call: Any, *args: str) -> Any:
    """Call the engine; what it raises becomes a place and a short reason."""
    try:
        return call(*args)
    except Exception as error:
        raise _refusal(place, str(error)) from None


def _refusal(place: str, said: str) -> RefusedError:
    where, what = _PLACE.search(said), _ERROR.search(said)
    reason = what["what"] if what else said.partition("\n")[0]
    path, line = (where["path"], int(where["line"])) if where else (place, 0)
    return RefusedError(path, line, reason[:MAX_REASON])


def _admit(engine: Any, builtins: frozenset[str], unsafe: frozenset[str]) -> None:
    """Refuse modules that name an unsafe function or call one that nobody defines."""
    trees = json.loads(engine.get_ast_as_json())
    heads: dict[str, set[str]] = {}
    for tree in trees:
        package = _spelled(tree["ast"]["package"]["refr"])
        heads.setdefault(package, set()).update(_defined(tree["ast"]))
    for tree in trees:
        ast, path = tree["ast"], tree["source"]["file"]
        known = heads[_spelled(ast["package"]["refr"])] | {"data"}
        known |= set(_imported(tree))
        for node in _nodes(ast):
            name = _spelled(node)
            if name in unsafe:
                raise RefusedError(path, _line(node), f"{name} may not be used")
            called = node.get("Call")
            if called is None:
                continue
            name = _spelled(called["fcn"])
            if name not in builtins | unsafe and name.partition(".")[0] not in known:
                raise RefusedError(path, _line(called["fcn"]), "calls a function that is not known")


def _nodes(tree: object) -> Iterator[dict[str, Any]]:
    """Every object of a tree."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            yield node
            pending.extend(node.values())
        elif isinstance(node, list):
            pending.extend(node)


def _spelled(node: Any) -> str:
    """A reference with dots, however it is written; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, dict):
        if "Var" in node:
            return ".".join([str(node["Var"]["value"]), *reversed(parts)])
        if "RefDot" in node:
            parts.append(str(node["RefDot"]["field"][1]))
            node = node["RefDot"]["refr"]
        elif "RefBrack" in node:
            index = node["RefBrack"]["index"]
            text = index.get("String") or index.get("RawString") or {}
            parts.append(str(text.get("value", "[]")))
            node = node["RefBrack"]["refr"]
        else:
            return ""
    return ""


def _defined(ast: Mapping[str, Any]) -> Iterator[str]:
    """The first word of every rule and function that a module defines."""
    for rule in ast["rules"]:
        for kind in rule.values():
            head = kind.get("head")
            refr = next(iter(head.values()))["refr"] if head else kind.get("refr")
            yield _spelled(refr).partition(".")[0]


def _imported(tree: Mapping[str, Any]) -> Iterator[str]:
    """The names under which a module knows what it imports."""
    text = tree["source"]["contents"].encode()
    for row in tree["ast"]["imports"]:
        alias = row.get("as")  # a place in the source's bytes
        if alias:
            yield text[alias["start"] : alias["end"]].decode("utf-8", "replace")
        else:
            yield _spelled(row["refr"]).rpartition(".")[2]


def _line(node: Any) -> int:
    for inner in _nodes(node):
        line = inner.get("line")
        if isinstance(line, int):
            return line
    return 0


if __name__ == "__main__":
    main()
