"""Rules prove themselves: every example runs through the real path, by both routes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from defenseclaw.core.facts import ActionFacts, FactsResult, ParseStatus
from defenseclaw.core.tool import FieldRole, Platform, ToolCall, ToolFamily, ToolSpec
from defenseclaw.core.verdict import Profile
from defenseclaw.rules.effective import effective_rules
from defenseclaw.rules.generation import Generation
from defenseclaw.rules.model import Example, ExampleForm, ExampleRoute, Pack, Rule

POSIX_PLACE = ("/srv/app", "/home/dana")
WINDOWS_PLACE = ("C:\\src\\app", "C:\\Users\\dana")
_WRITE = ToolSpec("write", ToolFamily.WRITE, {"path": FieldRole.PATH, "content": FieldRole.CONTENT})
_DIALECTS = {ExampleForm.SH: "posix", ExampleForm.PWSH: "powershell", ExampleForm.CMD: "cmd"}


@dataclass(frozen=True, slots=True)
class Analyst:
    """The analysis that examples run through: facts of a call, its execute-only view, and the
    reviewed schemas of tools by name."""

    analyze: Callable[[ToolCall], FactsResult]
    project: Callable[[ActionFacts], ActionFacts | None]
    tools: Mapping[str, ToolSpec] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExampleFailure:
    """One example that does not hold. ``route`` is the route that was taken."""

    rule_id: str
    path: str
    line: int
    route: str
    reason: str


def run_examples(
    pack: Pack, analyst: Analyst, *, base: Sequence[Pack] = (), only: str = ""
) -> list[ExampleFailure]:
    """Every example of a pack that does not hold; rules that are off are tried too.

    ``base`` are the packs that it lies over: their rules take part, and only its own are tried.
    ``only`` is the id of the one rule to try.
    """
    rules = effective_rules([*base, _enabled(pack)], Profile.DEFAULT)
    generation = Generation(rules, Profile.DEFAULT)
    # Rules about code prove themselves alone: rules about secrets would speak instead of them.
    code = Generation([rule for rule in rules if rule.code], Profile.DEFAULT)
    return [
        failure
        for rule in pack.rules
        if only in ("", rule.id)
        for example in rule.examples
        for failure in _failures(rule, example, code if rule.code else generation, analyst)
    ]


def _enabled(pack: Pack) -> Pack:
    """The pack with every rule on, under every profile."""
    return replace(
        pack,
        categories=tuple(
            replace(c, rules=tuple(replace(r, enabled=True, profiles={}) for r in c.rules))
            for c in pack.categories
        ),
    )


def call_of(example: Example, tools: Mapping[str, ToolSpec]) -> ToolCall:
    """The tool call that an example stands for."""
    body = example.body
    shown = body.get("cwd", "") if isinstance(body, Mapping) else ""
    cwd = str(example.cwd or shown)
    windows = example.form in (ExampleForm.PWSH, ExampleForm.CMD) or cwd[1:2] == ":"
    platform = Platform.WINDOWS if windows else Platform.POSIX
    default_cwd, default_home = WINDOWS_PLACE if windows else POSIX_PLACE
    cwd, home = cwd or default_cwd, example.home or default_home
    if example.form is ExampleForm.WRITTEN and isinstance(body, Mapping):
        return ToolCall("write", body, cwd, home, platform, _WRITE)
    if isinstance(body, Mapping):
        name, arguments = str(body["name"]), _arguments(body)
        return ToolCall(name, arguments, cwd, home, platform, tools.get(name))
    spec = ToolSpec(
        "shell", ToolFamily.SHELL, {"command": FieldRole.COMMAND}, _DIALECTS[example.form]
    )
    return ToolCall("shell", {"command": body}, cwd, home, platform, spec)


def _arguments(body: Mapping[str, Any]) -> Mapping[str, Any]:
    arguments = body["input"]
    return arguments if isinstance(arguments, Mapping) else {}


def _failures(
    rule: Rule, example: Example, generation: Generation, analyst: Analyst
) -> Iterator[ExampleFailure]:
    for route, hit, reason in _runs(rule, example, generation, analyst):
        if reason or hit is not example.matches:
            missed = "does not match" if example.matches else "matches"
            yield ExampleFailure(rule.id, rule.path, example.line, route, reason or missed)


def _runs(
    rule: Rule, example: Example, generation: Generation, analyst: Analyst
) -> Iterator[tuple[str, bool, str]]:
    """Route, whether the rule matched, and why the example could not be tried at all."""
    if example.form is ExampleForm.TEXT:
        found = generation.evaluate_content(str(example.body), surface="prompt")
        yield "content", any(item.rule_id == rule.id for item in found), ""
        return
    result = analyst.analyze(call_of(example, analyst.tools))
    if example.route is not ExampleRoute.FALLBACK:
        ids = {rule.id} | ({rule.covered_by} if result.authoritative else set())
        stuck = example.route is ExampleRoute.CEL and not result.authoritative
        yield "cel", _hit(generation, result, analyst, ids), "not authoritative" if stuck else ""
    if example.route is not ExampleRoute.CEL:
        yield "fallback", _hit(generation, degraded(result), analyst, {rule.id}), ""


def degraded(result: FactsResult) -> FactsResult:
    """The same call as if the analyser had met something that it does not understand."""
    facts = replace(result.facts, parse=replace(result.facts.parse, status=ParseStatus.PARTIAL))
    return replace(result, facts=facts)


def _hit(generation: Generation, result: FactsResult, analyst: Analyst, ids: set[str]) -> bool:
    evaluation = generation.evaluate_call(result, analyst.project)
    return any(finding.rule_id in ids for finding in evaluation.findings)
