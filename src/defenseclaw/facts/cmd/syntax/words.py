"""Words: what a program makes of its command line, and how cmd's own commands read theirs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from defenseclaw.core.facts import QuoteKind
from defenseclaw.core.limits import MAX_ARGV_ITEMS
from defenseclaw.facts.cmd.syntax.text import EXAMPLE, UNKNOWN, Text, joined
from defenseclaw.facts.script import UNKNOWN_COMPONENT, Word

_GAP = re.compile(r"[ \t\n]+")
_SIMPLE = re.compile(r"[^ \t\n]+")
_TOKEN = re.compile(r'(?:[^"\s,;=\u00a0]|"[^"]*"?)+')
_SWITCHES = re.compile(r"/[^/\\]*")
_GLUED = re.compile(r"((?:/[sqfpSQFP])+)\Z")
_WILD = frozenset("*?")


def word_of(text: Text, quote: QuoteKind = QuoteKind.NONE, *, wild: bool = False) -> Word:
    """A piece of text as a word; what is not known in it makes the word unknown."""
    chars = text.chars
    if UNKNOWN in chars:
        first, last = chars.index(UNKNOWN), chars.rindex(UNKNOWN)
        prefix = chars[:first].replace(EXAMPLE, UNKNOWN_COMPONENT)
        suffix = chars[last + 1 :].replace(EXAMPLE, UNKNOWN_COMPONENT)
        splits = quote is QuoteKind.NONE
        return Word(None, quote, False, prefix, text.start, text.end, suffix=suffix, splits=splits)
    example = EXAMPLE in chars
    value = chars.replace(EXAMPLE, UNKNOWN_COMPONENT) if example else chars
    glob = wild and not _WILD.isdisjoint(value) and "://" not in value
    return Word(value, quote, glob, "", text.start, text.end, example=example)


def program_words(text: Text) -> list[Word]:
    """A command line as a program of the C runtime splits it."""
    if '"' not in text.chars:
        found = islice(_SIMPLE.finditer(text.chars), MAX_ARGV_ITEMS + 2)
        return [_plain(text.cut(m.start(), m.end())) for m in found]
    words: list[Word] = []
    at = 0
    while at < len(text.chars) and len(words) <= MAX_ARGV_ITEMS:
        gap = _GAP.match(text.chars, at)
        if gap is not None:
            at = gap.end()
            continue
        word, at = _argument(text, at)
        words.append(word)
    return words


def _plain(text: Text) -> Word:
    return word_of(text, wild=not text.chars.startswith(("-", "/")))


_RUN = re.compile(r'[^ \t\n"\\]+')
_QUOTED_RUN = re.compile(r'[^"\\]+')
_SLASHES = re.compile(r"\\+")


def _argument(text: Text, start: int) -> tuple[Word, int]:
    """One argument: quotes group, backslashes in front of a quote escape."""
    chars, at = text.chars, start
    pieces: list[Text] = []
    quoted = seen = False
    while at < len(chars):
        found = (_QUOTED_RUN if quoted else _RUN).match(chars, at)
        if found is not None:
            pieces.append(text.cut(at, found.end()))
            at = found.end()
        elif chars[at] == "\\":
            at, quoted = _backslashes(text, at, pieces, quoted=quoted)
        elif chars[at] == '"':
            seen = True
            if quoted and chars[at + 1 : at + 2] == '"':
                pieces.append(text.cut(at, at + 1))
                at += 2
            else:
                quoted, at = not quoted, at + 1
        else:
            break
    whole = joined(pieces, text.at[start])
    if seen and not whole.chars:
        whole = Text("", (text.at[start], text.at[min(start + 1, len(chars))]))
    quote = QuoteKind.DOUBLE if seen else QuoteKind.NONE
    word = word_of(whole, quote, wild=not seen and not whole.chars.startswith(("-", "/")))
    word.start, word.end = text.at[start], max(text.at[at], text.at[start])
    return word, at


def _backslashes(text: Text, at: int, pieces: list[Text], *, quoted: bool) -> tuple[int, bool]:
    """Backslashes, with the quote that they escape; the last quote of all is meant to close."""
    found = _SLASHES.match(text.chars, at)
    assert found is not None
    end, count = found.end(), found.end() - at
    if text.chars[end : end + 1] != '"':
        pieces.append(text.cut(at, end))
        return end, quoted
    if quoted and count % 2 and end + 1 == len(text.chars.rstrip()):
        pieces.append(text.cut(at, end))
        return end + 1, False
    pieces.append(text.cut(at, at + count // 2))
    if count % 2:
        pieces.append(text.cut(end, end + 1))
        return end + 1, quoted
    return end, quoted


# --- cmd's own commands ---


def tokens(text: Text) -> list[Word]:
    """Arguments of a builtin: blanks, commas, semicolons and equal signs part them."""
    words: list[Word] = []
    for found in _TOKEN.finditer(text.chars):
        token = text.cut(found.start(), found.end())
        words.extend(_token(part) for part in _parts(token))
        if len(words) > MAX_ARGV_ITEMS:
            break
    return words


def _parts(token: Text) -> list[Text]:
    """Switches without blanks between them, and behind a path."""
    chars = token.chars
    if chars.startswith("/"):
        return [token.cut(m.start(), m.end()) for m in _SWITCHES.finditer(chars)] or [token]
    glued = _GLUED.search(chars)
    if glued is None or not glued.start():
        return [token]
    return [token.cut(0, glued.start()), *_parts(token.rest(glued.start()))]


def _token(token: Text) -> Word:
    if '"' not in token.chars:
        return word_of(token, wild=not token.chars.startswith("/"))
    bare = unquoted(token)
    word = word_of(bare, QuoteKind.DOUBLE, wild=True)
    word.start, word.end = token.start, token.end
    return word


def unquoted(text: Text) -> Text:
    """A text without its quotes."""
    if '"' not in text.chars:
        return text
    at = [place for place, char in zip(text.at, text.chars, strict=False) if char != '"']
    return Text(text.chars.replace('"', ""), [*at, text.at[-1]])


# --- the text of cmd /c ---

# No name of a file has a colon behind its drive, or a slash that begins a switch.
_FILE = re.compile(r'"(?=\S*\s)(?:[a-z]:)?[^":/*?<>|&()@^]+\.(?:exe|com|bat|cmd)"', re.IGNORECASE)


def inner_text(tail: str, *, plain: bool = False) -> str:
    """What cmd runs of the text behind ``/c``: a first quote and the last one are taken away.

    They stay where they are the only ones and hold a file's name with a blank; ``plain`` is ``/s``,
    which always takes them.
    """
    text = tail.strip(" \t")
    if not text.startswith('"'):
        return text
    if not plain and text.count('"') == 2 and _FILE.match(text):
        return text
    last = text.rfind('"')
    return text[1:] if last == 0 else text[1:last] + text[last + 1 :]


def command_line(word: Word) -> list[Word]:
    """The words of a command line that is one argument of a program."""
    if word.value is None:
        return [word]
    start = word.start + (word.quote is not QuoteKind.NONE)
    room = start >= 0 and word.end - start >= len(word.value)
    at: Sequence[int] = range(start, start + len(word.value) + 1)
    if word.start < 0 or not room:
        at = [word.start] * len(word.value) + [word.end]
    return program_words(Text(word.value, at))
