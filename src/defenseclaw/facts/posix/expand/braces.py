"""Brace expansion: ``{a,b}`` and ``{1..9}`` over the parts of a word."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TypeGuard

from defenseclaw.core.limits import MAX_ARGV_ITEMS
from defenseclaw.facts.posix.syntax.tree import Lit, Param, Part, Quote

NAME_CHARACTERS = re.compile(r"[A-Za-z0-9_]*")
MARKS = re.compile(r"([{},])")
NUMBERS = re.compile(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})(?:\.\.(-?[0-9]{1,18}))?\Z")
LETTERS = re.compile(r"([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?[0-9]{1,18}))?\Z")
MAX_BRACE_WORDS = MAX_ARGV_ITEMS  # more words than a command may have are not needed
MAX_BRACE_TOKENS = 1024  # braces, commas and the pieces between them
MAX_BRACE_DEPTH = 16  # nobody nests deeper; keeps the recursion shallow
Token = str | Part
Parts = tuple[Part, ...]


class TooManyWordsError(Exception):
    """The expansion is larger than a command may be."""


def expand_braces(parts: Parts) -> list[Parts] | None:
    """Every word that the parts stand for, or None when there are too many."""
    tokens = tokenise(parts)
    if len(tokens) > MAX_BRACE_TOKENS:
        return None
    try:
        return [joined_names(word) for word in Braces(tokens).words(0, len(tokens), 0)]
    except TooManyWordsError:
        return None


def joined_names(word: list[Part]) -> Parts:
    """The word with ``$x`` and a following ``y`` made ``$xy``: braces come before names."""
    found: list[Part] = []
    for part in word:
        last = found[-1] if found else None
        if isinstance(last, Param) and takes_more(last) and is_bare(part):
            more = NAME_CHARACTERS.match(part.text)
            assert more
            found[-1] = replace(last, name=last.name + more.group())
            found.append(Lit(part.text[more.end() :]))
        else:
            found.append(part)
    return tuple(found)


def takes_more(part: Param) -> bool:
    """A name without braces or quotes, which ends where name characters do."""
    return part.open and part.quote == Quote.BARE and part.name.isidentifier()


def is_bare(part: Part) -> TypeGuard[Lit]:
    """Unquoted literal text."""
    return isinstance(part, Lit) and part.quote == Quote.BARE


def tokenise(parts: Parts) -> list[Token]:
    """Parts with the unquoted braces and commas as tokens of their own."""
    tokens: list[Token] = []
    for part in parts:
        if is_bare(part) and part.text:
            tokens.extend(piece for piece in MARKS.split(part.text) if piece)
        else:
            tokens.append(part)
    return tokens


class Braces:
    """The brackets of one word, paired in one pass."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.close: dict[int, int] = {}
        self.commas: dict[int, list[int]] = {}
        opened: list[int] = []
        for at, token in enumerate(tokens):
            if token == "{":
                opened.append(at)
                self.commas[at] = []
            elif token == "}" and opened:
                self.close[opened.pop()] = at
            elif token == "," and opened:
                self.commas[opened[-1]].append(at)

    def words(self, start: int, end: int, depth: int) -> list[list[Part]]:
        """The words between two tokens."""
        if depth > MAX_BRACE_DEPTH:
            raise TooManyWordsError
        words: list[list[Part]] = [[]]
        at = start
        while at < end:
            close = self.close.get(at, end)
            choices = self.choices(at, close, depth) if close < end else None
            if choices is None:
                token = self.tokens[at]
                piece = Lit(token) if isinstance(token, str) else token
                for word in words:
                    word.append(piece)
                at += 1
                continue
            if len(words) * len(choices) > MAX_BRACE_WORDS:
                raise TooManyWordsError
            words = [[*word, *choice] for word in words for choice in choices]
            at = close + 1
        return words

    def choices(self, start: int, close: int, depth: int) -> list[list[Part]] | None:
        """What the brace at ``start`` stands for, or None if it is literal."""
        commas = self.commas[start]
        if commas:
            found: list[list[Part]] = []
            for left, right in zip([start, *commas], [*commas, close], strict=True):
                found.extend(self.words(left + 1, right, depth + 1))
                if len(found) > MAX_BRACE_WORDS:
                    raise TooManyWordsError
            return found
        inside = self.tokens[start + 1 : close]
        if len(inside) == 1 and isinstance(inside[0], str):
            return sequence(inside[0])
        return None


def sequence(text: str) -> list[list[Part]] | None:
    """``1..9`` or ``a..e``, with an optional step."""
    numbers = NUMBERS.match(text)
    if numbers:
        first, last = int(numbers.group(1)), int(numbers.group(2))
        padded = any(re.match(r"-?0[0-9]", text) for text in numbers.group(1, 2))
        width = max(len(numbers.group(1)), len(numbers.group(2))) if padded else 0
        return [[Lit(f"{n:0{width}d}")] for n in steps(first, last, numbers.group(3))]
    letters = LETTERS.match(text)
    if letters:
        ends = ord(letters.group(1)), ord(letters.group(2))
        return [[Lit(chr(n))] for n in steps(*ends, letters.group(3))]
    return None


def steps(first: int, last: int, step: str | None) -> range:
    """The numbers from first to last, inclusive, whatever the sign of the step."""
    size = abs(int(step)) if step else 1
    size = size or 1
    if abs(last - first) // size >= MAX_BRACE_WORDS:
        raise TooManyWordsError
    return range(first, last + 1, size) if first <= last else range(first, last - 1, -size)
