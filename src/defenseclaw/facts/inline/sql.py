"""A bounded reader of SQL text: which statements destroy data, and which leave the database."""

from __future__ import annotations

import re

from defenseclaw.core.facts import PathAccess
from defenseclaw.core.labels import Trait
from defenseclaw.facts.inline.model import FileEffect, Reading, ShellEffect, TraitEffect

_TOKEN = re.compile(
    r"""--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*(?:'|\Z)|"(?:[^"]|"")*(?:"|\Z)|`[^`]*(?:`|\Z)"""
    r"""|\$(\w*)\$.*?(?:\$\1\$|\Z)|\w+|;|\\!?\w*|\S""",
    re.DOTALL,
)
_DROPPED = frozenset(
    {"table", "database", "schema", "index", "view", "column", "tablespace", "user", "role",
     "materialized", "keyspace", "collection", "extension", "type", "sequence"}
)  # fmt: skip
_WEIGHTY_DROPS = frozenset({"table", "database", "schema", "tablespace", "keyspace", "collection"})
_MAX_TOKENS = 20_000  # a whole command of one-character tokens is shorter than this is long


def read(text: str, home: str) -> Reading:
    """Read SQL text statement by statement."""
    reading = Reading()
    statement: list[str] = []
    for count, match in enumerate(_TOKEN.finditer(text)):
        token = match.group()
        if count > _MAX_TOKENS:
            reading.fail()
            break
        if token.startswith(("--", "/*")) and not token.startswith("/*!"):
            continue
        if token == ";":
            _statement(reading, statement)
            statement = []
        else:
            statement.append(token)
    _statement(reading, statement)
    return reading


def _statement(reading: Reading, tokens: list[str]) -> None:
    words = [t.lower() for t in tokens]
    if not words:
        return
    _escapes(reading, tokens, words)
    if words[0] in ("explain", "comment", "select", "show", "describe"):
        return
    start = _verb_index(words)
    verb, rest = words[start], words[start + 1 :]
    if verb == "drop":
        _drop(reading, rest)
    elif verb == "truncate":
        reading.add(TraitEffect(Trait.SQL_TRUNCATE))
    elif verb == "delete":
        _delete(reading, rest)
    elif verb == "update" and "where" not in rest and "set" in rest:
        reading.add(TraitEffect(Trait.SQL_DELETE_ALL))
    elif verb == "alter" and "drop" in rest:
        _drop(reading, ["column"])
    elif verb == "grant" and rest[:1] == ["all"] and "on" in rest:
        reading.add(TraitEffect(Trait.SQL_GRANT_ALL))
    elif verb in ("flushall", "flushdb"):
        reading.add(TraitEffect(Trait.SQL_DROP))


def _verb_index(words: list[str]) -> int:
    """Skip a leading WITH clause and transaction words to the verb that acts."""
    if words[0] != "with":
        return 0
    for index, word in enumerate(words):
        if word in ("delete", "update", "insert", "select"):
            return index
    return 0


def _drop(reading: Reading, rest: list[str]) -> None:
    kind = next((w for w in rest if w in _DROPPED), "")
    if kind in _WEIGHTY_DROPS:
        reading.add(TraitEffect(Trait.SQL_DROP))


def _delete(reading: Reading, rest: list[str]) -> None:
    """A delete without a condition, or with one that is always true."""
    if "where" not in rest:
        reading.add(TraitEffect(Trait.SQL_DELETE_ALL))
        return
    condition = rest[rest.index("where") + 1 :]
    if condition in (["true"], ["1"], ["1", "=", "1"], ["not", "false"]):
        reading.add(TraitEffect(Trait.SQL_DELETE_ALL))


def _escapes(reading: Reading, tokens: list[str], words: list[str]) -> None:
    """Client commands and statements that reach files or the shell."""
    first = tokens[0]
    if first in ("\\!", "\\system", "system", ".shell", "!"):
        reading.add(ShellEffect(" ".join(tokens[1:])))
    if first == "." and words[1:2] in (["shell"], ["system"]):
        reading.add(ShellEffect(" ".join(_unquote(t) for t in tokens[2:])))
    for index, word in enumerate(words[:-1]):
        quoted = tokens[index + 1][:1] == "'"
        if word == "program" and quoted:
            reading.add(ShellEffect(_unquote(tokens[index + 1])))
        elif word in ("outfile", "dumpfile") and quoted:
            reading.add(FileEffect(_unquote(tokens[index + 1]), PathAccess.WRITE))
        elif word == "infile" and quoted:
            reading.add(FileEffect(_unquote(tokens[index + 1]), PathAccess.READ))


def _unquote(token: str) -> str:
    if len(token) > 1 and token[0] in "'\"" and token[-1] == token[0]:
        return token[1:-1].replace(token[0] * 2, token[0])
    return token
