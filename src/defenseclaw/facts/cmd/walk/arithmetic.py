"""``set /a``: whole numbers, names, and the operators of C."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from defenseclaw.facts.cmd.syntax.percent import MARKS
from defenseclaw.facts.cmd.syntax.text import EXAMPLE
from defenseclaw.facts.cmd.walk.state import State

_ASSIGN = re.compile(r"\s*([A-Za-z_]\w*)\s*(<<|>>|[-+*/%&|^])?=(?!=)\s*(.*)", re.DOTALL)
_TOKEN = re.compile(r"\s*(?:(0x[0-9a-fA-F]+|\d+)|([A-Za-z_]\w*)|(<<|>>|[-+*/%&|^~!()]))")
_NAMES = re.compile(r"[A-Za-z_]\w*(?=\s*(?:<<|>>|[-+*/%&|^])?=)")
_MAX_TOKENS = 64  # of one expression; what is longer is not followed
_WEIGHTS: Mapping[str, int] = {
    "|": 1, "^": 2, "&": 3, "<<": 4, ">>": 4, "+": 5, "-": 5, "*": 6, "/": 6, "%": 6,
}  # fmt: skip
_APPLY: Mapping[str, Callable[[int, int], int]] = {
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "&": lambda a, b: a & b,
    "<<": lambda a, b: a << (b & 31),
    ">>": lambda a, b: a >> (b & 31),
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "%": lambda a, b: abs(a) % abs(b) * (1 if a >= 0 else -1),
}


def calculate(text: str, state: State) -> dict[str, str]:
    """The variables that an expression sets; a value that is not known is an example."""
    found: dict[str, str] = {}
    for part in text.split(",")[:_MAX_TOKENS]:
        assignment = _ASSIGN.fullmatch(part)
        if assignment is None:
            found.update({m[0].lower(): EXAMPLE for m in _NAMES.finditer(part)})
            continue
        name, op, body = assignment[1].lower(), assignment[2], assignment[3]
        value = _evaluate(body, {**state.variables, **found})
        if op and value is not None:
            old = _of_name(name, {**state.variables, **found})
            value = None if old is None else _applied(op, old, value)
        found[name] = EXAMPLE if value is None else str(value)
    return found


def _of_name(name: str, known: Mapping[str, str | None]) -> int | None:
    if name not in known:
        return None
    value = known[name] or "0"
    return int(value) if MARKS.isdisjoint(value) and re.fullmatch(r"-?\d{1,10}", value) else None


def _applied(op: str, left: int, right: int) -> int | None:
    if op in "/%" and right == 0:
        return None
    value = _APPLY[op](left, right)
    return (value + 2**31) % 2**32 - 2**31


class _Reader:
    """The tokens of an expression."""

    def __init__(self, tokens: list[tuple[str, str, str]], known: Mapping[str, str | None]) -> None:
        self.tokens, self.known, self.at = tokens, known, 0

    def peek(self) -> str:
        """The operator that comes next."""
        return self.tokens[self.at][2] if self.at < len(self.tokens) else ""

    def binary(self, weight: int) -> int | None:
        """Operators that bind at least so strongly."""
        left = self.unary()
        while (op := self.peek()) and _WEIGHTS.get(op, 0) >= weight:
            self.at += 1
            right = self.binary(_WEIGHTS[op] + 1)
            if left is None or right is None:
                return None
            left = _applied(op, left, right)
        return left

    def unary(self) -> int | None:
        """A number, a name, a parenthesis, or a sign in front."""
        if self.at >= len(self.tokens):
            return None
        number, name, op = self.tokens[self.at]
        self.at += 1
        if number:
            return int(number, 16 if "x" in number.lower() else 8 if number[0] == "0" else 10)
        if name:
            return _of_name(name.lower(), self.known)
        if op == "(":
            value = self.binary(1)
            self.at += 1
            return value
        value = self.unary()
        if value is None or op not in "-+~!":
            return None
        return {"-": -value, "+": value, "~": ~value, "!": int(value == 0)}[op]


def _evaluate(text: str, known: Mapping[str, str | None]) -> int | None:
    tokens: list[tuple[str, str, str]] = []
    at = 0
    while at < len(text.rstrip()):
        found = _TOKEN.match(text, at)
        if found is None or len(tokens) >= _MAX_TOKENS or len(found[1] or "") > 10:
            return None
        tokens.append((found[1] or "", found[2] or "", found[3] or ""))
        at = found.end()
    reader = _Reader(tokens, known)
    try:
        value = reader.binary(1)
    except ValueError:  # 08 is no octal number
        return None
    return value if reader.at == len(tokens) else None
