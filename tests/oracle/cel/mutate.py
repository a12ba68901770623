"""Small damages to a well-formed expression, token by token."""

from __future__ import annotations

import random

from defenseclaw.cel.lexer import Token, TokenKind, tokenize

OPERATORS = ("&&", "||", "==", "!=", "<", ">=", "in", "+", "-", "*", "/", "%")
MEMBERS = (
    *("tool", "cwd", "parse", "status", "commands", "paths", "argv", "operations", "id", "from"),
    *("exists", "all", "filter", "exists_one", "map", "matches", "contains", "startsWith", "size"),
)
VALUES = (
    *(
        "true",
        "false",
        "null",
        "0",
        "-1",
        "7u",
        "1.5",
        "'a'",
        "b'a'",
        "r'\\d'",
        '"""x"""',
        "f.tool",
    ),
    *(
        "f",
        "f.parse",
        "f.commands",
        "f.parse.status",
        "[1, 2]",
        "['a']",
        "[]",
        "{'a': 1}",
        "type(f)",
    ),
    *("has(f.parse)", "f.commands.size()", "true ? 1 : 2", "(true ? true : false)", "dyn(1)"),
    *(
        "f.paths.exists(q, q.absolute)",
        "f.paths.map(q, q.absolute)",
        ".f.tool",
        "-f.network[0].port",
    ),
    *("f.commands[0].program", "size(f.tool)", "string(1)", "int", "!f.commands[0].remote"),
)
NOISE = ("!", "-", ".", ",", "(", ")", "[", "]", "{", "}", "?", ":", "[0]", "// gone\n", "if", "in")
_VALUE_KINDS = frozenset(
    {TokenKind.INT, TokenKind.UINT, TokenKind.FLOAT, TokenKind.STRING, TokenKind.BYTES}
)


def mutate(text: str, rng: random.Random) -> str:
    """The text with one or two tokens removed, doubled, swapped or replaced."""
    tokens = [token for token in tokenize(text) if token.kind is not TokenKind.END]
    parts = [token.text for token in tokens]
    for _ in range(rng.choice((1, 1, 2))):
        at = rng.randrange(len(tokens))
        if rng.random() < 0.75:
            # Mostly something that may stand here, so that the type checkers get to work.
            parts[at] = _alike(tokens[at], rng)
        else:
            _damage(parts, at, rng)
    return " ".join(part for part in parts if part)


def _alike(token: Token, rng: random.Random) -> str:
    if token.text in OPERATORS:
        return rng.choice(OPERATORS)
    if token.kind is TokenKind.IDENT:
        return rng.choice(MEMBERS)
    if token.kind in _VALUE_KINDS or token.kind is TokenKind.KEYWORD:
        return rng.choice(VALUES)
    return token.text


def _damage(parts: list[str], at: int, rng: random.Random) -> None:
    other = rng.randrange(len(parts))
    match rng.randrange(4):
        case 0:
            parts[at] = ""
        case 1:
            parts[at] = f"{parts[at]} {parts[at]}"
        case 2:
            parts[at], parts[other] = parts[other], parts[at]
        case _:
            parts[at] = f"{rng.choice(NOISE)} {parts[at]}"
