"""Names of types in brackets, and attributes, which look like them."""

from __future__ import annotations

import re
from abc import abstractmethod

from defenseclaw.facts.powershell.syntax.cursor import SyntaxFault
from defenseclaw.facts.powershell.syntax.strings import Strings
from defenseclaw.facts.powershell.syntax.tree import Node, ScriptBlock, TypeName
from defenseclaw.facts.powershell.tables.types import NAMESPACES

_TYPE = re.compile(r"[^\W\d][\w.`+#\\,\[\]*=-]*")  # also with its assembly


class Types(Strings):
    """Reads what is in brackets.

    ``namespaces`` are those that the text uses, ``checks`` the code that attributes have.
    """

    namespaces: list[str]
    checks: list[ScriptBlock]

    @abstractmethod
    def argument(self) -> Node:
        """An expression without a list."""

    def type_name(self) -> TypeName:
        """``[name]``, with the brackets that it has inside."""
        start, level = self.at, 0
        while self.at < self.end:
            char = self.source[self.at]
            level += (char == "[") - (char == "]")
            if char == "(" and level == 1:
                return self._attribute(start)
            if char in "\r\n;|{}":
                break
            self.at += 1
            if not level:
                self.count()
                text = "".join(self.source[start + 1 : self.at - 1].split()).lower()
                if not _TYPE.fullmatch(text):
                    raise SyntaxFault("type")
                return TypeName(start, self.at, self.full_name(text))
        raise SyntaxFault("]")

    def full_name(self, name: str) -> str:
        """A type's name without ``system.``, and with the namespace that the text uses."""
        name = name.removeprefix("system.")
        spaces = (space for space in self.namespaces if name in NAMESPACES.get(space, ()))
        space = next(spaces, "")
        return f"{space}.{name}" if space else name

    def _attribute(self, start: int) -> TypeName:
        """``[name( … )]``: what it says about a parameter; code in it is kept apart."""
        name = self.source[start + 1 : self.at].strip().lower()
        self.at += 1
        self.enter()
        self.lines()
        while self.peek() != ")":
            self._setting()
            self.lines()
            if self.peek() == ",":
                self.at += 1
                self.lines()
            elif self.peek() != ")":
                raise SyntaxFault(")")
        self.at += 1
        self.lines()
        self.expect("]")
        self.leave()
        return TypeName(start, self.at, name)

    def _setting(self) -> None:
        """``name``, ``name = value`` or a value."""
        at = self.at
        self.at += len(self.word())
        self.lines()
        if self.at > at and self.source[at].isalpha():
            if self.peek() in (",", ")"):
                return
            if self.peek() == "=":
                self.at += 1
                self.lines()
                at = self.at
        self.at = at
        value = self.argument()
        if isinstance(value, ScriptBlock):
            self.checks.append(value)
