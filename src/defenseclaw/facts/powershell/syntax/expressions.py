"""Expressions: operands, members, indexes, casts and operators by their precedence."""

from __future__ import annotations

from abc import abstractmethod

from defenseclaw.facts.powershell.syntax.cursor import (
    DASHES,
    DOUBLE_QUOTES,
    SINGLE_QUOTES,
    SyntaxFault,
)
from defenseclaw.facts.powershell.syntax.tree import (
    Binary,
    Block,
    Conditional,
    Group,
    Index,
    Literal,
    Member,
    Node,
    ScriptBlock,
    Sequence,
    Table,
    Unary,
    Variable,
)
from defenseclaw.facts.powershell.syntax.types import Types

_LOGICAL, _BITWISE, _COMPARE, _ADD, _MULTIPLY, _FORMAT, _RANGE = range(1, 8)
_COMPARING = [
    "eq",
    "ne",
    "gt",
    "ge",
    "lt",
    "le",
    "like",
    "notlike",
    "match",
    "notmatch",
    "contains",
    "notcontains",
    "in",
    "notin",
    "replace",
    "split",
    "join",
    "is",
    "isnot",
    "as",
]
# Operators that mean something else where case counts.
_CASED = ("creplace", "csplit", "ceq", "cne", "clike", "cnotlike", "cmatch", "cnotmatch",
          "ccontains", "cnotcontains", "cin", "cnotin")  # fmt: skip
PRECEDENCE = {
    **dict.fromkeys(("-and", "-or", "-xor", "??"), _LOGICAL),
    **dict.fromkeys(("-band", "-bor", "-bxor"), _BITWISE),
    **dict.fromkeys((f"-{name}" for name in (*_COMPARING, *_CASED)), _COMPARE),
    **dict.fromkeys("+-", _ADD),
    **dict.fromkeys(("*", "/", "%", "-shl", "-shr"), _MULTIPLY),
    "-f": _FORMAT,
    "..": _RANGE,
}
UNARY_WORDS = frozenset({"-not", "-bnot", "-split", "-join", "-isplit", "-csplit"})


