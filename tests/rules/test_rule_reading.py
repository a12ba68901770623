"""One rule of a file: the public keys, our additions, every refusal and the order of the checks."""

from __future__ import annotations

from typing import Any

import pytest

from defenseclaw.core.verdict import Profile, Severity
from defenseclaw.rules.limits import MAX_PATTERN_BYTES
from tests.rules.packs import DELETES_ROOT, pack, refusal, rule, rule_file

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"id": None}, "validation"),
    ({"id": " "}, "validation"),
    ({"id": 7}, "yaml_invalid"),
    ({"pattern": None}, "validation"),
    ({"pattern": " "}, "validation"),
    ({"pattern": "("}, "regex"),
    ({"pattern": "(?=x)"}, "regex"),
    ({"pattern": r"(a)\1"}, "regex"),
    ({"pattern": "a++"}, "regex"),
    ({"pattern": "\ud800"}, "yaml_invalid"),
    ({"pattern": "x" * (MAX_PATTERN_BYTES + 1)}, "pattern_size_limit"),
    ({"pattern": "é" * (MAX_PATTERN_BYTES // 2 + 1)}, "pattern_size_limit"),
    ({"expression": ""}, "validation"),
    ({"expression": " true"}, "validation"),
    ({"expression": "true\n\n"}, "validation"),
    ({"expression": True}, "yaml_invalid"),
    ({"expression": "f.toolName == 'x'"}, "semantic_type"),
    ({"expression": "f.tool"}, "semantic_result_type"),
    ({"expression": "f.tool", "enabled": False}, "semantic_result_type"),
    ({"expression": "f.commands[0].id == 1"}, "semantic_surface"),
    ({"expression": "f.tool.matches(f.cwd)"}, "semantic_regex_dynamic"),
    ({"title": ""}, "validation"),
    ({"title": None}, "validation"),
    ({"severity": "high"}, "severity"),
    ({"severity": "INFO"}, "severity"),
    ({"severity": "NONE"}, "severity"),
    ({"severity": " "}, "severity"),
    ({"severity": None}, "severity"),
    ({"confidence": None}, "confidence"),
    ({"confidence": 1.5}, "confidence"),
    ({"confidence": -1}, "confidence"),
    ({"confidence": "0.5"}, "yaml_invalid"),
    ({"confidence": True}, "yaml_invalid"),
    ({"tags": None}, "validation"),
    ({"tags": []}, "validation"),
    ({"tags": [" "]}, "validation"),
    ({"tags": ["a", "a"]}, "validation"),
    ({"tags": ["a", 1]}, "yaml_invalid"),
    ({"tags": "a"}, "yaml_invalid"),
    ({"enabled": "true"}, "yaml_invalid"),
    ({"enabled": 1}, "yaml_invalid"),
    ({"enabled": False}, "empty_category"),
    ({"tool_call_only": "no"}, "yaml_invalid"),
    ({"colour": "red"}, "yaml_invalid"),
    ({"scope": "file"}, "validation"),
    ({"validator": "magic"}, "validation"),
    ({"corroboration": {"within": 5}}, "validation"),
    ({"corroboration": {"pattern": "x", "within": 5000}}, "validation"),
    ({"corroboration": {"pattern": "(", "within": 5}}, "regex"),
    ({"profiles": {"loud": {}}}, "yaml_invalid"),
    ({"profiles": {"strict": {"pattern": "x"}}}, "yaml_invalid"),
    ({"profiles": {"strict": {"severity": "loud"}}}, "severity"),
    ({"examples": {"match": [{}]}}, "validation"),
    ({"examples": {"match": [{"sh": "a", "cmd": "b"}]}}, "validation"),
    ({"examples": {"match": [{"sh": "a", "route": "both ways"}]}}, "validation"),
    ({"examples": {"match": [{"tool": {"name": "x"}}]}}, "validation"),
    ({"examples": {"match": [{"tool": {"name": "x", "input": []}}]}}, "yaml_invalid"),
    ({"examples": {"match": [{"sh": "a"}] * 100}}, "example_count_limit"),
    ({"examples": {"maybe": []}}, "yaml_invalid"),
]


@pytest.mark.parametrize("changes, code", REFUSED)
def test_a_fault_in_one_rule_refuses_the_pack(changes: dict[str, Any], code: str) -> None:
    refused = refusal({"rules/x.yaml": rule_file(rule(**changes))})
    assert (refused.code, refused.path) == (code, "rules/x.yaml")


@pytest.mark.parametrize("key", [*rule(), "enabled", "expression", "tool_call_only", "examples"])
def test_nothing_is_no_value_of_any_key(key: str) -> None:
    text = rule_file({**rule(), key: None})
    assert refusal({"rules/x.yaml": text}).code == "yaml_invalid"


def test_a_number_that_is_none_is_outside_the_range() -> None:
    for number in ("NaN", "Infinity"):
        text = rule_file(rule()).replace(b"0.9", f".{number[:3].lower()}".encode())
        assert refusal({"rules/x.yaml": text}).code == "confidence"


# Each rule breaks the named check and every later one; the named one is reported.
FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("validation", {"id": " "}),
    ("duplicate_rule_id", {"id": "TAKEN"}),
    ("regex", {"pattern": "("}),
    ("validation", {"expression": "f.tool "}),
    ("semantic_type", {"expression": "f.nothing"}),
    ("validation", {"title": " "}),
    ("severity", {"severity": "loud"}),
    ("confidence", {"confidence": 7}),
    ("validation", {"tags": []}),
]


@pytest.mark.parametrize("position", range(len(FAULTS)))
def test_of_several_faults_of_a_rule_the_first_in_order_is_named(position: int) -> None:
    broken = rule()
    for _, fault in reversed(FAULTS[position:]):
        broken.update(fault)
    refused = refusal({"rules/x.yaml": rule_file(rule(id="TAKEN"), broken)})
    assert refused.code == FAULTS[position][0]
    key = next(iter(FAULTS[position][1]))
    assert refused.code != "validation" or key in refused.reason


def test_additions_are_read() -> None:
    (only,) = pack(
        rule(
            expression=DELETES_ROOT,
            why="Because.",
            safer="Do this.",
            detection_only=True,
            covered_by="T-2",
            validator="card",
            corroboration={"pattern": "x", "within": 5},
            profiles={"strict": {"severity": "LOW", "confidence": 0.1}},
            examples={"match": [{"sh": "a"}], "no_match": [{"pwsh": "b", "because": "c"}]},
        )
    ).rules
    assert only.profiles[Profile.STRICT].severity is Severity.LOW
    assert [e.form.value for e in only.examples] == ["sh", "pwsh"]
    assert only.examples[1].because == "c"
    assert only.corroboration is not None
    assert only.corroboration.within == 5


def test_example_text_may_come_in_pieces() -> None:
    (only,) = pack(rule(examples={"match": [{"text": ["AB", "CD"]}]})).rules
    assert only.examples[0].body == "ABCD"


def test_a_whole_number_may_stand_for_a_fraction() -> None:
    (only,) = pack(rule(confidence=1)).rules
    assert (type(only.confidence), only.confidence) == (float, 1.0)


def test_the_error_of_an_expression_says_what_is_wrong_with_it() -> None:
    refused = refusal({"rules/x.yaml": rule_file(rule(expression="f.activeHome == 'hunter2'"))})
    assert "activeHome" in refused.reason
    assert "hunter2" not in refused.reason
