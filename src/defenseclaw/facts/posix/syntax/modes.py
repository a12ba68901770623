"""How text is read in one surrounding, and the patterns of the lexer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from defenseclaw.facts.posix.syntax.tree import Part

if TYPE_CHECKING:
    from defenseclaw.facts.posix.syntax.lexer import Lexer

# A whole word without quotes, escapes and expansions.
PLAIN = re.compile(r"[^ \t\n;&|<>()$`\\\"']+(?=[ \t\n;&|)]|[<>](?!\()|\Z)")
SINGLE = re.compile(r"'([^']*)'")
ANSI = re.compile(r"'([^'\\]*(?:\\.[^'\\]*)*)'", re.DOTALL)
BACKQUOTED = re.compile(r"`([^`\\]*(?:\\.[^`\\]*)*)`", re.DOTALL)
# Outside and inside double quotes.
BACKQUOTE_ESCAPES = (re.compile(r"\\([$`\\])"), re.compile(r"\\([$`\\\"])"))
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]")
NAME_REST = re.compile(r"[A-Za-z0-9_]*")
# The head of ${…}: length or indirection, then the parameter.
BRACED = re.compile(
    r"(#(?=(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*?$!#-])[\}\[])|!(?=[A-Za-z0-9_@*#]))?"
    r"([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?!-]|\$(?![{(]))"
)
OPERATOR = re.compile(
    r":[-=?+]|[-=?+]|##?|%%?|//|/#|/%|/|:|\^\^?|,,?|~~?|@[A-Za-z](?=\})|[@*](?=\})|(?=\})"
)
# ``${#x}`` and ``${!x}`` have no operator behind the name that matters.
PREFIXED = {"#": "length", "!": "indirect"}
EXTENDED = "?*+@!"
FUNCTIONAL = frozenset(" \t\n|")  # behind `${`: what follows is a command
Handler = Callable[["Lexer", "Mode", list[Part]], None]


@dataclass(frozen=True, slots=True)
class Mode:
    """How text is read in one surrounding: literal runs, their quote, and what interrupts them."""

    chunk: re.Pattern[str]
    quote: int
    escapes: str  # what a backslash takes its meaning from; empty: from everything
    handlers: Mapping[str, Handler] = field(default_factory=dict)