class Expressions(Types):
    """Reads expressions."""

    @abstractmethod
    def script_block(self) -> ScriptBlock:
        """``{ … }`` at the position."""

    @abstractmethod
    def statement(self) -> Node:
        """One statement."""

    @abstractmethod
    def enclosed(self) -> Block:
        """One pipeline or assignment up to a closing bracket, which is taken."""

    def expression(self) -> Node:
        """A whole expression."""
        self.enter()
        found = self._binary(_LOGICAL)
        self.blanks()
        if self.peek() == "?" and self.peek(1) not in ("?", "."):
            self.at += 1
            self.lines()
            first = self._binary(_LOGICAL)
            self.lines()
            self.expect(":")
            self.lines()
            second = self.expression()
            found = Conditional(found.start, self.at, found, first, second)
        self.leave()
        return found

    def _binary(self, least: int) -> Node:
        left = self._listed()
        while True:
            op, width = self._operator()
            if not op or PRECEDENCE[op] < least:
                return left
            self.at += width
            self.lines()
            right = self._binary(PRECEDENCE[op] + 1)
            self.count()
            left = Binary(left.start, self.at, op, left, right)

    def _operator(self) -> tuple[str, int]:
        """The operator at the position and its width in the text."""
        self.blanks()
        char = self.peek()
        if char and char in DASHES:
            return self._dashed_operator()
        if self.starts("??") and not self.starts("??="):
            return "??", 2
        if self.starts("..") and self.peek(2) != ".":
            return "..", 2
        if char and char in "+*/%" and self.peek(1) != "=" and not self.starts("++"):
            return char, 1
        return "", 0

    def _dashed_operator(self) -> tuple[str, int]:
        self.at += 1
        word = self.word().lower()
        self.at -= 1
        for name in (word, word[1:] if word[:1] in ("c", "i") else word):
            if f"-{name}" in PRECEDENCE:
                return f"-{name}", len(word) + 1
        if word[:1].isalpha() or self.peek(1) in ("=", *DASHES):
            return "", 0
        return "-", 1

    def _listed(self) -> Node:
        """``a, b, c``."""
        first = self.unary()
        self.blanks()
        if self.peek() != ",":
            return first
        items = [first]
        while self.peek() == ",":
            self.at += 1
            self.lines()
            items.append(self.unary())
            self.blanks()
        return Sequence(first.start, items[-1].end, items)

    def unary(self) -> Node:
        """An operand with the operators and casts before it."""
        start, char = self.at, self.peek()
        if self.starts("++") or self.starts("--"):
            return self._prefixed(self.source[start : start + 2], 2)
        if char in ("!", ",", "+"):
            return self._prefixed(char, 1)
        if char and char in DASHES:
            self.at += 1
            word = self.word().lower()
            self.at = start
            named = f"-{word}" in UNARY_WORDS
            return self._prefixed(f"-{word}" if named else "-", len(word) + 1 if named else 1)
        if char == "[":
            return self._typed()
        return self.postfix(self.operand())

    def _prefixed(self, op: str, width: int) -> Node:
        start = self.at
        self.at += width
        self.enter()
        self.lines()
        operand = self.unary()
        self.leave()
        return Unary(start, self.at, op, operand)

    def _typed(self) -> Node:
        """A type, or a cast to it."""
        name = self.type_name()
        if self.starts("::") or self.peek() == ".":
            return self.postfix(name)
        self.blanks()
        if self._begins_operand():
            self.enter()
            operand = self.unary()
            self.leave()
            return Unary(name.start, self.at, f"[{name.name}]", operand)
        return name

    def _begins_operand(self) -> bool:
        char = self.peek()
        return bool(char) and (
            char in "$@({[+!" + SINGLE_QUOTES + DOUBLE_QUOTES
            or char.isdigit()
            or (char in DASHES and not self.word())
        )

    def operand(self) -> Node:
        """A variable, a string, a number, or something in brackets."""
        self.count()
        start, char = self.at, self.peek()
        if char == "@":
            return self._at_sign()
        if char and char in SINGLE_QUOTES + DOUBLE_QUOTES:
            return self.string()
        if char == "$" and self.is_variable():
            return self.dollar()
        if char == "(":
            self.at += 1
            body = self.enclosed()
            return Group(start, self.at, body)
        if char == "{":
            return self.script_block()
        if char.isdigit() or (char == "." and self.peek(1).isdigit()):
            return self._number()
        raise SyntaxFault("operand")

    def _at_sign(self) -> Node:
        start, after = self.at, self.peek(1)
        if after and after in SINGLE_QUOTES + DOUBLE_QUOTES:
            return self.string()
        if after == "(":
            self.at += 2
            body = self.block(")")
            return Group(start, self.at, body, array=True)
        if after == "{":
            return self._table()
        self.at += 1
        name = self.word().lower()
        if not name:
            raise SyntaxFault("@")
        self.at += len(name)
        return Variable(start, self.at, name, spread=True)

    def _table(self) -> Table:
        start = self.at
        self.at += 2
        self.enter()
        items: list[tuple[Node, Node]] = []
        while True:
            self.lines()
            if self.peek() == ";":
                self.at += 1
                continue
            if self.peek() == "}":
                break
            key = self._key()
            self.lines()
            self.expect("=")
            self.lines()
            items.append((key, self.statement()))
        self.at += 1
        self.leave()
        return Table(start, self.at, items)

    def _key(self) -> Node:
        """A table's key: a bare word, or an expression."""
        start = self.at
        while self.at < self.end and (self.peek().isalnum() or self.peek() in "_-."):
            self.at += 1
        if self.at > start:
            return Literal(start, self.at, self.source[start : self.at])
        return self.unary()

    def _number(self) -> Literal:
        start = self.at
        while self.at < self.end:
            char = self.source[self.at]
            if char == "." and (self.peek(1) in (".", "_") or self.peek(1).isalpha()):
                break
            if not (char.isalnum() or char == "."):
                break
            self.at += 1
        return Literal(start, self.at, self.source[start : self.at])

    def postfix(self, target: Node) -> Node:
        """Members, calls and indexes behind an operand."""
        while True:
            if self.starts("::") or self._is_member():
                target = self._member(target)
            elif self.peek() == "[":
                self.at += 1
                self.lines()
                index = self.expression()
                self.lines()
                self.expect("]")
                target = Index(target.start, self.at, target, index)
            elif self.starts("++") or self.starts("--"):
                op = self.source[self.at : self.at + 2]
                self.at += 2
                target = Unary(target.start, self.at, op, target)
            else:
                return target
            self.count()

    def _is_member(self) -> bool:
        ahead = 1 if self.starts("?.") else 0
        after = self.peek(ahead + 1)
        named = after.isalpha() or (after != "" and after in "_$('\"{")
        return self.peek(ahead) == "." and named

    def _member(self, target: Node) -> Node:
        static = self.starts("::")
        self.at += 2 if static or self.peek() == "?" else 1
        start, char = self.at, self.peek()
        name: Node
        if char and char in "$({'\"":
            name = self.operand()
        else:
            word = self.word()
            self.at += len(word)
            name = Literal(start, self.at, word)
        if self.peek() == "(":
            args = self.arguments()
            return Member(target.start, self.at, target, name, static, args)
        if self.peek() == "{":
            block: Node = self.script_block()
            return Member(target.start, self.at, target, name, static, [block])
        return Member(target.start, self.at, target, name, static)

    def arguments(self) -> list[Node]:
        """``(a, b)`` behind a method's name; a block may follow."""
        self.at += 1
        self.enter()
        found: list[Node] = []
        self.lines()
        while self.peek() != ")":
            found.append(self.argument())
            self.lines()
            if self.peek() == ",":
                self.at += 1
                self.lines()
            elif self.peek() != ")":
                raise SyntaxFault(")")
        self.at += 1
        self.leave()
        return found

    def argument(self) -> Node:
        """One argument: an expression without a list, as commas part arguments."""
        return self._argument_side(_LOGICAL)

    def _argument_side(self, least: int) -> Node:
        left = self.unary()
        while True:
            op, width = self._operator()
            if not op or PRECEDENCE[op] < least:
                return left
            self.at += width
            self.lines()
            right = self._argument_side(PRECEDENCE[op] + 1)
            self.count()
            left = Binary(left.start, self.at, op, left, right)
