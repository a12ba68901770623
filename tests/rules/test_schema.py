"""The schema of facts is the wire contract plus our additions."""

from __future__ import annotations

import dataclasses
from enum import IntEnum

import pytest

from defenseclaw.cel import Budget, CelError, Limits, compile_expression
from defenseclaw.core import facts, limits
from defenseclaw.rules.schema import ITEM_BOUNDS, facts_schema

SCHEMA = facts_schema()
WIRE = {
    "Facts": "tool cwd active_home parse commands paths network data_flows",
    "ParseResult": "status dialect issues",
    "CommandFact": "id parent_command_id pipeline_id kind dialect effect executable program argv"
    " arguments argv_complete operations redirects wrappers",
    "ArgumentFact": "value quote expands",
    "RedirectFact": "fd access target expands",
    "WrapperFact": "executable argv",
    "PathFact": "command_id access flavor value normalized absolute resolved",
    "NetworkFact": "command_id action scheme host port normalized_host scope target_kind"
    " prefix_length",
    "DataFlowFact": "from_command_id to_command_id from to",
}
PREFIXES = {
    "ParseStatus": "PARSE_STATUS_",
    "Dialect": "DIALECT_",
    "IssueCode": "ISSUE_CODE_",
    "CommandKind": "COMMAND_KIND_",
    "CommandEffect": "COMMAND_EFFECT_",
    "QuoteKind": "QUOTE_KIND_",
    "OperationKind": "OPERATION_KIND_",
    "PathAccess": "PATH_ACCESS_",
    "PathFlavor": "PATH_FLAVOR_",
    "NetworkScope": "NETWORK_SCOPE_",
    "NetworkTargetKind": "NETWORK_TARGET_KIND_",
    "NetworkAction": "NETWORK_ACTION_",
    "DataKind": "DATA_KIND_",
    "CommandContext": "COMMAND_CONTEXT_",
}


@pytest.mark.parametrize("message", WIRE)
def test_message_has_every_wire_field(message: str) -> None:
    assert set(WIRE[message].split()) <= set(SCHEMA.messages[message])


def test_messages_and_enums_are_exactly_those_of_the_contract() -> None:
    assert set(SCHEMA.messages) == set(WIRE)
    assert set(SCHEMA.enums) == set(PREFIXES)
    assert SCHEMA.package == "defenseclaw.guardrail.semantic.v1"
    assert SCHEMA.variable == "f"


@pytest.mark.parametrize("family", PREFIXES)
def test_constants_carry_the_prefix_and_the_numbers(family: str) -> None:
    constants = SCHEMA.enums[family]
    members: type[IntEnum] = getattr(facts, family)
    assert constants[f"{PREFIXES[family]}UNSPECIFIED"] == 0
    for member in members:
        if member is not facts.IssueCode.OPAQUE_ARTIFACT:
            assert constants[PREFIXES[family] + member.name] == member.value
    assert len(set(constants.values())) == len(constants)


def test_opaque_artifact_has_no_wire_value() -> None:
    assert not any("OPAQUE" in name for name in SCHEMA.enums["IssueCode"])
    assert max(SCHEMA.enums["IssueCode"].values()) == 14


def test_every_attribute_exists_and_every_size_is_bounded() -> None:
    for message, fields in SCHEMA.messages.items():
        owner = facts.ActionFacts if message == "Facts" else getattr(facts, message)
        held = {f.name for f in dataclasses.fields(owner)}
        assert {SCHEMA.attribute(message, wire) for wire in fields} == held
        for wire, spec in fields.items():
            assert spec.max_items or not spec.repeated, (message, wire)
            assert spec.max_bytes or spec.type != "string", (message, wire)


def test_bounds_are_those_of_the_analyser() -> None:
    assert SCHEMA.messages["Facts"]["commands"].max_items == limits.MAX_COMMANDS
    assert SCHEMA.messages["CommandFact"]["operations"].max_items == 30
    assert SCHEMA.messages["CommandFact"]["wrappers"].max_items == limits.MAX_WRAPPERS
    assert SCHEMA.messages["PathFact"]["value"].max_bytes == limits.MAX_SCALAR_BYTES
    assert len(ITEM_BOUNDS) == sum(s.repeated for m in SCHEMA.messages.values() for s in m.values())


def verdict(text: str, message: facts.ActionFacts) -> bool:
    return compile_expression(text, SCHEMA, Limits()).evaluate(message, Budget())


def test_expressions_read_facts() -> None:
    flow = facts.DataFlowFact(0, 1, facts.DataKind.FILE, facts.DataKind.STDIN)
    command = facts.CommandFact(
        1, program="rm", operations=[facts.OperationKind.DELETE], traits=["recursive"]
    )
    path = facts.PathFact(1, facts.PathAccess.DELETE, labels=["system-root"])
    message = facts.ActionFacts(commands=[command], paths=[path], data_flows=[flow])
    package = facts.PACKAGE
    assert verdict(
        f"f.commands.exists(c, {package}.OperationKind.OPERATION_KIND_DELETE in c.operations"
        " && 'recursive' in c.traits && f.paths.exists(p, p.command_id == c.id"
        " && 'system-root' in p.labels))",
        message,
    )
    assert verdict(f"f.data_flows.exists(d, d.from == {package}.DataKind.DATA_KIND_FILE)", message)
    assert not verdict(
        "f.commands.exists(c, c.context != "
        f"{package}.CommandContext.COMMAND_CONTEXT_UNCONDITIONAL)",
        message,
    )


@pytest.mark.parametrize("name", ["activeHome", "from_", "argvComplete", "data_flow"])
def test_other_spellings_of_fields_are_unknown(name: str) -> None:
    with pytest.raises(CelError, match="has no field"):
        compile_expression(f"f.data_flows.exists(d, d.{name} == 1)", SCHEMA, Limits())


def test_typical_double_loop_fits_the_static_budget() -> None:
    program = compile_expression(
        "f.commands.exists(c, c.program == 'rm' && f.paths.exists(p, p.command_id == c.id"
        " && 'system-root' in p.labels))",
        SCHEMA,
        Limits(),
    )
    assert 500_000 < program.static_cost < 6_000_000
