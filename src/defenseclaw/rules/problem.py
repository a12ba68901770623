"""Why a rule pack was refused."""

from __future__ import annotations

from defenseclaw.errors import RulePackError


class PackRejectedError(RulePackError):
    """The content of a pack was refused; reading its folder fails with the plain RulePackError."""
