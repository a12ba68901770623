"""Every row that people have written, and what of it is in force for one connector."""

from __future__ import annotations

from dataclasses import dataclass

from defenseclaw.core.controls import ListRow, Suppression
from defenseclaw.policy import Controls, effective, in_force


@dataclass(frozen=True, slots=True)
class ControlRows:
    """Every row of lists and suppressions."""

    lists: tuple[ListRow, ...] = ()
    suppressions: tuple[Suppression, ...] = ()

    def controls(self, connector: str, digest_key: bytes) -> Controls:
        """What is in force for one connector."""
        return Controls(
            effective(self.lists, connector),
            in_force(self.suppressions, connector),
            digest_key,
        )
