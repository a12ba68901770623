"""What a hit in written code must be to count, by the word that rules use.

A check answers HIT, MENTION (the dangerous thing is there and does no harm as it stands), or None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum

from defenseclaw.rules.checks.credential import is_credential, is_placeholder, is_secret_value
from defenseclaw.rules.code.expression import (
    arguments,
    fills,
    holds_values,
    is_constant,
    value_at,
)
from defenseclaw.rules.code.lexer import Code, Span
from defenseclaw.rules.code.query import built_condition, built_query
from defenseclaw.rules.model import CodeCheck


class Weight(StrEnum):
    """What a hit amounts to."""

    HIT = "hit"
    MENTION = "mention"


Check = Callable[[Code, int, int], Weight | None]
_SHELL_FLAG = re.compile(r"\bshell\s*[=:]\s*(?:True|true|1)\b")
_SHELL_WORD = re.compile(
    r"(?:.*/)?(?:ba|z|k|da)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh|/bin/sh -c"
)
_RUN_FLAG = re.compile(r"-\w*c|/[cC]|-Command")
_SAFE_LOADER = re.compile(r"\bC?(?:Safe|Base)Loader\b|\bsafe_load\b")
_NO_SECURITY = re.compile(r"\busedforsecurity\s*=\s*False\b")
_OWN_DATA = re.compile(r"\b(?:dumps|dump|serialize)\s*\(")
_CONSTANT_HOST = re.compile(
    r"https?://[A-Za-z0-9.-]+(?::\d+)?(?:[/?#]|$)|/|\.{1,2}/|\?|data:|blob:|file:"
)
_CLIMBS = re.compile(r"(?:^|[\\/])\.\.(?:[\\/]|$)")
# What stands before a text that names another module or file of the same project.
_REFERENCE = re.compile(
    r"(?:\bfrom|\bimport|\brequire(?:_relative|_once)?|\binclude(?:_once)?|@import|@use|\bimport\s*\("
    r"|\brequire(?:\.resolve)?\s*\(|\bload\s*\(|\bimport\s*\{[^}]*\}\s*from|\bmock\s*\(|\bmod"
    r"|\binclude_\w+!?\s*\(|\bURL\s*\(|\bdofile\s*\(|\bsource)\s*\(?\s*$"
)
_JOINS = re.compile(r"\s*(?:[+.%,]|\.format)")
_KEY = re.compile(
    r"(?:-----)?(?:\\[nr]|[\s\"'`+,.;()\\|#*>]|Proc-Type: [^\n]{1,40}|DEK-Info: [^\n]{1,80})*"
    r"([A-Za-z0-9+/=]{24,})"
)
_KEY_WINDOW = 400  # characters behind a header in which the key starts
_LAST_QUOTED = re.compile(r"([\"'`])([^\"'`\n]*)\1?$")


def _first(code: Code, end: int) -> Span:
    return arguments(code, end)[0]


def _by(constant: bool) -> Weight:
    return Weight.MENTION if constant else Weight.HIT


def computed(code: Code, _start: int, end: int) -> Weight | None:
    """The first argument is not constant."""
    first = _first(code, end)
    return _by(is_constant(first)) if first.text.strip() else None


def computed_call(code: Code, _start: int, end: int) -> Weight | None:
    """Some argument is not constant."""
    return _by(all(is_constant(item) for item in arguments(code, end)))


def computed_text(code: Code, start: int, end: int) -> Weight | None:
    """The first argument is one text, put together or held in a variable; a list is none."""
    given = arguments(code, end)
    if len(given) > 1 and not given[1].bare.strip().startswith(
        ("{", "function", "(", "chdir", "out")
    ):
        return Weight.MENTION
    if given[0].bare.strip()[:1] in ("*", "["):
        return Weight.MENTION
    return computed(code, start, end)


def computed_shell(code: Code, _start: int, end: int) -> Weight | None:
    """The call asks for a shell, and the command is not constant."""
    given = arguments(code, end)
    if not any(_SHELL_FLAG.search(item.bare) for item in given[1:]):
        return Weight.MENTION
    return _by(is_constant(given[0]))


def shell_program(code: Code, start: int, _end: int) -> Weight | None:
    """A shell is started by name, with code that is not constant."""
    whole = Span(code, start, value_at(code, start).end)
    words = {code.text[slice(*token.inner)]: token for token in whole.strings()}
    shell = next((token for word, token in words.items() if _SHELL_WORD.fullmatch(word)), None)
    if shell is None or not any(map(_RUN_FLAG.fullmatch, words)):
        return None
    return _by(not holds_values(Span(code, shell.start, whole.end)))


def command_text(code: Code, start: int, _end: int) -> Weight | None:
    """A string that is a command, with expressions in it."""
    token = code.string_at(start)
    if token is None:
        return None
    span = Span(code, start, token.end)
    return _by(all(is_constant(inner) for inner in fills(span, token)))


def _queried(found: bool | None) -> Weight | None:
    return None if found is None else _by(not found)


def query(code: Code, _start: int, end: int) -> Weight | None:
    """One of the first two arguments is a query with values in it."""
    found = [built_query(item) for item in arguments(code, end)[:2]]
    return _queried(max((item for item in found if item is not None), default=None))


def assigned_query(code: Code, start: int, _end: int) -> Weight | None:
    """An assigned text is a query with values in it."""
    at = code.bare.find("=", start) + 1
    return _queried(built_query(value_at(code, at)))


def condition(code: Code, _start: int, end: int) -> Weight | None:
    """The first argument is a condition with values in it."""
    first = _first(code, end)
    return _queried(built_condition(first)) if any(first.strings()) else None


def unsafe_loader(code: Code, _start: int, end: int) -> Weight | None:
    """The call names no safe loader."""
    given = arguments(code, end)
    if any(_SAFE_LOADER.search(item.bare) for item in given):
        return None
    return _by(is_constant(given[0]))


def foreign_data(code: Code, _start: int, end: int) -> Weight | None:
    """What is decoded was not encoded by the same expression."""
    first = _first(code, end)
    if not first.text.strip():
        return None
    return _by(is_constant(first) or _OWN_DATA.search(first.bare) is not None)


def computed_host(code: Code, _start: int, end: int) -> Weight | None:
    """The address does not start with a constant host."""
    first = _first(code, end)
    if not first.text.strip():
        return None
    token = next(first.strings(), None)
    if token and not code.bare[first.start : token.start].strip(" \n("):
        written = code.text[token.inner[0] : token.fills[0][0] if token.fills else token.inner[1]]
        if _CONSTANT_HOST.match(written):
            return Weight.MENTION
    return _by(is_constant(first))


def climbing(code: Code, start: int, _end: int) -> Weight | None:
    """A text that leads upwards and holds a value, but for references to modules."""
    token = code.string_around(start)
    if token is None or not _CLIMBS.search(code.text[slice(*token.inner)]):
        return None
    before = code.bare[max(0, token.start - 120) : token.start]
    if _REFERENCE.search(before):
        return None
    if not all(is_constant(inner) for inner in fills(Span(code, token.start, token.end), token)):
        return Weight.HIT
    joined = _JOINS.match(code.bare, token.end)
    if joined and joined[0].strip() != ",":
        return _by(is_constant(value_at(code, joined.end())))
    return Weight.MENTION


def joined_parent(code: Code, _start: int, end: int) -> Weight | None:
    """A path joined from a parent folder and a value."""
    given = arguments(code, end)
    texts = [code.text[slice(*token.inner)] for item in given for token in item.strings()]
    if not any(map(_CLIMBS.search, texts)):
        return None
    return _by(all(is_constant(item) for item in given))


def secret_value(code: Code, start: int, end: int) -> Weight | None:
    """The quoted value at the end of the hit is random enough to be a secret."""
    quoted = _LAST_QUOTED.search(code.text[start:end])
    return Weight.HIT if quoted and is_secret_value(quoted[2]) else None


def credential(code: Code, start: int, end: int) -> Weight | None:
    """The hit is neither a public example nor a placeholder."""
    return Weight.HIT if is_credential(code.text, start, end) else None


def weak_hash(code: Code, _start: int, end: int) -> Weight | None:
    """The call does not say that it is for other things than security."""
    given = arguments(code, end)
    return None if any(_NO_SECURITY.search(item.bare) for item in given) else Weight.HIT


def key_material(code: Code, _start: int, end: int) -> Weight | None:
    """Behind the header stands a key; the header alone is a mention."""
    key = _KEY.match(code.text, end, end + _KEY_WINDOW)
    return _by(key is None or is_placeholder(key[1]))


CODE_CHECKS: Mapping[CodeCheck, Check] = {
    CodeCheck.COMPUTED: computed,
    CodeCheck.COMPUTED_CALL: computed_call,
    CodeCheck.COMPUTED_TEXT: computed_text,
    CodeCheck.COMPUTED_SHELL: computed_shell,
    CodeCheck.SHELL_PROGRAM: shell_program,
    CodeCheck.COMMAND_TEXT: command_text,
    CodeCheck.QUERY: query,
    CodeCheck.ASSIGNED_QUERY: assigned_query,
    CodeCheck.CONDITION: condition,
    CodeCheck.UNSAFE_LOADER: unsafe_loader,
    CodeCheck.FOREIGN_DATA: foreign_data,
    CodeCheck.COMPUTED_HOST: computed_host,
    CodeCheck.CLIMBING: climbing,
    CodeCheck.JOINED_PARENT: joined_parent,
    CodeCheck.SECRET_VALUE: secret_value,
    CodeCheck.CREDENTIAL: credential,
    CodeCheck.WEAK_HASH: weak_hash,
    CodeCheck.KEY_MATERIAL: key_material,
}
