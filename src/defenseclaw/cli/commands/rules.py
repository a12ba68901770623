"""``defenseclaw rules``: what the rules know, and whether they keep their promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from defenseclaw.cli.output import (
    EXIT_FAILED,
    json_option,
    print_items,
    print_json,
    print_table,
    reports_errors,
)
from defenseclaw.cli.packs import ANALYST, catalog, packs_of, problem_of
from defenseclaw.core.verdict import Profile
from defenseclaw.errors import DefenseClawError
from defenseclaw.rules import Pack, Rule, build_generation, run_examples
from defenseclaw.telemetry import printable

profile_option = click.option(
    "--profile",
    type=click.Choice([p.value for p in Profile]),
    default="default",
    help="As this profile has them.",
)
pack_option = click.option(
    "--pack", type=click.Path(path_type=Path), help="With this rule pack over the built-in rules."
)


def rules_of(profile: str, pack: Path | None = None) -> tuple[Rule, ...]:
    """The rules in force under a profile."""
    return build_generation(packs_of(pack), Profile(profile)).rules


def describe(rule: Rule) -> dict[str, Any]:
    """A rule as scripts read it."""
    return {
        "id": rule.id,
        "category": rule.category,
        "title": rule.title,
        "severity": rule.severity.value,
        "confidence": rule.confidence,
        "tags": list(rule.tags),
        "why": rule.why,
        "safer": rule.safer,
        "expression": rule.expression,
        "pattern": rule.pattern,
        "detection_only": rule.detection_only,
        "code": [
            {
                "files": list(row.files),
                "pattern": row.pattern,
                "reads": row.view.value,
                "check": row.check.value if row.check else "",
            }
            for row in rule.code
        ],
    }


@click.group()
def rules() -> None:
    """List, show and test rules."""


@rules.command("list")
@profile_option
@pack_option
@json_option
@reports_errors
def list_rules(profile: str, pack: Path | None, as_json: bool) -> None:
    """List the rules in force."""
    found = rules_of(profile, pack)
    if as_json:
        print_items([describe(rule) for rule in found])
        return
    print_table(
        ("rule", "severity", "category", "title"),
        [(rule.id, rule.severity.value, rule.category, rule.title) for rule in found],
    )


@rules.command("show")
@click.argument("rule_id")
@profile_option
@pack_option
@json_option
@reports_errors
def show(rule_id: str, profile: str, pack: Path | None, as_json: bool) -> None:
    """Show one rule: what it sees, why, and its own examples."""
    rule = next((r for r in rules_of(profile, pack) if r.id == rule_id), None)
    if rule is None:
        raise DefenseClawError(
            f"no rule {rule_id!r} is in force under {profile}", hint="run `defenseclaw rules list`"
        )
    if as_json:
        print_json(describe(rule))
        return
    # A pack's texts are its author's.
    click.echo(f"{printable(rule.id)}  {rule.severity}  {printable(rule.category)}")
    click.echo(f"{printable(rule.title)}\n\n{printable(rule.why)}")
    if rule.safer:
        click.echo(f"\nsafer: {printable(rule.safer)}")
    for wanted, title in ((True, "matches"), (False, "does not match")):
        click.echo(f"\n{title}:")
        for example in rule.examples:
            if example.matches is wanted:
                why = f"   ({example.because})" if example.because else ""
                click.echo(f"  {example.form.value}: {printable(f'{example.body}{why}')}")


@rules.command("test")
@click.argument("rule_id", required=False)
@click.option(
    "--pack", type=click.Path(path_type=Path), help="The rules of this pack, not the built-in ones."
)
@json_option
@reports_errors
def test(rule_id: str | None, pack: Path | None, as_json: bool) -> None:
    """Run the examples of every rule, or of one, by both routes; exit 1 when one does not hold."""
    tried = packs_of(pack)[-1]
    chosen = [rule for rule in tried.rules if rule_id in (None, rule.id)]
    if not chosen:
        hint = "run `defenseclaw rules list`"
        raise DefenseClawError(f"there is no rule {rule_id!r}", hint=hint)
    base: list[Pack] = [catalog()] if pack else []
    failed = [problem_of(f) for f in run_examples(tried, ANALYST, base=base, only=rule_id or "")]
    count = sum(len(rule.examples) for rule in chosen)
    if as_json:
        items = [problem.to_json() for problem in failed]
        tested = {"rules": len(chosen), "examples": count}
        print_json({**tested, "items": items, "count": len(items)})
    else:
        for problem in failed:
            click.echo(f"{problem.place}: {problem.reason}")
        state = f"{len(failed)} do not hold" if failed else "all hold"
        click.echo(f"{len(chosen)} rules, {count} examples: {state}")
    if failed:
        raise SystemExit(EXIT_FAILED)
