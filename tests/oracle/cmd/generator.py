"""Texts for cmd in which every ``show`` says where it is and what cmd made of its words.

What Wine is known to do in another way is left out of what grows here; see disagreements.txt.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

PLAIN = (
    "a", "a-b", r"C:\x\y.txt", r"..\z", "/q", "x.y", "1", "~", "[q]", "it's", "#7", "a_b+c", "-n",
    "a,b", "k=v", "p;q", "x:y", "@", "$d",
)  # fmt: skip
QUOTED = (
    '"a b"', '"a&b|c"', '"x^y"', '"(r)"', '"<s>"', '""', '"k=v, w"', '"C:\\Program Files\\z"',
    '"tail\\\\"', '"d!"',
)  # fmt: skip
WITHOUT_CARETS = tuple(text for text in QUOTED if "^" not in text and "!" not in text)
CARETS = ("^&", "^|", "^<", "^>", "^^", "^a", "^(", "^)", "x^ y", "^;", "^\nu")
# No value has a lone quote or ends in a caret: what follows would depend on it.
VALUES = (
    "one", "two words", r"C:\dir\file.txt", "a-b-c", "Hello", "x=y", "aXbXc", "7", "../up",
    "in-quotes", "a,b;c",
)  # fmt: skip
# Values that change what the line is once they stand in it.
CODE = ("b&show 90 c", "b|show 91 c", "b 2>&1 c", "a^&b")
NAMES = ("A", "B", "LongName")
SPECIAL = (
    "%%", "%%A%%", "%1", "%*", "%cd%", "%USERNAME%", "100%%", "%~1,", "%%%%", "%Unset%",
)  # fmt: skip
CUTS = (
    ":~1", ":~1,2", ":~-2", ":~0,-1", ":~-3,2", ":~2,-1", ":~0,1", ":~0,99",
    ":~0", ":~1,0",
)  # fmt: skip
SWAPS = (":o=0", ": =_", ":x=", ":-=", ":*o=Z", ":*-=", ":e=E e", ":\\=/", ":o=OO", ":hello=bye")
SUMS = (
    "1+2*3", "7/2", "(1+2)*3", "10%%3", "5-8", "1<<4", "0x10+1", "010", "A+1", "~5", "6^3", "6&3",
    "6|9", "-4+1", "!0",
)  # fmt: skip
REDIRECTS = (
    ">out.txt", "> out.txt", ">>out.txt", "1>out.txt", "2>err.txt", ">nul", "2>nul", "2>&1",
    ">out.txt 2>&1", "<one.txt", '>"o p.txt"', ">out.%N%x", "1>&2",
)  # fmt: skip


class Texts:
    """Grows one batch text without branches."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.shows = 0
        self.delayed = False

    def pick(self, options: Sequence[str]) -> str:
        """One of several texts."""
        return self.random.choice(options)

    def chance(self, percent: int) -> bool:
        """True in so many cases of a hundred."""
        return self.random.randrange(100) < percent

    def text(self) -> str:
        """A few statements and a last look."""
        self.delayed = self.chance(25)
        head = "setlocal enabledelayedexpansion\n" if self.delayed else "setlocal\n"
        given = [f"set {name}={self.pick(VALUES)}" for name in NAMES] + ["set N=12", "set Unset="]
        lines = [self.statement() for _ in range(self.random.randint(2, 6))]
        return head + "\n".join([*given, *lines, self.show()])

    def statement(self) -> str:
        """A line."""
        kinds: tuple[Callable[[], str], ...] = (
            self.assign, self.assign, self.assign, self.show, self.show, self.several, self.group,
            self.count, self.called, self.redirected, self.remark,
        )  # fmt: skip
        return self.random.choice(kinds)()

    def assign(self) -> str:
        """A value for a name, in the spellings of ``set``."""
        name = self.pick(NAMES)
        value = self.value()
        form = self.pick(("set {}={}", 'set "{}={}"', "SET {}={}", "@set {}={}", 'set "{}={}" x'))
        if '"' in value or "%" in value:
            form = "set {}={}"
        return form.format(name, value)

    def value(self) -> str:
        """What a name gets; code is in quotes or escaped, the assignment stays whole."""
        if self.chance(8):
            return (
                self.pick(CODE)
                .replace("^", "^^")
                .replace("&", "^&")
                .replace("|", "^|")
                .replace(">", "^>")
            )
        if self.chance(30):
            return self.part() + self.pick(("z", r"\q"))
        return self.pick(VALUES)

    def count(self) -> str:
        """Arithmetic."""
        quoted = self.pick(SUMS)
        return f'set /a "{self.pick(("N", "M", "A"))}={quoted}"'

    def show(self) -> str:
        """A command that prints its number and some words."""
        self.shows += 1
        return f"show {self.shows} {self.words()}".rstrip()

    def words(self) -> str:
        """Up to four words."""
        return " ".join(self.word() for _ in range(self.random.randint(0, 4)))

    def word(self) -> str:
        """Pieces that stand together; Wine keeps a caret that stands between quotes."""
        pieces = [self.piece() for _ in range(self.random.choice((1, 1, 1, 2, 3)))]
        if any(piece.startswith("^") for piece in pieces):
            pieces = [piece for piece in pieces if '"' not in piece]
        return "".join(pieces)

    def piece(self) -> str:
        """One piece of a word."""
        kind = self.random.randrange(10)
        if kind < 2:
            return self.pick(PLAIN)
        if kind < 4:
            return self.pick(QUOTED if not self.delayed else WITHOUT_CARETS)
        # Delayed expansion looks at carets a second time, in a way of its own.
        if kind < 6 and not self.delayed:
            return self.pick(CARETS)
        if self.delayed and kind < 7:
            return f"!{self.pick((*NAMES, 'Unset'))}!"
        return self.expansion()

    def expansion(self) -> str:
        """A value, or part of one."""
        if self.chance(8):
            return self.pick(SPECIAL)
        return self.part()

    def part(self) -> str:
        """A variable with or without a modifier."""
        name = self.pick((*NAMES, *NAMES, "a", "N"))
        return f"%{name}{self.pick(('', '', '', self.pick(CUTS), self.pick(SWAPS)))}%"

    def several(self) -> str:
        """Commands on one line."""
        made = [self.pick((self.show(), self.assign())) for _ in range(self.random.randint(2, 3))]
        return self.pick(("&", " & ", "& ")).join(made)

    def group(self) -> str:
        """A block: what stands in it is expanded before any of it runs."""
        lines = [self.pick((self.show(), self.assign())) for _ in range(self.random.randint(1, 3))]
        return "(\n" + "\n".join(lines) + "\n)"

    def called(self) -> str:
        """A command that is expanded twice; Wine does that where ``call`` is for a builtin."""
        self.shows += 1
        made = [
            self.pick(("%%Said%%", "%%Said:~1,2%%", "%A%", "x", "a b", "%%Said:a=b%%"))
            for _ in range(self.random.randint(1, 3))
        ]
        return f"set Said=abc\ncall set B={'-'.join(made)}\nshow {self.shows} %B%"

    def redirected(self) -> str:
        """A command with redirections in front, in the middle or behind."""
        where = self.pick(REDIRECTS)
        form = self.pick(("{0} {1}", "{1} {0}", "{1}{0}", "{1} {0} z"))
        # A digit that touches a word is part of it, and Wine does not know one in front of all.
        if where[0].isdigit():
            form = self.pick(("{1} {0}", "{1} {0} z"))
        elif "&" in where:
            form = "{1} {0}"
        return form.format(where, self.show())

    def remark(self) -> str:
        """What is not run."""
        return self.pick(
            ("rem show 95 x", "REM a & show 96", ":: show 97", "@rem", ":word", "rem.x", "rem ^")
        )


def texts(count: int, seed: int) -> Iterator[str]:
    """Texts, the same ones for the same seed."""
    for number in range(count):
        yield Texts(seed + number).text()
