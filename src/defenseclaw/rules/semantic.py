"""The authoritative route: expressions decide, on all facts and then on what will execute."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from defenseclaw.cel import Budget, BudgetExceededError, EvaluationError
from defenseclaw.core.facts import ActionFacts, CommandContext, CommandEffect
from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.rules.limits import DISPATCH_COST, EVALUATION_COST
from defenseclaw.rules.model import Rule
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
        self._ids = frozenset(rule.id for rule in rules)

    def evaluate(self, facts: ActionFacts, project: Projection) -> Outcome:
        """Decide every rule that the budget allows; the others stay for their patterns."""
        run = _Run(facts, project)
        outcome = Outcome()
        failed: dict[str, str] = {}
        for rule in self._index.candidates(facts):
            if code := run.decide(rule, outcome.matches):
                failed[rule.id] = code
        outcome.errors = tuple(f"{rule_id}: {code}" for rule_id, code in failed.items())
        outcome.decided = self._ids - failed.keys()
        return outcome


class _Run:
    """One action: its facts, its lazily built views and what is left of the dispatch budget."""

    def __init__(self, facts: ActionFacts, project: Projection) -> None:
        self._facts = facts
        self._project = project
        self._projected: ActionFacts | None = None
        self._has_projected = False
        self._budget = Budget(DISPATCH_COST, EVALUATION_COST)

    def decide(self, rule: Rule, matches: list[Match]) -> str:
        """Add the rule's match if there is one; a code where there was no answer."""
        try:
            if not self._true(rule, self._facts):
                return ""
            view = self._view()
            enforceable = view is not None and self._true(rule, view)
            if not enforceable and not self._true(rule, without_inert(self._facts)):
                return ""  # only what is a preview or proven dead matched: not an action
            seen = self._where(rule, view if enforceable and view else self._facts)
        except BudgetExceededError:
            return "budget"
        except EvaluationError:
            return "error"
        matches.append(Match(rule, enforceable and not rule.detection_only, seen))
        return ""

    def _true(self, rule: Rule, facts: ActionFacts) -> bool:
        return rule.program is not None and rule.program.evaluate(facts, self._budget)

    def _view(self) -> ActionFacts | None:
        if not self._has_projected:
            self._projected = self._project(self._facts)
            self._has_projected = True
        return self._projected

    def _where(self, rule: Rule, facts: ActionFacts) -> str:
        for single in each_command(facts):
            if self._true(rule, single):
                return describe_action(single)
        return describe_action(facts)


def without_inert(facts: ActionFacts) -> ActionFacts:
    """The facts without previews and code that is proven never to run."""
    gone = {
        command.id
        for command in facts.commands
        if command.effect is CommandEffect.PREVIEW or command.context is CommandContext.DEAD
    }
    return facts if not gone else _restricted(facts, lambda owner: owner not in gone)


def each_command(facts: ActionFacts) -> Iterator[ActionFacts]:
    """The facts of one command at a time, to find the one that a rule is about."""
    for command in facts.commands:
        yield _restricted(facts, command.id.__eq__)


def _restricted(facts: ActionFacts, keeps: Callable[[int], bool]) -> ActionFacts:
    return ActionFacts(
        tool=facts.tool,
        cwd=facts.cwd,
        active_home=facts.active_home,
        parse=facts.parse,
        commands=[c for c in facts.commands if keeps(c.id)],
        paths=[p for p in facts.paths if p.command_id == 0 or keeps(p.command_id)],
        network=[n for n in facts.network if n.command_id == 0 or keeps(n.command_id)],
        data_flows=[
            f
            for f in facts.data_flows
            if all(owner == 0 or keeps(owner) for owner in (f.from_command_id, f.to_command_id))
        ],
        family=facts.family,
        mcp_server=facts.mcp_server,
        mcp_tool=facts.mcp_tool,
    )


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
