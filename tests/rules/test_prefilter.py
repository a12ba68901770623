"""The word index skips expressions and never changes an answer."""

from __future__ import annotations

import dataclasses
from enum import IntEnum
from typing import Any, get_args, get_origin, get_type_hints

from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.cel import Budget, Clue, Constant, Filled
from defenseclaw.core.facts import (
    PACKAGE,
    ActionFacts,
    CommandFact,
    OperationKind,
    PathAccess,
    PathFact,
)
from defenseclaw.rules.prefilter import FAMILIES, WordIndex, fact_clues
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
    f"f.commands.exists(c, {PACKAGE}.OperationKind.OPERATION_KIND_DELETE in c.operations)",
    f"f.paths.exists(p, p.access in [{PACKAGE}.PathAccess.PATH_ACCESS_READ])",
    "f.paths.exists(p, p.recursive) || f.tool == 'c'",
    "f.network.exists(n, n.external)",
    f"f.commands.exists(c, c.effect == {PACKAGE}.CommandEffect.COMMAND_EFFECT_EXECUTE)",
)
RULES = pack(*[rule(id=f"T-{i}", expression=e) for i, e in enumerate(EXPRESSIONS)]).rules
WORDS = st.sampled_from(["", "a", "b", "c"])
KINDS = st.sampled_from([OperationKind.READ, OperationKind.DELETE])
ACCESSES = st.sampled_from([PathAccess.READ, PathAccess.WRITE])


def true_rules(facts: ActionFacts) -> list[str]:
    return [r.id for r in RULES if r.program and r.program.evaluate(facts, Budget())]


COMMANDS = st.lists(st.tuples(WORDS, st.lists(WORDS), st.lists(WORDS), KINDS, ACCESSES))


@given(WORDS, WORDS, COMMANDS)
def test_no_true_rule_is_skipped(tool: str, cwd: str, commands: list[Any]) -> None:
    facts = ActionFacts(tool=tool, cwd=cwd)
    for number, (program, argv, words, kind, access) in enumerate(commands, 1):
        command = CommandFact(number, program=program, argv=argv, options=words, traits=words)
        command.operations.append(kind)
        facts.commands.append(command)
        facts.paths.append(PathFact(number, access, labels=words, recursive=bool(words)))
    candidates = {r.id for r in WordIndex(RULES).candidates(facts)}
    assert set(true_rules(facts)) <= candidates


def test_rules_that_need_absent_words_are_skipped() -> None:
    candidates = WordIndex(RULES).candidates(ActionFacts(tool="z"))
    assert [r.id for r in candidates] == ["T-6", "T-7", "T-9"]


def test_every_need_must_be_met() -> None:
    facts = ActionFacts(commands=[CommandFact(1, program="z", argv=["a"])])
    assert "T-2" not in {r.id for r in WordIndex(RULES).candidates(facts)}
    facts.commands.append(CommandFact(2, program="b"))
    assert "T-2" in {r.id for r in WordIndex(RULES).candidates(facts)}


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


def clues(value: Any) -> set[Clue]:
    """Every text below a value, every constant of a family that tells actions apart."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, IntEnum):
        return {Constant(type(value).__name__, value)} if type(value) in FAMILIES else set()
    if isinstance(value, list):
        return set().union(*map(clues, value))
    if dataclasses.is_dataclass(value):
        return set().union(*(clues(getattr(value, f.name)) for f in dataclasses.fields(value)))
    return set()


def test_every_clue_of_the_facts_is_known() -> None:
    facts = filled(ActionFacts)
    lists = {f.name for f in dataclasses.fields(ActionFacts) if f.default_factory is list}
    assert clues(facts) | {Filled(name) for name in lists} <= fact_clues(facts)
    assert len(clues(facts)) > 20


def test_every_constant_is_seen_wherever_it_stands() -> None:
    for family in FAMILIES:
        for member in family:
            facts = filled(ActionFacts)
            replaced = replace_all(facts, member)
            assert replaced
            assert Constant(family.__name__, member) in fact_clues(facts)


def replace_all(value: Any, member: IntEnum) -> int:
    """Put a constant in every place of its family; how many there are."""
    count = 0
    for field in dataclasses.fields(value):
        held = getattr(value, field.name)
        items = held if isinstance(held, list) else [held]
        if items and type(items[0]) is type(member):
            setattr(value, field.name, [member] if held is items else member)
            count += 1
        count += sum(replace_all(i, member) for i in items if dataclasses.is_dataclass(i))
    return count
