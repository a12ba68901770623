"""Policy: from findings and controls to what the agent is told."""

from defenseclaw.policy.controls import ALLOWED, Controls
from defenseclaw.policy.decide import (
    THRESHOLDS,
    Ground,
    Situation,
    Surface,
    apply_mode,
    decide,
    raw_action,
    render_reason,
    weigh,
)
from defenseclaw.policy.domains import (
    DOMAINS,
    Domain,
    DomainError,
    DomainName,
    EvaluationError,
    Outcome,
    PolicyData,
    PolicyEngine,
    evaluate_domain,
    merged,
    parse_data,
)
from defenseclaw.policy.lists import Lists, block_finding, effective
from defenseclaw.policy.suppressions import CallSubject, Suppressions, Waiver, in_force

__all__ = [
    "ALLOWED",
    "DOMAINS",
    "THRESHOLDS",
    "CallSubject",
    "Controls",
    "Domain",
    "DomainError",
    "DomainName",
    "EvaluationError",
    "Ground",
    "Lists",
    "Outcome",
    "PolicyData",
    "PolicyEngine",
    "Situation",
    "Suppressions",
    "Surface",
    "Waiver",
    "apply_mode",
    "block_finding",
    "decide",
    "effective",
    "evaluate_domain",
    "in_force",
    "merged",
    "parse_data",
    "raw_action",
    "render_reason",
    "weigh",
]
