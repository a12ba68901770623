"""Shell programs to compare parsers on: grown from a grammar, then broken one edit at a time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

NAMES = ("x", "y", "file", "PATH", "_a1", "list")
PLAIN = (
    "echo", "ls", "-la", "a.txt", "src/main.c", "--name=value", "http://h.example/p?q=1", "1",
    "a,b",
    "HEAD~2", "user@host", "50%", "+x", "a:b", "é", "x=y", "foo#bar", "^a", "@", "%s", "-", "--",
)  # fmt: skip
GLOBS = (
    "*",
    "*.py",
    "src/??.c",
    "[a-z]*",
    "**/x",
    "~",
    "~/d",
    "a[!b]",
    "!(a|b)",
    "+(x)y",
    "@(a|b*)",
)
OPERANDS = (
    "",
    ":-d",
    "-d",
    ":=v",
    ":?e",
    ":+w",
    "#p",
    "##*/",
    "%.c",
    "%%.*",
    "/a/b",
    "//a/",
    "^",
    ",,",
    ":1",
    ":1:2",
)
META = (
    *"|&;<>(){}[]$`\"'\\#!*?~=\n ", "&&", "||", ";;", "<<E", "$(", "${", "((", "))", "fi", "do",
    "done",
)  # fmt: skip
EDITS = 4


class Grower:
    """Grows one program; the depth left bounds its size."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.pending: list[str] = []

    def pick(self, options: tuple[str, ...]) -> str:
        """One of several texts."""
        return self.random.choice(options)

    def chance(self, percent: int) -> bool:
        """True in so many of a hundred cases."""
        return self.random.randrange(100) < percent

    def program(self, depth: int) -> str:
        """A list of lines."""
        count = self.random.choice((1, 1, 2))
        return "".join(self.line(depth) for _ in range(count))

    def line(self, depth: int) -> str:
        """One line, its comment and its here-documents."""
        text = self.and_or(depth)
        while self.chance(25):
            text += self.pick(("; ", " & ", ";")) + self.and_or(depth)
        text += self.pick(("", "", "", ";", " &", "  # a 'comment"))
        docs, self.pending = "".join(self.pending), []
        return text + "\n" + docs

    def and_or(self, depth: int) -> str:
        """Pipelines with operators between them."""
        text = self.pipeline(depth)
        while self.chance(25):
            text += self.pick((" && ", " || ", "&&", " ||\n", " && \\\n")) + self.pipeline(depth)
        return text

    def pipeline(self, depth: int) -> str:
        """Commands with pipes between them."""
        text = self.pick(("", "", "", "", "", "! ", "time ")) + self.command(depth)
        while self.chance(20):
            text += self.pick((" | ", "|", " |& ", " |\n")) + self.command(depth)
        return text

    def command(self, depth: int) -> str:
        """A simple or compound command."""
        if depth <= 0 or self.chance(70):
            return self.simple(depth)
        text = self.random.choice(COMPOUND)(self, depth - 1)
        return text + (self.redirect(depth - 1) if self.chance(20) else "")

    def simple(self, depth: int) -> str:
        """Assignments, words and redirections in a legal order."""
        count = self.random.choice((0, 0, 0, 1, 2))
        bare = count > 0 and self.chance(30)
        parts = [self.assignment(depth, arrays=bare) for _ in range(count)]
        if self.chance(8):
            parts.append(self.redirect(depth).strip())
        if not bare:
            parts.append(self.pick(("echo", "ls", "cat", "rm", "git", "./x.sh", "cd", "read", "[")))
            parts.extend(self.word(depth) for _ in range(self.random.randint(0, 3)))
            if parts[-1] != "[" and self.chance(25):
                parts.append(self.redirect(depth).strip())
                parts.extend(self.word(depth) for _ in range(self.random.randint(0, 1)))
        return self.pick((" ", " ", " ", "  ", " \\\n ")).join(parts)

    def assignment(self, depth: int, *, arrays: bool) -> str:
        """``x=…`` in one of its forms."""
        form = self.pick(("{}=", "{}+=", "{}[1]=", *(("{}=()", "{}=(a b)") if arrays else ())))
        text = form.format(self.pick(NAMES))
        return text + ("" if ")" in text else self.pick(("", self.word(depth))))

    def word(self, depth: int) -> str:
        """One to three pieces."""
        count = self.random.choice((1, 1, 1, 2, 3))
        return "".join(self.piece(depth) for _ in range(count))

    def piece(self, depth: int) -> str:
        """A literal, a quoted string or an expansion."""
        return self.random.choice(PIECES)(self, depth)

    def double(self, depth: int) -> str:
        """A double-quoted string."""
        inside = (
            "a b", " ", "'", "\\\"", "\\$x", "`ls`", "#", ";|&", "(", ")", "$", "\n", "*", "{a,b}",
            self.parameter(depth), self.substitution(depth), "$((1 + 2))",
        )  # fmt: skip
        return '"' + "".join(self.pick(inside) for _ in range(self.random.randint(0, 3))) + '"'

    def parameter(self, depth: int) -> str:
        """``$x`` or ``${x…}``."""
        if self.chance(50):
            return "$" + self.pick((*NAMES, "1", "@", "*", "?", "#", "$", "!"))
        name = self.pick((*NAMES, "1", "@", "a[0]", "a[@]"))
        head = self.pick(("", "", "", "#", "!"))
        return "${" + head + name + ("" if head else self.pick(OPERANDS)) + "}"

    def substitution(self, depth: int) -> str:
        """``$(…)`` or backquotes."""
        if depth <= 0:
            return self.pick(("$(ls)", "`pwd`", "$()", "$(<f)"))
        kept, self.pending = self.pending, []
        # Right behind the bracket bash 5.2 takes `time` for a program when it checks, for a keyword
        # when it runs.
        text = self.program(depth - 1).removeprefix("time ")
        self.pending = kept
        body = text if "\n" in text[:-1] or "#" in text else text.rstrip("\n")
        return "$(" + ("" if body[:1] != "(" else " ") + body + ")"

    def redirect(self, depth: int) -> str:
        """A redirection of any kind."""
        if self.chance(25):
            return self.heredoc(depth)
        op = self.pick((">", ">>", "<", "2>", "2>>", ">|", "<>", "&>", "&>>", ">&", "<<<", "{fd}>"))
        fixed = self.pick((" 2>&1", " >&2", " <&3", " >&-", " 2>/dev/null"))
        return fixed if self.chance(30) else " " + op + self.pick(("", " ")) + self.word(0)

    def heredoc(self, depth: int) -> str:
        """A here-document; its body is put behind the line."""
        mark = self.pick(("E", "'E'", '"E"', "\\E", "E"))
        dash = self.pick(("", "-"))
        lines = (
            "text",
            "it's",
            "$x `pwd`",
            "$(ls)",
            "a \\",
            "rm -rf / | sh",
            "((",
            '"',
            "# no",
            "${x:-'}",
        )
        body = "".join(self.pick(lines) + "\n" for _ in range(self.random.randint(0, 2)))
        body = body.replace("\\\n", "\\ \n")
        self.pending.append(body + ("\t" if dash else "") + "E\n")
        return f" <<{dash}{mark}"

    def body(self, depth: int) -> str:
        """The inside of a compound command, which ends its own lines."""
        kept, self.pending = self.pending, []
        text = "\n" + self.program(depth)
        self.pending = kept
        return text

    def short(self, depth: int) -> str:
        """The same on one line where that is possible."""
        text = self.body(depth).lstrip("\n")
        safe = (
            "\n" not in text[:-1] and "#" not in text and not text.rstrip("\n").endswith(("&", ";"))
        )
        return text.rstrip("\n") + "; " if safe else text


