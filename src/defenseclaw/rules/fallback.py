"""The pattern route: executed and unknown bytes only, for rules that no expression decided.

Rules about secrets look at data too, where they only detect.

A hit is enforceable where the analyser could not read the call as a whole (partial, unsupported
or invalid) and where it read all of it and the rule has no expression. It is detection-only where
the call broke a limit or its sources contradict each other: then the bytes prove nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from defenseclaw.core.facts import Dialect, FactsResult, ParseStatus, SourceText
from defenseclaw.core.finding import Finding, FindingRoute
from defenseclaw.core.tool import ToolFamily
from defenseclaw.rules.hits import first_hit
from defenseclaw.rules.index import PatternIndex
from defenseclaw.rules.limits import MAX_CONTENT_CHARS
from defenseclaw.rules.model import Rule
from defenseclaw.rules.pattern import normalise, plain_programs, unspliced
from defenseclaw.rules.report import Source, report
from defenseclaw.rules.restated import restate

ENFORCEABLE = frozenset(
    {ParseStatus.COMPLETE, ParseStatus.PARTIAL, ParseStatus.UNSUPPORTED, ParseStatus.INVALID}
)
# Beyond a limit what was proven before it still holds; contradicting sources prove nothing.
RESTATED = frozenset({*ENFORCEABLE, ParseStatus.LIMIT_EXCEEDED})
# Arguments whose text is code by itself; the others are shown with their tool's word in front.
CODE_FIELDS = frozenset({"command", "cmd", "script", "argv", "sql", "query", "code"})
SECRETS = "secret"  # the category whose rules also look at data in a command
_WINDOWS = frozenset({Dialect.POWERSHELL, Dialect.CMD, Dialect.MIXED})
SHELL_FAMILIES = frozenset({ToolFamily.SHELL.value, ToolFamily.SHELL_INPUT.value})


class FallbackScanner:
    """Patterns of all rules that may judge a call. ``settled`` are the rules that are decided when
    every expression gave an answer, which is the usual case."""

    def __init__(self, rules: Sequence[Rule], settled: frozenset[str] = frozenset()) -> None:
        self._alone = PatternIndex([r for r in rules if not r.program and not r.covered_by])
        owned = [r for r in rules if r.program or r.covered_by]
        self._owned = PatternIndex(owned)
        self._secrets = PatternIndex([r for r in rules if r.category == SECRETS])
        self._owners = frozenset(r.covered_by or r.id for r in owned)
        self._settled = settled if self._owners <= settled else None

    def scan(self, result: FactsResult, decided: frozenset[str]) -> list[Finding]:
        """One finding for each rule that hits and that no expression has decided."""

        def undecided(rule: Rule) -> bool:
            return rule.id not in decided and rule.covered_by not in decided

        enforceable = result.facts.parse.status in ENFORCEABLE
        indexes = [self._alone]
        if decided is not self._settled and not self._owners <= decided:
            indexes.append(self._owned)
        found: dict[str, Finding] = {}
        for source in _sources(result, enforceable):
            for index in indexes:
                for rule in index.matching(source.text, undecided):
                    hit = None if rule.id in found else first_hit(rule, source.text)
                    if hit:
                        found[rule.id] = report(rule, source, hit)
        for source in _data_sources(result):
            for rule in self._secrets.matching(source.text, lambda rule: rule.id not in found):
                hit = first_hit(rule, source.text)
                if hit:
                    found[rule.id] = report(rule, source, hit)
        return list(found.values())


def _sources(result: FactsResult, enforceable: bool) -> Iterator[Source]:
    """The call's own texts, and what was proven of a call that was not understood as a whole."""
    windows = result.facts.parse.dialect in _WINDOWS
    for text in visible_texts(result):
        yield from _variants(text, enforceable)
        if not result.authoritative:
            for plain in _respelled(text, windows):
                yield from _variants(plain, enforceable)
    if not result.authoritative and result.facts.parse.status in RESTATED:
        for text, certain in restate(result.facts):
            yield Source(text, FindingRoute.FALLBACK, enforceable and certain)


def _data_sources(result: FactsResult) -> Iterator[Source]:
    """Command texts with their data. A secret is one wherever it stands, but text that is only
    searched for or shown justifies no more than a record."""
    for source in result.texts:
        if _is_code(source, result.facts.family) and source.visible() != source.text:
            text = normalise(source.text[:MAX_CONTENT_CHARS])
            yield Source(text, FindingRoute.FALLBACK, enforceable=False, surface="argument")


def visible_texts(result: FactsResult) -> Iterator[str]:
    """The texts as patterns see them: data and comments blanked, typed values with their tool.

    A path argument says nothing about what is done to it, so the word of the tool's family, or
    the unknown tool's own name, is put in front: ``write /home/dana/.ssh/authorized_keys``.
    """
    facts = result.facts
    family = "" if facts.family == ToolFamily.MCP.value else facts.family
    word = family or facts.mcp_tool or facts.tool
    for source in result.texts:
        text = normalise(source.visible()[:MAX_CONTENT_CHARS])
        if not text.strip():
            continue
        yield text if _is_code(source, facts.family) else f"{normalise(word)} {text}"


def _is_code(source: SourceText, family: str) -> bool:
    leaf = source.field.rpartition(".")[2].partition("[")[0].lower()
    return family in SHELL_FAMILIES or not source.field or leaf in CODE_FIELDS


def _respelled(text: str, windows: bool) -> Iterator[str]:
    """The text as patterns know it, which were written for programs without folder and suffix and
    for paths with slashes."""
    named = plain_programs(text, windows=windows)
    if named != text:
        yield named
    if windows and "\\" in named:
        yield named.replace("\\", "/")


def _variants(text: str, enforceable: bool) -> Iterator[Source]:
    yield Source(text, FindingRoute.FALLBACK, enforceable)
    plain = unspliced(text)
    if plain != text:
        yield Source(plain, FindingRoute.FALLBACK, enforceable, obfuscated=True)
