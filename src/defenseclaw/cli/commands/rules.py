"""``defenseclaw rules``: what the catalogue knows."""

from __future__ import annotations

from typing import Any

import click

from defenseclaw.cli.output import json_option, print_items, print_json, print_table, reports_errors
from defenseclaw.core.verdict import Profile
from defenseclaw.errors import DefenseClawError
from defenseclaw.platform import catalog_files
from defenseclaw.rules import Rule, build_generation, load_pack

profile_option = click.option(
    "--profile",
    type=click.Choice([p.value for p in Profile]),
    default="default",
    help="As this profile has them.",
)


def rules_of(profile: str) -> tuple[Rule, ...]:
    """The rules in force under a profile."""
    return build_generation([load_pack(catalog_files(), name="catalog")], Profile(profile)).rules


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
    }


@click.group()
def rules() -> None:
    """List and show rules."""


@rules.command("list")
@profile_option
@json_option
@reports_errors
def list_rules(profile: str, as_json: bool) -> None:
    """List the rules in force."""
    found = rules_of(profile)
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
@json_option
@reports_errors
def show(rule_id: str, profile: str, as_json: bool) -> None:
    """Show one rule: what it sees, why, and its own examples."""
    rule = next((r for r in rules_of(profile) if r.id == rule_id), None)
    if rule is None:
        raise DefenseClawError(
            f"no rule {rule_id!r} is in force under {profile}", hint="run `defenseclaw rules list`"
        )
    if as_json:
        print_json(describe(rule))
        return
    click.echo(f"{rule.id}  {rule.severity}  {rule.category}\n{rule.title}\n\n{rule.why}")
    if rule.safer:
        click.echo(f"\nsafer: {rule.safer}")
    for wanted, title in ((True, "matches"), (False, "does not match")):
        click.echo(f"\n{title}:")
        for example in rule.examples:
            if example.matches is wanted:
                why = f"   ({example.because})" if example.because else ""
                click.echo(f"  {example.form.value}: {example.body}{why}")
