"""Values that a short script body states itself: the home, constants, other names of calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from defenseclaw.facts.inline.tokens import Token

# Expressions for the home folder, as the tokens they are split into; the longest first.
_HOMES: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "js": (
        ("require", "(", "os", ")", ".", "homedir", "(", ")"),
        ("require", "(", "node:os", ")", ".", "homedir", "(", ")"),
        ("os", ".", "homedir", "(", ")"),
        ("process", ".", "env", "[", "HOME", "]"),
        ("process", ".", "env", ".", "HOME"),
        ("Deno", ".", "env", ".", "get", "(", "HOME", ")"),
        ("homedir", "(", ")"),
    ),
    "ruby": (
        ("ENV", ".", "fetch", "(", "HOME", ")"),
        ("ENV", "[", "HOME", "]"),
        ("Dir", ".", "home", "(", ")"),
        ("Dir", ".", "home"),
    ),
    "perl": (("$ENV", "{", "HOME", "}"),),
    "php": (
        ("getenv", "(", "HOME", ")"),
        ("$_SERVER", "[", "HOME", "]"),
        ("$_ENV", "[", "HOME", "]"),
    ),
    "lua": (("os", ".", "getenv", "(", "HOME", ")"),),
}
# With one of these a name may stand for something else in another part of the text.
_SCOPES = frozenset({"function", "def", "sub", "class", "lambda", "proc", "foreach", "for", "each"})
_ASSIGNS = frozenset("=+-*/.|&?")
MAX_CONSTANTS = 64  # of one body; more is no one-liner


def settle(tokens: list[Token], language: str, home: str) -> list[Token]:
    """The tokens with every value put in that the text itself gives for certain."""
    found = _homes(tokens, language, home)
    if language == "js":
        found = _renamed(_members(found))
    return _constants(found, language)


def _homes(tokens: list[Token], language: str, home: str) -> list[Token]:
    shapes = _HOMES.get(language, ())
    starts = {shape[0] for shape in shapes}
    if not home or not any(token.text in starts for token in tokens):
        return tokens
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        taken = 0
        if tokens[at].text in starts:
            taken = next((len(s) for s in shapes if _matches(tokens, at, s)), 0)
        out.append(Token("string", home) if taken else tokens[at])
        at += taken or 1
    return out


def _matches(tokens: list[Token], at: int, shape: Sequence[str]) -> bool:
    return [t.text for t in tokens[at : at + len(shape)]] == list(shape)


def _members(tokens: list[Token]) -> list[Token]:
    """``a["b" + "c"](…)`` is ``a.bc(…)``."""
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        end, name = _member(tokens, at)
        if name and out and (out[-1].kind == "name" or out[-1].text in (")", "]")):
            out += [Token("sign", "."), Token("name", name)]
            at = end
        else:
            out.append(tokens[at])
            at += 1
    return out


def _member(tokens: list[Token], at: int) -> tuple[int, str]:
    """Where a constant member in brackets ends, and its name."""
    if tokens[at].text != "[" or tokens[at].kind != "sign":
        return at, ""
    parts: list[str] = []
    at += 1
    while at + 1 < len(tokens) and tokens[at].kind == "string" and tokens[at].text is not None:
        parts.append(tokens[at].text or "")
        after = tokens[at + 1]
        if after.kind != "sign" or after.text not in ("+", "]"):
            break
        at += 2
        if after.text == "]":
            name = "".join(parts)
            return at, name if name.isidentifier() else ""
    return at, ""


def _renamed(tokens: list[Token]) -> list[Token]:
    """``const {rm: x} = …``: from there on ``x`` is ``rm``."""
    names: dict[str, str] = {}
    out: list[Token] = []
    start = 0
    for token, following in zip(tokens, [*tokens[1:], Token("sign", "")], strict=True):
        out.append(token)
        if token.kind == "sign" and token.text == "{":
            start = len(out)
        elif token.kind == "sign" and token.text == "}" and following.text == "=":
            names.update(_pairs(out[start:-1]))
            del out[start:-1]  # a pattern names calls and makes none
    if len(names) > MAX_CONSTANTS:
        return tokens
    return [
        Token("name", names[t.text]) if t.kind == "name" and t.text in names else t for t in out
    ]


def _pairs(tokens: list[Token]) -> dict[str, str]:
    return {
        alias.text: name.text
        for name, sign, alias in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if name.kind == alias.kind == "name" and sign.text == ":" and name.text and alias.text
    }


def _is_sign(tokens: list[Token], at: int, sign: str) -> bool:
    return at < len(tokens) and tokens[at].kind == "sign" and tokens[at].text == sign


def _constants(tokens: list[Token], language: str) -> list[Token]:
    """Names that are bound once, to a text, and nowhere else."""
    names = {t.text for t in tokens if t.kind == "name"}
    arrows = any(first.text == "=" and second.text == ">" for first, second in pairwise(tokens))
    if arrows or not _SCOPES.isdisjoint(names):
        return tokens
    bound: Counter[str] = Counter()
    values: dict[str, str] = {}
    for at, token in enumerate(tokens[:-2]):
        if token.kind != "name" or token.text is None or tokens[at + 1].text not in _ASSIGNS:
            continue
        plain = _is_sign(tokens, at + 1, "=") and not _is_sign(tokens, at + 2, "=")
        bound[token.text] += plain or _is_sign(tokens, at + 2, "=")
        value = tokens[at + 2]
        if plain and value.kind == "string" and value.text is not None and _ends(tokens, at + 3):
            values[token.text] = value.text
    known = {name: text for name, text in values.items() if bound[name] == 1}
    if not known or len(known) > MAX_CONSTANTS:
        return tokens
    return [_value(tokens, at, known) for at in range(len(tokens))]


def _ends(tokens: list[Token], at: int) -> bool:
    """Whether an expression is over here."""
    return at >= len(tokens) or tokens[at].text in (";", ",", "}") or tokens[at].kind == "name"


def _value(tokens: list[Token], at: int, known: Mapping[str, str]) -> Token:
    token = tokens[at]
    target = _is_sign(tokens, at + 1, "=") or (at > 0 and tokens[at - 1].text == ".")
    called = _is_sign(tokens, at + 1, "(")
    value = known.get(token.text or "")
    if token.kind != "name" or value is None or target or called:
        return token
    return Token("string", value)
