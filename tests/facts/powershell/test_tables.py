"""The tables of cmdlets, methods and programs of Windows as a whole."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import CommandEffect, Dialect
from defenseclaw.facts.grammar import Style, operand_roles, option_table
from defenseclaw.facts.options.cmdlet import find_parameter
from defenseclaw.facts.powershell import ALIASES
from defenseclaw.facts.programs import find
from defenseclaw.facts.programs.windows import (
    POWERSHELL,
    TOOLS,
    administration,
    internet,
    items,
    running,
    shaping,
)
from defenseclaw.facts.roles import PATH_ROLES, SPECIAL_ROLES, UNREAD_ROLES
from tests.facts.powershell.cases import analyzed

CMDLETS = {
    **shaping.CMDLETS,
    **items.CMDLETS,
    **running.CMDLETS,
    **internet.CMDLETS,
    **administration.CMDLETS,
}
ROLES = {*PATH_ROLES, *SPECIAL_ROLES, *UNREAD_ROLES}


def test_there_are_cmdlets_for_every_field_of_work() -> None:
    assert len(CMDLETS) >= 200
    assert len([name for name in POWERSHELL if name.startswith("[")]) >= 80
    assert len(TOOLS) >= 60


@pytest.mark.parametrize("name", sorted(POWERSHELL))
def test_every_role_is_known(name: str) -> None:
    entry = POWERSHELL[name]
    roles = {option.role for option in option_table(entry.options).values()}
    head, middle, tail = operand_roles(entry.operands)
    assert roles | {*head, *tail} | ({middle} - {""}) <= ROLES


@pytest.mark.parametrize("name", sorted(CMDLETS))
def test_places_of_parameters_follow_one_another(name: str) -> None:
    places = {o.position for o in option_table(CMDLETS[name].options).values()} - {-1}
    assert places == set(range(len(places)))


@pytest.mark.parametrize("name", sorted(CMDLETS))
def test_a_cmdlet_is_read_as_one(name: str) -> None:
    entry = CMDLETS[name]
    assert entry.style is Style.CMDLET
    assert find_parameter(option_table(entry.options), "erroraction") is not None


def changing() -> list[str]:
    """Cmdlets that have a preview."""
    return sorted(name for name, entry in CMDLETS.items() if "whatif" in entry.preview)


@pytest.mark.parametrize("name", changing())
def test_a_preview_changes_nothing(name: str) -> None:
    result = analyzed(f"{name} -WhatIf")
    effects = {c.effect for c in result.facts.commands if c.program == name}
    assert effects <= {CommandEffect.PREVIEW}


@pytest.mark.parametrize("name", sorted(CMDLETS))
def test_asking_for_help_runs_nothing(name: str) -> None:
    facts = analyzed(f"{name} -?").facts
    assert all(c.effect is CommandEffect.PREVIEW for c in facts.commands)


@pytest.mark.parametrize("alias", sorted(ALIASES))
def test_every_alias_means_a_command_that_is_known(alias: str) -> None:
    assert find((ALIASES[alias],), Dialect.POWERSHELL) is not None
