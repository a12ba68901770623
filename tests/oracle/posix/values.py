"""Straight-line scripts whose words bash can be asked for: nothing in them touches a file."""

from __future__ import annotations

import random
from collections.abc import Iterator

TEXTS = (
    "a",
    "a b",
    "",
    "/x/y.tar.gz",
    "  p  q ",
    "A-b_c",
    "*",
    "it's",
    'say "hi"',
    "1",
    "-n",
    "é",
    "a\\b",
)
NAMES = ("v", "w", "long_name")
ARRAYS = ("arr[0]", "arr[@]", "arr[*]", "arr")
BRACES = ("{a,b}", "{1..3}", "{a,}z", "x{,y}", "{03..1}", "{c..a}", "{a,b}{c,d}", "{}", "{a")
OPERATORS = (
    "", "", "", "#a", "##*/", "#*/", "%.*", "%%.*", "%/*", "%z", "/a/X", "//a/X", "/#a/X",
    "/%z/X", "//[ab]/_",
    ":-d e", ":+s", "-d", "+s", ":1", ":1:2", ":0:1", ": -2", "^^", ",,", "^", ",", "/ /_",
    "//?/.", ":-$v", "%%",
)  # fmt: skip


class Values:
    """Grows one script that ends in ``show`` commands."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, options: tuple[str, ...]) -> str:
        """One of several texts."""
        return self.random.choice(options)

    def script(self) -> str:
        """A few statements."""
        lines = [self.statement() for _ in range(self.random.randint(1, 4))]
        return "unset v w long_name arr\n" + "".join(lines) + f"show {self.words()}\n"

    def statement(self) -> str:
        """An assignment or something that changes what words mean."""
        kind = self.random.randrange(8)
        if kind < 4:
            return f"{self.pick(NAMES)}={self.word(one=True)}\n"
        if kind == 4:
            return f"arr=({self.words()})\n"
        if kind == 5:
            return f"set -- {self.words()}\n"
        if kind == 6:
            return f"{self.pick(NAMES)}+={self.word(one=True)}\n"
        return f"show {self.words()}\n"

    def words(self) -> str:
        """Zero to three words."""
        return " ".join(self.word() for _ in range(self.random.randint(0, 3)))

    def word(self, *, one: bool = False) -> str:
        """Pieces that together make a word."""
        pieces = [self.piece() for _ in range(self.random.choice((1, 1, 2, 3)))]
        return "".join(pieces if not one else (p for p in pieces if "{" not in p[:1]))

    def piece(self) -> str:
        """One piece of a word."""
        text = self.pick(TEXTS)
        makers = (
            lambda: "".join("\\" + c if c in " '\"*\\" else c for c in text),
            lambda: "'" + text.replace("'", "'\\''") + "'",
            lambda: '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"',
            lambda: "$'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'",
            self.expansion,
            self.expansion,
            lambda: f'"{self.expansion()}"',
            lambda: f'"x {self.expansion()} y"',
            lambda: self.pick(BRACES),
            lambda: self.pick(("~", "~/q", "a~", "~x/", "$(pwd)", "$PWD", "$HOME", "${HOME}/z")),
            self.output,
        )
        return self.random.choice(makers)()

    def expansion(self) -> str:
        """A parameter expansion."""
        name = self.pick((*NAMES, *NAMES, "1", "2", "@", "*", "#", *ARRAYS))
        if name in ("@", "*", "#"):
            return "$" + name
        many = "[@]" in name or "[*]" in name
        op = "" if many else self.pick(OPERATORS)
        length = self.random.randrange(12) == 0 and op == ""
        return "${" + ("#" if length else "") + name + op + "}"

    def output(self) -> str:
        """A command substitution whose output the text decides."""
        inner = self.pick(
            (
                "echo {}", "echo -n {}", "printf %s {}", "printf '%s-%s\\n' {} b", "dirname -- {}",
                "basename -- {}", "echo -e {}", "printf '%5s|' {}", "printf '\\x41\\n'",
                "cd /; pwd",
            )
        )  # fmt: skip
        quoted = '"' + self.expansion() + '"'
        made = "$(" + inner.replace("{}", self.pick((quoted, "'p q'", "/r/s/t.u", "-- x"))) + ")"
        return self.pick((made, '"' + made + '"'))


def scripts(count: int, seed: int) -> Iterator[str]:
    """Scripts, the same ones for the same seed."""
    for number in range(count):
        yield Values(seed + number).script()
