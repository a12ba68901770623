"""Who sent a request: somebody who holds the token, or who proves to know it.

One token is for management, one for each connector's hook route and nothing else. A hook proves
its token by a keyed digest instead of sending it, and gets a proof of the same kind with its
answer: a program that takes the port of a gateway that is down learns nothing and can forge none.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from defenseclaw.errors import DefenseClawError
from defenseclaw.gateway.guards import Refusal

SCHEME = "bearer "
PROOF_HEADER = "x-defenseclaw-proof"
EVENT_HEADER = "x-defenseclaw-event"
# Both sides read one clock; a request is used at once, or after waiting for a starting gateway.
MAX_PROOF_AGE_S = 120
RECORD_CHARS = 16  # as many as the ids of records that are not a sender's
_PROOF = re.compile(r"HMAC ([0-9]{1,12}) ([0-9a-f]{32}) ([0-9a-f]{64}) ([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated sender. ``nonce`` is empty for one that sent its token."""

    token: str
    nonce: str = ""
    body_digest: str = ""

    @property
    def record(self) -> str:
        """The number of this request, the same when it is sent again; empty if it has none."""
        return self.nonce[:RECORD_CHARS]

    def owns(self, body: bytes) -> bool:
        """Whether the body is the one that the sender vouched for."""
        return not self.nonce or sha256(body).hexdigest() == self.body_digest

    def proof(self, status: int, body: bytes) -> Mapping[str, str]:
        """The head field that shows the sender who answers; none for one that sent its token."""
        if not self.nonce:
            return {}
        digest = sha256(body).hexdigest()
        return {PROOF_HEADER: sign(self.token, f"answer\n{self.nonce}\n{status}\n{digest}")}


@dataclass(frozen=True, slots=True)
class TokenStore:
    """Tokens are read from their protected files for each request, so rotation is immediate."""

    read_master: Callable[[], str]
    read_connector: Callable[[str], str]
    now_ms: Callable[[], int]

    def check(self, headers: Mapping[str, str], path: str, connector: str) -> Caller | Refusal:
        """The sender who has the connector's token, or the master's for ``""``."""
        try:
            token = self.read_connector(connector) if connector else self.read_master()
        except (DefenseClawError, FileNotFoundError):
            return Refusal(503, "no usable token is configured here; run `defenseclaw doctor`")
        value = headers.get("authorization", "")
        found = _PROOF.fullmatch(value)
        if found is not None:
            return self._proven(token, found, path, headers.get(EVENT_HEADER, ""))
        presented = bearer_of(value)
        if not presented or not hmac.compare_digest(presented.encode(), token.encode()):
            return Refusal(401, "the token is missing or wrong")
        return Caller(token)

    def _proven(self, token: str, found: re.Match[str], path: str, event: str) -> Caller | Refusal:
        seconds, nonce, digest, mac = found.groups()
        expected = sign(token, f"request\n{path}\n{event}\n{seconds} {nonce} {digest}")
        if not hmac.compare_digest(mac, expected):
            return Refusal(401, "the proof of the token is wrong")
        if abs(self.now_ms() // 1000 - int(seconds)) > MAX_PROOF_AGE_S:
            return Refusal(401, "the proof of the token is too old")
        return Caller(token, nonce, digest)


def sign(token: str, text: str) -> str:
    """The keyed digest that both sides compute."""
    return hmac.digest(token.encode(), text.encode(), "sha256").hex()


def bearer_of(value: str) -> str:
    """The token in an Authorization field, or the empty string."""
    return value[len(SCHEME) :].strip() if value[: len(SCHEME)].lower() == SCHEME else ""
