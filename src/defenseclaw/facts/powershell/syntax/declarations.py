"""Declarations: classes, enumerations, data sections, and what a script uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from defenseclaw.facts.powershell.syntax.cursor import NEWLINES, SyntaxFault
from defenseclaw.facts.powershell.syntax.parser import Parser
from defenseclaw.facts.powershell.syntax.tree import (
    Assignment,
    Block,
    Class,
    Function,
    Group,
    Node,
    Opaque,
    Pipeline,
    Value,
    Variable,
)

_MODIFIERS = frozenset({"static", "hidden"})


def _class(parser: Parser) -> Node:
    start = parser.at
    parser.at += len("class")
    name = _name(parser)
    _bases(parser)
    parser.expect("{")
    parser.enter()
    found = Class(start, start, name, [], [])
    while True:
        parser.separators()
        if parser.peek() == "}":
            break
        _member(parser, found)
    parser.at += 1
    parser.leave()
    found.end = parser.at
    return found


def _name(parser: Parser) -> str:
    parser.blanks()
    name = parser.word().lower()
    if not name:
        raise SyntaxFault("name")
    parser.at += len(name)
    return name


def _bases(parser: Parser) -> None:
    """``: base, interface`` up to the body."""
    parser.lines()
    while parser.peek() not in ("{", ""):
        if not (parser.peek().isalnum() or parser.peek() in ":,._[]"):
            raise SyntaxFault("{")
        parser.at += 1
        parser.lines()


def _member(parser: Parser, found: Class) -> None:
    """A property or a method, or one of the words before it."""
    start, word = parser.at, parser.word().lower()
    if parser.peek() == "[":
        parser.type_name()
        return
    if parser.peek() == "$":
        found.properties.append(parser.parameter())
        return
    if not word:
        raise SyntaxFault("member")
    parser.at += len(word)
    parser.lines()
    if word in _MODIFIERS and parser.peek() != "(":
        return
    params = parser.parameters()
    parser.lines()
    if parser.peek() == ":":
        _base_call(parser)
    block = parser.script_block()
    block.params = params
    method = Function(start, parser.at, f"[{found.name}]::{word}", block)
    found.methods.append(method)
    parser.functions.append(method)


def _base_call(parser: Parser) -> None:
    """``: base( … )`` of a constructor."""
    parser.at += 1
    parser.lines()
    parser.at += len(parser.word())
    parser.lines()
    if parser.peek() != "(":
        raise SyntaxFault("(")
    parser.arguments()


def _enum(parser: Parser) -> Node:
    """An enumeration: names with constant values, so nothing in it runs."""
    start = parser.at
    parser.at += len("enum")
    _name(parser)
    _bases(parser)
    parser.expect("{")
    while True:
        parser.separators()
        if parser.peek() == "}":
            break
        parser.parameter_value(_name(parser))
    parser.at += 1
    return Block(start, parser.at)


def _data(parser: Parser) -> Node:
    """``data { … }`` gives what is in it; ``data name { … }`` keeps it in a variable."""
    start = parser.at
    parser.at += len("data")
    parser.blanks()
    name = parser.word().lower()
    parser.at += len(name)
    parser.lines()
    if parser.starts("-"):
        while parser.peek() not in ("{", "", *NEWLINES):
            parser.at += 1
    if parser.peek() != "{":
        parser.at = start
        return parser.pipelines()
    parser.at += 1
    group = Group(start, parser.at, parser.block("}"))
    group.end = parser.at
    found = Pipeline(start, parser.at, [Value(start, parser.at, group)])
    if not name:
        return found
    return Assignment(start, parser.at, Variable(start, start, name), "=", found)


def _opaque(parser: Parser) -> Node:
    """Skip to the block of a construct and over it."""
    start = parser.at
    parser.opaque = True
    while parser.at < parser.end and parser.peek() not in "{;" + NEWLINES:
        parser.at += 1
    if parser.peek() == "{":
        parser.script_block()
    return Opaque(start, parser.at)


def _using(parser: Parser) -> Node:
    """``using namespace`` shortens names; a module or an assembly is code that is not here."""
    start = parser.at
    while parser.at < parser.end and parser.peek() not in ";" + NEWLINES:
        parser.at += 1
    words = parser.source[start : parser.at].lower().split()
    if words[1:2] == ["namespace"] and len(words) > 2:
        parser.namespaces.append(words[2].removeprefix("system."))
    else:
        parser.opaque = True
    return Block(start, parser.at)


DECLARATIONS: Mapping[str, Callable[[Parser], Node]] = {
    "class": _class,
    "enum": _enum,
    "configuration": _opaque,
    "data": _data,
    "using": _using,
}
