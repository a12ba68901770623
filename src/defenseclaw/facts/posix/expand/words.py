"""From written words to runtime words: expansion in the shell's order."""

from __future__ import annotations

import re
from typing import Protocol

from defenseclaw.core.facts import QuoteKind
from defenseclaw.facts.posix.expand import params
from defenseclaw.facts.posix.expand.braces import Parts, expand_braces
from defenseclaw.facts.posix.expand.field import Field, is_pattern
from defenseclaw.facts.posix.expand.patterns import Patterns
from defenseclaw.facts.posix.expand.state import (
    DEFAULT_IFS,
    UNKNOWN,
    UNSET,
    Kind,
    Scalar,
    Soft,
    State,
    Value,
    is_counted,
)
from defenseclaw.facts.posix.syntax.tree import Arith, Lit, Opaque, Param, Quote, RawWord, Subst
from defenseclaw.facts.script import SimpleCommand, Word

# What makes an unquoted literal more than its text.
SPECIAL = re.compile(r"[~*?\[{]|[@+!]\(")
TILDE = re.compile(r"~([A-Za-z0-9_.+-]*)(?=/|\Z)")
TILDE_IN_ASSIGNMENT = re.compile(r"(?:\A|(?<=:))~(?=[/:]|\Z)")
TILDE_BEFORE_QUOTE = re.compile(r"(?:\A|(?<=:))~(?=[/:])")
MODIFIER = re.compile(r":(?:[haAceltruPqQx]|t[0-9]*)(?=[:/]|\Z)")  # of zsh, also without braces
BLANKS = re.compile(r"[ \t\n]+")
INSERTION_COST = 32  # characters that even an empty value counts for
MAX_FIELDS = 256  # words of one expansion; core.limits.MAX_ARGV_ITEMS for the whole command
PROCESS_PATH = "/dev/fd/63"  # what a process substitution becomes, give or take the number


class Host(Protocol):
    """What expansion needs from the interpreter."""

    state: State
    patterns: Patterns
    text_left: int  # characters of values that may still be inserted

    def substitute(self, part: Subst, command: SimpleCommand) -> tuple[Scalar, tuple[int, ...]]:
        """Lower a substitution; its value and the commands that write it."""


