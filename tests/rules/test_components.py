"""Parts of the public format that have no effect here: checked as the format demands."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from defenseclaw.rules import load_pack
from defenseclaw.rules.limits import (
    MAX_JUDGE_CATEGORIES,
    MAX_LOCAL_PATTERNS,
    MAX_PATTERN_BYTES,
    MAX_SENSITIVE_TOOLS,
    MAX_SUPPRESSIONS,
)
from tests.rules.packs import refusal

VALID: dict[str, dict[str, Any]] = {
    "judge/injection.yaml": {
        "version": 1,
        "name": "injection",
        "enabled": True,
        "system_prompt": "Look for orders.",
        "adjudication_prompt": "Decide.",
        "categories": {
            "override": {"finding_id": "J-1", "severity": "HIGH", "enabled": False},
            "leak": {
                "finding_id": "J-2",
                "severity_default": "LOW",
                "severity_prompt": "MEDIUM",
                "severity_completion": "CRITICAL",
            },
        },
        "min_categories_for_high": 0,
        "min_categories_for_critical": 2,
        "single_category_max_severity": "HIGH",
    },
    "rules/local-patterns.yaml": {
        "version": 1,
        "injection": ["do as i say"],
        "injection_regexes": ["(?i)obey"],
        "pii_requests": [],
        "pii_data_regexes": [r"\d{9}"],
        "secrets": ["swordfish"],
        "exfiltration": ["send it to"],
    },
    "suppressions.yaml": {
        "version": 1,
        "pre_judge_strips": [
            {"id": "S-1", "pattern": "^from: .*$", "context": "mail", "applies_to": ["pii"]}
        ],
        "finding_suppressions": [
            {
                "id": "S-2",
                "finding_pattern": "J-.*",
                "entity_pattern": "^1[0-9]{9}$",
                "condition": "is_epoch",
                "reason": "a time",
            }
        ],
        "tool_suppressions": [
            {"tool_pattern": "status_.*", "suppress_findings": ["J-1"], "reason": "status"}
        ],
    },
    "sensitive-tools.yaml": {
        "version": 1,
        "tools": [
            {
                "name": "people_list",
                "result_inspection": True,
                "judge_result": True,
                "min_entities_for_alert": 3,
            },
            {"name": "people_count", "result_inspection": True, "judge_result": False},
        ],
    },
}
JUDGE, LOCAL, SUPPRESS, TOOLS = VALID
CATEGORY = ("categories", "override")
STRIP, FINDING = ("pre_judge_strips", 0), ("finding_suppressions", 0)
TOOL_RULE, TOOL = ("tool_suppressions", 0), ("tools", 0)
LONG = "x" * (MAX_PATTERN_BYTES + 1)
GONE = object()
Change = tuple[Any, ...]
# component, path to a value, its new value, the code
BROKEN: list[tuple[str, Change, Any, str]] = [
    *[(part, ("version",), 2, "version") for part in VALID],
    *[(part, ("version",), GONE, "version") for part in VALID],
    *[(part, ("version",), "1", "yaml_invalid") for part in VALID],
    *[(part, ("colour",), "red", "yaml_invalid") for part in VALID],
    (JUDGE, ("name",), "pii", "validation"),
    (JUDGE, ("enabled",), GONE, "validation"),
    (JUDGE, ("enabled",), "yes", "yaml_invalid"),
    (JUDGE, ("system_prompt",), " ", "validation"),
    (JUDGE, ("system_prompt",), None, "yaml_invalid"),
    (JUDGE, ("adjudication_prompt",), " ", "validation"),
    (JUDGE, ("categories",), GONE, "validation"),
    (JUDGE, ("categories",), {}, "validation"),
    (JUDGE, ("categories",), [], "yaml_invalid"),
    (JUDGE, ("categories", " "), {"finding_id": "J-3", "severity": "LOW"}, "validation"),
    (JUDGE, (*CATEGORY, "finding_id"), GONE, "validation"),
    (JUDGE, (*CATEGORY, "finding_id"), "J-2", "duplicate_finding_id"),
    (JUDGE, (*CATEGORY, "severity"), GONE, "severity"),
    (JUDGE, (*CATEGORY, "severity"), "high", "severity"),
    (JUDGE, (*CATEGORY, "severity"), "NONE", "severity"),
    (JUDGE, (*CATEGORY, "enabled"), 1, "yaml_invalid"),
    (JUDGE, ("min_categories_for_high",), 3, "validation"),
    (JUDGE, ("min_categories_for_high",), -1, "validation"),
    (JUDGE, ("min_categories_for_critical",), 1.0, "yaml_invalid"),
    (JUDGE, ("single_category_max_severity",), "loud", "severity"),
    (LOCAL, ("injection",), [" "], "validation"),
    (LOCAL, ("injection",), ["a", "a"], "validation"),
    (LOCAL, ("injection",), [LONG], "pattern_size_limit"),
    (LOCAL, ("injection_regexes",), ["("], "regex"),
    (LOCAL, ("pii_data_regexes",), [LONG], "pattern_size_limit"),
    (LOCAL, ("secrets",), ["a"] * 5 + [7], "yaml_invalid"),
    (LOCAL, ("secrets",), None, "yaml_invalid"),
    (LOCAL, ("secrets",), [str(n) for n in range(MAX_LOCAL_PATTERNS)], "pattern_count_limit"),
    (SUPPRESS, ("tool_suppressions",), GONE, "validation"),
    (SUPPRESS, (*STRIP, "id"), " ", "validation"),
    (SUPPRESS, (*STRIP, "id"), "S-2", "duplicate_suppression_id"),
    (SUPPRESS, (*STRIP, "pattern"), "(", "regex"),
    (SUPPRESS, (*STRIP, "pattern"), LONG, "pattern_size_limit"),
    (SUPPRESS, (*STRIP, "context"), GONE, "validation"),
    (SUPPRESS, (*STRIP, "applies_to"), [], "validation"),
    (SUPPRESS, (*STRIP, "applies_to"), ["pii", "pii"], "validation"),
    (SUPPRESS, (*STRIP, "applies_to"), ["everyone"], "validation"),
    (SUPPRESS, (*FINDING, "finding_pattern"), GONE, "validation"),
    (SUPPRESS, (*FINDING, "entity_pattern"), "(", "regex"),
    (SUPPRESS, (*FINDING, "condition"), "is_weekend", "validation"),
    (SUPPRESS, (*FINDING, "reason"), " ", "validation"),
    (SUPPRESS, (*TOOL_RULE, "tool_pattern"), "(", "regex"),
    (SUPPRESS, (*TOOL_RULE, "suppress_findings"), [], "validation"),
    (SUPPRESS, (*TOOL_RULE, "reason"), GONE, "validation"),
    (TOOLS, ("tools",), GONE, "validation"),
    (TOOLS, ("tools",), [], "validation"),
    (TOOLS, (*TOOL, "name"), " people_list", "validation"),
    (TOOLS, (*TOOL, "name"), "people_count", "duplicate_tool"),
    (TOOLS, (*TOOL, "result_inspection"), GONE, "validation"),
    (TOOLS, (*TOOL, "result_inspection"), False, "validation"),
    (TOOLS, (*TOOL, "judge_result"), GONE, "validation"),
    (TOOLS, (*TOOL, "min_entities_for_alert"), -1, "validation"),
    (TOOLS, ("tools", 1, "result_inspection"), False, "validation"),
]


def changed(part: str, path: Change, value: Any) -> bytes:
    """The valid component with one value replaced or taken away, as a file."""
    document = copy.deepcopy(VALID[part])
    holder: Any = document
    for step in path[:-1]:
        holder = holder[step]
    if value is GONE:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return json.dumps(document).encode()


def files(**other: bytes) -> dict[str, bytes]:
    return {part: json.dumps(document).encode() for part, document in VALID.items()} | other


def test_valid_parts_are_accepted_and_counted() -> None:
    loaded = load_pack(files(), name="x")
    assert [(part.path, part.entries) for part in loaded.unused] == [
        (JUDGE, 2),
        (LOCAL, 5),
        (SUPPRESS, 3),
        (TOOLS, 2),
    ]
    counts = loaded.summary()
    assert (counts["judge_count"], counts["judge_category_count"]) == (1, 2)
    assert counts["local_pattern_count"] == 5
    assert counts["suppression_count"] == 3
    assert counts["sensitive_tool_count"] == 2


@pytest.mark.parametrize(
    "part, path, value, code",
    BROKEN,
    ids=[f"{p}-{'.'.join(map(str, w))}-{c}" for p, w, _, c in BROKEN],
)
def test_one_fault_refuses_the_pack(part: str, path: Change, value: Any, code: str) -> None:
    refused = refusal({part: changed(part, path, value)})
    assert (refused.code, refused.path) == (code, part)


def test_a_finding_id_is_unique_over_all_judges() -> None:
    other = VALID[JUDGE] | {"name": "pii"}
    refused = refusal(files(**{"judge/pii.yaml": json.dumps(other).encode()}))
    assert (refused.code, refused.path) == ("duplicate_finding_id", "judge/pii.yaml")


def test_categories_of_all_judges_are_counted_together() -> None:
    def judge(name: str, count: int) -> bytes:
        categories = {
            f"c{n}": {"finding_id": f"{name}-{n}", "severity": "LOW"} for n in range(count)
        }
        head = {"version": 1, "name": name, "enabled": True, "system_prompt": "x"}
        return json.dumps({**head, "categories": categories}).encode()

    half = MAX_JUDGE_CATEGORIES // 2
    fits = {"judge/pii.yaml": judge("pii", half), "judge/exfil.yaml": judge("exfil", half)}
    assert load_pack(fits, name="x").summary()["judge_category_count"] == MAX_JUDGE_CATEGORIES
    more = fits | {"judge/injection.yaml": judge("injection", 1)}
    assert refusal(more).code == "category_count_limit"


@pytest.mark.parametrize(
    "lists, code",
    [
        ({}, "validation"),
        ({"secrets": []}, None),
        ({key: [] for key in list(VALID[LOCAL])[1:]}, "validation"),
        ({key: [] for key in list(VALID[LOCAL])[1:]} | {"secrets": ["x"]}, None),
    ],
)
def test_an_absent_list_is_kept_and_an_empty_one_is_cleared(
    lists: dict[str, list[str]], code: str | None
) -> None:
    made = {LOCAL: json.dumps({"version": 1, **lists}).encode()}
    if code:
        assert refusal(made).code == code
    else:
        assert load_pack(made, name="x")


def test_long_lists_are_refused() -> None:
    rows = [
        {"tool_pattern": f"t{n}", "suppress_findings": ["a"], "reason": "b"}
        for n in range(MAX_SUPPRESSIONS)
    ]
    made = changed(SUPPRESS, ("tool_suppressions",), rows)
    assert refusal({SUPPRESS: made}).code == "suppression_count_limit"
    tools = [
        {"name": f"t{n}", "result_inspection": True, "judge_result": False}
        for n in range(MAX_SENSITIVE_TOOLS + 1)
    ]
    assert refusal({TOOLS: changed(TOOLS, ("tools",), tools)}).code == "tool_count_limit"


def test_two_tool_suppressions_may_not_share_a_pattern() -> None:
    row = VALID[SUPPRESS]["tool_suppressions"][0]
    made = changed(SUPPRESS, ("tool_suppressions",), [row, row])
    assert refusal({SUPPRESS: made}).code == "duplicate_suppression_id"
