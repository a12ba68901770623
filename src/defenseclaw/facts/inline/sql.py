"""A bounded reader of SQL text: which statements destroy data, and which leave the database."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

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
# Parts of a table whose removal loses no rows.
_LIGHT_PARTS = frozenset(
    {"constraint", "index", "default", "not", "identity", "primary", "foreign", "key", "check",
     "trigger", "expression", "partition"}
)  # fmt: skip
_READERS = frozenset({"comment", "select", "show", "describe", "desc", "values", "pragma"})
# Functions with a file name as their first argument.
_FILE_FUNCTIONS = {
    **dict.fromkeys(
        ("readfile", "pg_read_file", "pg_read_binary_file", "load_file", "lo_import", "read_csv",
         "read_csv_auto", "read_parquet", "read_json", "read_json_auto", "read_text"),
        PathAccess.READ,
    ),
    **dict.fromkeys(("writefile", "lo_export"), PathAccess.WRITE),
    "load_extension": PathAccess.EXECUTE,
}  # fmt: skip
_MAX_TOKENS = 20_000  # a whole command of one-character tokens is shorter than this is long
_ALWAYS = (["true"], ["1"], ["1", "=", "1"], ["'1'", "=", "'1'"], ["not", "false"])
_BLOCK_WORDS = re.compile(r"\b(?:begin|declare|then|else|loop)\b", re.IGNORECASE)
_ARGUMENT = re.compile(r"""'(?:[^']|'')*'|"[^"]*"|\S+""")
_DOLLAR_QUOTED = re.compile(r"\$\w*\$")
_MAX_DEPTH = 4  # blocks inside blocks: DO $$ … $$, /*! … */


def read(text: str, home: str) -> Reading:
    """Read SQL text statement by statement."""
    reading = Reading()
    _text(reading, text, 0)
    return reading


def _text(reading: Reading, text: str, depth: int) -> None:
    statement: list[str] = []
    skip = 0
    for count, match in enumerate(_TOKEN.finditer(text)):
        token = match.group()
        if count > _MAX_TOKENS or depth > _MAX_DEPTH:
            reading.fail()
            break
        if match.start() < skip or token.startswith("--"):
            continue
        if token.startswith("/*"):
            if token.startswith("/*!"):  # MySQL runs these
                inner = token[3:-2].lstrip("0123456789")
                statement.extend(m.group() for m in _TOKEN.finditer(inner))
            continue
        if not statement and _is_client_command(token):
            skip = _client_command(reading, text, match.start())
        elif token == ";":
            _statement(reading, statement, depth)
            statement = []
        else:
            statement.append(token)
    _statement(reading, statement, depth)


# --- commands of the client program: they end with their line ---


def _is_client_command(token: str) -> bool:
    return token[0] in "\\." or token.lower() in ("source", "system", "use")


def _client_command(reading: Reading, text: str, start: int) -> int:
    """Read one client command; answer where the text goes on."""
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else len(text)].strip()
    if line[:4].lower() == "use " and ";" in line:
        return start + text[start:].index(";")
    name, arguments = _split_command(line)
    action = _CLIENT.get(name)
    if action is not None:
        action(reading, arguments)
    return end if end >= 0 else len(text)


def _split_command(line: str) -> tuple[str, str]:
    marks = line.lstrip("\\.")
    if marks[:1] == "!":
        return "!", marks[1:].strip()
    if line.startswith("\\."):
        return "source", marks.strip()
    name, _, rest = marks.partition(" ")
    return name.rstrip(";").lower(), rest.strip()


def _shell(reading: Reading, arguments: str) -> None:
    if arguments:
        reading.add(ShellEffect(arguments))


def _file(access: PathAccess) -> Callable[[Reading, str], None]:
    def action(reading: Reading, arguments: str) -> None:
        words = [w for w in _ARGUMENT.findall(arguments.rstrip(";")) if not w.startswith("-")]
        if arguments.startswith(("|", '"|', "'|")):
            reading.add(ShellEffect(arguments.strip("\"'").lstrip("|")))
        elif words:
            reading.add(FileEffect(_unquote(words[-1]), access))

    return action


def _copy(reading: Reading, arguments: str) -> None:
    """psql's copy: a local file, or a program."""
    match = re.search(r"\b(to|from)\s+(program\s+)?('(?:[^']|'')*'|\S+)", arguments, re.IGNORECASE)
    if match is None:
        return
    direction, program, name = match.groups()
    if program:
        reading.add(ShellEffect(_unquote(name)))
    elif name.lower() not in ("stdin", "stdout", "pstdin", "pstdout"):
        access = PathAccess.WRITE if direction.lower() == "to" else PathAccess.READ
        reading.add(FileEffect(_unquote(name), access))


def _include(reading: Reading, arguments: str) -> None:
    """A file of statements that the text does not show."""
    _read_file(reading, arguments)
    reading.fail()


_read_file, _write_file = _file(PathAccess.READ), _file(PathAccess.WRITE)
_CLIENT: Mapping[str, Callable[[Reading, str], None]] = {
    **dict.fromkeys(("!", "shell", "system", "pager", "p"), _shell),
    **dict.fromkeys(("i", "ir", "include", "include_relative", "read", "source"), _include),
    "restore": _read_file,
    **dict.fromkeys(("o", "out", "output", "once", "g", "gx", "w", "write"), _write_file),
    **dict.fromkeys(("tee", "save", "backup"), _write_file),
    "copy": _copy,
}


