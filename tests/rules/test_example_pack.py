"""The pack that authors start from is valid, proves itself, and adds to the built-in rules."""

from __future__ import annotations

from pathlib import Path

from defenseclaw.core.verdict import Profile, Severity
from defenseclaw.facts import GLOBAL_TOOLS, analyze, enforcement_projection
from defenseclaw.platform import catalog_files, read_pack
from defenseclaw.rules import Analyst, build_generation, components, load_pack, run_examples

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "rule-pack"
PACK = load_pack(read_pack(FOLDER, components), name=FOLDER.name)
CATALOG = load_pack(catalog_files(), name="catalog")


def test_every_example_holds_alone_and_over_the_built_in_rules() -> None:
    analyst = Analyst(analyze, enforcement_projection, GLOBAL_TOOLS)
    assert run_examples(PACK, analyst) == []
    assert run_examples(PACK, analyst, base=[CATALOG]) == []


def test_every_rule_is_complete() -> None:
    for rule in PACK.rules:
        assert rule.why
        assert rule.safer
        assert sum(example.matches for example in rule.examples) >= 3
        assert sum(not example.matches for example in rule.examples) >= 3


def test_built_in_rules_stay() -> None:
    for profile in Profile:
        alone = build_generation([CATALOG], profile)
        both = build_generation([CATALOG, PACK], profile)
        assert {rule.id for rule in both.rules} >= {rule.id for rule in alone.rules}
        assert both.fingerprint != alone.fingerprint
    strict = build_generation([CATALOG, PACK], Profile.STRICT).rule("RELEASE-TAG-MOVED")
    assert strict is not None
    assert strict.severity is Severity.CRITICAL
    assert build_generation([CATALOG, PACK], Profile.PERMISSIVE).rule("RELEASE-TAG-MOVED") is None
