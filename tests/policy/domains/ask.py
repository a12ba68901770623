"""Asking a domain's table under a profile, with parts of the data replaced."""

from __future__ import annotations

from typing import Any

from defenseclaw.core.verdict import Profile
from defenseclaw.policy import DomainName, evaluate_domain, merged, parse_data

DEFAULT, STRICT, PERMISSIVE = Profile.DEFAULT, Profile.STRICT, Profile.PERMISSIVE


def ask(
    domain: DomainName, given: dict[str, Any], profile: Profile = DEFAULT, **parts: dict[str, Any]
) -> dict[str, Any]:
    """The answer; ``parts`` change single values inside top-level keys of the data."""
    document = merged(profile)
    for key, changes in parts.items():
        document[key] = {**document[key], **changes}
    outcome = evaluate_domain(domain, given, parse_data(document))
    assert outcome.error == ""
    return dict(outcome.answer)
