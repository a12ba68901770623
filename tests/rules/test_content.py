"""Rules over prompts, results and written files."""

from __future__ import annotations

from dataclasses import replace

import pytest

from defenseclaw.core.facts import ParseStatus, PathAccess, PathFact
from defenseclaw.core.finding import FindingRoute
from defenseclaw.core.verdict import Severity
from defenseclaw.rules.limits import MAX_CONTENT_CHARS
from tests.rules.packs import DELETES_ROOT, generation, result, rule, same


@pytest.mark.parametrize(
    "category, seen",
    [
        ("trust-exploit", True),
        ("secret", True),
        ("enterprise-data", True),
        ("house", True),
        ("command", False),
        ("sensitive-path", False),
        ("vcs", False),
    ],
)
def test_text_is_judged_by_rules_about_text(category: str, seen: bool) -> None:
    one = generation(rule(), category=category)
    assert bool(one.evaluate_content("a needle here", surface="prompt")) is seen


def test_rules_for_calls_only_do_not_judge_text() -> None:
    one = generation(rule(tool_call_only=True), category="house")
    assert one.evaluate_content("needle", surface="prompt") == ()


def test_expressions_never_judge_text() -> None:
    one = generation(rule(expression=DELETES_ROOT, pattern="other"), category="house")
    assert one.evaluate_content("rm -rf /", surface="prompt") == ()


def test_a_finding_names_the_surface() -> None:
    (found,) = generation(rule(), category="house").evaluate_content("needle", surface="result")
    assert found.route is FindingRoute.CONTENT
    assert found.seen == "result: needle"


def test_a_mention_without_corroboration_is_low_and_detection_only() -> None:
    second = {"pattern": "order", "within": 40}
    one = generation(rule(corroboration=second), category="trust-exploit")
    (mention,) = one.evaluate_content("needle in a document", surface="prompt")
    assert (mention.severity, mention.enforceable) == (Severity.LOW, False)
    assert mention.confidence == 0.45
    (real,) = one.evaluate_content("needle, and that is an order", surface="prompt")
    assert (real.severity, real.enforceable) == (Severity.HIGH, True)
    far = "needle" + " " * 80 + "order"
    assert one.evaluate_content(far, surface="prompt")[0].severity is Severity.LOW


def test_a_rejected_candidate_does_not_hide_a_real_one() -> None:
    one = generation(rule(pattern=r"\d{16}", validator="card"), category="house")
    text = "4111111111111111 and 4539148803436467"
    (found,) = one.evaluate_content(text, surface="prompt")
    assert "4539" in found.seen


def test_only_the_beginning_of_a_huge_text_is_read() -> None:
    one = generation(rule(), category="house")
    assert one.evaluate_content("x" * MAX_CONTENT_CHARS + "needle", surface="prompt") == ()


@pytest.mark.parametrize(
    "category, labels, expected",
    [
        ("secret", [], [True]),
        ("secret", ["fixture"], [False]),
        ("enterprise-data", [], [True]),
        ("trust-exploit", [], []),
        ("command", [], []),
    ],
)
def test_written_content_is_searched_for_data_that_must_not_spread(
    category: str, labels: list[str], expected: list[bool]
) -> None:
    path = PathFact(1, PathAccess.WRITE, value="a.py", labels=labels)
    facts = result(status=ParseStatus.COMPLETE, paths=[path])
    written = replace(facts, writes=(("a.py", "needle"),))
    found = generation(rule(), category=category).evaluate_call(written, same).findings
    assert [f.enforceable for f in found] == expected
