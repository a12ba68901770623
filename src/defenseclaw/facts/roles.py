"""What an operand or option value means: one row per role name of the program tables."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from defenseclaw.core.facts import CommandEffect, IssueCode, OperationKind, PathAccess, PathFact
from defenseclaw.facts.grammar import Entry
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.network import Endpoint, canonical_host, parse_url, split_port
from defenseclaw.facts.script import UNKNOWN_COMPONENT, Word
from defenseclaw.facts.streams import Stream

O = OperationKind  # noqa: E741 - the tables are read by column
A = PathAccess


class Need(Enum):
    """Whether an unknown value leaves the call's effect unknown."""

    ALWAYS = "always"
    OUTSIDE = "outside"  # only if nothing in the text binds it
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class PathRole:
    """A role whose words are paths."""

    access: tuple[PathAccess, ...]
    ops: tuple[OperationKind, ...] = ()
    need: Need = Need.ALWAYS
    content: bool = False  # the content is read into the command
    result: bool = False  # the command's result goes there


PATH_ROLES: Mapping[str, PathRole] = {
    "read": PathRole((A.READ,), (O.READ,), Need.OUTSIDE, content=True),
    "script": PathRole((A.READ,), (O.READ,), Need.ALWAYS),  # instructions for a tool, not code
    "search": PathRole((A.READ,), (O.SEARCH,), Need.NEVER, content=True),
    "source": PathRole((A.READ,), (O.READ,), Need.ALWAYS, content=True),
    "list": PathRole((A.LIST,), (O.LIST,), Need.NEVER),
    "stat": PathRole((A.METADATA,), (), Need.NEVER),
    "inside": PathRole((A.METADATA,), (), Need.OUTSIDE),  # the folder whose files say what is run
    "settings": PathRole((A.METADATA,), (O.READ,), Need.OUTSIDE),  # loaded by a tool, never shown
    "meta": PathRole((A.METADATA,), (), Need.ALWAYS),
    "write": PathRole((A.WRITE,), (O.WRITE,), Need.ALWAYS, result=True),
    "log": PathRole((A.WRITE,), (O.WRITE,), Need.OUTSIDE),  # a report, a log, a build output
    "append": PathRole((A.APPEND,), (O.APPEND,), Need.ALWAYS, result=True),
    "mkdir": PathRole((A.WRITE,), (O.WRITE,), Need.NEVER),
    "edit": PathRole((A.READ, A.WRITE), (O.READ, O.WRITE), Need.ALWAYS, content=True),
    "format": PathRole((A.WRITE,), (O.WRITE,), Need.NEVER),  # rewritten by a formatter or linter
    "delete": PathRole((A.DELETE,), (O.DELETE,), Need.ALWAYS),
    "move": PathRole((A.READ, A.DELETE), (O.MOVE,), Need.ALWAYS, content=True),
    "exec": PathRole((A.EXECUTE,), (O.EXECUTE,), Need.ALWAYS),
    "run": PathRole((A.EXECUTE,), (O.EXECUTE,), Need.ALWAYS),  # a project file a tool executes
    "socket": PathRole((A.CONNECT,), (O.CONNECT,), Need.ALWAYS),
}


# A word that nothing says more about is what its command acts on; ``any`` means nothing at all.
UNREAD_ROLES = ("word", "any")


def apply_role(inv: Invocation, role: str, word: Word) -> None:
    """Turn one word into facts."""
    if role in UNREAD_ROLES:
        return
    inv.taken.append(word)
    spec = PATH_ROLES.get(role)
    if spec is not None:
        _path(inv, spec, word)
    else:
        SPECIAL_ROLES[role](inv, word)


def _path(inv: Invocation, spec: PathRole, word: Word) -> None:
    if word.value is None:
        names = listed(inv, word)
        for found in names:
            _known_path(inv, spec, found)
        if names:
            return
    _known_path(inv, spec, word)


