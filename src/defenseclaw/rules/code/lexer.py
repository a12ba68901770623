"""A text as code: where its comments and strings are, and what stands in the strings.

One pass from left to right. A string or comment that is never closed is none: its opening is
skipped, so that nobody hides code behind a lone quote, and so that a fragment of a file can be
read like a file.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from defenseclaw.rules.code.brackets import Brackets, find_brackets
from defenseclaw.rules.code.tables.languages import FORMS, TRIGGERS, Fill, Form, Language
from defenseclaw.rules.limits import MAX_CODE_TOKENS

_NESTED = r"((?:[^{}]++|\{[^{}]*+\})*+)"
FILLS: Mapping[Fill, re.Pattern[str]] = {
    Fill.BRACE: re.compile(r"\{\{|\}\}|\{" + _NESTED + r"\}"),
    Fill.DOLLAR_BRACE: re.compile(r"\\.|\$\{" + _NESTED + r"\}"),
    Fill.HASH: re.compile(r"\\.|#\{" + _NESTED + r"\}"),
    Fill.DOLLAR: re.compile(
        r"\\.|\{(\$[^{}]*+)\}|\$\{" + _NESTED + r"\}|(\$[A-Za-z_]\w*+(?:->\w++|\[[^\]\n]*+\])*+)"
    ),
}
_EDGE = re.compile(r"[\w$@%]*[\"'`/]")
_LETTER = re.compile(r"[^\n]")


@dataclass(frozen=True, slots=True)
class Token:
    """A comment or string ``[start, end)``; ``inner`` is the range without its quotes, ``fills``
    are the ranges of the expressions in it."""

    start: int
    end: int
    inner: tuple[int, int]
    comment: bool
    fills: tuple[tuple[int, int], ...] = ()


@dataclass(slots=True, eq=False)
class Code:
    """A text with its tokens and views, all of the same length.

    ``bare`` shows code alone: comments and the insides of strings are blank, expressions inside
    strings stay. ``quiet`` shows code and strings without comments. ``assigned`` is what each
    name is given, and ``marks`` are the brackets, once somebody has asked for them.
    """

    text: str
    language: Language
    tokens: tuple[Token, ...]
    starts: tuple[int, ...]
    bare: str
    quiet: str
    assigned: dict[str, list[Span]] | None = None
    marks: Brackets | None = None

    def brackets(self) -> Brackets:
        """The brackets and separators outside of strings."""
        if self.marks is None:
            strings = [(t.start, t.end) for t in self.tokens if not t.comment]
            self.marks = find_brackets(self.bare, strings)
        return self.marks

    def string_at(self, position: int) -> Token | None:
        """The string that starts exactly here."""
        at = bisect_right(self.starts, position) - 1
        token = self.tokens[at] if at >= 0 else None
        return token if token and token.start == position and not token.comment else None

    def string_around(self, position: int) -> Token | None:
        """The string that holds this place."""
        at = bisect_right(self.starts, position) - 1
        token = self.tokens[at] if at >= 0 else None
        return token if token and position < token.end and not token.comment else None

    def strings(self, start: int, end: int) -> Iterator[Token]:
        """The strings that start inside a range."""
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        return (token for token in self.tokens[first:last] if not token.comment)


@dataclass(frozen=True, slots=True)
class Span:
    """A range of a text as code."""

    code: Code
    start: int
    end: int

    @property
    def bare(self) -> str:
        """The range without comments and without the insides of strings."""
        return self.code.bare[self.start : self.end]

    @property
    def text(self) -> str:
        """The range as it was written."""
        return self.code.text[self.start : self.end]

    def strings(self) -> Iterator[Token]:
        """The strings in the range."""
        return self.code.strings(self.start, self.end)


def read_code(text: str, language: Language) -> Code:
    """Find the comments and strings of a text."""
    tokens = tuple(_tokens(text, language))
    return Code(
        text,
        language,
        tokens,
        tuple(token.start for token in tokens),
        _view(text, tokens, strings=False),
        _view(text, tokens, strings=True),
    )


@cache
def _opener(language: Language) -> re.Pattern[str]:
    """Any form's opening; the group that matched says which."""
    parts = [f"(?P<f{n}>{_scoped(form, n)})" for n, form in enumerate(FORMS[language])]
    return re.compile("|".join(parts))


