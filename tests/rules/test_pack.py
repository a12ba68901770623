"""Admission of packs: the public format, our additions, and every refusal with its code."""

from __future__ import annotations

from typing import Any

import pytest

from defenseclaw.core.verdict import Profile, Severity
from defenseclaw.errors import RulePackError
from defenseclaw.rules import PackRejectedError, load_pack
from defenseclaw.rules.limits import MAX_COMPONENTS, MAX_PATTERN_BYTES
from tests.rules.packs import DELETES_ROOT, pack, rule, rule_file

PUBLIC = "defenseclaw.guardrail.semantic.v1"
PUBLIC_FILE = f"""
version: 1
category: house
rules:
  - id: HOUSE-1
    enabled: true
    expression: f.paths.exists(p, p.access == {PUBLIC}.PathAccess.PATH_ACCESS_DELETE)
    pattern: '(?i)drop\\s+everything'
    tool_call_only: true
    title: Drops everything
    severity: CRITICAL
    confidence: 1
    tags: [house, "data"]
"""


def refusal(files: dict[str, bytes]) -> PackRejectedError:
    with pytest.raises(PackRejectedError) as refused:
        load_pack(files, name="x")
    return refused.value


def test_public_format_loads_unchanged() -> None:
    files = {
        "rules/house.yaml": PUBLIC_FILE.encode(),
        "suppressions.yaml": b"version: 1\npre_judge_strips: []\nfinding_suppressions: []\n"
        b"tool_suppressions: []\n",
        "judge/pii.yaml": b"version: 1\nname: pii\nenabled: false\nsystem_prompt: x\n"
        b"categories: {a: {finding_id: b, severity: LOW}}\n",
        "README.md": b"not a component",
    }
    loaded = load_pack(files, name="house")
    (only,) = loaded.rules
    assert (only.id, only.severity, only.confidence) == ("HOUSE-1", Severity.CRITICAL, 1.0)
    assert only.program is not None
    assert only.tool_call_only
    assert only.tags == ("house", "data")
    assert only.examples == ()
    assert loaded.ignored == ("judge/pii.yaml", "suppressions.yaml")


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


@pytest.mark.parametrize(
    "changes, code",
    [
        ({"id": None}, "validation"),
        ({"id": " "}, "validation"),
        ({"id": 7}, "yaml_invalid"),
        ({"pattern": None}, "validation"),
        ({"pattern": "("}, "regex"),
        ({"pattern": "(?=x)"}, "regex"),
        ({"pattern": "x" * (MAX_PATTERN_BYTES + 1)}, "pattern_size_limit"),
        ({"expression": ""}, "validation"),
        ({"expression": " true"}, "validation"),
        ({"expression": "f.toolName == 'x'"}, "semantic_type"),
        ({"expression": "f.tool"}, "semantic_result_type"),
        ({"expression": "f.tool", "enabled": False}, "semantic_result_type"),
        ({"expression": "f.commands[0].id == 1"}, "semantic_surface"),
        ({"expression": "f.tool.matches(f.cwd)"}, "semantic_regex_dynamic"),
        ({"title": ""}, "validation"),
        ({"severity": "high"}, "severity"),
        ({"severity": "INFO"}, "severity"),
        ({"severity": None}, "severity"),
        ({"confidence": None}, "confidence"),
        ({"confidence": 1.5}, "confidence"),
        ({"confidence": "0.5"}, "yaml_invalid"),
        ({"confidence": True}, "yaml_invalid"),
        ({"tags": []}, "validation"),
        ({"tags": ["a", "a"]}, "validation"),
        ({"tags": "a"}, "yaml_invalid"),
        ({"enabled": "true"}, "yaml_invalid"),
        ({"enabled": False}, "empty_category"),
        ({"colour": "red"}, "yaml_invalid"),
        ({"validator": "magic"}, "validation"),
        ({"profiles": {"loud": {}}}, "validation"),
        ({"profiles": {"strict": {"pattern": "x"}}}, "yaml_invalid"),
        ({"examples": {"match": [{}]}}, "validation"),
        ({"examples": {"match": [{"sh": "a", "cmd": "b"}]}}, "validation"),
        ({"examples": {"match": [{"tool": {"name": "x"}}]}}, "validation"),
        ({"examples": {"match": [{"sh": "a"}] * 100}}, "validation"),
    ],
)
def test_a_fault_in_one_rule_refuses_the_pack(changes: dict[str, Any], code: str) -> None:
    refused = refusal({"rules/x.yaml": rule_file(rule(**changes))})
    assert refused.code == code
    assert refused.path == "rules/x.yaml"
    assert isinstance(refused, RulePackError)
    assert refused.impact
    assert refused.hint