class Expander:
    """Expands the parts of one word in one context."""

    def __init__(self, host: Host, command: SimpleCommand, *, single: bool = False) -> None:
        self.host = host
        self.command = command
        self.single = single  # no splitting and no patterns, as in assignments
        self.fields: list[Field] = []
        self.field = Field()
        self.splits = True  # unquoted values split at blanks, as they do not in zsh

    def run(self, parts: Parts) -> list[Field]:
        """The fields that the parts give."""
        self.add_parts(parts)
        self.close()
        return self.fields

    def close(self) -> None:
        """End the current field."""
        if (self.field.exists() or self.single) and len(self.fields) < MAX_FIELDS:
            self.fields.append(self.field)
        self.field = Field()

    def add_parts(self, parts: Parts, *, operand: bool = False) -> None:
        """Append parts; unquoted blanks of an operand separate fields."""
        for at, part in enumerate(parts):
            if isinstance(part, Lit):
                if part.quote != Quote.BARE:
                    self.field.add(part.text, part.quote)
                elif operand:
                    self.add_split(part.text)
                else:
                    self.literal(part.text)
            elif isinstance(part, Param):
                if part.open and self.is_modified(part, parts[at + 1 : at + 2]):
                    self.field.add(UNKNOWN, part.quote)
                else:
                    self.parameter(part)
            elif isinstance(part, Subst):
                self.substitution(part)
            elif isinstance(part, Arith):
                self.arithmetic(part)
            else:
                self.field.add(Soft(Kind.UNKNOWN, part.prefix), Quote.BARE)

    def is_modified(self, part: Param, following: Parts) -> bool:
        """Whether zsh takes the text behind a path for a modifier, as in ``$file:h``."""
        text = following[0].text if following and isinstance(following[0], Lit) else ""
        if not text.startswith(":") or not MODIFIER.match(text):
            return False
        value = params.look_up(self.host.state, part)
        return isinstance(value, str) and "/" in value

    def literal(self, text: str) -> None:
        """Unquoted literal text."""
        self.field.add(text, Quote.BARE)
        if not self.single and is_pattern(text):
            self.field.glob = True

    def arithmetic(self, part: Arith) -> None:
        """A number, and whatever its expression does."""
        Expander(self.host, self.command, single=True).run(part.parts)
        kill_assigned(self.host.state, part.parts)
        self.field.add(Soft(Kind.EXAMPLE, "1"), part.quote)

    def substitution(self, part: Subst) -> None:
        """The output of a program."""
        value, sources = self.host.substitute(part, self.command)
        self.field.sources += sources
        self.add_value(value, part.quote)

    def add_value(self, value: Scalar, quote: int) -> None:
        """An expansion's result, split if it is not quoted."""
        text = value if isinstance(value, str) else value.text
        self.host.text_left -= len(text) + INSERTION_COST
        if self.host.text_left < 0:
            value = UNKNOWN
        if quote != Quote.BARE or self.single or not isinstance(value, str):
            self.field.add(value, quote)
        else:
            self.add_split(value)

    def add_split(self, text: str) -> None:
        """Text that splits into fields at blanks."""
        separators = self.host.state.vars.get("IFS", DEFAULT_IFS)
        if self.single or separators == "" or not self.splits:
            self.field.add(text, Quote.BARE)
            return
        if separators not in (DEFAULT_IFS, UNSET):
            self.split_unusually(text, separators)
            return
        pieces = BLANKS.split(text, maxsplit=MAX_FIELDS)
        if len(pieces) > MAX_FIELDS:
            self.field.add(Soft(Kind.UNKNOWN, pieces[0]), Quote.BARE)
            return
        for at, piece in enumerate(pieces):
            if at:
                self.close()
            self.literal(piece)

    def separator(self) -> str | None:
        """What ``"$*"`` puts between elements."""
        separators = self.host.state.vars.get("IFS", DEFAULT_IFS)
        if separators == UNSET:
            return " "
        return separators[:1] if isinstance(separators, str) else None

    def split_unusually(self, text: str, separators: Value) -> None:
        """Splitting where IFS was assigned."""
        if not isinstance(separators, str):
            self.field.add(UNKNOWN, Quote.BARE)
            return
        for at, piece in enumerate(re.split(f"[{re.escape(separators)}]", text)):
            if at:
                self.close()
            self.literal(piece)

    def parameter(self, part: Param) -> None:
        """A parameter expansion."""
        if part.index is not None and not part.index.text:
            self.aside(part.index.parts)
            kill_assigned(self.host.state, part.index.parts)
        if not part.name:
            self.nested_parts(part)
            self.field.add(UNKNOWN, part.quote)
            return
        value = params.look_up(self.host.state, part)
        if part.op == "" or part.op not in params.EMPTY_TESTS:
            self.operated(part, value)
            return
        is_set = params.is_set(value, null_counts=params.EMPTY_TESTS[part.op])
        if "+" in part.op:
            is_set = None if is_set is None else not is_set
        if is_set is None:
            self.undecided(part, value)
        elif is_set and "+" in part.op:
            self.field.add("", part.quote)
        elif is_set:
            self.add_parameter(part, value)
        else:
            self.default(part)

    def undecided(self, part: Param, value: Value) -> None:
        """Either the parameter or the operand."""
        self.nested_parts(part)
        if "=" in part.op:
            self.host.state.set(part.name, UNKNOWN)
        kept = value if "?" in part.op and isinstance(value, Soft) else UNKNOWN
        self.field.add(kept, part.quote)

    def default(self, part: Param) -> None:
        """The operand stands for the parameter."""
        if "?" in part.op:
            # The shell stops here; what would follow never runs with a value.
            self.nested_parts(part)
            self.field.add(UNKNOWN, part.quote)
            return
        if "=" in part.op:
            fields = Expander(self.host, self.command, single=True).run(part.arg)
            self.host.state.set(part.name, fields[0].value())
        self.field.bits |= part.quote if not part.arg else 0
        self.add_parts(part.arg, operand=True)

    def nested_parts(self, part: Param) -> None:
        """Expand an operand, whatever comes of it."""
        if part.arg:
            self.field.sources += self.aside(part.arg)

    def aside(self, parts: Parts) -> tuple[int, ...]:
        """Expand parts for what they run and assign; the commands that write them."""
        return Expander(self.host, self.command, single=True).run(parts)[0].sources

    def operated(self, part: Param, value: Value) -> None:
        """An expansion with an operator that does not test for emptiness."""
        if not part.op:
            self.add_parameter(part, value)
            return
        self.nested_parts(part)
        if part.op == "length":
            self.field.add(length_of(value, part), part.quote)
        elif part.op == "indirect":
            self.indirect(part, value)
        elif isinstance(value, tuple) and params.is_all(part):
            self.add_parameter(part, params.transform_all(value, part, self.host.patterns))
        else:
            scalar = params.first_of(value)
            result = params.transform(scalar, part.op, part.arg, self.host.patterns)
            self.add_value(result, part.quote)

    def indirect(self, part: Param, value: Value) -> None:
        """``${!name}``."""
        target = params.first_of(value)
        known = isinstance(target, str) and target.isidentifier() and part.index is None
        found = params.first_of(self.host.state.get(str(target))) if known else UNKNOWN
        self.add_value(found, part.quote)

    def add_parameter(self, part: Param, value: Value) -> None:
        """The value itself: one field, or one per element."""
        if not isinstance(value, tuple) or not params.is_all(part):
            first = params.first_of(value)
            if part.index is None and isinstance(value, tuple) and len(value) > 1:
                # The first element in bash, all of them in zsh.
                first = Soft(Kind.UNKNOWN, first if isinstance(first, str) else first.text)
            self.add_value(first, part.quote)
            return
        if self.host.text_left < 0:
            self.field.add(UNKNOWN, part.quote)
            return
        star = "*" in (part.name, part.index.text if part.index else "")
        if self.single or (star and part.quote != Quote.BARE):
            self.field.add(params.joined(value, self.separator()), part.quote)
            return
        for at, item in enumerate(value):
            if at:
                self.close()
            self.add_value(item, part.quote)


