"""Every argument of every reviewed tool, with values that no honest agent sends."""

from __future__ import annotations

from typing import Any

import pytest

from defenseclaw.core.facts import IssueCode
from defenseclaw.core.tool import ToolCall
from defenseclaw.facts import GLOBAL_TOOLS, analyze
from tests.facts.describe import CWD, HOME
from tests.facts.invariants import check_result

VALUES: tuple[Any, ...] = (
    "a\0b", "/a\0/b", "C:\\a\0", "x" * 5000, "é" * 3000, "../" * 3000, "\x01", " ", "", "~", "//",
    "a\nb", "\\\\.\\x", "HKLM\\..\\x", "http://h:99999/", "http://\0", "http://[::1%\0]/",
    "http://" + "a" * 300 + ".example/", "http://h.example/" + "x" * 70_000, "file:///etc",
    "\ud800", ["a\0b"], [["x"]], {"a": "b\0"}, {"path": "a\0b"}, 5, -0.0, True, None,
)  # fmt: skip
OTHERS = {
    "file_path": "/x", "path": "/x", "command": "ls", "url": "http://h.example/", "pattern": "x",
    "content": "y",
}  # fmt: skip
ARGUMENTS = [(tool, field) for tool, spec in GLOBAL_TOOLS.items() for field in spec.fields]


@pytest.mark.parametrize("tool, field", ARGUMENTS)
def test_any_value_of_any_argument_ends_in_valid_facts(tool: str, field: str) -> None:
    spec = GLOBAL_TOOLS[tool]
    beside = {name: value for name, value in OTHERS.items() if name in spec.fields}
    for value in VALUES:
        for others in ({}, beside):
            result = analyze(ToolCall(tool, {**others, field: value}, CWD, HOME, spec=spec))
            check_result(result)
            assert IssueCode.INTERNAL_PARSER_FAILURE not in result.facts.parse.issues
