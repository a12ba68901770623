"""Rule packs on disk as commands use them: loading, checking, and what a pack would change."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from defenseclaw.core.pack import ADVICE, PackCode
from defenseclaw.core.verdict import Profile
from defenseclaw.errors import DefenseClawError, RulePackError
from defenseclaw.facts import GLOBAL_TOOLS, analyze, enforcement_projection
from defenseclaw.platform import catalog_files, read_pack
from defenseclaw.rules import (
    Analyst,
    ExampleFailure,
    Pack,
    build_generation,
    components,
    load_pack,
    run_examples,
)

ANALYST = Analyst(analyze, enforcement_projection, GLOBAL_TOOLS)


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a pack: the record of the contract, and line and rule for people."""

    path: str
    code: PackCode
    reason: str
    line: int = 0
    rule_id: str = ""

    @property
    def place(self) -> str:
        """File, line and rule, as far as they are known."""
        line = f":{self.line}" if self.line else ""
        return f"{self.path}{line}" + (f" rule {self.rule_id}" if self.rule_id else "")

    @property
    def advice(self) -> str:
        """What the pack's author should do."""
        return ADVICE[self.code]

    def to_json(self) -> dict[str, Any]:
        """The fault as scripts read it."""
        return {
            "path": self.path,
            "code": self.code.value,
            "reason": self.reason,
            "line": self.line or None,
            "rule": self.rule_id or None,
            "advice": self.advice,
        }


@dataclass(frozen=True, slots=True)
class PackReport:
    """What checking a pack found; ``pack`` is None where it was refused."""

    pack: Pack | None
    problems: tuple[Problem, ...] = ()
    notices: tuple[str, ...] = ()


@cache
def catalog() -> Pack:
    """The built-in rules."""
    return load_pack(catalog_files(), name="catalog")


def load_directory(folder: Path) -> Pack:
    """The pack in a folder. Raises RulePackError."""
    return load_pack(read_pack(folder, components), name=folder.name)


def packs_of(folder: Path | None) -> list[Pack]:
    """The built-in rules, and the pack in a folder laid over them. Raises RulePackError."""
    return [catalog()] if folder is None else [catalog(), load_directory(folder)]


def check_directory(folder: Path) -> PackReport:
    """Load a pack, merge it under every profile, and run the examples that it brings."""
    try:
        pack = load_directory(folder)
        for profile in Profile:
            build_generation([catalog(), pack], profile)
    except RulePackError as error:
        code = PackCode(error.code)
        problem = Problem(error.path, code, error.reason, error.line, error.rule_id)
        return PackReport(None, (problem,))
    problems = tuple(map(problem_of, run_examples(pack, ANALYST, base=[catalog()])))
    return PackReport(pack, problems, tuple(notices(pack)))


def usable_folder(text: str) -> str:
    """The absolute path of a folder that holds a valid pack. Raises DefenseClawError."""
    # Not resolved: a link that is switched to a new version of the pack is a good place to name.
    folder = os.path.abspath(os.path.expanduser(text))
    report = check_directory(Path(folder))
    if report.problems:
        first = report.problems[0]
        raise DefenseClawError(
            f"the rule pack {folder} is not valid: {first.place}: {first.reason} [{first.code}]",
            impact="nothing was changed; the rules in force stay",
            hint=f"run `defenseclaw guardrail validate-pack {text}`",
        )
    return folder


def digest_of(folder: str) -> str | None:
    """The digest of the pack in a folder, None for no folder. Raises RulePackError."""
    return load_directory(Path(folder)).digest if folder else None


def problem_of(failure: ExampleFailure) -> Problem:
    """An example that does not hold, as a fault of its pack."""
    reason = f"example {failure.reason} by {failure.route}"
    return Problem(failure.path, PackCode.EXAMPLE, reason, failure.line, failure.rule_id)


def notices(pack: Pack) -> Iterator[str]:
    """What an author may not expect: parts without effect, and built-in rules that go."""
    for part in pack.unused:
        yield f"{part.path} is well-formed and has no effect: there are no model judges here"
    replaced = {category.name for category in pack.categories}
    gone = [c for c in catalog().categories if c.name in replaced]
    for category in gone:
        count = len(category.rules)
        yield f"the built-in category {category.name} is replaced as a whole ({count} rules)"
    kept = {r.id: r.category for r in catalog().rules if r.category not in replaced}
    for rule in pack.rules:
        if rule.id in kept:
            yield f"the built-in rule {rule.id} of {kept[rule.id]} is replaced"
    bare = [rule.id for rule in pack.rules if not rule.examples]
    if bare:
        yield f"{len(bare)} of {len(pack.rules)} rules bring no examples and were not tried"


def render_report(folder: str, report: PackReport) -> Iterator[str]:
    """A valid pack for people."""
    assert report.pack is not None, "a refused pack has problems instead"
    counts = report.pack.summary()
    yield f"valid: {folder}"
    yield (
        f"rules: {counts['enabled_rule_count']}/{counts['rule_count']} enabled across "
        f"{counts['rule_file_count']} files, {counts['semantic_rule_count']} with an expression"
    )
    yield (
        f"components: {counts['judge_count']} judges, {counts['judge_category_count']} judge "
        f"categories, {counts['local_pattern_count']} local patterns, "
        f"{counts['suppression_count']} suppressions, {counts['sensitive_tool_count']} tools"
    )
    yield f"examples: {counts['example_count']} hold"
    yield f"digest: {counts['digest']}"
    yield from (f"note: {notice}" for notice in report.notices)


def render_problems(folder: str, problems: Sequence[Problem]) -> Iterator[str]:
    """The faults of a pack for people: where, which rule, why, and what to do."""
    yield f"invalid: {folder}"
    for problem in problems:
        yield f"{problem.place}: {problem.reason} [{problem.code}]"
        yield f"  next: {problem.advice}"