def _known_path(inv: Invocation, spec: PathRole, word: Word) -> None:
    if word.value == "-" and (spec.content or spec.result):
        if spec.content:
            inv.inputs.append(inv.stdin)
        return
    if inv.is_process(word):
        inv.inputs.append(inv.word_stream(word))
        return
    require(inv, word, spec.need)
    inv.op(*spec.ops)
    recursive = "recursive" in inv.fact.traits
    for access in spec.access:
        fact = inv.path(word, access, recursive=recursive)
        if fact is None:
            continue
        if spec.need is Need.ALWAYS and is_nowhere(inv, fact, word):
            inv.partial(IssueCode.DYNAMIC_WORD)
        if spec.content and access is A.READ:
            inv.inputs.append(inv.content_of(fact))
        if spec.result and fact.resolved:
            inv.outputs.append(fact.resolved)


def is_nowhere(inv: Invocation, fact: PathFact, word: Word) -> bool:
    """Whether a known name lies in a folder that is not known, as after ``cd "$DIR"``."""
    relative = word.value is not None and not fact.resolved and not fact.absolute
    return relative and inv.cwd is None and not inv.frame.remote


def require(inv: Invocation, word: Word, need: Need = Need.ALWAYS) -> None:
    """Lower the status when a word that matters is not known."""
    if word.value is not None or need is Need.NEVER:
        return
    if need is Need.OUTSIDE and (word.prefix or inv.bound_here(word)):
        return
    if outside_variable(inv, word) in RUNNER_FILES:
        return
    inv.partial(IssueCode.DYNAMIC_WORD)


def _place(inv: Invocation, word: Word) -> None:
    """Where the command acts, such as another folder, account or cluster."""
    if inv.entry is not None:
        require(inv, word, need_of(inv.entry, "place"))


def _text(inv: Invocation, word: Word) -> None:
    inv.data(word, inv.consumer(word))


def _url(inv: Invocation, word: Word) -> None:
    """A URL the command contacts; what it does with it is in the entry's operations."""
    text = known_url(word)
    if not text:
        require(inv, word, Need.OUTSIDE if not word.prefix else Need.ALWAYS)
    endpoint = parse_url(text, default_scheme="http" if word.value is not None else "")
    if endpoint is not None:
        inv.network(inv.network_action(), endpoint)


def known_url(word: Word) -> str:
    """As much of a URL as says which host is meant; empty if the unknown part may change that."""
    if word.value is not None:
        return word.value
    scheme, mark, after = word.prefix.partition("://")
    if not mark:
        return ""
    if "@" in word.suffix:  # the unknown part was a login
        return f"{scheme}://{word.suffix.rpartition('@')[2]}"
    if any(c in after for c in "/?#"):
        return word.prefix
    host, colon, _ = after.partition(":")
    return f"{scheme}://{host}" if colon else ""


def _maybe_url(inv: Invocation, word: Word) -> None:
    if word.value is None and not word.prefix:
        require(inv, word, Need.OUTSIDE)
    elif word.value is not None and "://" in word.value:
        _url(inv, word)


def _host(inv: Invocation, word: Word) -> None:
    if word.value is None:
        require(inv, word, Need.OUTSIDE)
        return
    if "://" in word.value:
        _url(inv, word)
        return
    host, port = split_port(word.value.rpartition("@")[2])
    canonical = canonical_host(host)
    if canonical:
        inv.network(inv.network_action(), Endpoint(canonical, "", port or 0))


def _code(inv: Invocation, word: Word) -> None:
    inv.run_code(word)


def _language(name: str) -> Callable[[Invocation, Word], None]:
    def apply(inv: Invocation, word: Word) -> None:
        inv.run_language(name, word)

    return apply


def _command_value(inv: Invocation, word: Word) -> None:
    """An option value that a tool splits and runs as a command."""
    inv.run_code(word)


def _data_file(inv: Invocation, word: Word) -> None:
    """Text, or ``@file`` whose content is taken."""
    if word.value is not None and word.value.startswith("@"):
        inv.reads(Word(word.value[1:], word.quote, start=word.start, end=word.end))
        return
    inv.data(word, inv.consumer(word))


