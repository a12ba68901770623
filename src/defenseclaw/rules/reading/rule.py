"""A rule file's tree to rules: the public pack format and our additions, checked key by key.

The order of the checks is part of the contract: of several faults the first one is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from defenseclaw.cel import CelError, Limits, Program, compile_expression
from defenseclaw.core.pack import PackCode
from defenseclaw.core.verdict import Profile
from defenseclaw.rules.limits import (
    MAX_CATALOG_COST,
    MAX_EXAMPLES_PER_PACK,
    MAX_EXPRESSIONS,
    MAX_RULES_PER_FILE,
    MAX_RULES_PER_PACK,
)
from defenseclaw.rules.model import (
    Category,
    Corroboration,
    Delta,
    Example,
    Rule,
    Scope,
    Validator,
)
from defenseclaw.rules.pattern import PatternBudget, PatternError
from defenseclaw.rules.reading.code import read_code_patterns
from defenseclaw.rules.reading.document import Node
from defenseclaw.rules.reading.example import read_examples
from defenseclaw.rules.reading.fields import Fields
from defenseclaw.rules.reading.pieces import expand_pieces
from defenseclaw.rules.reading.shorthand import expand
from defenseclaw.rules.schema import facts_schema

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


@dataclass(slots=True)
class Admission:
    """What one candidate has used of its bounds so far, over all its files."""

    compiler: Compiler = field(default_factory=shipped_compiler)
    categories: set[str] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    expressions: int = 0
    cost: int = 0
    examples: int = 0
    patterns: PatternBudget = field(default_factory=PatternBudget)


def read_category(root: Node, path: str, admission: Admission) -> Category:
    """The rules of one file whose shape was checked. Raises PackRejectedError."""
    fields = Fields(root, path)
    fields.version()
    name = fields.text("category")
    if name in admission.categories:
        raise fields.refuse("category is taken", code=PackCode.DUPLICATE_CATEGORY, key="category")
    admission.categories.add(name)
    nodes = fields.items("rules")
    if len(nodes) > MAX_RULES_PER_FILE:
        raise fields.refuse("too many rules in one file", code=PackCode.RULE_COUNT_LIMIT)
    rules = tuple(read_rule(node, path, name, admission) for node in nodes)
    if not any(rule.enabled for rule in rules):
        raise fields.refuse("no rule of the file is enabled", code=PackCode.EMPTY_CATEGORY)
    return Category(name, path, rules)


def read_rule(node: Node, path: str, category: str, admission: Admission) -> Rule:
    """One rule, checked in the contract's order."""
    fields = _identified(node, path, admission)
    pattern = "" if fields.has("code") else _pattern(fields, "pattern", admission)
    enabled = fields.flag("enabled", True)
    expression, program = _expression(fields, enabled, admission)
    rule = Rule(
        id=fields.rule_id,
        category=category,
        title=fields.text("title"),
        severity=fields.severity(),
        confidence=fields.fraction("confidence"),
        tags=fields.texts("tags"),
        pattern=pattern,
        expression=expression,
        program=program,
        enabled=enabled,
        tool_call_only=fields.flag("tool_call_only", False),
        path=path,
        line=node.line,
    )
    return _with_additions(rule, fields, admission)


def _identified(node: Node, path: str, admission: Admission) -> Fields:
    """The rule's fields once its id is known to be its own."""
    rule_id = Fields(node, path).text("id")
    fields = Fields(node, path, rule_id)
    if rule_id in admission.ids:
        raise fields.refuse("rule id is taken", code=PackCode.DUPLICATE_RULE_ID, key="id")
    admission.ids.add(rule_id)
    if len(admission.ids) > MAX_RULES_PER_PACK:
        raise fields.refuse("too many rules", code=PackCode.RULE_COUNT_LIMIT)
    return fields


def _with_additions(rule: Rule, fields: Fields, admission: Admission) -> Rule:
    return replace(
        rule,
        detection_only=fields.flag("detection_only", False),
        scope=fields.word("scope", Scope) or Scope.ACTION,
        covered_by=fields.text("covered_by", required=False),
        validator=fields.word("validator", Validator),
        corroboration=_corroboration(fields, admission),
        code=read_code_patterns(fields, lambda inner: _pattern(inner, "pattern", admission)),
        why=fields.text("why", required=False),
        safer=fields.text("safer", required=False),
        profiles=_profiles(fields),
        examples=_examples(fields, admission),
    )


def _pattern(fields: Fields, key: str, admission: Admission) -> str:
    pattern = expand_pieces(fields.text(key))
    try:
        admission.patterns.admit(pattern)
    except PatternError as error:
        raise fields.refuse(error.reason, code=error.code, key=key) from None
    return pattern


def _expression(fields: Fields, enabled: bool, admission: Admission) -> tuple[str, Program | None]:
    if not fields.has("expression"):
        return "", None
    text = fields.text("expression")
    # A folded or literal block ends in one line break, which is layout and not part of the text.
    text = text.removesuffix("\n")
    if text != text.strip():
        raise fields.refuse("expression has outer blanks", key="expression")
    admission.expressions += 1
    if admission.expressions > MAX_EXPRESSIONS:
        code = PackCode.SEMANTIC_RULE_COUNT_LIMIT
        raise fields.refuse("too many expressions", code=code, key="expression")
    program = _program(fields, text, admission)
    admission.cost += program.static_cost if enabled else 0
    if admission.cost > MAX_CATALOG_COST:
        code = PackCode.SEMANTIC_CATALOG_COST_LIMIT
        raise fields.refuse("expressions cost too much together", code=code, key="expression")
    return text, program


def _program(fields: Fields, text: str, admission: Admission) -> Program:
    try:
        program = admission.compiler(text)
        admission.patterns.charge(program.instructions)
    except CelError as error:
        code = PackCode(f"semantic_{error.code}")
        reason = f"expression is not admitted: {error.message}"
        raise fields.refuse(reason, code=code, key="expression") from None
    except PatternError as error:
        raise fields.refuse(error.reason, code=error.code, key="expression") from None
    return program


def _corroboration(fields: Fields, admission: Admission) -> Corroboration | None:
    inner = fields.child("corroboration")
    if inner is None:
        return None
    return Corroboration(_pattern(inner, "pattern", admission), inner.integer("within", 0, 4096))


def _profiles(fields: Fields) -> MappingProxyType[Profile, Delta]:
    inner = fields.child("profiles")
    found = {
        Profile(key): _delta(Fields(node, fields.path, fields.rule_id))
        for key, node in (inner.mapping.items() if inner else ())
    }
    return MappingProxyType(found)


def _delta(fields: Fields) -> Delta:
    return Delta(
        enabled=fields.flag("enabled", True) if fields.has("enabled") else None,
        severity=fields.severity() if fields.has("severity") else None,
        confidence=fields.fraction("confidence") if fields.has("confidence") else None,
    )


def _examples(fields: Fields, admission: Admission) -> tuple[Example, ...]:
    found = read_examples(fields)
    admission.examples += len(found)
    if admission.examples > MAX_EXAMPLES_PER_PACK:
        raise fields.refuse("too many examples", code=PackCode.EXAMPLE_COUNT_LIMIT)
    return found
