"""Texts for cmd with branches, loops, labels and folders; every ``show`` says where it is."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

TESTS = (
    "1==1", "1==2", '"%A%"=="one"', "exist one.txt", "exist nope", "not exist sub", "defined A",
    "not defined Unset", "/i A==a", "A==a", "3 lss 10", "b gtr a", "errorlevel 1", "%N% geq 2",
    'not "%B%"==""', "errorlevel 0",
)  # fmt: skip
SETS = ("a b", '"c d" e', "*.txt", "x,y;z", "1", "%A% q", "nope*.x", '"%A%"', "one.txt nope.txt")
STRINGS = (
    ('"tokens=1,2 delims=,"', '"x,y,z"'), ('"tokens=2*"', '"p q r s"'), ('"delims="', '"l m"'),
    ("", '"u v"'), ('"tokens=*"', '"  k j"'), ('"tokens=1-3 delims=:-"', '"a:b-c"'),
    ('"delims="', "one.txt"), ('"skip=1"', "one.txt"), ('"eol=f"', "one.txt"),
    ('"usebackq delims="', '"two words.dat"'), ('"usebackq"', "'s t'"), ("", "'echo g h'"),
    ('"tokens=2"', "'show 80 h'"), ('"tokens=1,3"', '"%A% n m"'),
)  # fmt: skip
CHANGES = (
    "set A=two", "set B=%A%x", "set A=", 'set "B=b c"', "set /a N+=1", "set A=one",
    "set A=%RANDOM%", "set /p B=ask <one.txt", "fail 81",
)  # fmt: skip
MODIFIERS = ("", "~", "~n", "~x", "~nx")
TOP = 3  # how deep statements are nested at most
# All of these exist: where a folder is missing the move fails, which no text shows.
FOLDERS = (r"C:\Users\dana\project\sub", "..", ".", r"C:\Users", r"..\.")


class Branches:
    """Grows one batch text."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.shows = 0
        self.labels = 0
        self.letters: list[str] = []
        self.behind: list[str] = []

    def pick(self, options: Sequence[str]) -> str:
        """One of several texts."""
        return self.random.choice(options)

    def text(self) -> str:
        """A few statements, a last look, and the code of labels behind."""
        body = "\n".join([*self.lines(TOP), self.show(), "goto :eof", *self.behind])
        return "setlocal\nset A=one\nset B=\nset N=3\n" + body

    def lines(self, depth: int) -> list[str]:
        """Statements, each on its line or over several."""
        return [self.statement(depth) for _ in range(self.random.randint(1, 4))]

    def show(self) -> str:
        """A command that prints its number and what it can see."""
        self.shows += 1
        seen = "".join(f" %%{self.pick(MODIFIERS)}{letter}" for letter in self.letters)
        return f"show {self.shows} [%A%] [%B%] %N%{seen}"

    def statement(self, depth: int) -> str:
        """Any statement; compound ones only while depth is left."""
        simple = (self.show, self.show, self.change, self.move, self.chain)
        compound = (
            self.condition,
            self.condition,
            self.loop,
            self.strings,
            self.counted,
            self.group,
        )
        if depth <= 0 or self.random.randrange(100) < 50:
            return self.random.choice(simple)()
        if self.random.randrange(4) == 0:
            # Only a line of its own is a label.
            return self.random.choice(
                (self.jump, self.function) if depth == TOP else (self.function,)
            )(depth - 1)
        return self.random.choice(compound)(depth - 1)

    def change(self) -> str:
        """Another value, maybe one that the run decides."""
        return self.pick(CHANGES)

    def move(self) -> str:
        """Another folder, maybe."""
        verb = self.pick(("cd", "cd /d", "chdir", "pushd"))
        return self.pick((f"{verb} {self.pick(FOLDERS)}", "popd"))

    def chain(self) -> str:
        """Commands that hang on each other; Wine runs all of them."""
        return self.pick((" & ", " && ", " || ")).join(
            (self.show(), self.random.choice((self.show, self.change))())
        )

    def block(self, depth: int) -> str:
        """Statements in parentheses, or one without."""
        if self.random.randrange(3) == 0:
            return self.show()
        return "(\n" + "\n".join(self.lines(depth)) + "\n)"

    def condition(self, depth: int) -> str:
        """``if``."""
        text = f"if {self.pick(TESTS)} {self.block(depth)}"
        # Wine runs both branches where there is a loop in the first.
        if text.endswith(")") and "for " not in text and self.random.randrange(2):
            text += f" else {self.block(depth)}"
        return text

    def inside(self, head: str, depth: int, count: int = 1) -> str:
        """The rest of a loop whose letters can be seen in it."""
        letter = chr(ord("i") + len(self.letters) * 3)
        seen = [chr(ord(letter) + number) for number in range(count)]
        self.letters += seen
        body = self.block(depth)
        del self.letters[-count:]
        return f"for {head.format(letter)} do {body}"

    def loop(self, depth: int) -> str:
        """``for`` over words and files."""
        if len(self.letters) > 3:
            return self.show()
        return self.inside("%%{} in (" + self.pick(SETS) + ")", depth)

    def counted(self, depth: int) -> str:
        """``for /l`` and ``for /d``."""
        if len(self.letters) > 3:
            return self.show()
        numbers = self.pick(("1,1,2", "3,-2,1", "1 2 4", "0,1,1", "2,1,1"))
        head = self.pick(("/l %%{} in (" + numbers + ")", "/d %%{} in (*)", "/L %%{} in (1,1,2)"))
        return self.inside(head, depth)

    def strings(self, depth: int) -> str:
        """``for /f``."""
        if len(self.letters) > 3:
            return self.show()
        options, source = self.random.choice(STRINGS)
        return self.inside(f"/f {options} %%{{}} in ({source})", depth)

    def group(self, depth: int) -> str:
        """A block, maybe with its output in a file."""
        return "(\n" + "\n".join(self.lines(depth)) + "\n)" + self.pick(("", "", " >out.txt"))

    def scoped(self, depth: int) -> str:
        """Changes that end."""
        return "\n".join(["setlocal", *self.lines(depth), "endlocal"])

    def label(self) -> str:
        """A new name."""
        self.labels += 1
        return f"l{self.labels}"

    def jump(self, depth: int) -> str:
        """Code that is jumped over."""
        name = self.label()
        verb = self.pick(("goto {}", "goto :{}", "if 1==1 goto {}", "if exist nope goto {}"))
        return "\n".join([verb.format(name), *self.lines(depth), f":{name}"])

    def function(self, depth: int) -> str:
        """Code behind a label that is called with arguments."""
        name = self.label()
        self.shows += 1
        first = f"show {self.shows} %1 %~2 [%A%] %*"
        letters, self.letters = self.letters, []
        body = [f":{name}", first, *self.lines(0), self.pick(("goto :eof", "exit /b", "exit /b 1"))]
        self.letters = letters
        self.behind += body
        return f'call :{name} {self.pick(("p", "%A%", "r s"))} "t u"'


def texts(count: int, seed: int) -> Iterator[str]:
    """Texts, the same ones for the same seed."""
    for number in range(count):
        yield Branches(seed + number).text()
