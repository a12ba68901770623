"""Six decisions beside the hook path, each a table over data that people can replace."""

from defenseclaw.policy.domains.data import PolicyData, merged, parse_data
from defenseclaw.policy.domains.reading import DomainError
from defenseclaw.policy.domains.registry import (
    DOMAINS,
    Domain,
    EvaluationError,
    Outcome,
    PolicyEngine,
    evaluate_domain,
)
from defenseclaw.policy.domains.words import DomainName

__all__ = [
    "DOMAINS",
    "Domain",
    "DomainError",
    "DomainName",
    "EvaluationError",
    "Outcome",
    "PolicyData",
    "PolicyEngine",
    "evaluate_domain",
    "merged",
    "parse_data",
]