@cache
def _finder(language: Language) -> Callable[[str, int], re.Match[str] | None]:
    """The next opening from a place on."""
    opener = _opener(language)
    if language not in TRIGGERS:
        return opener.search
    characters, reach = TRIGGERS[language]
    trigger = re.compile(f"[{re.escape(characters)}]")

    def find(text: str, position: int) -> re.Match[str] | None:
        while at := trigger.search(text, position):
            for start in range(max(position, at.start() - reach), at.end()):
                if found := opener.match(text, start):
                    return found
            position = at.end()
        return None

    return find


def _scoped(form: Form, number: int) -> str:
    """The opening with its group names made unique among the forms."""
    return re.sub(r"\?P(<|=)(\w+)", lambda m: f"?P{m[1]}{m[2]}{number}", form.opening)


def _tokens(text: str, language: Language) -> Iterator[Token]:
    find, forms = _finder(language), FORMS[language]
    unclosed: set[str] = set()  # endings that do not occur any more
    position = count = 0
    while count < MAX_CODE_TOKENS and (found := find(text, position)):
        number = next(n for n in range(len(forms)) if found[f"f{n}"] is not None)
        form, start, end = forms[number], found.start(), found.end()
        position = end
        if form.close:
            ending = _ending(form, found, number)
            closed = None if ending in unclosed else _seek(form, ending)(text, end)
            if closed is None:
                unclosed.add(ending)
                continue
            inner, position = (end, closed.start("close")), closed.end()
        else:
            inner = _inside(text, start, end)
        if position == start:
            position += 1
            continue
        count += 1
        yield Token(start, position, inner, form.comment, _fills(text, inner, form.fill))


def _inside(text: str, start: int, end: int) -> tuple[int, int]:
    """The range of a one-line string without prefix and quotes."""
    edge = _EDGE.match(text, start, end)
    first = edge.end() if edge else start + 1
    quoted = end - 1 > first - 1 and edge is not None and text[end - 1] == text[first - 1]
    return min(first, end), max(min(first, end), end - 1 if quoted else end)


def _ending(form: Form, found: re.Match[str], number: int) -> str:
    if "{word}" not in form.close:
        return form.close
    word = found.groupdict().get(f"word{number}")
    return form.close.replace("{word}", re.escape(word)) if word else form.close


def _seek(form: Form, ending: str) -> Callable[..., re.Match[str] | None]:
    closer = _closer(ending, form.escapes)
    return closer.match if form.escapes else closer.search


@lru_cache(maxsize=256)
def _closer(ending: str, escapes: bool) -> re.Pattern[str]:
    if not escapes:
        return re.compile(f"(?P<close>{ending})")
    first = re.escape(ending.lstrip("\\")[0])
    rest = rf"[^\\{first}]++|(?s:\\.)|(?!{ending}){first}"
    return re.compile(f"(?:{rest})*+(?P<close>{ending})")


def _fills(text: str, inner: tuple[int, int], fill: Fill) -> tuple[tuple[int, int], ...]:
    if fill is Fill.NONE or inner[0] >= inner[1]:
        return ()
    found = FILLS[fill].finditer(text, *inner)
    return tuple(m.span(m.lastindex) for m in found if m.lastindex and m[m.lastindex].strip())


def _view(text: str, tokens: tuple[Token, ...], *, strings: bool) -> str:
    parts: list[str] = []
    last = 0
    for token in tokens:
        if strings and not token.comment:
            continue
        start, end = (token.start, token.end) if token.comment else token.inner
        parts.append(text[last:start])
        at = start
        for first, behind in token.fills:
            parts += (_blank(text[at:first]), text[first:behind])
            at = behind
        parts.append(_blank(text[at:end]))
        last = end
    parts.append(text[last:])
    return "".join(parts)


def _blank(text: str) -> str:
    if "\n" not in text:
        return " " * len(text)
    return _LETTER.sub(" ", text)
