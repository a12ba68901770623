"""Files, functions and folders stay small enough to read. The exceptions may only shrink."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 40
MAX_FOLDER_MODULES = 20
# Files that hold tables and no logic are judged by their rows, not by their length.
EXEMPT_FOLDERS = {"tables", "programs"}
GENERATED = {"answers.py"}
# path::function -> reason. Only ever remove lines.
EXCEPTIONS: dict[str, str] = {}


def sources() -> list[Path]:
    found = [p for top in ("src", "tests", "tools") for p in (ROOT / top).rglob("*.py")]
    found.append(ROOT / "dev.py")
    return [p for p in sorted(found) if p.name not in GENERATED]


def test_files_are_short() -> None:
    long = {
        str(p.relative_to(ROOT)): n
        for p in sources()
        if not EXEMPT_FOLDERS & set(p.parts)
        and (n := len(p.read_text(encoding="utf-8").splitlines())) > MAX_FILE_LINES
    }
    assert not long


def test_functions_are_short() -> None:
    long = {}
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                key = f"{path.relative_to(ROOT)}::{node.name}"
                if lines > MAX_FUNCTION_LINES and key not in EXCEPTIONS:
                    long[key] = lines
    assert not long


def test_folders_are_small() -> None:
    crowded = {}
    for folder in {p.parent for p in sources()}:
        modules = [p for p in folder.glob("*.py") if p.name != "__init__.py"]
        if folder.parts[-2:] != ("cli", "commands") and len(modules) > MAX_FOLDER_MODULES:
            crowded[str(folder.relative_to(ROOT))] = len(modules)
    assert not crowded
