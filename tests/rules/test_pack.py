"""Admission of packs: layout, order of the checks, bounds over a whole pack, and the record."""

from __future__ import annotations

import json

import pytest

from defenseclaw.cel import Code
from defenseclaw.core.limits import MAX_PACK_BYTES, MAX_PACK_COMPONENTS
from defenseclaw.core.pack import ADVICE, PackCode
from defenseclaw.core.verdict import Profile
from defenseclaw.errors import RulePackError
from defenseclaw.platform import catalog_files
from defenseclaw.rules import PackRejectedError, build_generation, components, load_pack
from defenseclaw.rules.limits import (
    MAX_CATALOG_COST,
    MAX_EXAMPLES_PER_PACK,
    MAX_EXPRESSIONS,
    MAX_RULES_PER_FILE,
    MAX_RULES_PER_PACK,
)
from tests.rules.packs import refusal, rule, rule_file

SUPPRESSIONS = json.dumps(
    {
        "version": 1,
        "pre_judge_strips": [],
        "finding_suppressions": [],
        "tool_suppressions": [],
    }
).encode()
# One fault of each part, so that a pack of several shows which is looked at first.
BROKEN_JUDGE = b"version: 2\n"
BROKEN_LOCAL = b"version: 1\n"
BROKEN_SUPPRESSIONS = b"version: 1\n"
BROKEN_TOOLS = b"version: 1\ntools: []\n"
BROKEN_RULES = rule_file(rule(severity="loud"))
MALFORMED = b"version: [\n"


