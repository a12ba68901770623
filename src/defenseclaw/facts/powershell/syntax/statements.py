"""Statements that begin with a keyword: one reader per keyword."""

from __future__ import annotations

from defenseclaw.facts.powershell.syntax.cursor import DASHES, NEWLINES, SyntaxFault
from defenseclaw.facts.powershell.syntax.declarations import DECLARATIONS
from defenseclaw.facts.powershell.syntax.parser import BLOCKS, Keywords, Parser
from defenseclaw.facts.powershell.syntax.tree import (
    Block,
    ForEach,
    Function,
    If,
    Jump,
    Loop,
    Node,
    ScriptBlock,
    Switch,
    Trap,
    Try,
)


def _if(parser: Parser) -> Node:
    start = parser.at
    parser.at += 2
    clauses = [(parser.head(), parser.braces())]
    otherwise = None
    while True:
        word = _following(parser, "elseif", "else")
        if word == "elseif":
            clauses.append((parser.head(), parser.braces()))
            continue
        if word == "else":
            otherwise = parser.braces()
        return If(start, parser.at, clauses, otherwise)


def _following(parser: Parser, *words: str) -> str:
    """Take one of the words if it comes next, be it on another line."""
    at, comments = parser.at, len(parser.places.comments)
    parser.lines()
    word = parser.word().lower()
    if word in words and not parser.goes_on(len(word)):
        parser.at += len(word)
        return word
    parser.at = at
    del parser.places.comments[comments:]
    return ""


def _while(parser: Parser) -> Node:
    start = parser.at
    parser.at += 5
    head = parser.head()
    body = parser.braces()
    return Loop(start, parser.at, [], [head], body, tests=True)


def _do(parser: Parser) -> Node:
    start = parser.at
    parser.at += 2
    body = parser.braces()
    if not _following(parser, "while", "until"):
        raise SyntaxFault("while")
    head = parser.head()
    return Loop(start, parser.at, [], [head], body)


def _for(parser: Parser) -> Node:
    start = parser.at
    parser.at += 3
    parser.lines()
    parser.expect("(")
    parts: list[Node] = []
    for closer in (";", ";", ")"):
        parser.lines()
        if parser.peek() not in (closer, ")"):
            parts.append(parser.statement())
            parser.lines()
        else:
            parts.append(Block(parser.at, parser.at))
        if parser.peek() == ")" or closer == ")":
            break
        parser.expect(closer)
    parser.lines()
    parser.expect(")")
    tests = len(parts) > 1 and not isinstance(parts[1], Block)
    return Loop(start, parser.at, parts[:1], parts[1:], parser.braces(), tests)


def _foreach(parser: Parser) -> Node:
    start = parser.at
    parser.at += 7
    parser.lines()
    if parser.peek() != "(":  # the alias of ForEach-Object
        parser.at = start
        return parser.pipelines()
    parser.at += 1
    parser.lines()
    name = getattr(parser.dollar(), "name", "") if parser.peek() == "$" else ""
    parser.lines()
    if not name or parser.word().lower() != "in":
        raise SyntaxFault("in")
    parser.at += 2
    items = parser.enclosed()
    body = parser.braces()
    return ForEach(start, parser.at, name, items, body)


def _switch(parser: Parser) -> Node:
    start = parser.at
    parser.at += 6
    parser.lines()
    file = False
    while parser.peek() and parser.peek() in DASHES:
        parser.at += 1
        file = file or "file".startswith(parser.word().lower())
        parser.at += len(parser.word())
        parser.lines()
    subject = parser.head() if parser.peek() == "(" else parser.one()
    parser.lines()
    parser.expect("{")
    parser.enter()
    clauses: list[tuple[Node, Block]] = []
    while True:
        parser.separators()
        if parser.peek() == "}":
            break
        test = parser.one()
        clauses.append((test, parser.braces()))
    parser.at += 1
    parser.leave()
    return Switch(start, parser.at, subject, clauses, file)


def _try(parser: Parser) -> Node:
    start = parser.at
    parser.at += 3
    body = parser.braces()
    handlers: list[Block] = []
    last = None
    while word := _following(parser, "catch", "finally"):
        if word == "finally":
            last = parser.braces()
            break
        parser.lines()
        while parser.peek() in ("[", ","):
            parser.at += parser.peek() == ","
            parser.lines()
            parser.type_name()
            parser.lines()
        handlers.append(parser.braces())
    if not handlers and last is None:
        raise SyntaxFault("catch")
    return Try(start, parser.at, body, handlers, last)


def _trap(parser: Parser) -> Node:
    start = parser.at
    parser.at += 4
    parser.lines()
    if parser.peek() == "[":
        parser.type_name()
    return Trap(start, parser.at, parser.braces())


def _function(parser: Parser) -> Node:
    start = parser.at
    parser.at += len(parser.word())
    parser.blanks()
    name = getattr(parser.bare(), "value", "").lower()
    name = name.removeprefix("global:").removeprefix("script:").removeprefix("local:")
    parser.lines()
    params = parser.parameters() if parser.peek() == "(" else []
    parser.lines()
    block = parser.script_block()
    block.params = params + block.params
    found = Function(start, parser.at, name, block)
    if name:
        parser.functions.append(found)
    return found


def _jump(parser: Parser) -> Node:
    start, word = parser.at, parser.word().lower()
    parser.at += len(word)
    parser.blanks()
    if word in ("break", "continue") and (parser.word() or parser.peek() == "$"):
        parser.one()  # the label of a loop
        return Jump(start, parser.at, word)
    if parser.peek() in (";", "}", ")", "|", "&", "", *NEWLINES):
        return Jump(start, parser.at, word)
    value = parser.statement()
    return Jump(start, parser.at, word, value)


def _param(parser: Parser) -> Node:
    start = parser.at
    parser.at += 5
    parser.lines()
    if parser.peek() != "(":
        raise SyntaxFault("(")
    params = parser.parameters()
    body = Block(parser.at, parser.at)
    block = ScriptBlock(start, parser.at, body, params, parser.source)
    return Function(start, parser.at, "", block)


def _bare_block(parser: Parser) -> Node:
    """``begin``, ``process`` and ``end`` at the top of a script."""
    width = len(parser.word())
    at = parser.at
    parser.at += width
    parser.lines()
    if parser.peek() != "{":
        parser.at = at
        return parser.pipelines()
    return parser.braces()


KEYWORDS: Keywords = {
    "if": _if,
    "while": _while,
    "do": _do,
    "for": _for,
    "foreach": _foreach,
    "switch": _switch,
    "try": _try,
    "trap": _trap,
    "function": _function,
    "filter": _function,
    "workflow": _function,
    "param": _param,
    **DECLARATIONS,
    **dict.fromkeys(("return", "exit", "throw", "break", "continue"), _jump),
    **dict.fromkeys(sorted(BLOCKS), _bare_block),
}
