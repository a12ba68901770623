"""Names of sessions and calls: exact values only, keyed, and pinned."""

from __future__ import annotations

from defenseclaw.chains import (
    IdentityKind,
    body_fingerprint,
    delivery_digest,
    identity_digest,
    state_key,
)

KEY = state_key(b"s" * 32)


def test_digests_differ_by_everything_that_they_name() -> None:
    base = ("instance", "agent", IdentityKind.SESSION, "id")
    digests = {
        identity_digest(KEY, *base),
        identity_digest(KEY, "other", *base[1:]),
        identity_digest(KEY, "instance", "other", *base[2:]),
        identity_digest(KEY, "instance", "agent", IdentityKind.INVOCATION, "id"),
        identity_digest(KEY, "instance", "agent", IdentityKind.SESSION, "ID"),
        identity_digest(state_key(b"t" * 32), *base),
    }
    assert len(digests) == 6


def test_digests_are_pinned() -> None:
    """Stored rows depend on the encoder: a change of these values forgets every session."""
    session = identity_digest(KEY, "i", "a", IdentityKind.SESSION, "é")
    assert session == PINNED_SESSION
    assert delivery_digest(KEY, "i", "E", session, "c") == PINNED_DELIVERY


PINNED_SESSION = "6ff994db4f7033660cd42b918472698287a6a1a7fc41add2f8ec2a6024a0e407"
PINNED_DELIVERY = "c8c8c921bd825e51f806cdf9e169fc8c9c0185c8e428405540ea6acab8748ecd"


def test_nothing_names_nothing() -> None:
    assert identity_digest(KEY, "i", "a", IdentityKind.SESSION, "") == ""
    assert delivery_digest(KEY, "i", "E", "s", "") == ""


def test_fingerprint_is_of_the_exact_bytes() -> None:
    assert body_fingerprint(b"{}") != body_fingerprint(b"{ }")
    assert len(body_fingerprint(b"")) == 64
