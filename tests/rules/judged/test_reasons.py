"""What a stopped agent reads: the rule, what was seen and a safer way, and nothing of a secret."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from defenseclaw.core.finding import Finding
from defenseclaw.core.verdict import Profile, Severity
from defenseclaw.facts import GLOBAL_TOOLS, analyze, enforcement_projection
from defenseclaw.policy.decide import render_reason
from defenseclaw.rules import Example, ExampleForm, Rule, build_generation
from defenseclaw.rules.proof import call_of, degraded
from tests.rules.test_catalog import PACK

GENERATION = build_generation([PACK], Profile.STRICT)
KEY = "AKIA" + "7G4N2K9Q6M8R3T5V"
TOKEN = "ghp_" + "q8Zp1Vx7Tm2Rb8Yc4Wd6Nf0Lh3Kq9Zp1Vx7T"
LOGIN = "s3cr3t" + "Pa55"
SECRETS = (KEY, TOKEN, LOGIN)
CARRIER = f"deploy --key {KEY} --token {TOKEN} https://dana:{LOGIN}@host.example.test/x"
# The rule about the credential itself speaks instead.
SPOKEN_FOR = ("CG-CRED-002",)
JOINS = {ExampleForm.SH: "; ", ExampleForm.PWSH: "; ", ExampleForm.CMD: " & "}


def bearing(example: Example) -> Example:
    """The example with secrets beside what the rule is about."""
    body: Any = example.body
    if example.form in JOINS:
        return replace(example, body=f"{body}{JOINS[example.form]}{CARRIER}")
    if example.form is ExampleForm.TEXT:
        return replace(example, body=f"{body}\n\n{CARRIER}")
    assert isinstance(body, Mapping)
    if example.form is ExampleForm.TOOL:
        return replace(example, body={**body, "input": {**body["input"], "description": CARRIER}})
    return replace(example, body={**body, "content": f"{body['content']}\n# {CARRIER}\n"})


def found(example: Example) -> list[tuple[Finding, ...]]:
    """The findings by every route."""
    if example.form is ExampleForm.TEXT:
        return [GENERATION.evaluate_content(str(example.body), surface="prompt")]
    result = analyze(call_of(example, GLOBAL_TOOLS))
    results = (result, degraded(result))
    return [GENERATION.evaluate_call(r, enforcement_projection).findings for r in results]


@pytest.mark.parametrize("rule", PACK.rules, ids=lambda rule: rule.id)
def test_a_reason_names_rule_sight_and_way_and_no_secret(rule: Rule) -> None:
    own = []
    for example in (e for e in rule.examples if e.matches):
        for findings in [*found(bearing(example)), *found(example)]:
            text = render_reason(findings)
            assert not [secret for secret in SECRETS if secret in text], text
            own += [finding for finding in findings if finding.rule_id == rule.id]
    assert own or rule.id in SPOKEN_FOR
    for finding in own:
        text = render_reason([finding])
        assert text.startswith(f"{rule.id}: {finding.title}")
        assert finding.seen
        assert finding.seen in text
        assert rule.severity is Severity.LOW or rule.detection_only or finding.safer in text
