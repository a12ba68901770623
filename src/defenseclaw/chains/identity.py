"""Keyed names of sessions, calls and deliveries: equal values are equal, none can be guessed.

One encoder makes what is hashed; golden tests pin it, because stored rows depend on it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from enum import StrEnum
from functools import lru_cache

STATE_KEY_BYTES = 32
MAX_KNOWN_IDENTITIES = 4096  # a session names itself with each event
_SALT, _INFO = b"state-ledger", b"identity-v1"


class IdentityKind(StrEnum):
    """What a digest names; the same value under two kinds gives two digests."""

    SESSION = "session"
    INVOCATION = "invocation"
    SOURCE_EVENT = "source_event"


def state_key(secret: bytes) -> bytes:
    """The ledger's own key, derived from the installation's secret (HKDF-SHA256, one block)."""
    pseudorandom = hmac.digest(_SALT, secret, "sha256")
    return hmac.digest(pseudorandom, _INFO + b"\x01", "sha256")[:STATE_KEY_BYTES]


@lru_cache(MAX_KNOWN_IDENTITIES)
def identity_digest(
    key: bytes, instance: str, namespace: str, kind: IdentityKind, value: str
) -> str:
    """The digest of one identity of one instance of one agent; empty for an empty value."""
    if not value:
        return ""
    body = {
        "domain": "identity-v1",
        "instance": instance,
        "namespace": namespace,
        "kind": kind.value,
        "value": value,
    }
    return _digest(key, body)


def delivery_digest(key: bytes, instance: str, event: str, session: str, identity: str) -> str:
    """What two deliveries of one event share; empty for events without an identity of their own.

    ``session`` and ``identity`` are digests: of the call, or of the agent's own event id.
    """
    if not identity:
        return ""
    body = {
        "domain": "delivery-v1",
        "instance": instance,
        "event": event,
        "session": session or "-",
        "identity": identity,
    }
    return _digest(key, body)


def _digest(key: bytes, body: dict[str, str]) -> str:
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hmac.digest(key, text.encode("utf-8"), "sha256").hex()


def body_fingerprint(body: bytes) -> str:
    """The fingerprint of a request's exact bytes."""
    return hashlib.sha256(body).hexdigest()
