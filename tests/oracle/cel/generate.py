"""Random well-typed expressions and random facts, both read off the schema."""

from __future__ import annotations

import random
from dataclasses import dataclass

from defenseclaw.cel import Field, Schema
from defenseclaw.core import facts as core

WORDS = (
    *("", "a", "b", "rm", "-rf", "/", "/etc", "/etc/passwd", "curl", "sh", "system-root", "force"),
    *("Bash", "x" * 70, "é", "日本", "😀", "a\nb", 'quo"te', "it's", "back\\slash", "tab\t"),
)
NUMBERS = (-1, 0, 1, 2, 3, 80, 2**63 - 1, -(2**63))
PATTERNS = (
    *("^/etc", "r.$", "", "[a-z]+", "^$", "(?i)BASH", r"\s", r"^\pL$", "a|b|/", "x{3,}", "é"),
    *(r"\x{65E5}", "(a)(b)?", "^.{2}$", "(?s)a.b", r"\bsh\b"),
)
# Nested loops over strings soon cost more than is admitted; most bodies stay small.
MAX_LOOPS = 2
Variable = tuple[str, Field]


@dataclass(frozen=True, slots=True)
class Place:
    """An expression that reaches a value, and the value's type."""

    text: str
    spec: Field


class Expressions:
    """Boolean expressions of the admitted subset."""

    def __init__(self, schema: Schema, rng: random.Random, *, enum_loops: bool = True) -> None:
        self.schema, self.rng, self.enum_loops = schema, rng, enum_loops

    def make(self) -> str:
        """One expression."""
        return self.boolean([("f", Field(self.schema.root))], self.rng.randint(1, 4), 0)

    def boolean(self, scope: list[Variable], depth: int, loops: int) -> str:
        """An expression of type bool."""
        if depth <= 0:
            return self.comparison(scope)
        roll = self.rng.random()
        if roll < 0.35:
            operator = self.rng.choice((" && ", " || "))
            terms = [self.boolean(scope, depth - 1, loops) for _ in range(self.rng.randint(2, 4))]
            return self.wrap(operator.join(terms))
        if roll < 0.5:
            return "!" * self.rng.randint(1, 3) + f"({self.boolean(scope, depth - 1, loops)})"
        if roll < 0.85 and loops < MAX_LOOPS:
            return self.loop(scope, depth, loops)
        return self.comparison(scope)

    def wrap(self, text: str) -> str:
        """Parentheses more often than not: without them precedence is tried."""
        return text if self.rng.random() < 0.3 else f"({text})"

    def loop(self, scope: list[Variable], depth: int, loops: int) -> str:
        """A quantifier over a field or a literal list."""
        lists = [place for place in self.places(scope) if place.spec.repeated]
        if not self.enum_loops:
            lists = [place for place in lists if place.spec.type not in self.schema.enums]
        if not lists or self.rng.random() < 0.1:
            over, element = self.literal_list("string", scope), Field("string", max_bytes=4096)
        else:
            chosen = self.rng.choice(lists)
            over, element = chosen.text, Field(chosen.spec.type, max_bytes=chosen.spec.max_bytes)
        name = self.rng.choice(("c", "p", "x", "in_", "f" if self.rng.random() < 0.1 else "y"))
        inner = [v for v in scope if v[0] != name] + [(name, element)]
        body = self.boolean(inner, depth - 1, loops + 1)
        return f"{over}.{self.rng.choice(('exists', 'all'))}({name}, {body})"

    def comparison(self, scope: list[Variable]) -> str:
        """A predicate without Boolean operators."""
        places = [p for p in self.places(scope) if p.spec.type not in self.schema.messages]
        place = self.rng.choice(places) if places else Place("'a'", Field("string"))
        if place.spec.repeated:
            return f"{self.literal(place.spec.type)} in {place.text}"
        if place.spec.type == "bool" and self.rng.random() < 0.5:
            return self.rng.choice(("", "!")) + place.text
        if place.spec.type == "string" and self.rng.random() < 0.5:
            return self.text_test(place, scope)
        if self.rng.random() < 0.3:
            return f"{place.text} in {self.literal_list(place.spec.type, scope)}"
        operator = self.rng.choice(("==", "!="))
        return f"{place.text} {operator} {self.scalar(place.spec.type, scope)}"

    def text_test(self, place: Place, scope: list[Variable]) -> str:
        """A string predicate."""
        function = self.rng.choice(("startsWith", "endsWith", "contains", "matches"))
        if function == "matches":
            return f"{place.text}.matches({quote(self.rng.choice(PATTERNS), self.rng)})"
        return f"{place.text}.{function}({self.scalar('string', scope)})"

    def scalar(self, type_: str, scope: list[Variable]) -> str:
        """A literal, or another place of the same type."""
        same = [p for p in self.places(scope) if p.spec.type == type_ and not p.spec.repeated]
        if same and self.rng.random() < 0.25:
            return self.rng.choice(same).text
        return self.literal(type_)

    def literal(self, type_: str) -> str:
        """A constant of a type."""
        if type_ == "bool":
            return self.rng.choice(("true", "false"))
        if type_ == "int":
            number = self.rng.choice(NUMBERS)
            return hex(number) if self.rng.random() < 0.2 else str(number)
        if type_ == "string":
            return quote(self.rng.choice(WORDS), self.rng)
        dot = "." if self.rng.random() < 0.1 else ""
        return (
            f"{dot}{self.schema.package}.{type_}.{self.rng.choice(list(self.schema.enums[type_]))}"
        )

    def literal_list(self, type_: str, scope: list[Variable]) -> str:
        """A list in brackets, sometimes with an item that is no constant."""
        items = [self.literal(type_) for _ in range(self.rng.randint(1, 4))]
        if self.rng.random() < 0.2:
            items.append(self.scalar(type_, scope))
        return f"[{', '.join(items)}{self.rng.choice(('', '', ','))}]"

    def places(self, scope: list[Variable]) -> list[Place]:
        """Everything that the variables in scope reach without an index."""
        found, pending = [], [Place(name, spec) for name, spec in scope]
        while pending:
            place = pending.pop()
            if place.spec.repeated or place.spec.type not in self.schema.messages:
                found.append(place)
                continue
            fields = self.schema.messages[place.spec.type]
            pending.extend(Place(f"{place.text}.{wire}", spec) for wire, spec in fields.items())
        return found


