"""Is an expression a query that is put together with values from outside?

The expression becomes one text in which every part that is not constant is a mark. Where a mark
stands decides: a value belongs into a parameter, so a mark in its place is an injection. A table,
a column or a list of conditions cannot be a parameter, so a mark there is only a mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from defenseclaw.rules.code.expression import (
    arguments,
    assignments,
    fills,
    is_constant,
    without_insides,
)
from defenseclaw.rules.code.lexer import Span, Token, read_code
from defenseclaw.rules.code.tables.languages import Language
from defenseclaw.rules.limits import MAX_VALUE_DEPTH

MARK = "\x00"
_QUERY = re.compile(
    r"(?is)^\W{0,200}(?:select\b.+?\bfrom\b|insert\s+(?:ignore\s+)?into\b.+?\b(?:values|select|set)\b"
    r"|update\b.+?\bset\b|delete\s+from\b|replace\s+into\b|merge\s+into\b|drop\s+\w+|alter\s+\w+"
    r"|create\s+\w+|truncate\b|with\s.+?\bas\s*\(|exec(?:ute)?\s+\w+|call\s+\w+|grant\s.+?\bto\b)"
)
# What stands directly before a value, as opposed to a name or a condition.
_VALUE = re.compile(
    r"(?is)(?:[=<>]\s*|['\"%]\s*|\b(?:like|ilike|rlike|limit|offset|between|then|returning)\s+"
    r"|\b(?:in|values)\s*\([^()]*|\bvalues\s*\((?:[^()]|\([^()]*\))*|\b(?:concat|lower|upper)\s*\([^()]*"
    r"|\|\|\s*)$"
)
_PLACEHOLDER_CHARS = 512  # of an expression that makes signs; ours are below 80
_LOOKBACK = 200  # characters before a mark that say what it stands for
_GLUE = re.compile(r"[()\[\]{}]|\+=?|<<|\|\||(?<=[\s\"])\.|\.(?=[\s\"])")
_DOTS = frozenset({Language.PHP, Language.PERL})  # where a dot joins texts
_FORMATTED = re.compile(r"%(?:\(\w+\))?[-+ #0]*\d*(?:\.\d+)?[srvqa]|\{\w*(?:![rsa])?(?::[^{}]*)?\}")
_FORMATS = re.compile(r"\s*(?:%(?!\w)|\.\s*format\s*\()")
_FORMATTER = re.compile(r"(?:sprintf|String\.format|Sprintf|string\.Format|format!?)\s*\(\s*$")
_WRAPPER = re.compile(r"(?:(?:await|new|return)\s+)*[\w.:$>-]*\s*\(\s*")
_PLACEHOLDER = re.compile(r"[\s,()?]*(?:(?:%s|\$\d*|:\w*|\?|@\w*)[\s,()?]*)*")


def built_query(span: Span) -> bool | None:
    """True: a value stands in the query itself; False: only names do; None: no built query."""
    found = [_weigh(text) for text in _texts(span, 0) if _QUERY.match(text)]
    return _strongest(found)


def built_condition(span: Span) -> bool | None:
    """The same for a part of a query, such as the text of a condition."""
    return _strongest([_weigh(text) for text in _texts(span, 0) if text.strip(MARK + " ")])


def _strongest(found: list[bool | None]) -> bool | None:
    return max((item for item in found if item is not None), default=None)


def _weigh(text: str) -> bool | None:
    places = [m.start() for m in re.finditer(MARK, text)]
    if not places:
        return None
    return any(_VALUE.search(text[max(0, at - _LOOKBACK) : at]) for at in places)


def _texts(span: Span, depth: int) -> Iterator[str]:
    """The texts that an expression may be, with marks; a name stands for what it was assigned."""
    name = span.bare.strip().lstrip("$@")
    known = assignments(span.code).get(name, []) if name.isidentifier() else []
    if known and depth < MAX_VALUE_DEPTH:
        each = [text for value in known for text in _texts(value, depth + 1)]
        yield from each
        if len(each) > 1:  # a query that grows line by line
            yield " ".join(each)
        return
    yield _text(span)


def _text(span: Span) -> str:
    if not any(span.strings()):  # nothing to join: its pieces need not be told apart
        return "" if not span.bare.strip() or _is_harmless(span) else MARK
    return "".join(_operand(part) for part in _operands(span))


def _operands(span: Span) -> Iterator[Span]:
    """What is joined to one text, piece by piece."""
    bare, depth, start = without_insides(span), 0, 0
    for mark in _GLUE.finditer(bare):
        char = mark[0]
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif not depth and (char != "." or span.code.language in _DOTS):
            yield Span(span.code, span.start + start, span.start + mark.start())
            start = mark.end()
    yield Span(span.code, span.start + start, span.end)


def _operand(span: Span) -> str:
    bare, strings = without_insides(span), list(span.strings())
    lead = bare[: strings[0].start - span.start] if strings else bare
    if strings and not lead.strip(" \n\t(\\") and not _is_placeholders(span):
        return _run(span, bare, strings)
    if strings and _FORMATTER.search(lead):
        return _content(span, strings[0], formatted=True)
    if strings and lead.strip() and span.code.text[strings[0].start] == "`" and lead[-1:].isalnum():
        return span.code.text[slice(*strings[0].inner)]  # the tag's function gets the values apart
    wrapper = _WRAPPER.match(bare)
    if wrapper and strings and not _is_placeholders(span):
        inner = arguments(span.code, span.start + wrapper[0].index("(") + 1)[0]
        return _text(inner) if inner.end < span.end else MARK
    return "" if not bare.strip() or _is_harmless(span) else MARK


def _run(span: Span, bare: str, strings: list[Token]) -> str:
    """Strings side by side, and the formatting that follows them."""
    run = [strings[0]]
    for token in strings[1:]:
        if bare[run[-1].end - span.start : token.start - span.start].strip(" \n\t\\"):
            break
        run.append(token)
    tail = bare[run[-1].end - span.start :].lstrip(" \n\t)")
    format_start = _FORMATS.match(tail)
    given = (
        Span(span.code, span.end - len(tail) + format_start.end(), span.end)
        if format_start
        else None
    )
    formatted = given is not None and not _is_harmless(given)
    return "".join(_content(span, token, formatted=formatted) for token in run)


def _content(span: Span, token: Token, *, formatted: bool) -> str:
    text = span.code.text
    start, end = token.inner
    parts, at = [], start
    for (first, behind), inner in zip(token.fills, fills(span, token), strict=True):
        parts.append(text[at:first].rstrip("$#{"))
        parts.append("1" if _is_harmless(inner) else MARK)
        at = behind + (text[behind : behind + 1] == "}")
    parts.append(text[at:end])
    joined = "".join(parts)
    return _FORMATTED.sub(MARK, joined) if formatted else joined


def _is_harmless(span: Span) -> bool:
    return is_constant(span) or _is_placeholders(span)


def _is_placeholders(span: Span, depth: int = 0) -> bool:
    """Whether an expression only makes signs for parameters, such as ``",".join("?" * n)``."""
    if span.end - span.start > _PLACEHOLDER_CHARS:
        return False
    code = read_code(span.text, span.code.language)
    inner = Span(code, 0, len(code.text))
    found = [code.text[slice(*token.inner)] for token in inner.strings()]
    if found:
        signs = [text for text in found if text.strip(" ,()")]
        return bool(signs) and all(_PLACEHOLDER.fullmatch(text) for text in signs)
    name = span.bare.strip().lstrip("$@")
    known = assignments(span.code).get(name, []) if name.isidentifier() else []
    return (
        bool(known)
        and depth < MAX_VALUE_DEPTH
        and all(_is_placeholders(value, depth + 1) for value in known)
    )
