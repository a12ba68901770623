"""The tables of cmd's own commands and of the programs of Windows as a whole."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import CommandEffect, ParseStatus
from defenseclaw.facts.cmd.tables.builtins import BEFORE_PATHS, BUILTINS, RAW
from defenseclaw.facts.grammar import Style, operand_roles, option_table
from defenseclaw.facts.programs.windows import CMD
from defenseclaw.facts.programs.windows.builtins import BUILTINS as ENTRIES
from defenseclaw.facts.roles import PATH_ROLES, SPECIAL_ROLES, UNREAD_ROLES
from tests.facts.cmd.cases import analyzed

ROLES = {*PATH_ROLES, *SPECIAL_ROLES, *UNREAD_ROLES}
SLASHED = sorted(name for name, entry in ENTRIES.items() if entry.style is Style.SLASH)


@pytest.mark.parametrize("name", sorted(CMD))
def test_every_role_is_known(name: str) -> None:
    entry = CMD[name]
    roles = {option.role for option in option_table(entry.options).values()}
    head, middle, tail = operand_roles(entry.operands)
    assert roles | {*head, *tail} | ({middle} - {""}) <= ROLES


@pytest.mark.parametrize("name", sorted(BUILTINS))
def test_every_builtin_has_an_entry(name: str) -> None:
    assert name in CMD
    assert analyzed(name).facts.parse.status is not ParseStatus.INVALID


def test_kinds_of_builtins_are_builtins() -> None:
    assert RAW < BUILTINS
    assert BEFORE_PATHS < BUILTINS


@pytest.mark.parametrize("name", SLASHED)
@pytest.mark.parametrize("spelling", ["{} /? a", "{}/? a", "@{} a /?"])
def test_asking_for_help_changes_nothing(name: str, spelling: str) -> None:
    facts = analyzed(spelling.format(name)).facts
    assert [c.effect for c in facts.commands] == [CommandEffect.PREVIEW]


@pytest.mark.parametrize("name", sorted(CMD))
def test_a_name_in_any_case_and_with_its_suffix_is_the_program(name: str) -> None:
    if name in BUILTINS and name != "mklink":
        assert [c.program for c in analyzed(f"{name.upper()} a").facts.commands][:1] in (
            [name], ["a"], []
        )  # fmt: skip
    else:
        assert analyzed(f"{name.upper()}.EXE a").facts.commands[0].program == name