def test_the_first_fault_in_the_contracts_order_is_named() -> None:
    broken = rule(pattern="(", severity="x", confidence=9)
    assert refusal({"rules/x.yaml": rule_file(broken)}).code == "regex"


def test_a_refusal_names_the_rule_and_never_quotes_its_content() -> None:
    refused = refusal({"rules/x.yaml": rule_file(rule(id="SECRET-1", pattern="hunter2("))})
    assert refused.rule_id == "SECRET-1"
    assert "hunter2" not in str(refused)


@pytest.mark.parametrize(
    "files, code, path",
    [
        ({}, "inventory_empty", "."),
        ({"notes.txt": b""}, "inventory_empty", "."),
        ({"rules/x.yml": b""}, "inventory_unexpected", "rules/x.yml"),
        ({"rules/a/x.yaml": b""}, "inventory_unexpected", "rules/a/x.yaml"),
        ({"../x.yaml": b""}, "inventory_unexpected", "."),
        ({"rules/x.yaml": rule_file(rule()), "y.yaml": b""}, "inventory_unexpected", "y.yaml"),
        ({"rules/x.yaml": rule_file(rule(), version=2)}, "version", "rules/x.yaml"),
        ({"rules/x.yaml": rule_file(rule(), category=" ")}, "empty_category", "rules/x.yaml"),
        ({"rules/x.yaml": rule_file(rule(), judge={})}, "yaml_invalid", "rules/x.yaml"),
        ({"rules/x.yaml": rule_file(rule(), rule())}, "duplicate_rule_id", "rules/x.yaml"),
        ({"rules/x.yaml": b"[1]"}, "yaml_invalid", "rules/x.yaml"),
        ({"judge/pii.yaml": b"version: 1\nx: 1\n"}, "yaml_invalid", "judge/pii.yaml"),
        ({"judge/other.yaml": b"version: 1\n"}, "inventory_unexpected", "judge/other.yaml"),
        ({f"rules/{i}.yaml": b"" for i in range(MAX_COMPONENTS + 1)}, "file_count_limit", "."),
        ({f"rules/{i}.yaml": b"#" * 1_000_000 for i in range(5)}, "aggregate_size_limit", "."),
    ],
)
def test_the_inventory_is_closed(files: dict[str, bytes], code: str, path: str) -> None:
    refused = refusal(files)
    assert (refused.code, refused.path) == (code, path)


def test_two_files_may_not_share_a_category_or_an_id() -> None:
    one = rule_file(rule())
    assert refusal({"rules/a.yaml": one, "rules/b.yaml": one}).code == "duplicate_category"
    other = rule_file(rule(), category="other")
    assert refusal({"rules/a.yaml": one, "rules/b.yaml": other}).code == "duplicate_rule_id"


def test_a_flat_folder_of_rule_files_is_a_pack() -> None:
    assert load_pack({"a.yaml": rule_file(rule())}, name="x").rules[0].id == "T-1"


def test_digest_follows_the_content_and_not_the_file_names() -> None:
    first = load_pack({"rules/a.yaml": rule_file(rule())}, name="a")
    moved = load_pack({"rules/b.yaml": rule_file(rule())}, name="b")
    changed = load_pack({"rules/a.yaml": rule_file(rule(title="Other"))}, name="a")
    assert first.digest == moved.digest != changed.digest
