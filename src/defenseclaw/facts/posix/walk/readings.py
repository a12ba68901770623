"""What zsh makes of commands that every shell accepts, where the others make less of it.

Nobody tells which shell runs a text, so the reading with the larger effect is taken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from defenseclaw.facts.posix.expand.words import expand_word
from defenseclaw.facts.posix.syntax.tree import (
    Lit,
    Param,
    Part,
    Quote,
    RawRedirect,
    RawWord,
    Simple,
    Subst,
    SubstKind,
)
from defenseclaw.facts.posix.walk.flow import Flow
from defenseclaw.facts.posix.walk.scope import Scope
from defenseclaw.facts.script import Link, SimpleCommand

BLANK_IN_PATH = re.compile(r"[/~]\S*[ \t\n]")
FORCING = frozenset({">", ">>", "&>", "&>>"})
# Signs that begin an extended pattern, in which brackets are no qualifiers; a star may be either.
PATTERN_SIGNS = tuple("+@?!")
# ``e:code:`` and ``oe:code:`` are run for every file that the pattern finds.
CODE = re.compile(
    r"e(?:\[(?P<a>.*)\]|\{(?P<b>.*)\}|<(?P<c>.*)>|(?P<sign>[^\w\s])(?P<d>.*)(?P=sign))", re.DOTALL
)
NAMED_CODE = re.compile(r"(?:\A|[^\w])o?\+(?P<name>[A-Za-z_]\w*)")


def forced_writes(node: Simple) -> tuple[list[RawWord], list[RawRedirect]]:
    """Words and redirections where ``>!`` is an operator and not the start of a file's name."""
    words: list[RawWord] = node.words
    redirects: list[RawRedirect] = []
    for item in node.redirects:
        rest = after_sign(item.target) if item.op in FORCING else None
        if rest is None:
            redirects.append(item)
            continue
        if not rest.text and not rest.parts:
            following = [word for word in words if word.start >= rest.end]
            if not following:
                redirects.append(item)
                continue
            rest = following[0]
            words = [word for word in words if word is not rest]
        redirects.append(replace(item, target=rest))
    return words, redirects


def after_sign(raw: RawWord | None) -> RawWord | None:
    """The word behind an exclamation mark; None if the word does not begin with one."""
    if raw is None or raw.array is not None:
        return None
    if not raw.parts:
        return replace(raw, text=raw.text[1:]) if raw.text.startswith("!") else None
    first = raw.parts[0]
    if not isinstance(first, Lit) or first.quote != Quote.BARE or not first.text.startswith("!"):
        return None
    if first.text.startswith("!("):
        return None
    rest = first.text[1:]
    return replace(raw, parts=(*((Lit(rest),) if rest else ()), *raw.parts[1:]))


def unsplit(flow: Flow, written: list[RawWord], command: SimpleCommand, scope: Scope) -> None:
    """The same command with paths that hold blanks in one piece, where that makes a difference."""
    if not all(is_simple(part) for raw in written for part in raw.parts):
        return
    words = [word for raw in written for word in expand_word(flow, raw, command, split=False)]
    if not any(word.value and BLANK_IN_PATH.match(word.value) for word in words):
        return
    inner = scope._replace(parent=command.id, link=Link.ALIAS, decides=False, top=False)
    again = flow.begin(inner, command.start, command.end)
    again.words = words


def is_simple(part: Part) -> bool:
    """Expanding the part twice changes nothing."""
    return isinstance(part, Lit) or (isinstance(part, Param) and not part.op)


def without_qualifiers(flow: Flow, raw: RawWord, command: SimpleCommand) -> RawWord:
    """The word without the brackets that choose among files; their code runs."""
    at = qualifiers_start(raw.parts)
    if at < 0:
        return raw
    inside = "".join(part.text for part in raw.parts[at + 1 : -1] if isinstance(part, Lit))
    run_code(flow, code_of(inside), raw, command)
    opening = raw.parts[at]
    assert isinstance(opening, Lit)
    head = opening.text[:-1]
    return replace(raw, parts=(*raw.parts[:at], *((Lit(head),) if head else ())))


def qualifiers_start(parts: Sequence[Part]) -> int:
    """The index of the part that opens the qualifiers at the end of a word, or -1."""
    if len(parts) < 2 or parts[-1] != Lit(")"):
        return -1
    for at in range(len(parts) - 2, -1, -1):
        part = parts[at]
        if not isinstance(part, Lit) or (part.quote == Quote.BARE and part.text == ")"):
            return -1
        if part.quote == Quote.BARE and part.text.endswith("("):
            sign = part.text[-2:-1]
            return -1 if sign in PATTERN_SIGNS or (not sign and at == 0) else at
        if part.quote == Quote.BARE and "|" in part.text:
            return -1
    return -1


def code_of(inside: str) -> str:
    """The command text in qualifiers, empty without one."""
    found = CODE.search(inside)
    if found:
        return next((found[name] for name in "abcd" if found[name] is not None), "")
    named = NAMED_CODE.search(inside)
    return named["name"] if named else ""


def run_code(flow: Flow, text: str, raw: RawWord, command: SimpleCommand) -> None:
    """Walk the code of a word's qualifiers as part of the command."""
    root = flow.meaning.nested(flow, text) if text.strip() else None
    if root is not None:
        part = Subst(SubstKind.COMMAND, root, raw.start, raw.end, located=False)
        flow.substitute(part, command)