# --- statements ---


def _statement(reading: Reading, tokens: list[str], depth: int) -> None:
    words = [t.lower() for t in tokens]
    if not words:
        return
    _escapes(reading, tokens, words)
    if words[0] == "explain":
        words = _explained(words)
    if not words or words[0] in _READERS:
        return
    start = _verb_index(words)
    verb, rest = words[start], words[start + 1 :]
    action = _VERBS.get(verb)
    if action is not None:
        action(reading, rest)
    elif verb == "do":
        for token in tokens[1:]:
            if _DOLLAR_QUOTED.match(token):
                _block(reading, token, depth)


def _explained(words: list[str]) -> list[str]:
    """The explained statement if it runs, which it does when it is analysed."""
    end = 1
    if words[1:2] == ["("] and ")" in words:
        end = words.index(")") + 1
    while end < len(words) and words[end] in ("analyze", "analyse", "verbose"):
        end += 1
    runs = "analyze" in words[1:end] or "analyse" in words[1:end]
    return words[end:] if runs else []


def _verb_index(words: list[str]) -> int:
    """Skip a leading WITH clause to the verb that acts."""
    if words[0] != "with":
        return 0
    level = 0
    for index, word in enumerate(words):
        level += (word == "(") - (word == ")")
        if level == 0 and word in ("delete", "update", "insert", "select"):
            return index
    return 0


def _block(reading: Reading, token: str, depth: int) -> None:
    """The body between dollar quotes, statement by statement, without its frame."""
    mark = token[: token.find("$", 1) + 1]
    body = token[len(mark) :].removesuffix(mark)
    _text(reading, _BLOCK_WORDS.sub(";", body), depth + 1)


def _drop(reading: Reading, rest: list[str]) -> None:
    kind = next((w for w in rest if w in _DROPPED), "")
    if kind in _WEIGHTY_DROPS and rest[:1] not in (["temporary"], ["temp"]):
        reading.add(TraitEffect(Trait.SQL_DROP))


def _truncate(reading: Reading, rest: list[str]) -> None:
    if rest:
        reading.add(TraitEffect(Trait.SQL_TRUNCATE))


def _delete(reading: Reading, rest: list[str]) -> None:
    """A delete without a condition, or with one that is always true."""
    if "where" in rest:
        everything = rest[rest.index("where") + 1 :] in _ALWAYS
    else:
        everything = rest[:1] == ["from"] and "limit" not in rest and "using" not in rest
    if everything:
        reading.add(TraitEffect(Trait.SQL_DELETE_ALL))


def _update(reading: Reading, rest: list[str]) -> None:
    if "where" not in rest and "set" in rest and "limit" not in rest:
        reading.add(TraitEffect(Trait.SQL_DELETE_ALL))


def _alter(reading: Reading, rest: list[str]) -> None:
    """ALTER TABLE … DROP: a column's values are gone, a constraint is made again."""
    dropped = [rest[i + 1 : i + 2] for i, w in enumerate(rest) if w == "drop"]
    if rest[:1] == ["table"] and any(d and d[0] not in _LIGHT_PARTS for d in dropped):
        reading.add(TraitEffect(Trait.SQL_DROP))


def _grant(reading: Reading, rest: list[str]) -> None:
    if rest[:1] == ["all"] and "on" in rest:
        reading.add(TraitEffect(Trait.SQL_GRANT_ALL))


def _flush(reading: Reading, rest: list[str]) -> None:
    reading.add(TraitEffect(Trait.SQL_DROP))


_VERBS: Mapping[str, Callable[[Reading, list[str]], None]] = {
    "drop": _drop,
    "truncate": _truncate,
    "delete": _delete,
    "update": _update,
    "alter": _alter,
    "grant": _grant,
    "flushall": _flush,
    "flushdb": _flush,
}


def _escapes(reading: Reading, tokens: list[str], words: list[str]) -> None:
    """Statements that reach files or the shell."""
    for index, word in enumerate(words[:-1]):
        following = tokens[index + 1]
        if word in _FILE_FUNCTIONS and following == "(" and tokens[index + 2 : index + 3]:
            _named(reading, tokens[index + 2], _FILE_FUNCTIONS[word])
        elif word == "program":
            if following[:1] == "'":
                reading.add(ShellEffect(_unquote(following)))
        elif word in ("outfile", "dumpfile") or (word == "to" and words[0] == "copy"):
            _named(reading, following, PathAccess.WRITE)
        elif word == "infile" or (word == "from" and words[0] == "copy"):
            _named(reading, following, PathAccess.READ)


def _named(reading: Reading, token: str, access: PathAccess) -> None:
    if token[:1] == "'":
        reading.add(FileEffect(_unquote(token), access))


def _unquote(token: str) -> str:
    if len(token) > 1 and token[0] in "'\"" and token[-1] == token[0]:
        return token[1:-1].replace(token[0] * 2, token[0])
    return token
