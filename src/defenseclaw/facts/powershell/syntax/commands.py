"""Commands: a name and its arguments, where most text needs no quotes."""

from __future__ import annotations

import re

from defenseclaw.core.facts import PathAccess, QuoteKind
from defenseclaw.facts.powershell.syntax.cursor import (
    BLANKS,
    DASHES,
    DOUBLE_QUOTES,
    NEWLINES,
    SINGLE_QUOTES,
    SyntaxFault,
)
from defenseclaw.facts.powershell.syntax.expressions import Expressions
from defenseclaw.facts.powershell.syntax.strings import simple
from defenseclaw.facts.powershell.syntax.tree import (
    Command,
    Dashed,
    Literal,
    Node,
    Redirection,
    Sequence,
    Value,
)

QUOTES = SINGLE_QUOTES + DOUBLE_QUOTES
_ENDS = BLANKS + NEWLINES + "|&;,(){}<>"
_STOPS = ("|", "&", ";", ")", "}", "", *NEWLINES)
_SPREAD = re.compile(r"@[^\W\d]\w*")
_VERBATIM = re.compile(r'(?:[^\s"]|"[^"]*"?)+')  # a word that Windows hands on, quotes and all


class Commands(Expressions):
    """Reads members of a pipeline."""

    def member(self, *, first: bool = True) -> Node:
        """A command, or an expression if nothing is piped into it."""
        self.enter()
        if not self._is_expression():
            found: Node = self._command()
        elif first:
            found = self._value()
        else:
            raise SyntaxFault("|")
        self.leave()
        return found

    def _is_expression(self) -> bool:
        char, after = self.peek(), self.peek(1)
        if char == "$":
            return self.is_variable()
        if char == "@":
            return bool(after) and (after in QUOTES + "({" or after.isalpha())
        if char.isdigit() or (char == "." and after.isdigit()):
            return self._is_number()
        if char in ("+", ","):
            return True
        if char and char in DASHES:
            return True
        return bool(char) and char in QUOTES + "([{!"

    def _is_number(self) -> bool:
        """A word of digits is a number; ``7z`` is a command."""
        stop = self.at
        while stop < self.end and self.source[stop] not in _ENDS + "+-*/%=.[]":
            stop += 1
        text = self.source[self.at : stop].lower()
        for suffix in ("kb", "mb", "gb", "tb", "pb", "l", "d", "ul", "n"):
            text = text.removesuffix(suffix)
        return text.replace(".", "").isdigit() or text.startswith("0x")

    def _value(self) -> Value:
        start = self.at
        found = self.expression()
        redirects: list[Redirection] = []
        self.blanks()
        while self._is_redirection():
            redirects.append(self._redirection())
            self.blanks()
        return Value(start, self.at, found, redirects)

    def _command(self) -> Command:
        start, operator = self.at, ""
        if self.peek() == "&" or (
            self.peek() == "." and self.peek(1) in (*BLANKS, *QUOTES, *"$({")
        ):
            operator = self.peek()
            self.at += 1
            self.blanks()
        name = self._name_word(operator)
        command = Command(start, self.at, name, operator, [])
        while self._argument_word(command):
            self.count()
        command.end = max(self._tail(start), name.end)
        return command

    def _tail(self, start: int) -> int:
        """The position without the white space before it."""
        at = self.at
        while at > start and self.source[at - 1] in BLANKS:
            at -= 1
        return at

    def _name_word(self, operator: str) -> Node:
        if operator and self.peek() == "$" and self.is_variable():
            return self._variable_word()
        if operator and self.peek() and self.peek() in "$({'\"@" + QUOTES:
            return self.postfix(self.operand())
        word = self.bare()
        if isinstance(word, Literal) and not word.value:
            raise SyntaxFault("command")
        return word

    def _argument_word(self, command: Command) -> bool:
        """Take the next argument; False where the command ends."""
        self.blanks()
        char = self.peek()
        if char in _STOPS and not (char == "&" and self.peek(1) == ">"):
            return False
        if self._is_redirection():
            command.redirects.append(self._redirection())
            return True
        if char == "<":
            raise SyntaxFault("<")
        if self.starts("--%") and self.peek(3) in (*BLANKS, *NEWLINES, ""):
            self.at += 3
            self._verbatim_words(command)
            return True
        if char == ",":
            return self._more(command)
        command.args.append(self.one())
        return True

    def _more(self, command: Command) -> bool:
        """A comma joins the argument before it and the one after it to a list."""
        self.at += 1
        self.lines()
        if self.peek() in _STOPS:
            raise SyntaxFault(",")
        item = self.one()
        last = command.args[-1] if command.args else None
        if isinstance(last, Dashed):
            if last.value is None:
                raise SyntaxFault(",")
            last.value = _joined(last.value, item)
        elif last is not None:
            command.args[-1] = _joined(last, item)
        else:
            raise SyntaxFault(",")
        return True

    def one(self) -> Node:
        """One argument of any kind."""
        char, after = self.peek(), self.peek(1)
        if char in DASHES and (after.isalpha() or after in ("_", "?")) and char:
            return self._dashed()
        if char == "@" and after and (after in QUOTES + "({" or self._is_spread()):
            return self.postfix(self.operand())
        if char in "({" or char in QUOTES:
            return self.postfix(self.operand())
        if char == "$" and self.is_variable():
            return self._variable_word()
        if char == "@" and not (after.isalpha() or after == "_"):
            raise SyntaxFault("@")
        return self.bare()

    def _is_spread(self) -> bool:
        """``@name``; where the word goes on behind the name, as in ``@scope/x``, it is text."""
        found = _SPREAD.match(self.source, self.at)
        if found is None:
            return False
        after = self.source[found.end() : found.end() + 1]
        return not after or after in _ENDS + ".[:"

    def _variable_word(self) -> Node:
        """A variable with its members, or text that begins with one."""
        start = self.at
        first = self.dollar()
        if self.starts("::") or self._is_member() or self.peek() == "[":
            return self.postfix(first)
        if self.peek() == "." and self.peek(1) and self.peek(1) in ",;|&)}":
            raise SyntaxFault("a name behind the dot")
        ends = self.peek() in (*_ENDS, "") or self.source[start + 1] == "("
        if ends and self.peek() not in (*QUOTES,):
            return first
        return self.bare([first], start)

    def bare(self, parts: list[Node] | None = None, start: int = -1) -> Node:
        """Text without quotes around it; quotes, variables and escapes inside count."""
        self.count()
        parts = parts or []
        start = self.at if start < 0 else start
        source, text, since = self.source, [], self.at
        quoted = False
        while self.at < self.end and source[self.at] not in _ENDS:
            char = source[self.at]
            if char == "`":
                if self.peek(1) in (*NEWLINES, ""):
                    break
                text.append(self._escape_in_word())
            elif char in QUOTES or (char == "$" and self.is_variable()):
                if text:
                    parts.append(Literal(since, self.at, "".join(text)))
                inner = self.string() if char != "$" else self.dollar()
                quoted = quoted or char != "$"
                parts.extend(getattr(inner, "parts", None) or [inner])
                text, since = [], self.at
            else:
                text.append(char)
                self.at += 1
        if text or not parts:
            parts.append(Literal(since, self.at, "".join(text)))
        if self.at == start:
            raise SyntaxFault("word")
        return simple(start, self.at, parts, QuoteKind.MIXED if quoted else QuoteKind.NONE)

    def _escape_in_word(self) -> str:
        """Windows PowerShell reads `e as a letter, and no name has an escape character in it."""
        if self.peek(1) != "e":
            return self.escape()
        self.at += 2
        return "e"

    def _dashed(self) -> Node:
        start = self.at
        self.at += 1
        while self.at < self.end and self.source[self.at] not in _ENDS + ":" + QUOTES + "$`":
            self.at += 1
        text = "-" + self.source[start + 1 : self.at]
        if self.peek() != ":":
            if self.peek() in (*_ENDS, ""):
                return Dashed(start, self.at, text)
            return self.bare([Literal(start, self.at, text)], start)
        self.at += 1
        self.blanks()
        if self.peek() in _STOPS:
            return Dashed(start, self.at, text)
        value = self.one()
        return Dashed(start, self.at, text, value)

    def _verbatim_words(self, command: Command) -> None:
        """Everything behind ``--%`` up to a pipe or the end of the line is left as it is."""
        stop = self.at
        quoted = False
        while stop < self.end and self.source[stop] not in NEWLINES:
            char = self.source[stop]
            quoted = quoted != (char == '"')
            if not quoted and char in "|&":
                break
            stop += 1
        for found in _VERBATIM.finditer(self.source, self.at, stop):
            text = found[0].replace('"', "")
            command.args.append(Literal(found.start(), found.end(), text, QuoteKind.DOUBLE))
            self.count()
        self.at = stop

    # --- redirections ---

    def _is_redirection(self) -> bool:
        char = self.peek()
        if char == ">":
            return True
        return bool(char) and (char.isdigit() or char == "*") and self.peek(1) == ">"

    def _redirection(self) -> Redirection:
        start, fd = self.at, 1
        if self.peek() != ">":
            fd = -1 if self.peek() == "*" else int(self.peek())
            self.at += 1
        self.at += 1
        access = PathAccess.WRITE
        if self.peek() == ">":
            access = PathAccess.APPEND
            self.at += 1
        if self.peek() == "&":
            digit = self.peek(1)
            if not digit.isdigit():
                raise SyntaxFault(">&")
            self.at += 2
            return Redirection(start, self.at, fd, access, None, int(digit))
        self.blanks()
        if self.peek() in _STOPS:
            raise SyntaxFault(">")
        target = self.one()
        return Redirection(start, self.at, fd, access, target)


def _joined(first: Node, item: Node) -> Node:
    """A list with one more item."""
    if isinstance(first, Sequence):
        first.items.append(item)
        first.end = item.end
        return first
    return Sequence(first.start, item.end, [first, item])
