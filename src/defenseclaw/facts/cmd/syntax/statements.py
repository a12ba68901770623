"""``if`` and ``for``: the statements whose words are read while the line is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from defenseclaw.facts.cmd.syntax.cursor import SyntaxFault
from defenseclaw.facts.cmd.syntax.text import Text, joined
from defenseclaw.facts.cmd.syntax.tree import Condition, For, If, Node

if TYPE_CHECKING:
    from defenseclaw.facts.cmd.syntax.parser import Parser

_OPERAND = re.compile(r'(?:[^"^&|<>\n \t,;=\f\v\u00a0]+|"[^"\n]*")+')
_COMPARISON = re.compile(r"[ \t,;\u00a0]*(?:(==)|(equ|neq|lss|leq|gtr|geq)(?=[\s,;=\"]))", re.I)
TESTS = frozenset({"exist", "defined", "errorlevel", "cmdextversion"})
_FOR_NAME = re.compile(r"%([^\s%,;=&|<>()])[ \t,;=\n]+in[ \t,;=\n]*\(", re.IGNORECASE)
_DO = re.compile(r"[ \t,;=\n]*\^?d\^?o(?=[\s,;=(@]|$)", re.IGNORECASE)
_SET = re.compile(r'(?:[^"^)\n]+|"[^"\n]*")+')


def read_if(parser: Parser, start: int) -> Node:
    """``if [/i] [not] test command [else command]``; the rest of the line belongs to it."""
    condition = _condition(parser)
    then = parser.chain()
    if then is None:
        raise SyntaxFault
    other = None
    if parser.otherwise(take=True):
        other = parser.chain()
        if other is None:
            raise SyntaxFault
    return If(parser.place(start), parser.place(), condition, then, other)


def _condition(parser: Parser) -> Condition:
    fold = negated = False
    word = parser.word(_OPERAND)
    while word.chars.lower() in ("/i", "not"):
        fold |= word.chars.lower() == "/i"
        negated |= word.chars.lower() == "not"
        word = parser.word(_OPERAND)
    low = word.chars.lower()
    if low in TESTS:
        return Condition(low, parser.word(_OPERAND), None, negated, fold)
    found = _COMPARISON.match(parser.text.chars, parser.at)
    if found is None or not word.chars:
        raise SyntaxFault
    parser.at = found.end()
    right = parser.word(_OPERAND)
    if not right.chars:
        raise SyntaxFault
    return Condition((found[1] or found[2]).lower(), word, right, negated, fold)


def read_for(parser: Parser, start: int) -> Node:
    """``for [/d | /r folder | /l | /f "options"] %x in (set) do command``."""
    mode, options = "", None
    while True:
        parser.skip()
        found = _FOR_NAME.match(parser.text.chars, parser.at)
        if found is not None:
            break
        word = parser.word(_OPERAND)
        low = word.chars.lower()
        if not low:
            raise SyntaxFault
        if low in ("/d", "/r", "/l", "/f"):
            mode += low[1]
        else:
            options = word
    parser.at = found.end()
    items = _items(parser)
    done = _DO.match(parser.text.chars, parser.at)
    if done is None:
        raise SyntaxFault
    parser.at = done.end()
    body = parser.chain()
    if body is None:
        raise SyntaxFault
    return For(parser.place(start), parser.place(), mode, options, found[1], items, body)


def _items(parser: Parser) -> Text:
    """What stands in the parentheses of a ``for``."""
    pieces: list[Text] = []
    parser.depth += 1  # so that a closing parenthesis ends it
    while parser.peek() not in ("", ")"):
        if parser.here() == "\n":
            pieces.append(parser.text.cut(parser.at, parser.at + 1))
            parser.at += 1
        elif not parser.piece(pieces, _SET):
            raise SyntaxFault
    if not parser.here():
        raise SyntaxFault
    parser.depth -= 1
    parser.at += 1
    return joined(pieces, parser.place())
