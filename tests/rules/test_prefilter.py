"""The word index skips expressions and never changes an answer."""

from __future__ import annotations

import dataclasses
from typing import Any, get_args, get_origin, get_type_hints

from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.cel import Budget
from defenseclaw.core.facts import ActionFacts, CommandFact, PathAccess, PathFact
from defenseclaw.rules.prefilter import WordIndex, fact_words
from tests.rules.packs import pack, rule

EXPRESSIONS = (
    "f.tool == 'a'",
    "f.tool in ['a', 'b']",
    "f.commands.exists(c, 'a' in c.argv && c.program == 'b')",
    "f.commands.exists(c, 'a' in c.traits || c.program == 'c')",
    "f.commands.exists(c, c.program.startsWith('a') || 'b' in c.options)",
    "f.paths.exists(p, p.labels.exists(l, l in ['a', 'c']) && !('b' in p.labels))",
    "f.commands.all(c, c.program == 'a')",
    "!(f.tool == 'a')",
    "f.tool != 'a' && f.cwd == 'b'",
    "f.cwd == ''",
)
RULES = pack(*[rule(id=f"T-{i}", expression=e) for i, e in enumerate(EXPRESSIONS)]).rules
WORDS = st.sampled_from(["", "a", "b", "c"])


def true_rules(facts: ActionFacts) -> list[str]:
    return [r.id for r in RULES if r.program and r.program.evaluate(facts, Budget())]


@given(WORDS, WORDS, st.lists(st.tuples(WORDS, st.lists(WORDS), st.lists(WORDS))))
def test_no_true_rule_is_skipped(tool: str, cwd: str, commands: list[Any]) -> None:
    facts = ActionFacts(tool=tool, cwd=cwd)
    for number, (program, argv, words) in enumerate(commands, 1):
        facts.commands.append(
            CommandFact(number, program=program, argv=argv, options=words, traits=words)
        )
        facts.paths.append(PathFact(number, PathAccess.READ, labels=words))
    candidates = {r.id for r in WordIndex(RULES).candidates(facts)}
    assert set(true_rules(facts)) <= candidates


def test_rules_that_need_absent_words_are_skipped() -> None:
    candidates = WordIndex(RULES).candidates(ActionFacts(tool="z"))
    assert [r.id for r in candidates] == ["T-4", "T-6", "T-7", "T-9"]


def filled(cls: type, path: str = "") -> Any:
    """An instance whose every text is the path of its field."""
    hints = get_type_hints(cls)
    values: dict[str, Any] = {}
    for field in dataclasses.fields(cls):
        hint, name = hints[field.name], f"{path}.{field.name}"
        element = get_args(hint)[0] if get_origin(hint) is list else hint
        if element is str:
            value: Any = name
        elif dataclasses.is_dataclass(element):
            value = filled(element, name)
        else:
            value = element(1)
        values[field.name] = [value] if element is not hint else value
    return cls(**values)


def texts(value: Any) -> set[str]:
    if isinstance(value, str):
        return {value}
    if isinstance(value, list):
        return set().union(*map(texts, value))
    if dataclasses.is_dataclass(value):
        return set().union(*(texts(getattr(value, f.name)) for f in dataclasses.fields(value)))
    return set()


def test_every_text_of_the_facts_is_a_word() -> None:
    facts = filled(ActionFacts)
    assert texts(facts) - fact_words(facts) == set()
