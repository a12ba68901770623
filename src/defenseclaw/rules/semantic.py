"""The authoritative route: expressions decide, on all facts and then on what will execute."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from defenseclaw.cel import Budget, BudgetExceededError, EvaluationError
from defenseclaw.core.facts import ActionFacts, CommandContext, CommandEffect, restricted
from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.rules.limits import DISPATCH_COST, EVALUATION_COST
from defenseclaw.rules.model import Rule, Scope
from defenseclaw.rules.prefilter import WordIndex
from defenseclaw.rules.seen import describe_action

Projection = Callable[[ActionFacts], ActionFacts | None]


@dataclass(frozen=True, slots=True)
class Match:
    """An expression that was true, and where."""

    rule: Rule
    enforceable: bool
    seen: str


@dataclass(slots=True)
class Outcome:
    """Everything that the expressions decided about one action."""

    matches: list[Match] = field(default_factory=list)
    decided: frozenset[str] = frozenset()
    errors: tuple[str, ...] = ()


class SemanticOwners:
    """All rules with an expression."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._index = WordIndex(rules)
        self.ids = frozenset(rule.id for rule in rules)

    def evaluate(self, facts: ActionFacts, project: Projection) -> Outcome:
        """Decide every rule that the budget allows; the others stay for their patterns."""
        run = _Run(facts, project)
        outcome = Outcome()
        failed: dict[str, str] = {}
        for rule in self._index.candidates(facts):
            if code := run.decide(rule, outcome.matches):
                failed[rule.id] = code
        outcome.errors = tuple(f"{rule_id}: {code}" for rule_id, code in failed.items())
        outcome.decided = self.ids - failed.keys() if failed else self.ids
        return outcome


class _View:
    """Facts as a whole, and one command at a time where a rule asks for that."""

    def __init__(self, facts: ActionFacts) -> None:
        self.facts = facts
        self._singles: list[ActionFacts] = []

    def of(self, rule: Rule) -> list[ActionFacts]:
        """What the rule's expression is asked about; any of these being true is a match."""
        return self.singles() if rule.scope is Scope.COMMAND else [self.facts]

    def singles(self) -> list[ActionFacts]:
        """One view for each command. Commands share no facts, so all together cost as one does."""
        if len(self.facts.commands) <= 1:
            return [self.facts]
        if not self._singles:
            self._singles = list(each_command(self.facts))
        return self._singles


class _Run:
    """One action: its facts, its lazily built views and what is left of the dispatch budget."""

    def __init__(self, facts: ActionFacts, project: Projection) -> None:
        self._all = _View(facts)
        self._project = project
        self._budget = Budget(DISPATCH_COST, EVALUATION_COST)

    @cached_property
    def _executing(self) -> _View | None:
        """What will certainly execute; None where nothing may be enforced."""
        projected = self._project(self._all.facts)
        return None if projected is None else _View(projected)

    @cached_property
    def _active(self) -> _View:
        return _View(without_inert(self._all.facts))

    def decide(self, rule: Rule, matches: list[Match]) -> str:
        """Add the rule's match if there is one; a code where there was no answer."""
        try:
            if not self._true(rule, self._all):
                return ""
            enforceable = self._executing is not None and self._true(rule, self._executing)
            if not enforceable and not self._true(rule, self._active):
                return ""  # only what is a preview or proven dead matched: not an action
            seen = self._where(rule, self._executing if enforceable else self._active)
        except BudgetExceededError:
            return "budget"
        except EvaluationError:
            return "error"
        matches.append(Match(rule, enforceable and not rule.detection_only, seen))
        return ""

    def _true(self, rule: Rule, view: _View) -> bool:
        return any(self._holds(rule, facts) for facts in view.of(rule))

    def _holds(self, rule: Rule, facts: ActionFacts) -> bool:
        return rule.program is not None and rule.program.evaluate(facts, self._budget)

    def _where(self, rule: Rule, view: _View | None) -> str:
        view = view or self._all
        single = next((facts for facts in view.singles() if self._holds(rule, facts)), view.facts)
        return describe_action(single)


def without_inert(facts: ActionFacts) -> ActionFacts:
    """The facts without previews and code that is proven never to run."""
    gone = {
        command.id
        for command in facts.commands
        if command.effect is CommandEffect.PREVIEW or command.context is CommandContext.DEAD
    }
    return facts if not gone else restricted(facts, lambda owner: owner not in gone)


def each_command(facts: ActionFacts) -> Iterator[ActionFacts]:
    """The facts of one command at a time, to find the one that a rule is about."""
    for command in facts.commands:
        yield restricted(facts, command.id.__eq__)


def finding(match: Match) -> Finding:
    """A match as a finding."""
    rule = match.rule
    return Finding(
        rule_id=rule.id,
        title=rule.title,
        severity=rule.severity,
        confidence=rule.confidence,
        route=FindingRoute.SEMANTIC,
        enforceable=match.enforceable,
        tags=rule.tags,
        seen=match.seen,
        safer=rule.safer,
    )
