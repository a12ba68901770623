"""Small damages to a well-formed expression, token by token."""

from __future__ import annotations

import random

from defenseclaw.cel.lexer import TokenKind, tokenize

REPLACEMENTS = (
    *(
        "&&",
        "||",
        "!",
        "==",
        "!=",
        "<",
        ">=",
        "in",
        "+",
        "-",
        "*",
        "%",
        "?",
        ":",
        ",",
        ".",
        "(",
        ")",
    ),
    *("[", "]", "{", "}", "[0]", "true", "false", "null", "0", "-1", "7u", "1.5", "'a'", "b'a'"),
    *("f", "c", "x", "f.tool", "f.parse", "f.commands", "f.parse.status", "size", "has", "map"),
    *("exists", "all", "filter", "exists_one", "matches", "contains", "int", "string", "dyn", "if"),
    *(
        "// gone\n",
        "f.paths.exists(q, q.absolute)",
        "has(f.parse)",
        "[1, 2]",
        "{'a': 1}",
        "type(f)",
    ),
    *(
        "r'\\d'",
        '"""x"""',
        "f.commands.size()",
        ".f",
        "[]",
        "true ? 1 : 2",
        "-f.network[0].port",
    ),
)


def mutate(text: str, rng: random.Random) -> str:
    """The text with one or two tokens removed, doubled, swapped or replaced."""
    tokens = [token.text for token in tokenize(text) if token.kind is not TokenKind.END]
    for _ in range(rng.choice((1, 1, 2))):
        at = rng.randrange(len(tokens))
        match rng.randrange(5):
            case 0 if len(tokens) > 1:
                del tokens[at]
            case 1:
                tokens.insert(at, tokens[at])
            case 2:
                other = rng.randrange(len(tokens))
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3:
                tokens.insert(at, rng.choice(REPLACEMENTS))
            case _:
                tokens[at] = rng.choice(REPLACEMENTS)
    return " ".join(tokens)
