"""The user's declared wrappers, admitted: a declaration may not hide a program that we know."""

from __future__ import annotations

from collections.abc import Sequence

from defenseclaw.core.tool import Wrapper
from defenseclaw.errors import ConfigError
from defenseclaw.facts import WrapperError, Wrappers, declare_wrappers


def admit_wrappers(rows: Sequence[Wrapper]) -> Wrappers:
    """The declarations as the analysis takes them. Raises ConfigError."""
    try:
        return declare_wrappers(rows)
    except WrapperError as error:
        raise ConfigError(
            f"analysis.wrappers declares {error.name}, which is already understood",
            impact="the gateway keeps its last good configuration; a stopped one does not start",
            hint=f"remove the entry of {error.name}; then run `defenseclaw config validate`",
        ) from None
