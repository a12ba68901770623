"""Rules about code over one written text: candidates by literals, then the lexer, then checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import islice

import re2

from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.rules.code.checks import CODE_CHECKS, Weight
from defenseclaw.rules.code.declaration import is_declaration
from defenseclaw.rules.code.groups import GROUPS
from defenseclaw.rules.code.language import language_of
from defenseclaw.rules.code.lexer import Code, read_code
from defenseclaw.rules.code.notebook import cells
from defenseclaw.rules.code.tables.languages import NOTEBOOK, Language
from defenseclaw.rules.hits import Hit
from defenseclaw.rules.limits import MAX_CODE_CANDIDATES, MAX_CODE_CHARS
from defenseclaw.rules.model import CodePattern, CodeView, Rule
from defenseclaw.rules.pattern import compile_pattern, normalise, options
from defenseclaw.rules.report import SECRET_TAG, Source, report
from defenseclaw.rules.seen import shorten

SHOWN_CHARS = 80  # of a line that a finding shows
Spans = Sequence[tuple[int, int]]
Row = tuple[Rule, CodePattern]


@dataclass(frozen=True, slots=True)
class Written:
    """A text that a call puts into a file. ``covered`` are ranges that rules about secrets have
    found, ``prose`` says that it is text for people inside a file of code."""

    path: str
    text: str
    enforceable: bool = True
    covered: Spans = ()
    prose: bool = False


class _Index:
    """All patterns and the literals that they need. One for all languages: most patterns read
    several, and a pattern is dear to add."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._filter = re2.Filter()
        for _, row in rows:
            self._filter.Add(row.pattern, options())
        if rows:
            self._filter.Compile()

    def candidates(self, text: str, readers: Set[int]) -> list[Row]:
        """Those of ``readers`` whose literals occur, in order: views only blank, so what a view
        holds the text holds."""
        if not readers or not text:
            return []
        found = self._filter.Match(text.encode(), True) or ()
        return [self._rows[number] for number in sorted(readers & set(found))]


class CodeScanner:
    """All rules about code. Immutable and safe to use from several threads."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        rows = [(rule, row) for rule in rules for row in rule.code]
        self._index = _Index(rows)
        self._by_language = {
            language: frozenset(n for n, (_, row) in enumerate(rows) if _reads(row, language))
            for language in Language
        }
        endings = {word for _, row in rows for word in row.files if word.startswith(".")}
        self._by_ending = {
            ending: frozenset(n for n, (_, row) in enumerate(rows) if ending in row.files)
            for ending in sorted(endings)
        }

    def scan(self, written: Written) -> list[Finding]:
        """One finding for each rule, the weightiest of its hits."""
        if written.prose:
            return []
        found: dict[str, tuple[Weight, Finding]] = {}
        text = normalise(written.text[:MAX_CODE_CHARS])
        for readers, language, piece in self._pieces(written.path, text):
            candidates = self._index.candidates(piece, readers)
            code = read_code(piece, language) if candidates else None
            for rule, row in candidates:
                held = found.get(rule.id)
                if code is None or (held and held[0] is Weight.HIT):
                    continue
                hit = _best(row, code, written.covered if SECRET_TAG in rule.tags else ())
                if hit and (held is None or not hit.literal):
                    weight = Weight.MENTION if hit.literal else Weight.HIT
                    found[rule.id] = (weight, _report(rule, code, hit, written))
        return [finding for _, finding in found.values()]

    def _pieces(self, path: str, text: str) -> Iterator[tuple[Set[int], Language, str]]:
        language = language_of(path, text)
        for ending, readers in self._by_ending.items():
            if path.endswith(ending):
                yield readers, language or Language.SETTINGS, text
        if language is None:
            return
        pieces = cells(text) if path.lower().endswith(NOTEBOOK) else (text,)
        yield from ((self._by_language[language], language, piece) for piece in pieces)


def _reads(row: CodePattern, language: Language) -> bool:
    return any(language in GROUPS.get(word, ()) for word in row.files)


def _best(row: CodePattern, code: Code, covered: Spans) -> Hit | None:
    view = {CodeView.BARE: code.bare, CodeView.QUIET: code.quiet, CodeView.TEXT: code.text}[
        row.view
    ]
    matches = compile_pattern(row.pattern).finditer(view)
    mention: Hit | None = None
    for match in islice(matches, MAX_CODE_CANDIDATES):
        start, end = match.span()
        if any(start < last and first < end for first, last in covered):
            continue
        if row.view is CodeView.BARE and is_declaration(code, start, end):
            continue
        weight = CODE_CHECKS[row.check](code, start, end) if row.check else Weight.HIT
        if weight is Weight.HIT:
            return Hit(start, end)
        if weight is Weight.MENTION:
            mention = mention or Hit(start, end, literal=True)
    return mention


def _report(rule: Rule, code: Code, hit: Hit, written: Written) -> Finding:
    line = code.text.count("\n", 0, hit.start) + 1
    name = shorten(written.path.replace("\\", "/").rpartition("/")[2])
    surface = f"{name}, written line {line}"
    if SECRET_TAG in rule.tags:
        source = Source(code.text, FindingRoute.CODE, written.enforceable, surface=surface)
        return report(rule, source, hit)
    # The line as code alone: what stands in its strings may be anything.
    start = (
        hit.start
        + len(code.bare[hit.start : hit.end])
        - len(code.bare[hit.start : hit.end].lstrip())
    )
    stop = code.bare.find("\n", start)
    end = min(stop if stop >= 0 else len(code.bare), start + SHOWN_CHARS)
    source = Source(code.bare, FindingRoute.CODE, written.enforceable, surface=surface)
    return report(rule, source, Hit(start, max(end, start + 1), hit.literal))
