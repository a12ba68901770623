"""One page for each rule, and the table of all rules by category."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from defenseclaw.core.verdict import Profile, Severity
from defenseclaw.platform import catalog_files
from defenseclaw.rules import Example, ExampleForm, ExampleRoute, Rule, load_pack
from defenseclaw.rules.effective import apply_profile
from defenseclaw.rules.report import PRIVATE_CATEGORIES, SECRET_TAG
from defenseclaw.telemetry import redact
from tools.pages.markdown import code, fence, prose, table

HEAD = """\
# Rules

Every rule of the catalogue, by category. A rule's page says what it sees, why, what each profile
makes of it, and its own examples, all of which are run by the tests.
"""
# How the forms are called in text.
FORMS = {
    ExampleForm.SH: "shell",
    ExampleForm.PWSH: "PowerShell",
    ExampleForm.CMD: "cmd",
    ExampleForm.TOOL: "tool call",
    ExampleForm.TEXT: "text",
    ExampleForm.WRITTEN: "written",
}
ROUTES = {
    ExampleRoute.BOTH: "",
    ExampleRoute.CEL: "where the call is understood",
    ExampleRoute.FALLBACK: "where the call is not understood",
}
# Long runs with a digit in them: what is left tells the kind of credential and is none.
_OPAQUE = re.compile(r"(?=[\w+/.-]*\d)[\w+/.-]{16,}=*")
# profile -> how a rule looks under it
Variants = Mapping[Profile, Rule | None]


def pages() -> Mapping[str, str]:
    """The index and one page for each rule."""
    pack = load_pack(catalog_files(), name="catalog")
    each = {rule.id: variants(rule) for rule in pack.rules}
    text = HEAD
    for category in pack.categories:
        text += f"\n## {category.name}\n\n"
        rows = [_row(rule, each[rule.id]) for rule in category.rules]
        text += table(("rule", "sees", *(profile.value for profile in Profile)), rows)
    found = {f"rules/{file_name(rule)}": _page(rule, each[rule.id]) for rule in pack.rules}
    return {"rules/index.md": text, **found}


def file_name(rule: Rule) -> str:
    """The page of a rule."""
    return f"{rule.id.lower()}.md"


def variants(rule: Rule) -> Variants:
    """The rule under each profile; None where it is off."""
    changed = {profile: apply_profile(rule, profile) for profile in Profile}
    return {profile: found if found.enabled else None for profile, found in changed.items()}


def _row(rule: Rule, found: Variants) -> tuple[str, ...]:
    severities = (v.severity.value if v else "off" for v in found.values())
    return (f"[{rule.id}]({file_name(rule)})", prose(rule.title), *severities)


def _page(rule: Rule, found: Variants) -> str:
    text = f"# {rule.id}\n\n{prose(rule.title)}. "
    text += f"Category [{rule.category}](index.md#{rule.category}).\n"
    if rule.why:
        text += f"\n## Why\n\n{prose(rule.why)}\n"
    if rule.safer:
        text += f"\n## A safer way\n\n{prose(rule.safer)}\n"
    text += "\n## Severity\n\n" + table(
        ("profile", "severity", "confidence"),
        [
            (profile.value, v.severity.value, f"{v.confidence:g}")
            if v
            else (profile.value, "off", "–")
            for profile, v in found.items()
        ],
    )
    text += _how(rule)
    private = rule.category in PRIVATE_CATEGORIES or SECRET_TAG in rule.tags
    for matches, heading in ((True, "Matches"), (False, "Does not match")):
        examples = [example for example in rule.examples if example.matches is matches]
        if examples:
            shown = "".join(_example(example, private=private) for example in examples)
            text += f"\n## {heading}\n\n{shown}"
    return text


def _how(rule: Rule) -> str:
    text = "\n## How it sees\n\n"
    if rule.detection_only:
        text += "It detects only: it never blocks and never asks.\n\n"
    if rule.expression:
        text += "Where the call is understood, this expression over its facts decides:\n\n"
        text += fence(rule.expression, "cel")
        text += "\nWhere it is not, a pattern over the bytes that are or may be executed decides.\n"
    elif rule.covered_by:
        text += f"Where the call is understood, {code(rule.covered_by)} decides; "
        text += "where it is not, a pattern over the bytes that are or may be executed.\n"
    elif rule.code:
        text += _how_code(rule)
    else:
        text += "A pattern over text decides"
        text += (
            f", and what it finds must pass the {code(rule.validator.value)} check.\n"
            if rule.validator
            else ".\n"
        )
    if rule.corroboration:
        text += "\nA hit without a second sign near it is a mere mention and reported as LOW.\n"
    if rule.tool_call_only:
        text += "\nIt reads tool calls, not prompts or results.\n"
    return text


def _how_code(rule: Rule) -> str:
    """What a rule about code looks for, and in which files."""
    text = "It reads what calls write into files of code, and nothing else.\n\n"
    rows = [
        (
            ", ".join(row.files),
            row.view.value,
            row.check.value if row.check else "–",
            code(row.pattern),
        )
        for row in rule.code
    ]
    text += table(("files", "reads", "check", "pattern"), rows)
    if any(row.check for row in rule.code):
        text += "\nA hit that its check finds harmless is a mention: LOW, detection only.\n"
    if rule.severity.rank < Severity.HIGH.rank:
        text += "\nIt is recorded and stops nothing.\n"
    return text


def masked(text: str) -> str:
    """An example of a credential without one: scanners read these pages too."""
    return redact(_OPAQUE.sub(lambda run: f"{run[0][:4]}…", text))


def visible(text: str) -> str:
    """The text with characters that nobody would see written as escapes."""
    return "".join(c if c.isprintable() or c == "\n" else f"\\u{ord(c):04x}" for c in text)


def _example(example: Example, *, private: bool) -> str:
    body = example.body if isinstance(example.body, str) else json.dumps(dict(example.body))
    form = FORMS[example.form]
    if example.form is ExampleForm.WRITTEN and not isinstance(example.body, str):
        body, form = str(example.body["content"]), f"{form} to {code(str(example.body['path']))}"
    shown = visible(masked(body) if private else body)
    notes = [note for note in (example.because, ROUTES[example.route]) if note]
    tail = f" — {prose('; '.join(notes))}" if notes else ""
    if "\n" not in shown:
        return f"- {form}: {code(shown)}{tail}\n"
    block = fence(shown, "text").replace("\n", "\n  ").rstrip()
    return f"- {form}{tail}\n\n  {block}\n"