def quote(text: str, rng: random.Random) -> str:
    """A literal of a text, in one of the language's many spellings."""
    mark = rng.choice(("'", '"'))
    escaped = "".join(_escape(c, mark, rng) for c in text)
    plain = not set(text) & {"'", '"', "\n", "\r"}
    if plain and rng.random() < 0.3:
        # An odd trailing backslash trips the other implementation, not ours.
        return f"r{mark}{text}{mark}" if not text.endswith("\\") else f"{mark}{escaped}{mark}"
    return f"{mark * 3}{escaped}{mark * 3}" if rng.random() < 0.2 else f"{mark}{escaped}{mark}"


def _escape(character: str, mark: str, rng: random.Random) -> str:
    code = ord(character)
    if character == "\n":
        return "\\n"
    if character in (mark, "\\"):
        return "\\" + character
    if rng.random() < 0.1:
        forms = [f"\\U{code:08x}"]
        forms += [f"\\u{code:04X}"] if code <= 0xFFFF else []
        forms += [f"\\x{code:02x}", f"\\{code:03o}"] if code <= 0xFF else []
        return rng.choice(forms)
    return character


class Facts:
    """Random instances of our own fact classes, for every field of the schema."""

    def __init__(self, schema: Schema, rng: random.Random) -> None:
        self.schema, self.rng = schema, rng

    def make(self, name: str | None = None) -> object:
        """One message."""
        name = name or self.schema.root
        fields = self.schema.messages[name]
        values = {self.schema.attribute(name, wire): self._field(s) for wire, s in fields.items()}
        return getattr(core, "ActionFacts" if name == self.schema.root else name)(**values)

    def _field(self, spec: Field) -> object:
        if not spec.repeated:
            return self._value(spec)
        return [self._value(spec) for _ in range(self.rng.choice((0, 1, 1, 2, 3)))]

    def _value(self, spec: Field) -> object:
        if spec.type in self.schema.messages:
            return self.make(spec.type)
        if spec.type in self.schema.enums:
            known = [n for n in self.schema.enums[spec.type].values() if n]
            return getattr(core, spec.type)(self.rng.choice(known))
        options = {"bool": (True, False), "int": NUMBERS, "string": WORDS}
        return self.rng.choice(options[spec.type])