# Files that build services name in variables for a step's results. Only the whole word counts: if
# the variable is not set there is no file of that name, and nothing is written.
RUNNER_FILES = frozenset(
    {"GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY",
     "GITEA_OUTPUT", "FORGEJO_OUTPUT", "BUILDKITE_ENV_FILE", "BITBUCKET_PIPELINES_VARIABLES_PATH"}
)  # fmt: skip


LANGUAGES = ("sql", "python", "awk", "sed", "perl", "ruby", "js", "php", "lua")
SPECIAL_ROLES: Mapping[str, Callable[[Invocation, Word], None]] = {
    "text": _text,
    "pattern": _text,
    "must": require,
    "place": _place,
    "url": _url,
    "maybe-url": _maybe_url,
    "host": _host,
    "code": _code,
    "data": _data_file,
    **{name: _language(name) for name in LANGUAGES},
}


def need_of(entry: Entry, role: str) -> Need:
    """Whether an unknown word in a role leaves open what an entry's command does."""
    if role in ("word", "place"):
        return Need.NEVER if _only_looks(entry) else Need.OUTSIDE
    spec = PATH_ROLES.get(role)
    return spec.need if spec is not None else _NEEDS.get(role, Need.ALWAYS)


def _only_looks(entry: Entry) -> bool:
    return bool(entry.ops) and _LOOKS.issuperset(entry.ops) and not entry.traits


def settle(inv: Invocation, operands: Iterable[tuple[str, Word]]) -> None:
    """Ask for the words that no role and no special function has asked for."""
    entry = inv.entry
    if entry is None or inv.fact.effect is CommandEffect.PREVIEW:
        return
    values = [(o.role, w) for o, w in inv.parsed.values if o.role not in UNREAD_ROLES]
    for role, word in (*values, *operands):
        if word.value is None and not inv.has_taken(word):
            require(inv, word, need_of(entry, role))


_LOOKS = frozenset({O.EXECUTE, O.LIST, O.READ, O.SEARCH, O.DECODE})
_NEEDS: Mapping[str, Need] = {
    "any": Need.NEVER,
    "text": Need.NEVER,
    "pattern": Need.NEVER,
    "data": Need.NEVER,
    "url": Need.OUTSIDE,
    "maybe-url": Need.OUTSIDE,
    "host": Need.OUTSIDE,
}


# --- words that are lists of names ---

MAX_FOUND_WORDS = 64  # of a known input list; more words only repeat the finding
ESCAPED = {"\\n": "\n", "\\t": "\t", "\\0": "\0", "\\x00": "\0", "\\r": "\r"}
_WHOLE = re.compile(r'"?\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))"?')
_ENDED = re.compile(r'"?\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))"?[\w.+-]*"?')  # "$f.bak"


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
    return Word(f"{root.rstrip('/')}/{UNKNOWN_COMPONENT}", example=True)


def listed(inv: Invocation, word: Word) -> list[Word]:
    """What stands for the names in a word that is a list of names and nothing else."""
    if word.start < 0 or word.prefix:
        return []
    stream = inv.word_stream(word)
    if not stream.roots or not (_variable(inv, word, _ENDED) or (word.sources and not word.suffix)):
        return []
    return [
        replace(found, value=f"{found.value}{word.suffix}", start=word.start, end=word.end)
        for found in found_words(stream, "")
    ]


def _variable(inv: Invocation, word: Word, shape: re.Pattern[str]) -> str:
    """The variable that a word of this shape consists of."""
    script = inv.frame.script
    if script is None or word.start < 0:
        return ""
    found = shape.fullmatch(script.source[word.start : word.end])
    return (found.group(1) or found.group(2)) if found else ""


def outside_variable(inv: Invocation, word: Word) -> str:
    """The variable that is the whole of a word and that this text only reads."""
    script, name = inv.frame.script, _variable(inv, word, _WHOLE)
    if script is None or not name or inv.frame.depth or word.value is not None:
        return ""
    reads = re.findall(rf"\$(?:{name}(?!\w)|\{{{name}(?:\}}|:?[-?+]))", script.source)
    return name if script.source.count(name) == len(reads) else ""
