"""Ordinary code is left alone, and weak code is seen: labelled snippets through the whole path."""

from __future__ import annotations

import pytest

from defenseclaw.core.verdict import Action, Profile, Severity
from tests.rules.code.snippets import Snippet, judge, snippets

BENIGN, VULNERABLE = snippets("benign"), snippets("vulnerable")
STOPPED = frozenset({Action.BLOCK, Action.CONFIRM})


def place(snippet: Snippet) -> str:
    return snippet.place


def test_there_are_enough_of_both() -> None:
    assert len(BENIGN) >= 150
    assert len(VULNERABLE) >= 150
    assert len({item.text for item in BENIGN + VULNERABLE}) == len(BENIGN) + len(VULNERABLE)


@pytest.mark.parametrize("profile", list(Profile))
@pytest.mark.parametrize("snippet", BENIGN, ids=place)
def test_ordinary_code_is_written(snippet: Snippet, profile: Profile) -> None:
    decision = judge(snippet.path, snippet.text, profile)
    assert decision.verdict.raw not in STOPPED, decision.verdict.reason


@pytest.mark.parametrize("snippet", VULNERABLE, ids=place)
def test_weak_code_is_seen(snippet: Snippet) -> None:
    decision = judge(snippet.path, snippet.text)
    found = {finding.rule_id: finding for finding in decision.findings}
    assert snippet.rule in found
    finding = found[snippet.rule]
    assert finding.severity.rank >= Severity.MEDIUM.rank, finding
    stops = finding.severity.rank >= Severity.HIGH.rank
    assert (decision.verdict.raw in STOPPED) is stops