def group(grow: Grower, depth: int) -> str:
    """``{ … }``."""
    return "{ " + grow.short(depth) + "}"


def subshell(grow: Grower, depth: int) -> str:
    """``( … )``."""
    return "( " + grow.body(depth) + ")"


def conditional(grow: Grower, depth: int) -> str:
    """``if``."""
    text = "if " + grow.short(depth) + "then " + grow.short(depth)
    if grow.chance(30):
        text += "elif " + grow.short(depth) + "then " + grow.short(depth)
    return text + ("else " + grow.short(depth) if grow.chance(40) else "") + "fi"


def loop(grow: Grower, depth: int) -> str:
    """``while`` and ``until``."""
    return grow.pick(("while ", "until ")) + grow.short(depth) + "do " + grow.short(depth) + "done"


def for_loop(grow: Grower, depth: int) -> str:
    """``for`` in its forms."""
    head = grow.pick(
        (
            "for x in a b c; do", "for x in " + grow.word(depth) + "\ndo", "for x; do", "for x do",
            "for ((i=0; i<3; i++)); do", "for ((;;)) do", "select x in a b; do", "for x in; do",
        )
    )  # fmt: skip
    return head + " " + grow.short(depth) + "done"


def case(grow: Grower, depth: int) -> str:
    """``case`` with one or two clauses."""
    text = "case " + grow.word(depth) + " in"
    for _ in range(grow.random.randint(1, 2)):
        pattern = grow.pick(("a", "a|b", "(x", "*", "[0-9]*", '"q r"', "-h | --help"))
        text += "\n" + pattern + ") " + grow.body(depth).lstrip("\n").rstrip("\n") + "\n"
        text += grow.pick((";;", ";;", ";&", ";;&"))
    return text + "\nesac"


