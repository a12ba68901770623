"""What can be seen of a tool without a reviewed schema: its texts, for patterns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from defenseclaw.core.facts import ByteKind, IssueCode
from defenseclaw.core.tool import FieldRole, ToolSpec
from defenseclaw.facts.builder import Builder
from defenseclaw.facts.tables.tools import GUESSED_FIELDS
from defenseclaw.facts.typed.arguments import Arguments, all_texts, sort_arguments
from defenseclaw.facts.typed.envelope import from_home
from defenseclaw.facts.typed.families import tag


def unknown_facts(
    builder: Builder, args: Mapping[str, Any], run_text: Callable[[str, str, Any], None]
) -> None:
    """Command texts are read for detection; no other argument of such a tool is given a meaning."""
    builder.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
    found = sort_arguments(args, GUESSED_FIELDS)
    for name, value in found.of(FieldRole.COMMAND) + found.of(FieldRole.ARGV):
        run_text(name, "sql" if name == "sql" else "", value)
    show(builder, found.unknown)


def unreviewed(builder: Builder, spec: ToolSpec, found: Arguments) -> None:
    """Arguments outside the reviewed list may change what the call does."""
    for name, value in found.unknown:
        if value is None or value is False:
            continue
        builder.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
        builder.note(f"argument {name[:64]!r} of tool {spec.name} is not reviewed")
        show(builder, [(name, value)])


def show(builder: Builder, items: list[tuple[str, Any]]) -> None:
    """Let patterns see every text of some values."""
    for name, text in all_texts(items):
        tag(builder, name, from_home(text, builder.call.home), ByteKind.UNKNOWN)
