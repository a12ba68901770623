"""The import rules, the purity rules and the naming rule of docs/contributing/architecture.md."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "defenseclaw"
RIM = {"platform", "config", "store", "assets", "telemetry"}
PURE = {"core", "cel", "facts", "rules", "chains", "policy", "artifact", "connectors", "engine"}
LAYERS: dict[str, set[str]] = {
    "errors": set(),
    "core": {"errors"},
    "cel": set(),
    "facts": {"core"},
    "rules": {"core", "cel", "errors"},
    "chains": {"core"},
    "policy": {"core"},
    "connectors": {"core"},
    "artifact": {"core", "facts"},
    "engine": PURE | {"errors"},
    "platform": {"core", "errors"},
    "config": {"core", "errors", "platform"},
    "store": {"core", "errors", "platform"},
    "assets": {"core", "errors", "platform"},
    "telemetry": {"core", "errors", "platform"},
    "rego": {"core", "errors", "platform", "policy"},
    "setup": (PURE - {"engine"}) | RIM | {"errors"},
    "gateway": PURE | RIM | {"errors"},
    "cli": {"core", "errors", "setup", "engine", "connectors", "rules", "facts", "policy", "rego"}
    | RIM,
    "web": {"core", "errors", "connectors"} | RIM,
    "hook": set(),
}
IMPURE_MODULES = {
    "os", "io", "socket", "subprocess", "sqlite3", "logging", "random", "secrets", "time",
    "threading", "asyncio", "pathlib", "shutil", "tempfile", "signal", "http", "urllib", "psutil",
    "importlib", "multiprocessing", "select", "ctypes", "platform",
}  # fmt: skip
# Pure string functions inside modules that also do I/O.
PURE_MEMBERS = {"urllib.parse", "posixpath", "ntpath"}
IMPURE_CALLS = {"open", "input", "print", "exec", "eval", "__import__"}


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def package_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).parts
    return parts[0] if len(parts) > 1 else parts[0].removesuffix(".py")


def imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import at line {node.lineno}"
            yield node.module or "", node.lineno


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_module_imports_only_what_its_layer_allows(path: Path) -> None:
    package = package_of(path)
    if package == "__init__":
        return
    assert package in LAYERS, f"{package} has no row in the layer table"
    for name, line in imports(ast.parse(path.read_text(encoding="utf-8"))):
        if not name.startswith("defenseclaw"):
            continue
        target = [*name.split("."), "", ""][1]
        if target in {"", package}:
            continue
        assert target in LAYERS[package], f"{path.name}:{line}: {package} may not import {target}"
        depth = name.count(".")
        assert target == "core" or depth <= 1, f"{path.name}:{line}: import {name} from its package"


@pytest.mark.parametrize(
    "path",
    # What agents load is no module of ours.
    [p for p in modules() if package_of(p) in PURE and p.parent.name != "plugins"],
    ids=lambda p: str(p.relative_to(SOURCE)),
)
def test_pure_module_does_no_io(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for name, line in imports(tree):
        if name not in PURE_MEMBERS:
            assert name.split(".")[0] not in IMPURE_MODULES, f"{path.name}:{line}: imports {name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            # The expression compiler runs the code object that it made.
            allowed = package_of(path) == "cel" and node.func.id == "exec"
            assert allowed or node.func.id not in IMPURE_CALLS, f"{path.name}:{node.lineno}"


def test_no_cycles_between_packages() -> None:
    for package, allowed in LAYERS.items():
        for other in allowed - {package}:
            assert package not in LAYERS[other], f"{package} and {other} import each other"


def test_function_level_imports_only_in_the_command_line() -> None:
    for path in modules():
        if package_of(path) in {"cli", "hook"}:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                inner = [n for n in ast.walk(node) if isinstance(n, ast.Import | ast.ImportFrom)]
                assert not inner, f"{path.name}:{node.lineno}: import inside {node.name}"


def agent_words() -> set[str]:
    # The names are read from the registry, so that a new agent is covered by being added.
    from defenseclaw.connectors import CONNECTORS

    return {w for c in CONNECTORS.values() for w in (c.key, *c.aliases)}


def test_no_agent_name_outside_connectors() -> None:
    words = agent_words()
    # Facts name programs, and agents are programs that can be started with their guards off.
    exempt = {"connectors", "facts"}
    for path in modules():
        if package_of(path) in exempt or path.name == "answers.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert node.value.lower() not in words, f"{path.name}:{node.lineno}: {node.value}"
