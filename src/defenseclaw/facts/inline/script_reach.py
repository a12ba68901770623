"""Where short bodies reach further than by their calls: functions handed on, names as values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from defenseclaw.core.facts import PathAccess
from defenseclaw.facts.inline.tokens import Token
from defenseclaw.facts.tables.script_calls import LANGUAGES, Language

# Words that stand without parentheses, or are the beginning of a longer name.
_BARE = frozenset(
    {"require", "include", "include_once", "require_once", "mainModule", "Reflect", "extract"}
)
_END = Token("sign", "")


def _reached(table: Language) -> frozenset[str]:
    """The names of one language that reach outside when they are called with anything."""
    reads = (PathAccess.READ,)
    changing = {name for name, places in table.files.items() if any(a != reads for _, a in places)}
    called = (table.runs_text, table.runs_words, table.every_file, table.evaluate, changing)
    return frozenset().union(*called, table.opaque - _BARE)


REACHED: Mapping[str, frozenset[str]] = {name: _reached(t) for name, t in LANGUAGES.items()}


def reaches_by_value(tokens: Sequence[Token], language: str) -> bool:
    """Whether a function may be named by a value, which says nothing about what it is."""
    table = LANGUAGES[language]
    pairs = list(pairwise([*tokens, _END]))
    found = any(t.text in table.indexed and following.text == "[" for t, following in pairs)
    if table.named:
        found = found or _named_calls(pairs, language)
    return found or (table.constructors and _constructors(pairs))


def _named_calls(pairs: Sequence[tuple[Token, Token]], language: str) -> bool:
    """``$f(…)``, or the name of a function as a text that something may call."""
    called = any(
        t.kind == "name" and (t.text or "")[:1] == "$" and following.text == "("
        for t, following in pairs
    )
    texts = {(t.text or "").lstrip("\\").lower() for t, _ in pairs if t.kind == "string"}
    return called or not texts.isdisjoint(n.lower() for n in REACHED[language])


def _constructors(pairs: Sequence[tuple[Token, Token]]) -> bool:
    """``x.constructor(…)`` and ``x.constructor.constructor``."""
    return any(
        first.text == "." and t.text == "constructor" and following.text in ("(", ".", "[")
        for (first, _), (t, following) in pairwise(pairs)
    )


def hands_on(tokens: Sequence[Token], index: int, language: str) -> bool:
    """A function's name without a call; one that an import lists is called by that name."""
    after = tokens[index + 1] if index + 1 < len(tokens) else _END
    reached = (tokens[index].text or "") in REACHED[language]
    return reached and after.text != "(" and not is_listed(tokens, index, language)


def is_listed(tokens: Sequence[Token], index: int, language: str) -> bool:
    """A name in a list of imports, or a key of an object whose value is no plain name."""
    before = tokens[index - 1] if index else _END
    after = tokens[index + 1] if index + 1 < len(tokens) else _END
    behind = tokens[index + 2] if index + 2 < len(tokens) else _END
    keyed = after.text == ":" and behind.kind != "name"
    return before.text in ("{", ",") and (after.text in ("}", ",") or keyed)


def files_read(tokens: Sequence[Token], table: Language) -> tuple[str, ...]:
    """The constant files that are read among some tokens."""
    return tuple(dict.fromkeys(_files_read(tokens, table)))


def _files_read(tokens: Sequence[Token], table: Language) -> Iterator[str]:
    for (name, opened), (_, path) in pairwise(pairwise([*tokens, _END])):
        if name.text in table.readers and opened.text == "(" and path.kind == "string":
            yield path.text or ""
