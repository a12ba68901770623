"""The typed environment of expressions: one variable, its message types and enum families."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from dataclasses import dataclass, field

SCALARS = ("bool", "int", "string")


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message.

    ``type`` is ``bool``, ``int``, ``string``, a message name or an enum name. ``attribute`` is the
    Python attribute that holds it, when that is not the wire name. ``max_items`` bounds a repeated
    field and ``max_bytes`` a string; without them the worst-case cost is unbounded.
    """

    type: str
    repeated: bool = False
    attribute: str = ""
    max_items: int | None = None
    max_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Schema:
    """What expressions may name.

    An enum constant is written ``<package>.<Enum>.<CONSTANT>``; ``root`` names the message type of
    the only variable.
    """

    package: str
    root: str
    messages: Mapping[str, Mapping[str, Field]]
    enums: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    variable: str = "f"
    # Fully qualified constant to enum family and number.
    constants: Mapping[str, tuple[str, int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        known = {*SCALARS, *self.messages, *self.enums}
        if self.root not in self.messages:
            raise ValueError(f"the root message {self.root!r} is not in the schema")
        for message, fields in self.messages.items():
            for name, spec in fields.items():
                if spec.type not in known:
                    raise ValueError(f"{message}.{name} has an unknown type {spec.type!r}")
                # Attribute names become part of generated code.
                attribute = spec.attribute or name
                if not attribute.isidentifier() or keyword.iskeyword(attribute):
                    raise ValueError(f"{message}.{name} needs the name of a Python attribute")
        constants = {
            f"{self.package}.{family}.{name}": (family, number)
            for family, members in self.enums.items()
            for name, number in members.items()
        }
        object.__setattr__(self, "constants", constants)

    def attribute(self, message: str, name: str) -> str:
        """The Python attribute of a field."""
        return self.messages[message][name].attribute or name
