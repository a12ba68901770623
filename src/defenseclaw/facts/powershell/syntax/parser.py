"""Statements: lists, conditions, loops, functions, and what goes on behind an error."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from defenseclaw.core.facts import IssueCode
from defenseclaw.facts.powershell.syntax.commands import Commands
from defenseclaw.facts.powershell.syntax.cursor import NEWLINES, LimitFault, Places, SyntaxFault
from defenseclaw.facts.powershell.syntax.tree import (
    Assignment,
    Block,
    Chain,
    Function,
    Node,
    Parameter,
    Pipeline,
    ScriptBlock,
    Value,
)

_DELIMITERS = " \t\v\f(){};,|&" + NEWLINES  # what ends a word where a statement begins
_ASSIGNING = ("??=", "+=", "-=", "*=", "/=", "%=", "=")
BLOCKS = frozenset({"begin", "process", "end", "dynamicparam", "clean"})
Keywords = Mapping[str, Callable[["Parser"], Node]]
_ALIAS, _NAME = re.compile(r"\balias\(([^()]*)\)"), re.compile(r"[\w-]+")
_DESCRIBED = frozenset({"param", "class", "enum"})
_ENDED = (Pipeline, Chain, Assignment)
_ENDS = (";", ")", "}", "", *NEWLINES)


class Parser(Commands):
    """Reads a whole text. ``failed`` says that parts of it are not PowerShell."""

    def __init__(self, source: str, places: Places, keywords: Keywords) -> None:
        super().__init__(source, places)
        self.keywords = keywords
        self.failed = False
        self.limited: IssueCode | None = None
        self.opaque = False  # a construct was skipped
        self.namespaces: list[str] = []
        self.functions: list[Function] = []  # those that have a name
        self.checks: list[ScriptBlock] = []

    def run(self) -> Block:
        """All statements; behind one that cannot be read the next line goes on."""
        root = Block(0, self.end)
        while self.at < self.end:
            before = self.at
            try:
                self._statements(root, "")
            except SyntaxFault:
                self.failed = True
                self._next_line(before)
            except LimitFault as fault:
                self.limited = fault.issue
                break
            else:
                if self.at < self.end:  # a bracket that closes nothing
                    self.failed = True
                    self.at += 1
        return root

    def _next_line(self, before: int) -> None:
        """Go on behind the line that could not be read."""
        self.depth = 0
        self.at = max(self.at, before + 1)
        while self.at < self.end and self.source[self.at] not in NEWLINES + ";":
            self.at += 1

    def block(self, closer: str) -> Block:
        """Statements up to a closing character, which is taken."""
        self.enter()
        found = Block(self.at, self.at)
        self._statements(found, closer)
        self.expect(closer)
        found.end = self.at - 1
        self.leave()
        return found

    def _statements(self, block: Block, closer: str) -> None:
        while True:
            self.separators()
            if self.peek() in (closer, ""):
                return
            if self.peek() in (")", "}"):
                if closer:
                    raise SyntaxFault(closer)
                return
            before = self.at
            found = self.statement()
            block.statements.append(found)
            if self.at == before or (isinstance(found, _ENDED) and not self._is_ended()):
                raise SyntaxFault("statement")

    def _is_ended(self) -> bool:
        """Whether nothing stands behind a statement that goes up to a separator."""
        self.blanks()
        return self.peek() in _ENDS or self.source[self.at - 1] in "&;"

    def separators(self) -> None:
        self.lines()
        while self.peek() == ";":
            self.at += 1
            self.lines()

    def statement(self) -> Node:
        """One statement of any kind."""
        self.enter()
        if self.peek() == ":" and self.peek(1).isalpha():  # a loop's label
            self.at += 1
            self.at += len(self.word())
            self.lines()
        if self.peek() == "[":
            self._attributes()
        word = self.word().lower()
        reader = self.keywords.get(word)
        if reader is not None and not self.goes_on(len(word)):
            found = reader(self)
        else:
            found = self.pipelines()
        self.leave()
        return found

    def goes_on(self, width: int) -> bool:
        """Whether a keyword is only the beginning of a longer word."""
        after = self.peek(width)
        return bool(after) and after not in _DELIMITERS

    def pipelines(self) -> Node:
        start = self.at
        first = self._pipeline()
        if isinstance(first, Assignment):
            return first
        items: list[tuple[str, Node]] = [("", first)]
        while True:
            self.blanks()
            op = next((op for op in ("&&", "||") if self.starts(op)), "")
            if not op:
                break
            self.at += 2
            self.lines()
            items.append((op, self._pipeline()))
        background = self.peek() == "&"
        if background:
            self.at += 1
        if len(items) == 1 and not background:
            return first
        return Chain(start, self.at, items, background)

    def _pipeline(self) -> Node:
        start = self.at
        first = self.member()
        self.blanks()
        if isinstance(first, Value):
            op = next((op for op in _ASSIGNING if self.starts(op)), "")
            if op:
                self.at += len(op)
                self.lines()
                value = self.statement()
                return Assignment(start, value.end, first.expression, op, value)
        members = [first]
        while self._takes_pipe():
            self.lines()
            members.append(self.member(first=False))
            self.blanks()
        return Pipeline(start, members[-1].end, members)

    def _takes_pipe(self) -> bool:
        """A pipe, which may also stand at the beginning of the next line."""
        if self.peek() == "|" and self.peek(1) != "|":
            self.at += 1
            return True
        if self.peek() not in (*NEWLINES,):
            return False
        at, comments = self.at, len(self.places.comments)
        self.lines()
        if self.peek() == "|" and self.peek(1) != "|":
            self.at += 1
            return True
        self.at = at
        del self.places.comments[comments:]
        return False

    # --- blocks of code ---

    def script_block(self) -> ScriptBlock:
        """``{ … }`` with the parameters and named parts that it may have."""
        start = self.at
        self.expect("{")
        self.enter()
        params: list[Parameter] = []
        body = Block(self.at, self.at)
        self.separators()
        self._attributes()
        if self.word().lower() == "param" and not self.goes_on(5):
            self.at += 5
            self.lines()
            params = self.parameters()
        self._body_parts(body)
        self.expect("}")
        body.end = self.at - 1
        self.leave()
        return ScriptBlock(start, self.at, body, params, self.source)

    def _attributes(self) -> None:
        """``[CmdletBinding()]`` and its like before what they describe."""
        start, checks = self.at, len(self.checks)
        try:
            while self.peek() == "[":
                self.type_name()
                self.lines()
        except SyntaxFault:
            self.at = start
        if self.word().lower() not in _DESCRIBED:
            self.at = start
        del self.checks[checks:]

    def _body_parts(self, body: Block) -> None:
        while True:
            self.separators()
            word = self.word().lower()
            at = self.at
            self.at += len(word)
            self.lines()
            if word in BLOCKS and self.peek() == "{":
                self.at += 1
                body.statements.extend(self.block("}").statements)
                continue
            self.at = at
            break
        self._statements(body, "}")

    def parameters(self) -> list[Parameter]:
        """``( … )`` of names with their types and defaults."""
        self.expect("(")
        self.enter()
        found: list[Parameter] = []
        kind, said, before = "", "", len(self.checks)
        while True:
            self.lines()
            if self.peek() == "[":
                at = self.at
                kind = self.type_name().name
                said += self.source[at : self.at].lower()
            elif self.peek() == ",":
                self.at += 1
            elif self.peek() == "$":
                found.append(self.parameter())
                found[-1].kind, found[-1].checks = kind, self.checks[before:]
                found[-1].rest = "valuefromremainingarguments" in said
                found[-1].piped = "valuefrompipeline" in said
                found[-1].aliases = tuple(n for a in _ALIAS.findall(said) for n in _NAME.findall(a))
                kind, said, self.checks[before:] = "", "", []
            else:
                break
        self.expect(")")
        self.leave()
        return found

    def parameter(self) -> Parameter:
        """``$name`` with the default that it may have."""
        return self.parameter_value(getattr(self.dollar(), "name", ""))

    def parameter_value(self, name: str) -> Parameter:
        """A name that was read, with the ``= value`` that it may have."""
        at = self.at
        self.lines()
        if self.peek() != "=":
            self.at = at
            return Parameter(name)
        self.at += 1
        self.lines()
        return Parameter(name, self.argument())

    def braces(self) -> Block:
        """``{ … }`` of a statement."""
        self.lines()
        self.expect("{")
        return self.block("}")

    def head(self) -> Node:
        """``( … )`` of a statement."""
        self.lines()
        self.expect("(")
        return self.enclosed()

    def enclosed(self) -> Block:
        """One pipeline or assignment up to a closing bracket, which is taken."""
        self.enter()
        start = self.at
        self.lines()
        found = self.pipelines()
        self.lines()
        self.expect(")")
        self.leave()
        return Block(start, self.at - 1, [found])
