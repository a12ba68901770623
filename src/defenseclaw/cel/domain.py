"""Enum families: numbers for the type checker, yet never mixed with each other or with numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from defenseclaw.cel import nodes
from defenseclaw.cel.checker import Checked
from defenseclaw.cel.errors import CelError, Code
from defenseclaw.cel.nodes import Node
from defenseclaw.cel.surface import EQUALITIES, MEMBERSHIP
from defenseclaw.cel.types import Kind, Type
from defenseclaw.cel.walk import walk


@dataclass(frozen=True, slots=True)
class Family:
    """The enum a value belongs to, or that of the elements of a list."""

    enum: str
    is_list: bool


def check_domains(checked: Checked) -> None:
    """Refuse comparisons across families; runs after the surface check."""
    for node in walk(checked):
        if isinstance(node, nodes.ListLiteral):
            _check_list(node, checked)
        elif isinstance(node, nodes.Call):
            _check_call(node, checked)


def _check_list(node: nodes.ListLiteral, checked: Checked) -> None:
    families = {_family(checked.types[item]) for item in node.items}
    if len(families) > 1:
        _fail(node, "a list mixes enum families, or enums and numbers")


def _check_call(node: nodes.Call, checked: Checked) -> None:
    families = [_family(checked.types[part]) for part in node.parts]
    if not any(families):
        return
    if node.function in EQUALITIES and families[0] == families[1]:
        return
    element, group = (*families, None)[:2]
    if (
        node.function == MEMBERSHIP
        and element is not None
        and group == Family(element.enum, is_list=True)
        and not element.is_list
    ):
        return
    _fail(node, "an enum is compared with another family or with a number")


def _family(type_: Type) -> Family | None:
    if type_.kind is Kind.ENUM:
        return Family(type_.name, is_list=False)
    if type_.kind is Kind.LIST and type_.args[0].kind is Kind.ENUM:
        return Family(type_.args[0].name, is_list=True)
    return None


def _fail(node: Node, text: str) -> NoReturn:
    raise CelError(Code.ENUM_DOMAIN, text, node.position)
