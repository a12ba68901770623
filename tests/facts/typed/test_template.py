"""Arguments of a tool become the words of the command that the tool is a form of."""

from __future__ import annotations

from typing import Any

import pytest

from defenseclaw.core.facts import FactsResult, ParseStatus
from defenseclaw.core.tool import FieldRole, ToolCall, ToolFamily, ToolSpec
from defenseclaw.facts import analyze
from defenseclaw.facts.typed.template import template_names
from tests.facts.describe import CWD, HOME, lines

TEMPLATE = "docker rm [-f ?force] [--link $links] $container"


def call(template: str, **args: Any) -> FactsResult:
    fields = dict.fromkeys(template_names(template), FieldRole.OPERAND)
    spec = ToolSpec("t", ToolFamily.SHELL, fields, template=template)
    return analyze(ToolCall("t", args, CWD, HOME, spec=spec))


def words(result: FactsResult) -> list[str]:
    return result.facts.commands[0].argv


def test_names_are_those_of_all_parts() -> None:
    assert template_names(TEMPLATE) == ("force", "links", "container")


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({"container": "c"}, ["docker", "rm", "c"]),
        ({"container": "c", "force": True}, ["docker", "rm", "-f", "c"]),
        ({"container": "c", "force": False}, ["docker", "rm", "c"]),
        ({"container": "c", "force": None, "links": []}, ["docker", "rm", "c"]),
        ({"container": ["a", "b"]}, ["docker", "rm", "a", "b"]),
        ({"container": 7}, ["docker", "rm", "7"]),
    ],
)
def test_parts_without_an_argument_are_left_out(args: dict[str, Any], expected: list[str]) -> None:
    result = call(TEMPLATE, **args)
    assert words(result) == expected
    assert result.authoritative


@pytest.mark.parametrize(
    "args",
    [
        {},
        {"container": ""},
        {"container": {"name": "c"}},
        {"container": ["c", {"x": 1}]},
        {"container": True},
        {"container": "-f"},
    ],
)
def test_argument_that_is_no_plain_word_is_not_understood(args: dict[str, Any]) -> None:
    assert call(TEMPLATE, **args).facts.parse.status is ParseStatus.PARTIAL


def test_words_behind_the_end_of_options_are_taken_as_they_are() -> None:
    result = call("kubectl exec $name -- $command", name="p", command=["rm", "-rf", "/"])
    assert result.authoritative
    assert "remote rm" in lines(result)


def test_value_is_one_word_whatever_it_holds() -> None:
    result = call("git commit -m $message", message="x; rm -rf / $(id)")
    assert "complete" in lines(result)
    assert {c.program for c in result.facts.commands} == {"git"}
