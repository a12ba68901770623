"""A rule file's tree to rules: the public pack format and our additions, checked key by key.

The order of the checks is part of the contract: of several faults the first one is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

from defenseclaw.cel import CelError, Limits, Program, compile_expression
from defenseclaw.core.verdict import Profile, Severity
from defenseclaw.rules.limits import MAX_RULES_PER_FILE
from defenseclaw.rules.model import Category, Corroboration, Delta, Rule, Scope, Validator
from defenseclaw.rules.pattern import PatternError, compile_pattern
from defenseclaw.rules.reading.document import Node
from defenseclaw.rules.reading.example import read_examples
from defenseclaw.rules.reading.fields import Fields
from defenseclaw.rules.reading.pieces import expand_pieces
from defenseclaw.rules.reading.shorthand import expand
from defenseclaw.rules.schema import facts_schema

PUBLIC_KEYS = frozenset(
    {"id", "enabled", "pattern", "expression", "tool_call_only", "title", "severity", "confidence"}
    | {"tags"}
)
OUR_KEYS = frozenset(
    {"why", "safer", "profiles", "examples", "detection_only", "covered_by", "validator"}
    | {"corroboration", "scope"}
)
RULE_KEYS = PUBLIC_KEYS | OUR_KEYS
FILE_KEYS = frozenset({"version", "category", "rules"})
LEVELS = (Severity.LOW, Severity.MEDIUM, Severity.HIGH, Severity.CRITICAL)

Compiler = Callable[[str], Program]


def shipped_compiler() -> Compiler:
    """A compiler for one candidate; equal texts give the same program."""
    schema, limits = facts_schema(), Limits()
    known: dict[str, Program] = {}

    def compiled(text: str) -> Program:
        if text not in known:
            known[text] = compile_expression(expand(text), schema, limits)
        return known[text]

    return compiled


def read_category(root: Node, path: str, compiler: Compiler) -> Category:
    """The rules of one file. Raises PackRejectedError."""
    fields = Fields(root, path)
    fields.only(FILE_KEYS)
    fields.integer("version", 1, 1, code="version")
    name = fields.text("category", code="empty_category")
    nodes = fields.items("rules")
    if len(nodes) > MAX_RULES_PER_FILE:
        raise fields.refuse("too many rules in one file", code="rule_count_limit")
    rules = tuple(read_rule(node, path, name, compiler) for node in nodes)
    if not any(rule.enabled for rule in rules):
        raise fields.refuse("no enabled rule in the file", code="empty_category")
    return Category(name, path, rules)


def read_rule(node: Node, path: str, category: str, compiler: Compiler) -> Rule:
    """One rule, checked in the contract's order."""
    rule_id = Fields(node, path).text("id")
    fields = Fields(node, path, rule_id)
    fields.only(RULE_KEYS)
    pattern = _pattern(fields, "pattern")
    expression, program = _expression(fields, compiler)
    rule = Rule(
        id=rule_id,
        category=category,
        title=fields.text("title"),
        severity=_severity(fields),
        confidence=fields.fraction("confidence"),
        tags=fields.texts("tags"),
        pattern=pattern,
        expression=expression,
        program=program,
        enabled=fields.flag("enabled", True),
        tool_call_only=fields.flag("tool_call_only", False),
        path=path,
        line=node.line,
    )
    return _with_additions(rule, fields)


def _with_additions(rule: Rule, fields: Fields) -> Rule:
    return replace(
        rule,
        detection_only=fields.flag("detection_only", False),
        scope=fields.word("scope", Scope) or Scope.ACTION,
        covered_by=fields.text("covered_by", required=False),
        validator=fields.word("validator", Validator),
        corroboration=_corroboration(fields),
        why=fields.text("why", required=False),
        safer=fields.text("safer", required=False),
        profiles=_profiles(fields),
        examples=read_examples(fields),
    )


def _pattern(fields: Fields, key: str) -> str:
    pattern = expand_pieces(fields.text(key))
    try:
        compile_pattern(pattern)
    except PatternError as error:
        reason = "pattern is too long" if error.code != "regex" else "pattern is not RE2"
        raise fields.refuse(reason, code=error.code) from None
    return pattern


def _expression(fields: Fields, compiler: Compiler) -> tuple[str, Program | None]:
    node = fields.get("expression")
    if node is None:
        return "", None
    text = fields.text("expression")
    # A folded or literal block ends in one line break, which is layout and not part of the text.
    text = text.removesuffix("\n")
    if text != text.strip():
        raise fields.refuse("expression has outer blanks", line=node.line)
    try:
        return text, compiler(text)
    except CelError as error:
        code = f"semantic_{error.code}"
        raise fields.refuse("expression is not admitted", code=code, line=node.line) from None


def _severity(fields: Fields) -> Severity:
    found = fields.word("severity", Severity, code="severity")
    if found not in LEVELS:
        raise fields.refuse("severity is not one of the four levels", code="severity")
    return found


def _corroboration(fields: Fields) -> Corroboration | None:
    inner = fields.child("corroboration")
    if inner is None:
        return None
    inner.only(frozenset({"pattern", "within"}))
    return Corroboration(_pattern(inner, "pattern"), inner.integer("within", 0, 4096))


def _profiles(fields: Fields) -> MappingProxyType[Profile, Delta]:
    inner = fields.child("profiles")
    deltas: dict[Profile, Delta] = {}
    for key, node in inner.mapping.items() if inner else ():
        if key not in list(Profile):
            raise fields.refuse("profiles names an unknown profile", line=node.line)
        deltas[Profile(key)] = _delta(Fields(node, fields.path, fields.rule_id))
    return MappingProxyType(deltas)


def _delta(fields: Fields) -> Delta:
    fields.only(frozenset({"enabled", "severity", "confidence"}))
    return Delta(
        enabled=fields.flag("enabled", True) if fields.get("enabled") else None,
        severity=_severity(fields) if fields.get("severity") else None,
        confidence=fields.fraction("confidence") if fields.get("confidence") else None,
    )
