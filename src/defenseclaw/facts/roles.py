"""What an operand or option value means: one row per role name of the program tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from defenseclaw.core.facts import CommandEffect, IssueCode, OperationKind, PathAccess, PathFact
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry, leaves_words
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.network import Endpoint, canonical_host, parse_url, split_port
from defenseclaw.facts.origins import (
    PROJECT_FOLDERS,
    RUNNER_FILES,
    in_temporary,
    listed,
    outside_variable,
)
from defenseclaw.facts.script import Word

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
    tree: bool = False  # of a folder all that is in it is meant, whatever the options say


PATH_ROLES: Mapping[str, PathRole] = {
    "read": PathRole((A.READ,), (O.READ,), Need.OUTSIDE, content=True),
    "script": PathRole((A.READ,), (O.READ,), Need.ALWAYS),  # instructions for a tool, not code
    "search": PathRole((A.READ,), (O.SEARCH,), Need.NEVER, content=True),
    "source": PathRole((A.READ,), (O.READ,), Need.ALWAYS, content=True),
    "tree": PathRole((A.READ,), (O.READ,), Need.ALWAYS, content=True, tree=True),
    "unpack": PathRole((A.WRITE,), (O.WRITE,), Need.ALWAYS, tree=True),  # an archive says what
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
    "move": PathRole((A.READ, A.DELETE), (O.MOVE,), Need.ALWAYS, content=True, tree=True),
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
        fact = inv.path(word, access, recursive=recursive, tree=spec.tree)
        if fact is None:
            continue
        strict = spec.need is Need.ALWAYS or (inv.builder.lost and spec is PATH_ROLES["inside"])
        if strict and is_nowhere(inv, fact, word):
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
    name = outside_variable(inv, word)
    if name in RUNNER_FILES or (need is Need.OUTSIDE and name in PROJECT_FOLDERS):
        return
    if need is Need.OUTSIDE and in_temporary(inv, word):
        return
    inv.partial(IssueCode.DYNAMIC_WORD)


def _place(inv: Invocation, word: Word) -> None:
    """Where the command acts, such as another folder, account or cluster."""
    if inv.entry is not None:
        require(inv, word, need_of(inv.entry, "place"))


def _target(inv: Invocation, word: Word) -> None:
    """What a command without an operation acts on, or where it acts, so that it decides."""
    require(inv, word, Need.OUTSIDE)


def _text(inv: Invocation, word: Word) -> None:
    inv.data(word, inv.consumer(word))


def _pattern(inv: Invocation, word: Word) -> None:
    """What is searched for."""
    _text(inv, word)
    if word.value is not None and _SECRET_WORDS.search(word.value):
        inv.trait(Trait.SECRET_SEARCH)


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
        _partly_known_host(inv, word)
        return
    if "://" in word.value:
        _url(inv, word)
        return
    host, port = split_port(word.value.rpartition("@")[2])
    canonical = canonical_host(host)
    if canonical:
        inv.network(inv.network_action(), Endpoint(canonical, "", port or 0))


def _partly_known_host(inv: Invocation, word: Word) -> None:
    """A name below a known domain: who has the domain learns what is in front."""
    domain = word.suffix[1:] if word.suffix[:1] == "." else ""
    if "." not in domain or not canonical_host(domain):
        require(inv, word, Need.OUTSIDE)
        return
    fact = inv.network(inv.network_action(), Endpoint(canonical_host(domain), "", 0))
    inv.carry(fact, inv.word_stream(word))


def _code(inv: Invocation, word: Word) -> None:
    inv.run_code(word)


def _language(name: str) -> Callable[[Invocation, Word], None]:
    def apply(inv: Invocation, word: Word) -> None:
        inv.run_language(name, word)

    return apply


def _block(inv: Invocation, word: Word) -> None:
    """A script block; the cmdlet says when it runs."""


def _data_file(inv: Invocation, word: Word) -> None:
    """Text, or ``@file`` whose content is taken."""
    if word.value is not None and word.value.startswith("@"):
        inv.reads(Word(word.value[1:], word.quote, start=word.start, end=word.end))
        return
    inv.data(word, inv.consumer(word))


# Names that people give to what they keep secret.
_SECRET_WORDS = re.compile(
    r"passw|pwd|passphrase|secret|credential|api[_-]?key|access[_-]?key|private key|token",
    re.IGNORECASE,
)
LANGUAGES = ("sql", "python", "awk", "sed", "perl", "ruby", "js", "php", "lua", "debugger")
SPECIAL_ROLES: Mapping[str, Callable[[Invocation, Word], None]] = {
    "text": _text,
    "pattern": _pattern,
    "must": require,
    "target": _target,
    "place": _place,
    "url": _url,
    "maybe-url": _maybe_url,
    "host": _host,
    "code": _code,
    "data": _data_file,
    "block": _block,
    **{name: _language(name) for name in LANGUAGES},
}


def need_of(entry: Entry, role: str) -> Need:
    """Whether an unknown word in a role leaves open what an entry's command does."""
    if role == "place":
        return Need.OUTSIDE if _acts(entry) else Need.NEVER
    if role == "word":
        looks = entry.ops and _LOOKS.issuperset(entry.ops)
        open_ended = leaves_words(entry.special) and not looks
        return Need.OUTSIDE if _acts(entry) or open_ended else Need.NEVER
    spec = PATH_ROLES.get(role)
    return spec.need if spec is not None else _NEEDS.get(role, Need.ALWAYS)


def _acts(entry: Entry) -> bool:
    """Whether the entry does something to what its words name that a rule may look at."""
    return bool(entry.traits) or not _NAMES_ONLY.issuperset(entry.ops)


def splits(word: Word) -> bool:
    """Whether an unknown word may become options, because nobody quoted it."""
    return word.splits and not word.prefix


def settle(inv: Invocation, operands: Iterable[tuple[str, Word]]) -> None:
    """Ask for the words that no role and no special function has asked for."""
    entry = inv.entry
    if entry is None or inv.fact.effect is CommandEffect.PREVIEW:
        return
    values = [(o.role, w) for o, w in inv.parsed.values if o.role not in UNREAD_ROLES]
    looks = bool(entry.ops) and _LOOKS.issuperset(entry.ops)
    marked = any(entry.marks.get(name) for name in inv.fact.options)
    for role, word in (*values, *operands):
        if word.value is None and not inv.has_taken(word):
            need = need_of(entry, role)
            if role in ("word", "place") and (marked or (splits(word) and not looks)):
                need = Need.OUTSIDE
            require(inv, word, need)


_LOOKS = frozenset({O.EXECUTE, O.LIST, O.READ, O.SEARCH, O.DECODE})
# Operations for which it makes no difference to any rule what an unread word names.
_NAMES_ONLY = _LOOKS | {O.FETCH, O.UPLOAD, O.CONNECT, O.LISTEN, O.CONTAINER_RUN, O.WORKLOAD_EXEC}
_NEEDS: Mapping[str, Need] = {
    "any": Need.NEVER,
    "text": Need.NEVER,
    "pattern": Need.NEVER,
    "data": Need.NEVER,
    "url": Need.OUTSIDE,
    "block": Need.NEVER,
    "maybe-url": Need.OUTSIDE,
    "host": Need.OUTSIDE,
    "target": Need.OUTSIDE,
}
