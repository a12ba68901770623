"""Taking the effect from findings that a person has judged to be fine, as narrowly as they did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from defenseclaw.core.controls import EVERY_CONNECTOR, Suppression, plain_path
from defenseclaw.core.facts import ActionFacts, ParseStatus, PathAccess, PathFact, PathFlavor
from defenseclaw.core.finding import Finding


@dataclass(frozen=True, slots=True)
class Waiver:
    """A finding without effect, and what took it away: a suppression's id or ``tool-allow``."""

    finding: Finding
    by: str


@dataclass(frozen=True, slots=True)
class CallSubject:
    """What a suppression is compared with. ``digest`` is the keyed digest of the call."""

    tool: str
    digest: str
    now_ms: int
    facts: ActionFacts | None = None

    def is_covered(self, row: Suppression) -> bool:
        """Whether the row is about this call and still in force."""
        if row.tool != self.tool or self.now_ms >= row.expires_ms:
            return False
        return row.call == self.digest if row.call else self._is_below(row.path)

    def _is_below(self, root: str) -> bool:
        """Whether everything that the call reads or changes is known, and is or is below it."""
        if self.facts is None or self.facts.parse.status is not ParseStatus.COMPLETE:
            return False
        paths = [p for p in self.facts.paths if p.access is not PathAccess.EXECUTE]
        return bool(paths) and all(_is_at_or_below(p, plain_path(root)) for p in paths)


def _is_at_or_below(path: PathFact, root: str) -> bool:
    found = path.resolved
    if path.flavor is PathFlavor.WINDOWS:  # one file has names of many cases there
        found, root = found.casefold(), root.casefold()
    return not path.remote and (found == root or found.startswith(root.rstrip("/") + "/"))


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The rows in force for one connector, by rule."""

    by_rule: Mapping[str, tuple[Suppression, ...]] = field(default_factory=dict)

    def waive(
        self, findings: Sequence[Finding], subject: CallSubject
    ) -> tuple[tuple[Finding, ...], tuple[Waiver, ...]]:
        """(findings that stay, findings without effect)."""
        kept: list[Finding] = []
        waived: list[Waiver] = []
        for finding in findings:
            rows = self.by_rule.get(finding.rule_id, ())
            row = next((row for row in rows if subject.is_covered(row)), None)
            if row is None:
                kept.append(finding)
            else:
                waived.append(Waiver(finding, row.id))
        return tuple(kept), tuple(waived)


def in_force(rows: Iterable[Suppression], connector: str) -> Suppressions:
    """The rows of a connector, by rule; rows that may not stand are left out."""
    by_rule: dict[str, tuple[Suppression, ...]] = {}
    for row in rows:
        if row.connector in (EVERY_CONNECTOR, connector) and row.refusal() is None:
            by_rule[row.rule] = (*by_rule.get(row.rule, ()), row)
    return Suppressions(by_rule)
