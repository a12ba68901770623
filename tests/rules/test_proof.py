"""Examples run through the real path, and a false one is reported with its place."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import FactsResult, ParseStatus
from defenseclaw.core.tool import Platform, ToolCall
from defenseclaw.rules import Analyst, Example, ExampleForm, run_examples
from defenseclaw.rules.proof import call_of
from tests.rules.packs import DELETES_ROOT, deletion, pack, result, rule, same, source


def analyze(call: ToolCall) -> FactsResult:
    """Understands ``delete``, gives up on everything else."""
    text = str(call.args["command"])
    if text.startswith("delete"):
        return deletion("system-root", text=text)
    return result(source(text), status=ParseStatus.UNSUPPORTED)


ANALYST = Analyst(analyze, same)


def failures(**examples: object) -> list[tuple[str, str]]:
    one = pack(rule(expression=DELETES_ROOT, pattern="delete|needle", examples=examples))
    return [(f.route, f.reason) for f in run_examples(one, ANALYST)]


def test_true_examples_pass_by_both_routes() -> None:
    assert failures(match=[{"sh": "delete /"}], no_match=[{"sh": "list /"}]) == []


@pytest.mark.parametrize(
    "examples, expected",
    [
        (
            {"match": [{"sh": "list /"}]},
            [("cel", "does not match"), ("fallback", "does not match")],
        ),
        ({"no_match": [{"sh": "delete /"}]}, [("cel", "matches"), ("fallback", "matches")]),
        ({"match": [{"sh": "needle", "route": "cel"}]}, [("cel", "not authoritative")]),
        ({"match": [{"sh": "list", "route": "fallback"}]}, [("fallback", "does not match")]),
    ],
)
def test_false_examples_are_reported(
    examples: dict[str, object], expected: list[tuple[str, str]]
) -> None:
    assert failures(**examples) == expected


def test_rules_that_are_off_by_default_are_tried_too() -> None:
    off = rule(id="T-2", enabled=False, examples={"match": [{"sh": "list"}]})
    found = run_examples(pack(rule(), off), ANALYST)
    assert {f.rule_id for f in found} == {"T-2"}


def test_a_covered_rule_is_proved_by_its_owner() -> None:
    covered = rule(
        id="T-2", pattern="delete", covered_by="T-1", examples={"match": [{"sh": "delete /"}]}
    )
    both = pack(rule(expression=DELETES_ROOT, pattern="delete"), covered)
    assert run_examples(both, ANALYST) == []


@pytest.mark.parametrize(
    "form, platform, home",
    [
        (ExampleForm.SH, Platform.POSIX, "/home/dana"),
        (ExampleForm.PWSH, Platform.WINDOWS, "C:\\Users\\dana"),
        (ExampleForm.CMD, Platform.WINDOWS, "C:\\Users\\dana"),
    ],
)
def test_the_form_decides_platform_and_place(
    form: ExampleForm, platform: Platform, home: str
) -> None:
    call = call_of(Example(True, form, "x"), {})
    assert (call.platform, call.home) == (platform, home)


def test_a_tool_example_carries_its_own_call() -> None:
    body = {"name": "Read", "input": {"file_path": "a"}, "cwd": "/srv/other"}
    call = call_of(Example(True, ExampleForm.TOOL, body), {})
    assert (call.tool, call.args, call.cwd) == ("Read", {"file_path": "a"}, "/srv/other")
