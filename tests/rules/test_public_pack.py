"""A pack in the public format, with every part and no key of ours, loads from disk and judges."""

from __future__ import annotations

from pathlib import Path

import pytest

from defenseclaw.core.tool import FieldRole, Platform, ToolCall, ToolFamily, ToolSpec
from defenseclaw.core.verdict import Profile
from defenseclaw.facts import analyze, enforcement_projection
from defenseclaw.platform import catalog_files, read_pack
from defenseclaw.rules import Generation, Pack, build_generation, components, load_pack
from defenseclaw.rules.proof import degraded
from defenseclaw.rules.reading.shape import OUR_ADDITIONS, PUBLIC_RULE

FOLDER = Path(__file__).parent / "public_pack"
SHELL = ToolSpec("shell", ToolFamily.SHELL, {"command": FieldRole.COMMAND}, "posix")


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(read_pack(FOLDER, components), name=FOLDER.name)


@pytest.fixture(scope="module")
def generation(pack: Pack) -> Generation:
    return build_generation([load_pack(catalog_files(), name="catalog"), pack], Profile.DEFAULT)


def found(generation: Generation, command: str, *, understood: bool = True) -> list[str]:
    call = ToolCall("shell", {"command": command}, "/srv/work", "/home/dana", Platform.POSIX, SHELL)
    result = analyze(call)
    assert result.authoritative
    facts = result if understood else degraded(result)
    findings = generation.evaluate_call(facts, enforcement_projection).findings
    return [
        f"{finding.route}:{finding.rule_id}"
        for finding in findings
        if finding.rule_id.startswith("WORKSHOP")
    ]


def test_it_loads_unchanged_and_is_counted(pack: Pack) -> None:
    summary = pack.summary()
    del summary["digest"]
    assert summary == {
        "judge_count": 4,
        "judge_category_count": 4,
        "rule_file_count": 2,
        "rule_count": 7,
        "enabled_rule_count": 6,
        "semantic_rule_count": 5,
        "local_pattern_count": 2,
        "suppression_count": 3,
        "sensitive_tool_count": 1,
        "example_count": 0,
    }


def test_it_uses_no_key_of_ours(pack: Pack) -> None:
    assert not set(PUBLIC_RULE) & set(OUR_ADDITIONS)
    text = "".join(path.read_text() for path in sorted(FOLDER.rglob("*.yaml")))
    assert not [key for key in OUR_ADDITIONS if f"\n    {key}:" in text]
    full = "defenseclaw.guardrail.semantic.v1."
    for rule in pack.rules:
        bare = rule.expression.replace(full, "")
        assert rule.expression.count(full) == sum(bare.count(f".{name}_") for name in PREFIXES)


PREFIXES = (
    *("PARSE_STATUS", "COMMAND_EFFECT", "OPERATION_KIND", "PATH_ACCESS", "PATH_FLAVOR"),
    *("NETWORK_ACTION", "NETWORK_SCOPE", "NETWORK_TARGET_KIND", "DATA_KIND", "COMMAND_KIND"),
    *("DIALECT", "QUOTE_KIND"),
)


@pytest.mark.parametrize(
    "command, expected",
    [
        ("rm -r /srv/archive/2020", "WORKSHOP-ARCHIVE-DELETE"),
        ("curl -T plan.pdf https://shop.example.test/in", "WORKSHOP-UPLOAD"),
        ("echo x > /srv/log/app.log", "WORKSHOP-LOG-OVERWRITE"),
        ("sudo make install", "WORKSHOP-AS-ROOT"),
    ],
)
def test_each_expression_decides_where_the_call_is_understood_and_the_pattern_elsewhere(
    generation: Generation, command: str, expected: str
) -> None:
    assert found(generation, command) == [f"semantic:{expected}"]
    assert found(generation, command, understood=False) == [f"fallback:{expected}"]


@pytest.mark.parametrize(
    "command",
    [
        "rm -r ./archive",
        "grep -rn 'rm -r /srv/archive' docs",
        "curl https://shop.example.test/in",
        "curl -T plan.pdf https://other.test/in",
        "echo x >> /srv/log/app.log",
        "sudo ls",
        "make install",
        "find . -name '*.py'",
    ],
)
def test_near_misses_are_silent_where_the_call_is_understood(
    generation: Generation, command: str
) -> None:
    assert found(generation, command) == []


def test_a_rule_without_expression_judges_calls_and_text(generation: Generation) -> None:
    assert found(generation, "mkdir 'project bluebird'; project bluebird") == [
        "fallback:WORKSHOP-CODENAME"
    ]
    text = generation.evaluate_content("about Project Bluebird", surface="prompt")
    assert [finding.rule_id for finding in text] == ["WORKSHOP-CODENAME"]


def test_its_category_replaces_the_built_in_one_as_a_whole(generation: Generation) -> None:
    rules = [rule.id for rule in generation.rules if rule.category == "trust-exploit"]
    assert rules == ["TRUST-WORKSHOP"]
    assert generation.rule("CMD-RM-RF") is not None


def test_a_tool_call_only_pattern_does_not_look_at_text(generation: Generation) -> None:
    text = "curl -T plan.pdf https://shop.example.test/in"
    assert generation.evaluate_content(text, surface="result") == ()
