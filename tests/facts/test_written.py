"""What a call puts into files, for content rules: every way in which a text gets there."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import FactsResult, ParseStatus
from defenseclaw.core.limits import MAX_ARGS_JSON_BYTES
from defenseclaw.core.tool import FieldRole, ToolCall, ToolFamily, ToolSpec
from defenseclaw.facts import GLOBAL_TOOLS, analyze

PROJECT, HOME = "/home/dana/project", "/home/dana"
SHELL = ToolSpec("shell", ToolFamily.SHELL, {"command": FieldRole.COMMAND}, "posix")


def shell(command: str) -> FactsResult:
    return analyze(ToolCall("shell", {"command": command}, PROJECT, HOME, spec=SHELL))


def tool(name: str, **arguments: object) -> FactsResult:
    return analyze(ToolCall(name, arguments, PROJECT, HOME, spec=GLOBAL_TOOLS[name]))


@pytest.mark.parametrize(
    "command, text",
    [
        ("cat > a.py <<'E'\nx = 1\nE", "x = 1\n"),
        ("cat >> a.py <<'E'\nx = 1\nE", "x = 1\n"),
        ("cat <<E > a.py\nx = $VALUE\nE", "x = $VALUE\n"),
        ("tee a.py <<'E'\nx = 1\nE", "x = 1\n"),
        ("cat <<'E' | tee a.py\nx = 1\nE", "x = 1\n"),
        ("echo 'x = 1' >> a.py", "x = 1\n"),
        ("printf 'x = 1\\n' > a.py", "x = 1\n"),
        ("for i in 1 2; do echo 'x = 1' >> a.py; done", "x = 1\n"),
        ("bash -lc \"cat > a.py <<'E'\nx = 1\nE\"", "x = 1\n"),
        ("sed -i 's/y/x = 1/' a.py", "x = 1"),
        ("sed -i -e '1i x = 1' -e '3d' a.py", "x = 1"),
        ("sed -i '$a\\\nx = 1' a.py", "x = 1"),
        ("cd src && echo 'x = 1' > ../a.py", "x = 1\n"),
    ],
)
def test_text_that_a_command_puts_into_a_file_is_kept(command: str, text: str) -> None:
    assert (f"{PROJECT}/a.py", text) in shell(command).writes


@pytest.mark.parametrize(
    "command",
    ["sed 's/y/x = 1/' a.py", "cat a.py", "if false; then echo x > a.py; fi", "grep 'x = 1' a.py"],
)
def test_nothing_is_kept_where_nothing_is_written(command: str) -> None:
    assert shell(command).writes == ()


def test_contents_too_large_for_facts_are_kept() -> None:
    text = "x" * (MAX_ARGS_JSON_BYTES + 1)
    result = tool("Write", file_path="a.py", content=text)
    assert result.facts.parse.status is ParseStatus.LIMIT_EXCEEDED
    assert result.writes == ((f"{PROJECT}/a.py", text),)
    result = tool("MultiEdit", file_path="a.py", edits=[{"old_string": "", "new_string": text}])
    assert result.writes == ((f"{PROJECT}/a.py", text),)


@pytest.mark.parametrize(
    "kind, prose", [("markdown", True), ("raw", True), ("code", False), ("", False)]
)
def test_cells_for_people_are_marked(kind: str, prose: bool) -> None:
    result = tool("NotebookEdit", notebook_path="a.ipynb", new_source="x", cell_type=kind)
    assert result.writes == ((f"{PROJECT}/a.ipynb", "x"),)
    assert bool(result.prose) is prose