def function(grow: Grower, depth: int) -> str:
    """A function definition in one of its forms."""
    head = grow.pick(("f() ", "function f ", "function f() ", "f ()\n", "my-func() "))
    return head + grow.random.choice((group, subshell))(grow, depth)


def test(grow: Grower, depth: int) -> str:
    """``[[ … ]]``."""
    term = (
        "-f x", "$x == a*", "-n $x", "$x", "a < b", '$x =~ ^a(b|c)+$', "! -d $x",
        "( -e a || -e b )",
        "$x -eq 1", '"$x" != @(a|b)', "a = b", "-z ${x:-}", "a -nt b",
    )  # fmt: skip
    text = grow.pick(term)
    while grow.chance(30):
        text += grow.pick((" && ", " || ")) + grow.pick(term)
    return "[[ " + text + " ]]"


def arithmetic(grow: Grower, depth: int) -> str:
    """``(( … ))``."""
    return (
        "((" + grow.pick(("i++", " x = 1 + (2 * 3) ", "a<b", "$x > 1", "x<<2", "i=0, j=1")) + "))"
    )


def coproc(grow: Grower, depth: int) -> str:
    """``coproc``."""
    return grow.pick(("coproc P { cat; }", "coproc { cat; }"))


COMPOUND: tuple[Callable[[Grower, int], str], ...] = (
    group, subshell, conditional, loop, for_loop, case, function, test, arithmetic, coproc,
)  # fmt: skip
PIECES: tuple[Callable[[Grower, int], str], ...] = (
    lambda grow, depth: grow.pick(PLAIN),
    lambda grow, depth: grow.pick(PLAIN),
    lambda grow, depth: grow.pick(GLOBS),
    lambda grow, depth: grow.pick(("'a b'", "''", "'$x'", "'\"'", "$'a\\n\\'b'", '$"a"')),
    lambda grow, depth: grow.pick(("\\ ", "\\'", "\\$", "\\\\", "a\\\nb", "\\;", "\\*")),
    Grower.double,
    Grower.double,
    Grower.parameter,
    Grower.parameter,
    Grower.substitution,
    lambda grow, depth: grow.pick(
        ("{a,b}", "{1..3}", "{}", "a{b,c}d", "$((1+x))", "$[2]", "<(ls)", ">(cat)")
    ),
)


def mutate(text: str, chooser: random.Random) -> str:
    """One edit: delete, insert, replace or cut."""
    at = chooser.randrange(len(text) + 1)
    kind = chooser.randrange(EDITS)
    if kind == 0:
        return text[:at] + text[at + 1 :]
    if kind == 1:
        return text[:at] + chooser.choice(META) + text[at:]
    if kind == 2:
        return text[:at] + chooser.choice(META) + text[at + 1 :]
    return text[:at]


def programs(count: int, seed: int) -> Iterator[str]:
    """Grown programs."""
    for number in range(count):
        yield Grower(seed + number).program(1 + number % 2)


def mutations(texts: list[str], count: int, seed: int) -> Iterator[str]:
    """Programs with one edit each."""
    chooser = random.Random(seed)
    for _ in range(count):
        yield mutate(chooser.choice(texts), chooser)
