"""The shipped catalogue: complete, consistent, and true to its own examples."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from defenseclaw import rules
from defenseclaw.core import facts
from defenseclaw.core.labels import HostLabel, PathLabel, Trait
from defenseclaw.core.tool import ToolFamily
from defenseclaw.core.verdict import Profile, Severity
from defenseclaw.facts import GLOBAL_TOOLS, analyze, enforcement_projection
from defenseclaw.rules import (
    Analyst,
    Example,
    Rule,
    build_generation,
    load_pack,
    run_examples,
)
from defenseclaw.rules.limits import (
    MAX_CATALOG_COST,
    MAX_EFFECTIVE_COST,
    MAX_EFFECTIVE_EXPRESSIONS,
    MAX_EXPRESSIONS,
)
from defenseclaw.rules.proof import call_of

CATALOG = Path(rules.__file__).parent / "catalog"
FILES = {f"rules/{path.name}": path.read_bytes() for path in sorted(CATALOG.glob("*.yaml"))}
PACK = load_pack(FILES, name="catalog")
ANALYST = Analyst(analyze, enforcement_projection, GLOBAL_TOOLS)
DESTRUCTIVE_VERBS = ("vcs", "database", "cloud", "cluster")
COVERING = {rule.id: rule for rule in PACK.rules}
# Lists of facts and the closed vocabulary that their words come from.
VOCABULARIES = {
    "labels": {*PathLabel, *HostLabel},
    "carries": set(PathLabel),
    "traits": set(Trait),
}
_MEMBER = re.compile(r"'([^']*)' in \w+\.(labels|traits|carries)\b")
_LISTED = re.compile(r"\w+\.(labels|traits|carries)\.exists\(\w, \w in \[([^\]]*)\]")


def ids(rule: Rule) -> str:
    return rule.id


@pytest.fixture(scope="module")
def failed() -> dict[str, list[str]]:
    """Failing examples by rule."""
    found: dict[str, list[str]] = {}
    for failure in run_examples(PACK, ANALYST):
        place = f"{failure.path}:{failure.line} by {failure.route}: {failure.reason}"
        found.setdefault(failure.rule_id, []).append(place)
    return found


@pytest.mark.parametrize("rule", PACK.rules, ids=ids)
def test_examples_hold_by_every_route_they_speak_about(
    rule: Rule, failed: dict[str, list[str]]
) -> None:
    assert failed.get(rule.id, []) == []


@pytest.mark.parametrize("rule", PACK.rules, ids=ids)
def test_every_rule_proves_itself(rule: Rule) -> None:
    matches = [e for e in rule.examples if e.matches]
    others = [e for e in rule.examples if not e.matches]
    assert len(matches) >= 3
    assert len(others) >= 3
    assert all(example.because for example in others)
    assert any(near(a, b) for a in matches for b in others), "no near miss"
    bodies = [(example.form, repr(example.body)) for example in rule.examples]
    assert len(set(bodies)) == len(bodies), "an example is repeated"


def near(match: Example, other: Example) -> bool:
    """Whether two examples are much alike: one is a near miss of the other."""
    left, right = words(match), words(other)
    if len(left & right) * 2 >= min(len(left), len(right)):
        return True
    pair = SequenceMatcher(None, str(match.body), str(other.body), autojunk=False)
    return pair.ratio() >= 0.7


def words(example: Example) -> set[str]:
    return set(re.findall(r"\w+", str(example.body).lower()))


@pytest.mark.parametrize("rule", PACK.rules, ids=ids)
def test_every_rule_explains_itself(rule: Rule) -> None:
    assert len(rule.why) > 20
    assert rule.why.endswith(".")
    assert rule.severity is Severity.LOW or rule.detection_only or rule.safer
    assert rule.safer.count(". ") <= 1
    assert re.fullmatch(r"[A-Z0-9]+(?:-[A-Z0-9]+)+|[a-z]+\.[a-z_]+", rule.id)


@pytest.mark.parametrize("rule", [r for r in PACK.rules if r.expression], ids=ids)
def test_expressions_name_words_that_exist(rule: Rule) -> None:
    for word, field in _MEMBER.findall(rule.expression):
        assert word in VOCABULARIES[field]
    for field, listed in _LISTED.findall(rule.expression):
        assert set(re.findall(r"'([^']*)'", listed)) <= VOCABULARIES[field]
    for listed in re.findall(r"f\.family in \[([^\]]*)\]", rule.expression):
        assert set(re.findall(r"'([^']*)'", listed)) <= set(ToolFamily)


@pytest.mark.parametrize("rule", [r for r in PACK.rules if r.covered_by], ids=ids)
def test_a_covering_rule_exists_and_decides(rule: Rule) -> None:
    owner = COVERING[rule.covered_by]
    assert owner.program is not None
    assert not owner.covered_by
    assert rule.program is None


@pytest.mark.parametrize("rule", [r for r in PACK.rules if r.expression], ids=ids)
def test_what_is_certain_is_enforceable(rule: Rule) -> None:
    """Some example of the rule must be able to stop a call, or the rule is a mere alarm."""
    generation = build_generation([PACK], Profile.STRICT)
    results = [analyze(call_of(e, GLOBAL_TOOLS)) for e in rule.examples if e.matches]
    found = [
        finding.enforceable
        for result in results
        for finding in generation.evaluate_call(result, enforcement_projection).findings
        if finding.rule_id == rule.id
    ]
    assert any(found) is not rule.detection_only


def test_files_hold_one_category_each_and_are_sorted() -> None:
    for category in PACK.categories:
        assert category.path == f"rules/{category.name}.yaml"
        listed = [rule.id for rule in category.rules]
        assert listed == sorted(listed)


def test_the_catalogue_has_its_size() -> None:
    counted = Counter(rule.category for rule in PACK.rules)
    assert sum(counted[name] for name in DESTRUCTIVE_VERBS) >= 60
    assert len(PACK.rules) >= 153 + 60


@pytest.mark.parametrize("profile", list(Profile))
def test_every_profile_leaves_room_for_a_pack_at_its_limits(profile: Profile) -> None:
    programs = [r.program for r in build_generation([PACK], profile).rules if r.program]
    assert sum(p.static_cost for p in programs) + MAX_CATALOG_COST <= MAX_EFFECTIVE_COST
    assert len(programs) + MAX_EXPRESSIONS <= MAX_EFFECTIVE_EXPRESSIONS


# What differs between the profiles, as the rule-pack contract lists it: None is off.
PER_PROFILE: dict[str, tuple[tuple[str, float] | None, ...]] = {
    "ENT-BULK-SSN": (("HIGH", 0.85), ("CRITICAL", 0.85), ("HIGH", 0.85)),
    "ENT-BULK-SSN-NOHYPHEN": (None, ("HIGH", 0.55), None),
    "ENT-US-PHONE": (None, ("MEDIUM", 0.5), None),
    "ENT-EMAIL-BULK": (None, ("MEDIUM", 0.4), None),
    "ENT-PASSPORT-US": (None, ("HIGH", 0.5), None),
    "ENT-DL-CA": (None, ("HIGH", 0.4), None),
    "ENT-NHS-NUMBER": (None, ("HIGH", 0.4), None),
    "ENT-IBAN": (("HIGH", 0.75), ("HIGH", 0.75), None),
    "ENT-DOB-PATTERN": (("HIGH", 0.75), ("HIGH", 0.75), None),
    "ENT-BULK-CSV-PII": (("HIGH", 0.8), ("HIGH", 0.8), None),
    "ENT-BULK-JSON-PII": (("HIGH", 0.75), ("HIGH", 0.75), None),
    "PATH-ETC-PASSWD": (("HIGH", 0.85), ("HIGH", 0.9), ("HIGH", 0.9)),
    "PATH-ETC-SHADOW": (("CRITICAL", 0.9), ("CRITICAL", 0.95), ("CRITICAL", 0.95)),
    "PATH-ETC-SUDOERS": (("HIGH", 0.85), ("HIGH", 0.9), ("HIGH", 0.9)),
}


def test_profiles_differ_in_exactly_what_is_listed() -> None:
    profiles = (Profile.DEFAULT, Profile.STRICT, Profile.PERMISSIVE)
    generations = [build_generation([PACK], profile) for profile in profiles]
    found = {}
    for listed in PACK.rules:
        seen = tuple(
            (rule.severity.value, rule.confidence) if (rule := g.rule(listed.id)) else None
            for g in generations
        )
        if len(set(seen)) > 1:
            found[listed.id] = seen
    assert found == PER_PROFILE


def test_no_example_shows_a_credential_in_one_piece() -> None:
    generation = build_generation([PACK], Profile.DEFAULT)
    for name, raw in FILES.items():
        text = raw.decode("utf-8")
        found = generation.evaluate_content(text, surface="result")
        assert [f.rule_id for f in found if f.rule_id.startswith("SEC-")] == [], name


def test_enum_words_of_expressions_are_those_of_the_facts() -> None:
    for rule in PACK.rules:
        for family, name in re.findall(r"\b([A-Z]\w+)\.([A-Z_]+)\b", rule.expression):
            assert name in getattr(facts, family).__members__
