"""The border of the analysis: what is malformed is refused with its reason, and never read on."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import IssueCode, ParseStatus
from defenseclaw.core.limits import MAX_COMMAND_BYTES, MAX_SCALAR_BYTES
from defenseclaw.core.tool import FieldRole, ToolCall, ToolFamily, ToolSpec
from defenseclaw.facts import analyze, validate
from tests.facts.describe import CWD, HOME, analyze_shell, shell_call
from tests.facts.invariants import check_result

ARGV = ToolSpec("argv", ToolFamily.SHELL, {"argv": FieldRole.ARGV}, "posix")
PATCH = ToolSpec("patch", ToolFamily.PATCH, {"patch": FieldRole.PATCH})
HALF = "\udcff"
ENVELOPE = f"*** Begin Patch\n*** Delete File: a{HALF}\n*** End Patch"

HALF_PAIRS = (
    shell_call(f"rm -rf a{HALF}"),
    ToolCall("argv", {"argv": ["rm", f"a{HALF}"]}, CWD, HOME, spec=ARGV),
    ToolCall("patch", {"patch": ENVELOPE}, CWD, HOME, spec=PATCH),
    ToolCall("nothing", {"path": f"a{HALF}"}, CWD, HOME),
    ToolCall("nothing", {f"a{HALF}": "x"}, CWD, HOME),
    ToolCall("nothing", {"x": [{"y": HALF}]}, CWD, HOME),
    ToolCall(f"no{HALF}", {}, CWD, HOME),
    shell_call("ls", cwd=f"/srv/{HALF}"),
    shell_call("ls", home=f"/srv/{HALF}"),
)


@pytest.mark.parametrize("call", HALF_PAIRS)
def test_half_a_surrogate_pair_makes_the_call_malformed(call: ToolCall) -> None:
    result = analyze(call)
    assert result.facts.parse.status is ParseStatus.INVALID
    assert IssueCode.INVALID_UTF8 in result.facts.parse.issues
    check_result(result)


@pytest.mark.parametrize("argv", [["rm", "a\0b"], ["rm\0", "a"], [" ", "a"], []])
def test_a_vector_that_no_program_can_get_is_malformed(argv: list[str]) -> None:
    result = analyze(ToolCall("argv", {"argv": argv}, CWD, HOME, spec=ARGV))
    assert result.facts.parse.status is ParseStatus.INVALID


@pytest.mark.parametrize("name", ["cwd", "home"])
def test_a_place_with_a_nul_is_malformed(name: str) -> None:
    result = analyze_shell("ls", **{name: "/srv/\0"})
    assert result.facts.parse.status is ParseStatus.INVALID


LONG = "x" * (MAX_SCALAR_BYTES + 1)


@pytest.mark.parametrize(
    "text",
    [
        f"git commit -m '{LONG}'",
        f"bash -c 'echo {LONG}; rm -rf /etc'",
        f"rm -rf /srv/{LONG}",
        f"curl https://h.example/{LONG}",
        f"echo x > {LONG}",
    ],
)
def test_a_long_word_is_read_like_a_short_one(text: str) -> None:
    result = analyze_shell(text)
    assert result.facts.parse.status is ParseStatus.COMPLETE
    assert validate(result.facts).value == "ok"


def test_values_that_grow_beyond_a_command_are_over_the_limit() -> None:
    grown = "x=" + "a" * 2000 + ";" + "x=$x$x;" * 5
    result = analyze_shell(grown + "echo $x$x")
    assert result.facts.parse.status is not ParseStatus.COMPLETE
    assert sum(map(len, result.facts.commands[-1].argv)) <= 2 * MAX_COMMAND_BYTES
    check_result(result)
