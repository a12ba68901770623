"""Words whose values only the run decides: what is known of them by where they come from."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace

from defenseclaw.core.facts import Dialect
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.script import UNKNOWN_COMPONENT, Word
from defenseclaw.facts.streams import Stream

# Files that build services name in variables for a step's results. Only the whole word counts: if
# the variable is not set there is no file of that name, and nothing is written.
RUNNER_FILES = frozenset(
    {"GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY",
     "GITEA_OUTPUT", "FORGEJO_OUTPUT", "BUILDKITE_ENV_FILE", "BITBUCKET_PIPELINES_VARIABLES_PATH"}
)  # fmt: skip


# Variables that say where temporary files go. A path below is as good as one below /tmp, where the
# command only writes a result or reads; what is deleted has to be known.
_TEMPORARY = re.compile(
    r'"?\$(?:(TMPDIR|TMP|TEMP|RUNNER_TEMP)|\{(TMPDIR|TMP|TEMP|RUNNER_TEMP)\})"?/[^$`.]'
)


def in_temporary(inv: Invocation, word: Word) -> bool:
    """Whether a word is a path below the folder of temporary files, which the text leaves alone."""
    script = inv.frame.script
    if script is None or word.start < 0 or inv.frame.depth:
        return False
    piece = script.source[word.start : word.end]
    found = _TEMPORARY.match(piece)
    name = (found[1] or found[2]) if found else ""
    return bool(name) and ".." not in piece and name not in script.variables


# Where build services put the project.
PROJECT_FOLDERS = frozenset(
    {"GITHUB_WORKSPACE", "CI_PROJECT_DIR", "WORKSPACE", "BUILD_SOURCESDIRECTORY", "DRONE_WORKSPACE",
     "CIRCLE_WORKING_DIRECTORY", "TRAVIS_BUILD_DIR", "BUILDKITE_BUILD_CHECKOUT_PATH",
     "BITBUCKET_CLONE_DIR"}
)  # fmt: skip


# --- words that are lists of names ---

MAX_FOUND_WORDS = 64  # of a known input list; more words only repeat the finding
ESCAPED = {"\\n": "\n", "\\t": "\t", "\\0": "\0", "\\x00": "\0", "\\r": "\r"}
_ENVIRONMENT = re.compile(r'"?\$(?:\{env:(\w+)\}|env:(\w+))"?', re.IGNORECASE)
_WHOLE = re.compile(r'"?\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))"?')
# "$f.bak", "${f%.x}.y": another name in the same folder
_ENDED = re.compile(
    r'"?\$(?:\{([A-Za-z_]\w*)(?:%%?[\w.+-]+|\[[@*]\])?\}|([A-Za-z_]\w*|[@*]))"?[\w.+-]*"?'
)
# "dir/${f##*/}", "dir/$(basename "$f")": the same name in another folder
_MOVED = re.compile(
    r'"?[^\s"\'`$]+/"?\$(?:\{([A-Za-z_]\w*)##\*/\}'
    r'|\(basename (?:-- )?"?\$\{?([A-Za-z_]\w*)\}?"?(?: "?[\w.+-]+"?)?\))"?[\w.+-]*"?'
)


def _items(text: str, delimiter: str) -> list[str]:
    if delimiter:
        return [part for part in text.split(delimiter) if part]
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()  # xargs refuses what is after an open quote


def found_words(source: Stream, delimiter: str) -> list[Word]:
    """The words that an input list gives: known text, names below known folders, or unknown."""
    if source.text is not None:
        parts = _items(source.text, delimiter)
        if len(parts) <= MAX_FOUND_WORDS:
            return [Word(part) for part in parts]
    if source.roots:
        own = [Word(root) for root in source.roots] if source.whole else []
        return own + [below(root) for root in source.roots]
    return [Word(None, origin=source.derived())]


def below(root: str) -> Word:
    """A word that stands for some name below a folder."""
    return Word(f"{root.rstrip('/' + chr(92))}/{UNKNOWN_COMPONENT}", example=True)


def listed(inv: Invocation, word: Word) -> list[Word]:
    """What stands for the names in a word that is a list of names and nothing else."""
    if word.start < 0:
        return []
    stream = inv.word_stream(word)
    if word.prefix:
        moved = word.prefix.endswith(("/", "\\")) and _variable(inv, word, _MOVED)
        known = inv.builder.variables.get(moved) if moved else None
        return [below(word.prefix)] if known is not None and known.roots else []
    if not stream.roots or not (_variable(inv, word, _ENDED) or (word.sources and not word.suffix)):
        return []
    return [
        replace(found, value=f"{found.value}{word.suffix}", start=word.start, end=word.end)
        for found in found_words(stream, "")
    ]


_CMD_LOOP = re.compile(r"%{1,2}(?:~[A-Za-z]*(?=[A-Za-z]))?([A-Za-z])(?!\w)")
_CMD_NAMED = re.compile(r"[%!]([A-Za-z_]\w*)[%!]")


# An item's name, and another ending for it: `$($_.Name)`, `($_.BaseName + '.md')`.
_OWN_NAME = re.compile(r"\$\(\$(\w+)\.(?:name|basename)\)", re.IGNORECASE)
_OWN_PATH = re.compile(r"\$\(\$(\w+)(?:\.fullname)?\)", re.IGNORECASE)
_LONGER = re.compile(r"""\(\s*\$(\w+)(?:\.\w+)?\s*\+\s*['"]([\w.+-]*)['"]\s*\)""")


def _as_sh(piece: str) -> str:
    """A word of PowerShell as sh would spell it; a property is read as an ending."""
    piece = _OWN_PATH.sub(r"${\1}", _OWN_NAME.sub(r"${\1##*/}", piece))
    longer = _LONGER.fullmatch(piece)
    return f"${longer[1]}{longer[2]}" if longer else piece.replace("\\", "/")


def _as_written(inv: Invocation, word: Word) -> str:
    """A word's spelling, its variables as sh names them."""
    script = inv.frame.script
    if script is None or word.start < 0:
        return ""
    piece = script.source[word.start : word.end]
    if inv.frame.dialect is Dialect.POWERSHELL:
        return _as_sh(piece)
    if inv.frame.dialect is Dialect.CMD:
        piece = _CMD_NAMED.sub(lambda m: f"${{{m[1].lower()}}}", piece)
        piece = _CMD_LOOP.sub(r"${for_\1}", piece)
    return piece


def _variable(inv: Invocation, word: Word, shape: re.Pattern[str]) -> str:
    """The variable that a word of this shape consists of."""
    found = shape.fullmatch(_as_written(inv, word))
    return (found.group(1) or found.group(2)) if found else ""


# One substitution and nothing else, so that its lines or words are what it prints.
_ONE_OUTPUT = re.compile(r'"?\$\([^()`]*\)"?|"?`[^`]*`"?|\( *(?:\$\([^()`]*\)|`[^`]*`) *\)')


def listed_roots(inv: Invocation, word: Word, stream: Stream) -> tuple[str, ...]:
    """The folders below which a variable's names lie that is set to a list of them."""
    script = inv.frame.script
    if not stream.roots or script is None or word.start < 0:
        return ()
    if inv.frame.dialect in (Dialect.POWERSHELL, Dialect.CMD):
        return stream.roots  # values are lists of objects, or lines one by one
    return stream.roots if _ONE_OUTPUT.fullmatch(script.source[word.start : word.end]) else ()


def note_source(inv: Invocation, name: str, word: Word, *, certain: bool) -> None:
    """Keep whether a variable only repeats what came from outside of the text."""
    script = inv.frame.script
    written = script.source[word.start : word.end] if script is not None and word.start >= 0 else ""
    unknown = word.value is None and not word.prefix and (not written or "$" in written)
    if unknown and not inv.bound_here(word):
        inv.builder.outside.add(name)
    elif certain:
        inv.builder.outside.discard(name)


def outside_variable(inv: Invocation, word: Word) -> str:
    """The variable that is the whole of a word and that this text only reads."""
    if inv.frame.dialect is Dialect.POWERSHELL:
        return _outside_environment(inv, word)
    script, name = inv.frame.script, _variable(inv, word, _WHOLE)
    if script is None or not name or inv.frame.depth or word.value is not None:
        return ""
    reads = re.findall(rf"\$(?:{name}(?!\w)|\{{{name}(?:\}}|:?[-?+]))", script.source)
    return name if script.source.count(name) == len(reads) else ""


def _outside_environment(inv: Invocation, word: Word) -> str:
    """The same for a variable of the environment in PowerShell."""
    script, name = inv.frame.script, _variable(inv, word, _ENVIRONMENT)
    if script is None or not name or word.value is not None:
        return ""
    reads = rf"\$(?:env:{name}\b(?!\s*=)|\{{env:{name}\}})"
    uses = re.findall(reads, script.source, re.IGNORECASE)
    return name.upper() if script.source.lower().count(name.lower()) == len(uses) else ""
