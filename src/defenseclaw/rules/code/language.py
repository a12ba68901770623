"""Which language a written file holds: by its name, else by its first line."""

from __future__ import annotations

import re
from collections.abc import Mapping

from defenseclaw.rules.code.tables.languages import (
    EXTENSIONS,
    INTERPRETERS,
    NAMES,
    NOTEBOOK,
    Language,
)

BY_EXTENSION: Mapping[str, Language] = {
    extension: language for language, words in EXTENSIONS.items() for extension in words.split()
}
_SEPARATOR = re.compile(r"[\\/]")
_VARIANTS = (".env.", "dockerfile.")  # of a file that is known by its whole name
FIRST_LINE_CHARS = 128  # ours: a first line that names an interpreter is never longer


def language_of(path: str, text: str) -> Language | None:
    """The language of a file; None for prose, data and everything else that is not code."""
    name = _SEPARATOR.split(path)[-1].lower()
    if name.endswith(NOTEBOOK):
        return Language.PYTHON
    for whole in (name, *(v.rstrip(".") for v in _VARIANTS if name.startswith(v))):
        if whole in NAMES:
            return NAMES[whole]
    stem, dot, extension = name.rpartition(".")
    if stem and dot:
        return BY_EXTENSION.get(extension)
    return _interpreter(text)


def _interpreter(text: str) -> Language | None:
    if not text.startswith("#!"):
        return None
    first = text[2:FIRST_LINE_CHARS].partition("\n")[0]
    words = (word.rpartition("/")[2] for word in first.split() if not word.startswith("-"))
    named = next((word for word in words if word != "env"), "")
    return INTERPRETERS.get(named.rstrip("0123456789."))
