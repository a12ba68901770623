"""Tokens to a syntax tree, by the grammar of CEL.

Recursion is bounded: one level per nested expression, counted. Binary operators are folded in
loops, so that a long chain costs no stack.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeVar

from defenseclaw.cel import nodes
from defenseclaw.cel.errors import CelError, Code
from defenseclaw.cel.lexer import Token, TokenKind, tokenize
from defenseclaw.cel.limits import Limits
from defenseclaw.cel.literals import parse_float, parse_int, parse_string, parse_uint
from defenseclaw.cel.macros import expand_global, expand_member
from defenseclaw.cel.nodes import Node
from defenseclaw.cel.types import BOOL, BYTES, DOUBLE, INT, NULL, STRING, UINT, Type

# From the tightest to the loosest; all associate to the left.
TIERS: tuple[dict[str, str], ...] = (
    {"*": "_*_", "/": "_/_", "%": "_%_"},
    {"+": "_+_", "-": "_-_"},
    {
        "==": "_==_",
        "!=": "_!=_",
        "<": "_<_",
        "<=": "_<=_",
        ">": "_>_",
        ">=": "_>=_",
        "in": "@in",
    },
)
CHAINS = ("&&", "||")
SIGNS = {"!": "!_", "-": "-_"}
BINARY = frozenset(CHAINS).union(*TIERS)
RESERVED = frozenset(
    {
        *("as", "break", "const", "continue", "else", "for", "function", "if", "import", "let"),
        *("loop", "package", "namespace", "return", "var", "void", "while"),
    }
)
_NUMBERS = (TokenKind.INT, TokenKind.FLOAT)
_WORDS = (TokenKind.OPERATOR, TokenKind.KEYWORD)
_T = TypeVar("_T")


def parse(text: str, limits: Limits) -> Node:
    """The tree of an expression; raises ``CelError`` with the syntax code."""
    return _Parser(tokenize(text), limits).parse()


class _Parser:
    """One pass over the tokens; not reusable."""

    def __init__(self, tokens: list[Token], limits: Limits) -> None:
        self._tokens = tokens
        self._limits = limits
        self._index = 0
        self._level = 0

    def parse(self) -> Node:
        node = self._expression()
        if self._token.kind is not TokenKind.END:
            self._fail("the expression should end here")
        return node

    # --- tokens ---

    @property
    def _token(self) -> Token:
        return self._tokens[self._index]

    def _next(self) -> Token:
        token = self._tokens[self._index]
        self._index += 1
        return token

    def _at(self, text: str, ahead: int = 0) -> bool:
        # A look ahead never passes the END token: it only follows tokens that are not it.
        token = self._tokens[self._index + ahead]
        return token.text == text and token.kind in _WORDS

    def _accept(self, text: str) -> bool:
        token = self._tokens[self._index]
        if token.text != text or token.kind not in _WORDS:
            return False
        self._index += 1
        return True

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            self._fail(f"expected {text!r}")

    def _name(self) -> Token:
        if self._token.kind is not TokenKind.IDENT:
            self._fail("expected a name")
        return self._next()

    def _fail(self, message: str) -> NoReturn:
        raise CelError(Code.SYNTAX, message, self._token.position)

    def _counted(self, node: Node) -> Node:
        """Count a finished node against the parser's own ceiling."""
        if node.count > self._limits.parser_nodes:
            raise CelError(Code.SYNTAX, "the expression has too many parts", node.position)
        return node

    # --- grammar ---

    def _expression(self) -> Node:
        self._level += 1
        self._check_levels(0)
        node = self._operation()
        position = self._token.position
        if self._accept("?"):
            then = self._operation()
            self._expect(":")
            node = nodes.call(position, "_?_:_", None, (node, then, self._expression()))
        self._level -= 1
        return self._counted(node)

    def _check_levels(self, run: int) -> None:
        if self._level + run > self._limits.parser_levels:
            self._fail("the expression is nested too deeply")

    def _operation(self) -> Node:
        operands = [self._unary()]
        operators: list[Token] = []
        while self._token.text in BINARY and self._token.kind in _WORDS:
            operators.append(self._next())
            operands.append(self._unary())
        if not operators:
            return operands[0]
        for tier in TIERS:
            operands, operators = self._fold_left(tier, operands, operators)
        for chain in CHAINS:
            operands, operators = self._fold_chain(chain, operands, operators)
        return operands[0]

    def _fold_left(
        self, tier: dict[str, str], operands: list[Node], operators: list[Token]
    ) -> tuple[list[Node], list[Token]]:
        kept, rest, run = [operands[0]], [], 0
        for operator, operand in zip(operators, operands[1:], strict=True):
            if operator.text in tier:
                run += 1
                self._check_levels(run)
                function = tier[operator.text]
                kept[-1] = nodes.call(operator.position, function, None, (kept[-1], operand))
            else:
                run = 0
                kept.append(operand)
                rest.append(operator)
        return kept, rest

    def _fold_chain(
        self, chain: str, operands: list[Node], operators: list[Token]
    ) -> tuple[list[Node], list[Token]]:
        groups: list[list[Node]] = [[operands[0]]]
        rest = []
        for operator, operand in zip(operators, operands[1:], strict=True):
            if operator.text == chain:
                groups[-1].append(operand)
            else:
                groups.append([operand])
                rest.append(operator)
        return [_chain(chain, group) for group in groups], rest

    def _unary(self) -> Node:
        token = self._token
        if token.kind is not TokenKind.OPERATOR or token.text not in SIGNS:
            return self._member()
        # One minus before a number is its sign; of several, all are operators.
        if self._at_signed_number():
            return self._member()
        for sign, function in SIGNS.items():
            count = 0
            while self._accept(sign):
                count += 1
            if count:
                node = self._member()
                # The reference parser drops pairs of the same sign.
                return nodes.call(token.position, function, None, (node,)) if count % 2 else node
        return self._member()

    def _at_signed_number(self) -> bool:
        return self._at("-") and self._tokens[self._index + 1].kind in _NUMBERS

    def _member(self) -> Node:
        node = self._primary()
        run = 0
        while True:
            position = self._token.position
            if self._accept("."):
                node = self._selection(node)
            elif self._accept("["):
                index = self._expression()
                self._expect("]")
                node = nodes.call(position, "_[_]", None, (node, index))
            else:
                return node
            run += 1
            self._check_levels(run)

    def _selection(self, operand: Node) -> Node:
        name = self._name()
        if not self._accept("("):
            return nodes.select(name.position, operand, name.text)
        args = self._arguments()
        expanded = expand_member(name.position, name.text, operand, args)
        return expanded or nodes.call(name.position, name.text, operand, args)

    def _arguments(self) -> list[Node]:
        """Arguments up to the closing parenthesis; no trailing comma."""
        if self._accept(")"):
            return []
        args = [self._expression()]
        while self._accept(","):
            args.append(self._expression())
        self._expect(")")
        return args

    def _primary(self) -> Node:
        token = self._token
        if token.kind is TokenKind.IDENT or self._at("."):
            return self._named()
        if self._accept("("):
            node = self._expression()
            self._expect(")")
            return node
        if self._accept("["):
            return nodes.list_literal(token.position, self._items("]", self._expression))
        if self._accept("{"):
            entries = self._items("}", lambda: self._entry(self._expression))
            return nodes.map_literal(
                token.position, [key for key, _ in entries], [value for _, value in entries]
            )
        return self._literal()

    def _entry(self, key: Callable[[], _T]) -> tuple[_T, Node]:
        name = key()
        self._expect(":")
        return name, self._expression()

    def _items(self, close: str, item: Callable[[], _T]) -> list[_T]:
        """Items up to the closing bracket; one trailing comma is allowed."""
        items: list[_T] = []
        if self._accept(","):  # the grammar lets a lone comma stand for no items
            self._expect(close)
            return items
        while not self._at(close):
            items.append(item())
            if not self._accept(","):
                break
        self._expect(close)
        return items

    def _named(self) -> Node:
        position = self._token.position
        rooted = self._accept(".")
        name = self._name()
        if length := self._struct_name_length():
            return self._struct(name, length)
        if name.text in RESERVED:
            raise CelError(Code.SYNTAX, f"{name.text!r} is a reserved word", name.position)
        if self._accept("("):
            args = self._arguments()
            return expand_global(position, name.text, args) or nodes.call(
                position, name.text, None, args
            )
        return nodes.ident(position, name.text, rooted=rooted)

    def _struct_name_length(self) -> int:
        """How many tokens up to and including ``{`` continue a message name; 0 if none does."""
        ahead = 0
        while (
            self._at(".", ahead) and self._tokens[self._index + ahead + 1].kind is TokenKind.IDENT
        ):
            ahead += 2
        return ahead + 1 if self._at("{", ahead) else 0

    def _struct(self, first: Token, length: int) -> Node:
        rest = self._tokens[self._index : self._index + length - 1]
        self._index += length
        entries = self._items("}", lambda: self._entry(self._name))
        return nodes.struct_literal(
            first.position,
            first.text + "".join(token.text for token in rest),
            [name.text for name, _ in entries],
            [value for _, value in entries],
        )

    def _literal(self) -> Node:
        token = self._token
        negative = self._at_signed_number() and self._accept("-")
        value = self._token
        make = _VALUES.get(value.kind) or _CONSTANTS.get((value.kind, value.text))
        if make is None:
            raise CelError(Code.SYNTAX, "expected a value", token.position)
        self._index += 1
        type_, content = make(value, negative)
        return nodes.literal(token.position, type_, content)


_VALUES: dict[TokenKind, Callable[[Token, bool], tuple[Type, bool | int | float | str | None]]] = {
    TokenKind.INT: lambda token, negative: (INT, parse_int(token, negative=negative)),
    TokenKind.FLOAT: lambda token, negative: (DOUBLE, parse_float(token, negative=negative)),
    TokenKind.UINT: lambda token, _: (UINT, parse_uint(token)),
    TokenKind.STRING: lambda token, _: (STRING, parse_string(token)),
    TokenKind.BYTES: lambda token, _: (BYTES, parse_string(token._replace(text=token.text[1:]))),
}
_CONSTANTS: dict[
    tuple[TokenKind, str], Callable[[Token, bool], tuple[Type, bool | int | float | str | None]]
] = {
    (TokenKind.KEYWORD, "true"): lambda _token, _negative: (BOOL, True),
    (TokenKind.KEYWORD, "false"): lambda _token, _negative: (BOOL, False),
    (TokenKind.KEYWORD, "null"): lambda _token, _negative: (NULL, None),
}


def _chain(operator: str, terms: list[Node]) -> Node:
    if len(terms) == 1:
        return terms[0]
    return nodes.logical(terms[1].position, is_and=operator == "&&", terms=terms)
