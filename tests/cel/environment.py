"""A small message family of our own, so that these tests depend on nothing but the compiler."""

from __future__ import annotations

from dataclasses import dataclass, field

from defenseclaw.cel import (
    Budget,
    CelError,
    Code,
    Field,
    Limits,
    Program,
    Schema,
    compile_expression,
)

MAX_ITEMS = 128
MAX_WORDS = 256
MAX_TEXT = 4096

WORDS = Field("string", repeated=True, max_items=MAX_WORDS, max_bytes=MAX_TEXT)
TEXT = Field("string", max_bytes=MAX_TEXT)

SCHEMA = Schema(
    package="shop.v1",
    root="Order",
    messages={
        "Order": {
            "name": TEXT,
            "total": Field("int"),
            "paid": Field("bool"),
            "colour": Field("Colour"),
            "colours": Field("Colour", repeated=True, max_items=8),
            "words": WORDS,
            "flags": Field("bool", repeated=True, max_items=8),
            "lines": Field("Line", repeated=True, max_items=MAX_ITEMS),
            "first": Field("Line"),
            "free": Field("string"),
            "free_words": Field("string", repeated=True),
        },
        "Line": {
            "id": Field("int"),
            "from": Field("string", attribute="from_", max_bytes=MAX_TEXT),
            "words": WORDS,
            "colour": Field("Colour"),
            "size": Field("Size"),
            "done": Field("bool"),
        },
    },
    enums={
        "Colour": {"COLOUR_UNSPECIFIED": 0, "COLOUR_RED": 1, "COLOUR_GREEN": 2},
        "Size": {"SIZE_UNSPECIFIED": 0, "SIZE_SMALL": 1, "SIZE_LARGE": 2},
    },
    variable="f",
)
RED, GREEN = "shop.v1.Colour.COLOUR_RED", "shop.v1.Colour.COLOUR_GREEN"
SMALL = "shop.v1.Size.SIZE_SMALL"


@dataclass(slots=True)
class Line:
    """One line of an order."""

    id: int = 0
    from_: str = ""
    words: list[str] = field(default_factory=list)
    colour: int = 0
    size: int = 0
    done: bool = False


@dataclass(slots=True)
class Order:
    """The whole message."""

    name: str = ""
    total: int = 0
    paid: bool = False
    colour: int = 0
    colours: list[int] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    flags: list[bool] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    first: Line = field(default_factory=Line)
    free: str = ""
    free_words: list[str] = field(default_factory=list)


def admit(text: str, limits: Limits | None = None) -> Program:
    """Compile in the test schema."""
    return compile_expression(text, SCHEMA, limits or Limits())


def refusal(text: str, limits: Limits | None = None) -> Code | None:
    """The code of a refusal, None when admitted."""
    try:
        admit(text, limits)
    except CelError as error:
        return error.code
    return None


def holds(text: str, order: Order | None = None) -> bool:
    """Compile and evaluate with a full budget."""
    return admit(text).evaluate(order or Order(), Budget())
