"""Bearer tokens: one for management, one for each connector's hook route and nothing else."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from defenseclaw.errors import DefenseClawError
from defenseclaw.gateway.guards import Refusal

SCHEME = "bearer "


@dataclass(frozen=True, slots=True)
class TokenStore:
    """Tokens are read from their protected files for each request, so rotation is immediate."""

    read_master: Callable[[], str]
    read_connector: Callable[[str], str]

    def check(self, presented: str, connector: str) -> Refusal | None:
        """None when ``presented`` is the token of the connector, or the master's for ``""``."""
        try:
            expected = self.read_connector(connector) if connector else self.read_master()
        except (DefenseClawError, FileNotFoundError):
            return Refusal(503, "no usable token is configured here; run `defenseclaw doctor`")
        if not presented or not hmac.compare_digest(presented.encode(), expected.encode()):
            return Refusal(401, "the token is missing or wrong")
        return None


def bearer_of(headers: Mapping[str, str]) -> str:
    """The bearer token of a request, or the empty string."""
    value = headers.get("authorization", "")
    return value[len(SCHEME) :].strip() if value[: len(SCHEME)].lower() == SCHEME else ""
