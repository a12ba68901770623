"""Respellings of single words: the shell hands every program the same words as before."""

from __future__ import annotations

import random
import re
import shlex

from tests.facts.respelling.model import Respelling, closed, fresh
from tests.facts.respelling.scan import DECLARING, Shape, Word

_ESCAPES = {"hex": "\\x{0:02x}", "octal": "\\{0:03o}", "unicode": "\\u{0:04x}"}


def _chosen(shape: Shape, chance: random.Random) -> Word | None:
    words = shape.rewritable
    return chance.choice(words) if words else None


def _put(text: str, word: Word, raw: str) -> str:
    return text[: word.start] + raw + text[word.end :]


def _inside(word: Word, chance: random.Random) -> tuple[str, str]:
    cut = chance.randrange(len(word.raw))
    return word.raw[:cut], word.raw[cut:]


def _each(form: str):  # type: ignore[no-untyped-def]
    """A rewrite that puts one chosen word into a form; {0} is the word, {1}{2} its two halves."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        word = _chosen(shape, chance)
        if word is None:
            return None
        return _put(text, word, form.format(word.raw, *_inside(word, chance)))

    return rewrite


def _backslash(text: str, shape: Shape, chance: random.Random) -> str | None:
    word = _chosen(shape, chance)
    if word is None:
        return None
    raw = "".join("\\" + c if chance.random() < 0.5 else c for c in word.raw)
    return _put(text, word, raw)


def _ansi_c(text: str, shape: Shape, chance: random.Random) -> str | None:
    word = _chosen(shape, chance)
    if word is None:
        return None
    escape = chance.choice(list(_ESCAPES.values()))
    raw = "".join(escape.format(ord(c)) if chance.random() < 0.5 else c for c in word.raw)
    return _put(text, word, f"$'{raw}'")


def _sequence(text: str, shape: Shape, chance: random.Random) -> str | None:
    word = _chosen(shape, chance)
    if word is None or not re.search(r"[A-Za-z]", word.raw) or word.target:
        return None
    places = [i for i, c in enumerate(word.raw) if c.isalpha()]
    at = chance.choice(places)
    letter = word.raw[at]
    return _put(text, word, f"{word.raw[:at]}{{{letter}..{letter}}}{word.raw[at + 1 :]}")


def _variable(text: str, shape: Shape, chance: random.Random) -> str | None:
    word = _chosen(shape, chance)
    if word is None or (word.first and word.raw in DECLARING):
        return None
    name = fresh(text, "v")
    form = chance.choice(('"${0}"', "${0}", '"${{{0}}}"', "${{{0}}}", '"${{{0}:-x}}"'))
    value = chance.choice((word.raw, shlex.quote(word.raw), f'"{word.raw}"'))
    between = chance.choice(("; ", "\n", " && "))
    return f"{name}={value}{between}" + _put(text, word, form.format(name))


def _two_variables(text: str, shape: Shape, chance: random.Random) -> str | None:
    word = _chosen(shape, chance)
    if word is None or (word.first and word.raw in DECLARING):
        return None
    head, tail = _inside(word, chance)
    one, two = fresh(text, "a"), fresh(text, "b")
    return f"{one}={head}; {two}={tail}; " + _put(text, word, f'"${{{one}}}${{{two}}}"')


def _cut_variable(text: str, shape: Shape, chance: random.Random) -> str | None:
    word = _chosen(shape, chance)
    if word is None or (word.first and word.raw in DECLARING):
        return None
    name = fresh(text, "v")
    forms = (
        (f"{word.raw}QQ", '"${0%QQ}"'),
        (f"QQ{word.raw}", '"${0#QQ}"'),
        (f"Q{word.raw}Q", f'"${{0:1:{len(word.raw)}}}"'),
        (f"{word.raw}QQ", '"${0/QQ/}"'),
    )
    value, use = chance.choice(forms)
    return f"{name}={value}; " + _put(text, word, use.replace("0", name, 1))


def _substitution(text: str, shape: Shape, chance: random.Random) -> str | None:
    word = _chosen(shape, chance)
    if word is None or (word.first and word.raw in DECLARING) or word.raw.startswith("-"):
        return None
    form = chance.choice(
        ('"$(echo {0})"', "$(echo {0})", "`echo {0}`", "$(printf {0})", '"$(printf %s {0})"')
    )
    return _put(
        text, word, form.format(word.raw.replace("%", "%%") if "f {0}" in form else word.raw)
    )


def _ifs(text: str, shape: Shape, chance: random.Random) -> str | None:
    pairs = [
        (a, b)
        for a, b in zip(shape.words, shape.words[1:], strict=False)
        if a.plain and b.plain and not b.first and not b.target and not a.target
        and text[a.end : b.start] == " " and not (a.first and a.raw in DECLARING)
    ]  # fmt: skip
    if shape.opaque or not pairs:
        return None
    left, right = chance.choice(pairs)
    short = not (right.raw[0].isalnum() or right.raw[0] == "_")
    gap = chance.choice(("${IFS}", "$IFS" if short else "${IFS}"))
    return text[: left.end] + gap + text[right.start :]


def _brace_list(text: str, shape: Shape, _: random.Random) -> str | None:
    words = shape.words
    if not shape.static or len(words) < 2 or any("," in w.raw for w in words):
        return None
    return "{" + ",".join(w.raw for w in words) + "}"


def _continued(text: str, shape: Shape, chance: random.Random) -> str | None:
    word = _chosen(shape, chance)
    if word is None:
        return None
    head, tail = _inside(word, chance)
    return _put(text, word, f"{head}\\\n{tail}") if head else _put(text, word, f" \\\n {tail}")


def _wide(text: str, shape: Shape, chance: random.Random) -> str | None:
    word = _chosen(shape, chance)
    if word is None or word.start == 0:
        return None
    return text[: word.start] + chance.choice(("  ", "\t", " \t ")) + text[word.start :]


def _loop_value(text: str, shape: Shape, chance: random.Random) -> str | None:
    word = _chosen(shape, chance)
    if word is None or word.first:
        return None
    name = fresh(text, "x")
    body = _put(text, word, chance.choice((f'"${name}"', f"${{{name}}}")))
    return f"for {name} in {word.raw}; do {closed(body)}done"


WORDS = (
    Respelling("single-quotes", _each("'{0}'")),
    Respelling("double-quotes", _each('"{0}"')),
    Respelling("quotes-inside", _each('{1}"{2}"')),
    Respelling("empty-quotes", _each("{1}''{2}")),
    Respelling("empty-double-quotes", _each('{1}""{2}')),
    Respelling("backslashes", _backslash),
    Respelling("ansi-c-quotes", _ansi_c),
    Respelling("locale-quotes", _each('$"{0}"')),
    Respelling("brace-sequence", _sequence),
    Respelling("brace-list", _brace_list),
    Respelling("variable", _variable),
    Respelling("two-variables", _two_variables),
    Respelling("cut-variable", _cut_variable),
    Respelling("printed-word", _substitution),
    Respelling("ifs", _ifs),
    Respelling("line-continuation", _continued),
    Respelling("wide-blanks", _wide),
    Respelling("loop-value", _loop_value),
)
