"""What a person or an administrator has said about calls, beside the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from defenseclaw.core.controls import ListRow
from defenseclaw.core.finding import Finding
from defenseclaw.policy.lists import Lists, is_lifted
from defenseclaw.policy.suppressions import CallSubject, Suppressions, Waiver

ALLOWED = "tool-allow"  # what a waiver names where an allowed tool's finding has no effect


@dataclass(frozen=True, slots=True)
class Controls:
    """Lists and suppressions in force for one connector, and the key of their digests."""

    lists: Lists = field(default_factory=Lists)
    suppressions: Suppressions = field(default_factory=Suppressions)
    digest_key: bytes = b""

    def waive(
        self, findings: Sequence[Finding], subject: CallSubject, row: ListRow | None
    ) -> tuple[tuple[Finding, ...], tuple[Waiver, ...]]:
        """(findings that stay, findings without effect) once suppressions and an allow are applied.

        ``row`` is the list row of the call, never a blocking one.
        """
        kept, waived = self.suppressions.waive(findings, subject)
        if row is None:
            return kept, waived
        lifted = tuple(Waiver(finding, ALLOWED) for finding in kept if is_lifted(finding))
        return tuple(f for f in kept if not is_lifted(f)), (*waived, *lifted)
