"""Connections: blocked places in every spelling, allowed ones on their ports, the default."""

from __future__ import annotations

import pytest

from defenseclaw.core.verdict import Profile
from defenseclaw.policy import DomainName
from defenseclaw.policy.domains.hosts import plain_host
from tests.policy.domains.ask import DEFAULT, PERMISSIVE, STRICT, ask

ROWS = {
    "blocked_destinations": ["bad.example", "203.0.113.7", "198.51.100.0/24", "2001:db8::/32"],
    "allowed_domains": ["good.example", "*.wide.example", "bad.example"],
    "allowed_ports": [443, 8443],
}


def connect(destination: str, port: int = 443, profile: Profile = DEFAULT) -> tuple[str, str]:
    given = {
        "target_type": "skill", "destination": destination, "port": port, "protocol": "tcp",
    }  # fmt: skip
    answer = ask(DomainName.FIREWALL, given, profile, firewall=ROWS)
    return answer["action"], answer["rule_name"]


@pytest.mark.parametrize(
    "destination",
    [
        "bad.example", "BAD.example.", "https://bad.example/x", "https://u:p@bad.example:8443",
        "deep.bad.example", "203.0.113.7", "3405803783", "0xcb007107", "0313.0.0161.7",
        "203.0.28935", "::ffff:203.0.113.7", "[::ffff:cb00:7107]:443", "198.51.100.200",
        "2001:DB8:1::1", "[2001:db8::5]", "203.0.113.7:8443",
    ],
)  # fmt: skip
def test_a_blocked_place_is_denied_however_it_is_spelled(destination: str) -> None:
    for profile in Profile:
        assert connect(destination, profile=profile) == ("deny", "block-explicit")


@pytest.mark.parametrize(
    ("destination", "port", "answer"),
    [
        ("good.example", 443, ("allow", "domain-allowlist")),
        ("GOOD.example.", 8443, ("allow", "domain-allowlist")),
        ("a.b.wide.example", 443, ("allow", "domain-allowlist")),
        ("good.example", 22, ("deny", "port-restricted")),
        ("a.wide.example", 80, ("deny", "port-restricted")),
    ],
)
def test_an_allowed_domain_is_allowed_on_the_allowed_ports(
    destination: str, port: int, answer: tuple[str, str]
) -> None:
    for profile in Profile:
        assert connect(destination, port, profile) == answer


@pytest.mark.parametrize(
    "destination",
    [
        "sub.good.example", "good.example.evil.test", "evilgood.example", "wide.example",
        "https://good.example@evil.test/", "https://evil.test/good.example", "192.0.2.1",
        "xwide.example",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("profile", "action"), [(DEFAULT, "deny"), (STRICT, "deny"), (PERMISSIVE, "allow")]
)
def test_any_other_place_is_left_to_the_profiles_default(
    destination: str, profile: Profile, action: str
) -> None:
    assert connect(destination, profile=profile) == (action, "default-policy")


@pytest.mark.parametrize("destination", ["256.1.2.3.4", "1.2.3.", "0xg", "1_0", "+1", "1..2"])
def test_what_is_no_address_stays_a_name(destination: str) -> None:
    assert plain_host(destination) in (destination, destination.rstrip("."), "1.2.0.3")


@pytest.mark.parametrize("profile", Profile)
def test_the_profiles_block_where_clouds_hand_out_credentials(profile: Profile) -> None:
    given = {"target_type": "mcp", "destination": "http://169.254.169.254/latest", "port": 80}
    answer = ask(DomainName.FIREWALL, {**given, "protocol": "tcp"}, profile)
    assert answer == {"action": "deny", "rule_name": "block-explicit"}