@pytest.mark.parametrize(
    "files, code, path",
    [
        ({}, "inventory_empty", "."),
        ({"notes.txt": b""}, "inventory_empty", "."),
        ({"rules/x.yml": b""}, "inventory_unexpected", "rules/x.yml"),
        ({"rules/x.YAML": b""}, "inventory_unexpected", "rules/x.YAML"),
        ({"rules/.yaml": b""}, "inventory_unexpected", "rules/.yaml"),
        ({"rules/a/x.yaml": b""}, "inventory_unexpected", "rules/a/x.yaml"),
        ({"x.yaml": rule_file(rule())}, "inventory_unexpected", "x.yaml"),
        ({"../x.yaml": b""}, "inventory_unexpected", "."),
        ({"rules/x.yaml": rule_file(rule()), "y.yaml": b""}, "inventory_unexpected", "y.yaml"),
        ({"judge/other.yaml": b"version: 1\n"}, "inventory_unexpected", "judge/other.yaml"),
        ({"judge/pii.yml": b"version: 1\n"}, "inventory_unexpected", "judge/pii.yml"),
        ({f"rules/{i}.yaml": b"" for i in range(MAX_PACK_COMPONENTS + 1)}, "file_count_limit", "."),
        (
            {f"rules/{i}.yaml": b"#" * (MAX_PACK_BYTES // 4) for i in range(5)},
            "aggregate_size_limit",
            ".",
        ),
        ({"rules/x.yaml": rule_file(rule(), version=2)}, "version", "rules/x.yaml"),
        ({"rules/x.yaml": rule_file(rule(), category=" ")}, "validation", "rules/x.yaml"),
        ({"rules/x.yaml": rule_file()}, "empty_category", "rules/x.yaml"),
        ({"rules/x.yaml": b"[1]"}, "yaml_invalid", "rules/x.yaml"),
        ({"rules/x.yaml": b""}, "yaml_empty", "rules/x.yaml"),
        ({"rules/é.yaml": b""}, "yaml_empty", "."),
        ({f"rules/{'x' * 130}.yaml": b""}, "yaml_empty", "."),
    ],
)
def test_the_layout_is_closed(files: dict[str, bytes], code: str, path: str) -> None:
    refused = refusal(files)
    assert (refused.code, refused.path) == (code, path)


def test_what_is_read_comes_in_the_order_of_the_contract() -> None:
    names = ["rules/b.yaml", "README.md", "judge/pii.yaml", "suppressions.yaml", "rules/a.yaml"]
    names += ["rules/local-patterns.yaml", "judge/exfil.yaml", "sensitive-tools.yaml", "x/y.txt"]
    assert components(names) == [
        "suppressions.yaml",
        "sensitive-tools.yaml",
        "judge/exfil.yaml",
        "judge/pii.yaml",
        "rules/local-patterns.yaml",
        "rules/a.yaml",
        "rules/b.yaml",
    ]


@pytest.mark.parametrize("position", range(5))
def test_of_several_faults_the_first_in_the_contracts_order_is_named(position: int) -> None:
    """Values are checked judges first, then rules, then the others; see the next test."""
    order = [
        ("judge/pii.yaml", BROKEN_JUDGE),
        ("rules/x.yaml", BROKEN_RULES),
        ("rules/local-patterns.yaml", BROKEN_LOCAL),
        ("suppressions.yaml", BROKEN_SUPPRESSIONS),
        ("sensitive-tools.yaml", BROKEN_TOOLS),
    ]
    assert refusal(dict(order[position:])).path == order[position][0]


@pytest.mark.parametrize("position", range(6))
def test_every_file_is_decoded_before_any_value_is_checked(position: int) -> None:
    order = ["suppressions.yaml", "sensitive-tools.yaml", "judge/exfil.yaml"]
    order += ["rules/local-patterns.yaml", "rules/a.yaml", "rules/b.yaml"]
    files = dict.fromkeys(reversed(order[position:]), MALFORMED)
    refused = refusal({"judge/pii.yaml": BROKEN_JUDGE, **files})
    assert (refused.code, refused.path) == ("yaml_invalid", order[position])


def test_two_files_may_not_share_a_category_or_an_id() -> None:
    one = rule_file(rule())
    assert refusal({"rules/a.yaml": one, "rules/b.yaml": one}).code == "duplicate_category"
    other = rule_file(rule(), category="other")
    refused = refusal({"rules/a.yaml": one, "rules/b.yaml": other})
    assert (refused.code, refused.path) == ("duplicate_rule_id", "rules/b.yaml")
    assert refusal({"rules/a.yaml": rule_file(rule(), rule())}).code == "duplicate_rule_id"


def rules(count: int, **fields: object) -> bytes:
    return rule_file(*[rule(id=f"T-{n}", **fields) for n in range(count)])


def test_the_number_of_rules_is_bounded() -> None:
    most = {"rules/a.yaml": rules(MAX_RULES_PER_FILE)}
    assert len(load_pack(most, name="x").rules) == MAX_RULES_PER_FILE
    assert refusal({"rules/a.yaml": rules(MAX_RULES_PER_FILE + 1)}).code == "rule_count_limit"
    files = {
        f"rules/{part}.yaml": rule_file(
            *[rule(id=f"{part}-{n}") for n in range(MAX_RULES_PER_PACK // 4)], category=part
        )
        for part in "abcd"
    }
    files["rules/e.yaml"] = rule_file(rule(id="LAST"), category="e")
    refused = refusal(files)
    assert (refused.code, refused.rule_id) == ("rule_count_limit", "LAST")


@pytest.mark.parametrize("enabled", [True, False])
def test_expressions_are_counted_also_where_their_rule_is_off(enabled: bool) -> None:
    cheap = [rule(id=f"T-{n}", expression="f.tool == 'x'") for n in range(MAX_EXPRESSIONS)]
    assert load_pack({"rules/a.yaml": rule_file(*cheap)}, name="x")
    more = rule(id="LAST", expression="f.tool == 'x'", enabled=enabled)
    refused = refusal({"rules/a.yaml": rule_file(*cheap, more)})
    assert (refused.code, refused.rule_id) == ("semantic_rule_count_limit", "LAST")


def test_the_worst_case_of_enabled_expressions_is_bounded() -> None:
    heavy = "f.commands.exists(c, f.paths.exists(p, p.command_id == c.id && 'temp' in p.labels))"
    cost = load_pack({"rules/a.yaml": rules(1, expression=heavy)}, name="x").rules[0].program
    assert cost is not None
    fit = MAX_CATALOG_COST // cost.static_cost
    assert load_pack({"rules/a.yaml": rules(fit, expression=heavy)}, name="x")
    refused = refusal({"rules/a.yaml": rules(fit + 1, expression=heavy)})
    assert (refused.code, refused.rule_id) == ("semantic_catalog_cost_limit", f"T-{fit}")
    off = rule(id="OFF", expression=heavy, enabled=False)
    some = [rule(id=f"T-{n}", expression=heavy) for n in range(fit)]
    assert load_pack({"rules/a.yaml": rule_file(*some, off)}, name="x")


@pytest.mark.parametrize("place", ["pattern", "expression"])
def test_patterns_together_are_bounded_without_a_clock(place: str) -> None:
    large = r"\pL{100}%d"
    made = [
        rule(id=f"T-{n}", pattern=large % n)
        if place == "pattern"
        else rule(id=f"T-{n}", expression=f"f.tool.matches(r'{large % n}')")
        for n in range(40)
    ]
    refused = refusal({"rules/a.yaml": rule_file(*made)})
    assert (refused.code, refused.reason) == ("regex", "patterns are too large together")


def test_examples_together_are_bounded() -> None:
    each = {"match": [{"sh": "a"}] * 64}
    files = {"rules/a.yaml": rules(MAX_EXAMPLES_PER_PACK // 64 + 1, examples=each)}
    assert refusal(files).code == "example_count_limit"


def test_a_record_names_place_line_and_rule_and_never_content() -> None:
    text = json.dumps(json.loads(rule_file(rule(id="R-1", pattern="hunter2("))), indent=1)
    refused = refusal({"rules/x.yaml": text.encode()})
    assert isinstance(refused, RulePackError)
    assert (refused.code, refused.path, refused.rule_id) == ("regex", "rules/x.yaml", "R-1")
    assert refused.line == 1 + text[: text.index('"pattern"')].count("\n")
    assert "hunter2" not in str(refused)
    assert refused.impact
    assert "validate-pack" in refused.hint


def test_a_rule_id_that_is_no_plain_word_is_not_shown() -> None:
    refused = refusal({"rules/x.yaml": rule_file(rule(id="a\n\x1b[31mb", pattern="("))})
    assert refused.rule_id == ""
    assert "\x1b" not in str(refused)


def test_a_pack_may_hold_no_rules_at_all() -> None:
    loaded = load_pack({"suppressions.yaml": SUPPRESSIONS}, name="x")
    assert loaded.rules == ()
    assert [part.path for part in loaded.unused] == ["suppressions.yaml"]


def test_digest_follows_what_is_said_and_not_how() -> None:
    plain = rule_file(rule())
    first = load_pack({"rules/a.yaml": plain}, name="a")
    moved = load_pack({"rules/b.yaml": b"# a comment\n" + plain, "LICENSE": b"x"}, name="b")
    shuffled = load_pack(
        {"rules/a.yaml": rule_file(dict(reversed(list(rule().items()))))}, name="a"
    )
    changed = load_pack({"rules/a.yaml": rule_file(rule(title="Other"))}, name="a")
    more = load_pack({"rules/a.yaml": plain, "suppressions.yaml": SUPPRESSIONS}, name="a")
    assert first.digest == moved.digest == shuffled.digest
    assert len({first.digest, changed.digest, more.digest}) == 3
    assert len(first.digest) == 64


def test_rules_judge_alike_without_their_examples() -> None:
    files = catalog_files()
    whole, bare = (load_pack(files, name="x", examples=read) for read in (True, False))
    assert all(rule.examples for rule in whole.rules)
    assert not any(rule.examples for rule in bare.rules)
    for profile in Profile:
        first, second = (build_generation([pack], profile) for pack in (whole, bare))
        assert first.fingerprint == second.fingerprint


def test_the_summary_counts_what_the_pack_holds() -> None:
    files = {
        "rules/a.yaml": rule_file(rule(expression="f.tool == 'x'"), rule(id="B", enabled=False)),
        "suppressions.yaml": SUPPRESSIONS,
    }
    summary = load_pack(files, name="x").summary()
    assert summary["rule_count"] == 2
    assert summary["enabled_rule_count"] == summary["semantic_rule_count"] == 1
    assert summary["rule_file_count"] == 1
    assert summary["suppression_count"] == 0


def test_every_code_of_expressions_is_a_code_of_packs_and_every_code_has_advice() -> None:
    semantic = {code.value for code in PackCode if code.value.startswith("semantic_")}
    catalogue = {"semantic_rule_count_limit", "semantic_catalog_cost_limit"}
    assert semantic == {f"semantic_{code}" for code in Code} | catalogue
    assert set(ADVICE) == set(PackCode)
    assert all(text and not text.endswith(".") for text in ADVICE.values())


def test_a_refusal_of_content_is_a_refusal_of_a_pack() -> None:
    assert issubclass(PackRejectedError, RulePackError)