def length_of(value: Value, part: Param) -> Scalar:
    """``${#name}``."""
    if isinstance(value, Soft):
        return Soft(Kind.EXAMPLE, "1")
    if isinstance(value, tuple) and not params.is_all(part):
        value = params.first_of(value)
    unknown = not is_counted(value) if isinstance(value, tuple) else isinstance(value, Soft)
    return Soft(Kind.EXAMPLE, "1") if unknown else str(len(value))  # type: ignore[arg-type]


def kill_assigned(state: State, parts: Parts) -> None:
    """Forget variables that an arithmetic expression may change."""
    text = "".join(part.text for part in parts if isinstance(part, Lit))
    if "=" in text or "++" in text or "--" in text:
        for name in re.findall(r"[A-Za-z_][A-Za-z0-9_]*", text):
            state.set(name, UNKNOWN)


def expand_word(
    host: Host, raw: RawWord, command: SimpleCommand, *, split: bool = True
) -> list[Word]:
    """The runtime words of one written word."""
    parts: Parts = raw.parts
    if not parts:
        if not SPECIAL.search(raw.text):
            return [Word(raw.text, QuoteKind.NONE, False, "", raw.start, raw.end)]
        parts = (Lit(raw.text),)
    words: list[Word] = []
    for variant in variants(parts):
        expanded, tilde = expand_tilde(host.state, variant)
        expander = Expander(host, command)
        expander.splits = split
        for found in expander.run(expanded):
            word = found.word(raw)
            word.tilde = tilde
            words.append(word)
    if len(words) > MAX_FIELDS:
        return [Word(None, prefix=common_prefix(words), start=raw.start, end=raw.end, splits=True)]
    return words


def variants(parts: Parts) -> list[Parts]:
    """The words that brace expansion gives; unknown if they are too many."""
    bare = [p.text for p in parts if isinstance(p, Lit) and p.quote == Quote.BARE]
    if not any("{" in text for text in bare) or not any("}" in text for text in bare):
        return [parts]
    found = expand_braces(parts)
    if found is None:
        first = parts[0]
        head = first.text.partition("{")[0] if isinstance(first, Lit) else ""
        return [(Opaque(head),)]
    return found


def common_prefix(words: list[Word]) -> str:
    """What all words start with."""
    texts = [word.prefix if word.value is None else word.value for word in words]
    first, last = min(texts), max(texts)
    same = [a for a, b in zip(first, last, strict=False) if a == b]
    return first[: len(same)] if first.startswith("".join(same)) else ""


def expand_tilde(state: State, parts: Parts) -> tuple[Parts, bool]:
    """Replace a leading unquoted tilde."""
    first = parts[0] if parts else None
    if not isinstance(first, Lit) or first.quote != Quote.BARE or not first.text.startswith("~"):
        return parts, False
    found = TILDE.match(first.text)
    if found is None or (found.end() == len(first.text) and len(parts) > 1):
        return parts, False
    rest = first.text[found.end() :]
    home = {"": "HOME", "+": "PWD", "-": "OLDPWD"}.get(found.group(1))
    if home is None:
        return (Opaque(found.group()), Lit(rest), *parts[1:]), True
    value = params.first_of(state.get(home))
    if isinstance(value, Soft):
        return (Opaque(value.text), Lit(rest), *parts[1:]), True
    return (Lit(value, Quote.ESCAPE), Lit(rest), *parts[1:]), True


def assignment_tildes(state: State, parts: Parts) -> tuple[Parts, bool]:
    """Replace the tildes at the start of a value and behind its colons."""
    first = parts[0] if parts else None
    if not isinstance(first, Lit) or first.quote != Quote.BARE or "~" not in first.text:
        return parts, False
    home = params.first_of(state.get("HOME"))
    # A quoted piece right behind it keeps a tilde as it is.
    pattern = TILDE_BEFORE_QUOTE if len(parts) > 1 else TILDE_IN_ASSIGNMENT
    if isinstance(home, Soft):
        return parts, False
    text, count = pattern.subn(lambda _: home, first.text)
    return (Lit(text), *parts[1:]), count > 0


def expand_single(host: Host, raw: RawWord, command: SimpleCommand) -> tuple[Word, Scalar]:
    """A word that is neither split nor matched: assignments and targets of redirections."""
    parts: Parts = raw.parts or (Lit(raw.text),)
    parts, tilde = assignment_tildes(host.state, parts)
    field = Expander(host, command, single=True).run(parts)[0]
    word = field.word(raw)
    word.tilde = tilde
    return word, field.value()
