"""Grows PowerShell texts from a grammar of our own, and damages them one token at a time."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

DEEPEST = 3
_TOKEN = re.compile(r"\s+|\w+|'[^']*'|\"[^\"]*\"|.", re.DOTALL)
_VERBS = ("Get-Item", "Set-Content", "Remove-Item", "ls", "git", "iex", "Write-Output", "x.exe")
_NAMES = ("$x", "$y", "$env:TEMP", "${a b}", "$_", "$script:n", "$args")
_WORDS = ("a", "src", "C:\\x\\y", "a.txt", "*.cs", "./b", "a-b", "x=1", "HKLM:\\SOFTWARE", "7z")
_OPERATORS = ("-eq", "-ne", "-like", "-match", "-replace", "-split", "-join", "+", "-", "*", "/",
              "%", "-and", "-or", "-f", "-in", "-contains", "-is", "-band", "..")  # fmt: skip
_TYPES = ("int", "string", "char[]", "IO.File", "System.Text.Encoding", "void")
_PARAMETERS = ("-Path", "-Recurse", "-Force", "-Name", "-Filter", "-WhatIf:$false", "-m")
_INSERTED = ("(", ")", "{", "}", "|", ";", "&&", "'", '"', "@(", "@{", "$(", ",", "if", "=", "&")


class Grower:
    """One source of texts; the same seed gives the same texts."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, *choices: Callable[[int], str]) -> Callable[[int], str]:
        """One of several ways to go on."""
        return self.random.choice(choices)

    def text(self) -> str:
        """A whole text."""
        count = self.random.randint(1, 3)
        joint = self.random.choice(("; ", "\n", ";\n"))
        return joint.join(self.statement(0) for _ in range(count))

    def statement(self, depth: int) -> str:
        """A statement."""
        flat = (self.pipeline, self.pipeline, self.assignment, self.chain)
        if depth >= DEEPEST:
            return self.pick(*flat)(depth)
        nested = (self.branch, self.loop, self.each, self.choice, self.attempt, self.definition)
        return self.pick(*flat, *flat, *nested)(depth + 1)

    def block(self, depth: int) -> str:
        """Statements in braces."""
        count = self.random.randint(1, 2) if depth < DEEPEST else 1
        return "{ " + "; ".join(self.statement(depth + 1) for _ in range(count)) + " }"

    # --- statements ---

    def pipeline(self, depth: int) -> str:
        """Members joined by pipes."""
        members = [self.pick(self.command, self.command, self.printed)(depth)]
        members += [self.command(depth) for _ in range(self.random.choice((0, 0, 1, 2)))]
        return " | ".join(members)

    def chain(self, depth: int) -> str:
        """Pipelines joined by conditions."""
        return f" {self.random.choice(('&&', '||'))} ".join(self.command(depth) for _ in "ab")

    def assignment(self, depth: int) -> str:
        """A variable gets a value."""
        target = self.random.choice(("$x", "$y", "$env:A", "[int]$n", "$t.a", "$l[0]", "$a, $b"))
        op = self.random.choice(("=", "=", "=", "+="))
        return f"{target} {op} {self.pick(self.expression, self.command)(depth)}"

    def branch(self, depth: int) -> str:
        """``if``."""
        text = f"if ({self.expression(depth)}) {self.block(depth)}"
        if self.random.random() < 0.3:
            text += f" elseif ({self.expression(depth)}) {self.block(depth)}"
        return text + (f" else {self.block(depth)}" if self.random.random() < 0.5 else "")

    def loop(self, depth: int) -> str:
        """``while``, ``do`` and ``for``."""
        head, body = self.expression(depth), self.block(depth)
        return self.random.choice(
            (
                f"while ({head}) {body}",
                f"do {body} while ({head})",
                f"do {body} until ({head})",
                f"for ($i = 0; $i -lt 3; $i++) {body}",
            )
        )

    def each(self, depth: int) -> str:
        """``foreach``."""
        source = self.pick(self.expression, self.command)(depth)
        return f"foreach ($i in {source}) {self.block(depth)}"

    def choice(self, depth: int) -> str:
        """``switch``, its clauses on lines of their own."""
        clauses = "\n".join(f"'{c}' {self.block(depth)}" for c in "ab")
        return f"switch ({self.expression(depth)}) {{\n{clauses}\ndefault {self.block(depth)}\n}}"

    def attempt(self, depth: int) -> str:
        """``try``."""
        handler = self.random.choice(("catch", "catch [System.IO.IOException]"))
        text = f"try {self.block(depth)} {handler} {self.block(depth)}"
        return text + (f" finally {self.block(depth)}" if self.random.random() < 0.3 else "")

    def definition(self, depth: int) -> str:
        """A function or a class."""
        body = self.block(depth)
        return self.random.choice(
            (
                f"function f {body}",
                f"function Get-It($a, [int]$b = 1) {body}",
                f"filter f {body}",
                "function f {\nparam([string]$p)\n" + body[2:],
                f"class A {{\n[int]$n\n[void] B([string]$s) {body}\n}}",
                "enum E {\nA\nB = 2\n}",
            )
        )

    # --- commands ---

    def command(self, depth: int) -> str:
        """A name with arguments and perhaps a redirection."""
        name = self.random.choice(_VERBS)
        if self.random.random() < 0.1:
            name = self.random.choice(("& 'ri'", "& $x", ". $x", f"& {self.block(depth)}"))
        words = [self.argument(depth) for _ in range(self.random.randint(0, 3))]
        if self.random.random() < 0.1:
            words.append(self.random.choice(("> out.txt", "2>&1", ">> log.txt")))
        return " ".join([name, *words])

    def argument(self, depth: int) -> str:
        """One argument."""
        simple = self.random.choice((_WORDS, _WORDS, _PARAMETERS, _NAMES))
        if depth >= DEEPEST or self.random.random() < 0.5:
            return self.random.choice(simple)
        made = self.pick(self.string, self.group, self.table, self.block, self.array, self.member)
        return made(depth + 1)

    def printed(self, depth: int) -> str:
        """An expression as a member of a pipeline."""
        text = self.expression(depth)
        return f"({text})" if text[:1].isdigit() else text

    # --- expressions ---

    def expression(self, depth: int) -> str:
        """Operands and operators."""
        if depth >= DEEPEST or self.random.random() < 0.5:
            return self.operand(depth)
        op = self.random.choice(_OPERATORS)
        left = self.operand(depth + 1)
        if op == "..":  # the grammar takes a number before it for the name of a command
            return f"({left})..{self.operand(depth + 1)}"
        return f"{left} {op} {self.operand(depth + 1)}"

    def operand(self, depth: int) -> str:
        """One operand."""
        flat = (self.number, self.string, self.variable)
        if depth >= DEEPEST:
            return self.pick(*flat)(depth)
        deep = (self.group, self.array, self.table, self.cast, self.member, self.index, self.static)
        return self.pick(*flat, *flat, *deep)(depth + 1)

    def number(self, depth: int) -> str:
        """A number."""
        return self.random.choice(("1", "42", "0x1F", "10kb", "1.5"))

    def variable(self, depth: int) -> str:
        """A variable."""
        return self.random.choice(_NAMES)

    def string(self, depth: int) -> str:
        """A string of any kind."""
        inner = self.command(DEEPEST) if depth < DEEPEST else "gc a"
        return self.random.choice(
            (
                "'a b'",
                "'it''s'",
                '"a $x b"',
                '"`"a`n"',
                f'"a $({inner}) b"',
                "@'\nline\n'@",
                '@"\n$x line\n"@',
                '"${x}y"',
            )
        )

    def group(self, depth: int) -> str:
        """Something in brackets."""
        open_, close = self.random.choice((("(", ")"), ("$(", ")")))
        return open_ + self.pick(self.command, self.expression)(depth) + close

    def array(self, depth: int) -> str:
        """A list."""
        return "@(" + ", ".join(self.operand(DEEPEST) for _ in range(2)) + ")"

    def table(self, depth: int) -> str:
        """A table."""
        return "@{ a = " + self.operand(depth) + "; 'b c' = " + self.operand(depth) + " }"

    def cast(self, depth: int) -> str:
        """A type before an operand."""
        return f"[{self.random.choice(_TYPES)}]{self.variable(depth)}"

    def member(self, depth: int) -> str:
        """A property or a call."""
        return self.random.choice(("$x.Name", "$x.A.B", "$x.Length", "(gi a).FullName"))

    def index(self, depth: int) -> str:
        """An element."""
        return self.random.choice(("$x[0]", "$x[-1]", "$x['a']", "$x[0..2]"))

    def static(self, depth: int) -> str:
        """A member of a type."""
        return f"[IO.Path]::Combine({self.operand(DEEPEST)}, {self.operand(DEEPEST)})"


def grown(count: int, seed: int) -> list[str]:
    """Texts that ought to be well-formed."""
    source = Grower(seed)
    return [source.text() for _ in range(count)]


def damaged(texts: list[str], count: int, seed: int) -> Iterator[str]:
    """Texts with one token taken away, doubled, changed for another or put in."""
    chance = random.Random(seed)
    for _ in range(count):
        tokens = _TOKEN.findall(chance.choice(texts))
        at = chance.randrange(len(tokens))
        kind = chance.randrange(4)
        if kind == 0:
            del tokens[at]
        elif kind == 1:
            tokens.insert(at, tokens[at])
        elif kind == 2:
            tokens[at] = chance.choice(_INSERTED)
        else:
            tokens.insert(at, chance.choice(_INSERTED))
        yield "".join(tokens)
