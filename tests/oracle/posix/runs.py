"""Programs with real control flow that bash can run: every ``show`` says where it is and what the
variables hold, so that what we claim can be held against what happened."""

from __future__ import annotations

import random
from collections.abc import Iterator

VALUES = ("/", "a", "'b c'", '"$v"', "$w", '""', "x$v", "${v:-d}", "${w%b*}", "$(echo e)", "*.q")
FOLDERS = ("/", "/usr", "..", ".", "-", "", "/usr/lib")
TRUTHS = ("true", "false", ":", "! true", "[ 1 = 1 ]", "[ 1 = 2 ]", '[ -n "$v" ]', "test -d /tmp")


class Runs:
    """Grows one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.shows = 0
        self.loops = 0
        self.functions: list[str] = []

    def pick(self, options: tuple[str, ...]) -> str:
        """One of several texts."""
        return self.random.choice(options)

    def program(self) -> str:
        """A few statements and a last look."""
        return "v=0; w=1\n" + self.block(3) + self.show() + "\n"

    def show(self) -> str:
        """A command that prints its number and the state."""
        self.shows += 1
        return f'show {self.shows} "$v" "$w" "$PWD" "$1"'

    def block(self, depth: int) -> str:
        """Statements, each on its line."""
        return "".join(self.statement(depth) + "\n" for _ in range(self.random.randint(1, 4)))

    def statement(self, depth: int) -> str:
        """Any statement; compound ones only while depth is left."""
        simple = (self.assign, self.show, self.show, self.change, self.special, self.chain)
        compound = (
            self.conditional, self.loop, self.for_loop, self.case, self.function, self.group,
            self.pipeline,
        )  # fmt: skip
        if depth <= 0 or self.random.randrange(100) < 55:
            return self.random.choice(simple)()
        return self.random.choice(compound)(depth - 1)

    def name(self) -> str:
        """A variable."""
        return self.pick(("v", "w"))

    def assign(self) -> str:
        """An assignment."""
        return f"{self.name()}{self.pick(('=', '=', '+='))}{self.pick(VALUES)}"

    def change(self) -> str:
        """Something that may or may not change the directory."""
        verb = self.pick(("cd", "cd", "command cd", "pushd"))
        return f"{verb} {self.pick(FOLDERS)} >/dev/null 2>&1"

    def special(self) -> str:
        """Builtins that change variables or control flow."""
        name = self.name()
        return self.pick(
            (
                f"unset {name}", f"read {name} <<< r", f"printf -v {name} q", f"export {name}=z",
                f"local {name}=l", f"eval '{name}=ev'", f'eval "{name}=$v"', "set -- p q",
                "shift 2>/dev/null", f"{name}=t show0", f"declare {name}=u", "readonly zz=1",
                f": ${{{name}:=dflt}}", f"(( {name} = 5 ))", f"{name}=1 true", "exit 3",
                "return 1 2>/dev/null",
                "break 2>/dev/null", "continue 2>/dev/null", "break", "continue", "break 2",
                "popd >/dev/null 2>&1", "unset -f f1",
                *self.functions, *self.functions,
            )
        )  # fmt: skip

    def chain(self) -> str:
        """``&&`` and ``||``."""
        parts = [self.pick(TRUTHS)]
        for _ in range(self.random.randint(1, 3)):
            makers = (self.assign, self.show, self.change, self.special, lambda: self.pick(TRUTHS))
            item = self.random.choice(makers)()
            parts.append(self.pick((" && ", " || ")) + item)
        return "".join(parts)

    def conditional(self, depth: int) -> str:
        """``if``."""
        text = f"if {self.pick(TRUTHS)}; then\n{self.block(depth)}"
        if self.random.randrange(3) == 0:
            text += f"elif {self.pick(TRUTHS)}; then\n{self.block(depth)}"
        return text + (f"else\n{self.block(depth)}" if self.random.randrange(2) else "") + "fi"

    def loop(self, depth: int) -> str:
        """A loop that ends."""
        self.loops += 1
        name = f"n{self.loops}"
        word, test = self.pick(("while -lt", "until -ge")).split()
        head = f"{name}=0; {word} [ ${name} {test} 2 ]; do {name}=$(({name}+1))\n"
        return head + self.block(depth) + "done"

    def for_loop(self, depth: int) -> str:
        """``for`` over known and unknown words."""
        words = self.pick(("a b", "1", "", "$v", '"$w" y', "{1..3}", "$(echo g h)"))
        return f"for {self.name()} in {words}; do\n{self.block(depth)}done"

    def case(self, depth: int) -> str:
        """``case``."""
        ends = self.pick((";;", ";&", ";;&")), self.pick((";;", ";&"))
        return (
            f'case "${self.name()}" in\n0|a) {self.block(depth)}{ends[0]}\n'
            f"{self.pick(('*', '[1-9]*', 'zz'))}) {self.block(depth)}{ends[1]}\nesac"
        )

    def function(self, depth: int) -> str:
        """A definition, and perhaps a call."""
        name = f"f{self.random.randint(1, 2)}"
        # Calls may lead back here; the interpreter must not run out of stack.
        text = f"{name}() {{\n[ ${{#FUNCNAME[@]}} -gt 5 ] && return\n{self.block(depth)}}}"
        self.functions.extend((name, f"{name} arg"))
        return text + (f"\n{name} {self.pick(VALUES)}" if self.random.randrange(2) else "")

    def group(self, depth: int) -> str:
        """A group or a subshell."""
        body = self.block(depth)
        return f"( {body})" if self.random.randrange(2) else f"{{ {body}}}"

    def pipeline(self, depth: int) -> str:
        """Commands that run in subshells."""
        return f"{self.show()} | {{ cat >&2; {self.block(depth)}}}"


def programs(count: int, seed: int) -> Iterator[str]:
    """Programs, the same ones for the same seed."""
    for number in range(count):
        yield Runs(seed + number).program()
