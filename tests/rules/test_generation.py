"""One rule, one route: who decides a rule on one call, and what its finding may justify."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from defenseclaw.core.facts import (
    ActionFacts,
    CommandContext,
    CommandEffect,
    CommandFact,
    ParseStatus,
    PathAccess,
    PathFact,
)
from defenseclaw.core.finding import FindingRoute
from defenseclaw.core.verdict import Profile, Severity
from defenseclaw.rules import Generation, PackRejectedError, build_generation
from tests.rules.packs import (
    DELETES_ROOT,
    deletion,
    generation,
    nothing,
    pack,
    result,
    rule,
    same,
    source,
)

OWNER = {"expression": DELETES_ROOT, "pattern": r"rm\s+-rf\s+/"}


def routes(found: Generation, facts: Any, project: Any = same) -> list[tuple[str, str, bool]]:
    findings = found.evaluate_call(facts, project).findings
    return [(f.rule_id, f.route.value, f.enforceable) for f in findings]


def test_complete_facts_are_decided_by_the_expression_alone() -> None:
    owner = generation(rule(**OWNER))
    assert routes(owner, deletion("system-root")) == [("T-1", "semantic", True)]
    assert routes(owner, deletion("project")) == []  # though the text matches the pattern


@pytest.mark.parametrize("status", [s for s in ParseStatus if s is not ParseStatus.COMPLETE])
def test_other_facts_are_decided_by_the_pattern_alone(status: ParseStatus) -> None:
    owner = generation(rule(**OWNER))
    seen = result(source("rm -rf /"), status=status)
    (found,) = owner.evaluate_call(seen, same).findings
    assert found.route is FindingRoute.FALLBACK
    blind = deletion("system-root", text="true /")
    blind.facts.parse.status = status
    elsewhere = generation(rule(expression=DELETES_ROOT, pattern="needle"))
    assert routes(elsewhere, blind) == []  # though the facts would match the expression


@pytest.mark.parametrize(
    "status, enforceable",
    [
        (ParseStatus.PARTIAL, True),
        (ParseStatus.UNSUPPORTED, True),
        (ParseStatus.INVALID, True),
        (ParseStatus.LIMIT_EXCEEDED, False),
        (ParseStatus.AMBIGUOUS, False),
        (ParseStatus.NOT_APPLICABLE, False),
    ],
)
def test_a_pattern_is_enforceable_where_the_bytes_mean_something(
    status: ParseStatus, enforceable: bool
) -> None:
    seen = result(source("needle"), status=status)
    assert routes(generation(rule()), seen) == [("T-1", "fallback", enforceable)]


def test_a_rule_without_expression_has_its_pattern_on_complete_facts_too() -> None:
    seen = result(source("needle"), status=ParseStatus.COMPLETE)
    assert routes(generation(rule()), seen) == [("T-1", "fallback", True)]


def test_what_the_execute_only_view_does_not_hold_is_detection_only() -> None:
    owner = generation(rule(**OWNER))
    uncertain = deletion("system-root", effect=CommandEffect.UNCERTAIN)
    assert routes(owner, uncertain, lambda facts: ActionFacts()) == [("T-1", "semantic", False)]
    assert routes(owner, uncertain, nothing) == [("T-1", "semantic", False)]


@pytest.mark.parametrize(
    "command",
    [{"effect": CommandEffect.PREVIEW}, {"context": CommandContext.DEAD}],
)
def test_a_preview_and_dead_code_are_no_action(command: dict[str, Any]) -> None:
    inert = deletion("system-root", **command)
    assert routes(generation(rule(**OWNER)), inert, lambda facts: ActionFacts()) == []


def test_detection_only_rules_never_enforce() -> None:
    owner = generation(rule(**OWNER, detection_only=True))
    assert routes(owner, deletion("system-root")) == [("T-1", "semantic", False)]
    assert routes(owner, result(source("rm -rf /"))) == [("T-1", "fallback", False)]


def test_a_covered_rule_speaks_only_where_its_owner_cannot() -> None:
    owner = rule(**OWNER)
    covered = rule(id="T-2", pattern="rm", covered_by="T-1")
    both = generation(owner, covered)
    assert routes(both, deletion("system-root")) == [("T-1", "semantic", True)]
    assert routes(both, deletion("project")) == []
    partial = result(source("rm -rf /"))
    assert [r[0] for r in routes(both, partial)] == ["T-1", "T-2"]
    alone = generation(covered)
    assert [r[0] for r in routes(alone, deletion("project"))] == ["T-2"]


PAIRED = (
    "f.commands.exists(c, c.program == 'chmod')"
    " && f.paths.exists(p, p.access == PathAccess.METADATA && 'shadow' in p.labels)"
)


@pytest.mark.parametrize(
    "scope, owner, matches",
    [("command", 1, True), ("command", 2, False), (None, 2, True)],
)
def test_a_rule_about_one_command_does_not_see_its_neighbours(
    scope: str | None, owner: int, matches: bool
) -> None:
    facts = result(
        status=ParseStatus.COMPLETE,
        commands=[CommandFact(1, program="chmod"), CommandFact(2, program="stat")],
        paths=[PathFact(owner, PathAccess.METADATA, labels=["shadow"])],
    )
    one = generation(rule(expression=PAIRED, scope=scope))
    assert bool(routes(one, facts)) is matches


def test_an_expression_over_budget_leaves_its_rule_to_the_pattern() -> None:
    costly = rule(
        id="T-9",
        pattern="rm",
        expression="f.commands.exists(c, f.paths.exists(p, p.command_id == c.id && p.value == ''))",
    )
    false = rule(id="T-8", pattern="rm", expression="f.paths.exists(p, 'fixture' in p.labels)")
    both = generation(costly, rule(**OWNER), false)
    facts = deletion("system-root")
    facts.facts.commands = facts.facts.commands * 2000
    facts.facts.paths += [PathFact(1, PathAccess.READ, value="x")] * 2000
    evaluation = both.evaluate_call(facts, same)
    assert evaluation.errors == ("T-9: budget",)
    by_id = {f.rule_id: f.route for f in evaluation.findings}
    assert by_id == {"T-9": FindingRoute.FALLBACK, "T-1": FindingRoute.SEMANTIC}


def test_findings_come_in_rule_order_once_each() -> None:
    many = generation(rule(id="B", pattern="x"), rule(id="A", pattern="y"))
    seen = result(source("y x"), source("x y", field="other"))
    assert [r[0] for r in routes(many, seen)] == ["B", "A"]


def test_a_finding_says_what_was_seen_and_what_to_do() -> None:
    owner = generation(rule(**OWNER, safer="Use a folder of your own."))
    (found,) = owner.evaluate_call(deletion("system-root"), same).findings
    assert found.seen == "rm; delete / (system-root)"
    assert found.safer == "Use a folder of your own."


def test_profiles_change_severity_and_whether_a_rule_is_on() -> None:
    deltas = {"strict": {"severity": "CRITICAL"}, "permissive": {"enabled": False}}
    one = rule(profiles=deltas)
    assert generation(one).rules[0].severity is Severity.HIGH
    assert generation(one, profile=Profile.STRICT).rules[0].severity is Severity.CRITICAL
    assert generation(one, profile=Profile.PERMISSIVE).rules == ()


def test_a_later_pack_replaces_a_category_and_adds_new_ones() -> None:
    base = pack(rule(id="A"), rule(id="B"))
    over = pack(rule(id="C"))
    other = pack(rule(id="D"), category="house")
    merged = build_generation([base, over, other], Profile.DEFAULT)
    assert [r.id for r in merged.rules] == ["C", "D"]
    assert merged.rule("C") is merged.rules[0]
    assert merged.rule("A") is None


def test_a_later_packs_rule_takes_the_place_of_one_with_its_id() -> None:
    base = pack(rule(), rule(id="T-2"))
    over = pack(rule(severity="LOW"), category="house")
    merged = build_generation([base, over], Profile.DEFAULT)
    assert [(r.id, r.category) for r in merged.rules] == [("T-2", "command"), ("T-1", "house")]
    off = pack(rule(enabled=False), rule(id="T-3"), category="house")
    assert [r.id for r in build_generation([base, off], Profile.DEFAULT).rules] == ["T-2", "T-3"]


def test_two_packs_at_their_limits_fit_together_and_a_third_does_not() -> None:
    heavy = "f.commands.exists(c, f.paths.exists(p, p.command_id == c.id && 'temp' in p.labels))"
    packs = [
        pack(*[rule(id=f"T-{part}-{n}", expression=heavy) for n in range(13)], category=part)
        for part in "abc"
    ]
    assert build_generation(packs[:2], Profile.DEFAULT)
    with pytest.raises(PackRejectedError) as refused:
        build_generation(packs, Profile.DEFAULT)
    assert refused.value.code == "semantic_catalog_cost_limit"


def test_expressions_of_packs_together_are_counted() -> None:
    packs = [
        pack(
            *[rule(id=f"T-{part}-{n}", expression="f.tool == 'x'") for n in range(200)],
            category=part,
        )
        for part in "abc"
    ]
    with pytest.raises(PackRejectedError) as refused:
        build_generation(packs, Profile.DEFAULT)
    assert refused.value.code == "semantic_rule_count_limit"


def test_fingerprint_changes_with_what_can_change_a_verdict() -> None:
    first = generation(rule())
    assert first.fingerprint == generation(rule(why="Other words.")).fingerprint
    assert first.fingerprint != generation(rule(severity="LOW")).fingerprint
    assert first.fingerprint != generation(rule(pattern="other")).fingerprint
    assert first.fingerprint != generation(rule(), profile=Profile.STRICT).fingerprint


def test_a_generation_serves_many_threads() -> None:
    owner = generation(rule(**OWNER), rule(id="T-2", pattern="rm"))
    facts = deletion("system-root")
    seen: list[int] = []

    def run() -> None:
        seen.extend(len(owner.evaluate_call(facts, same).findings) for _ in range(50))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [2] * 200
