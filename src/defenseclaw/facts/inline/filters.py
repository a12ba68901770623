"""What text filters make of known text: the plain uses whose output their words decide."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping

from defenseclaw.facts.inline.decoding import translate

_DECODING = frozenset(("-d", "-D", "--decode", "-di", "-i"))
_SUBSTITUTION = re.compile(
    r"s([/|#,:@!])(\^?)((?:\\[^\w(){}|+?<>`'&]|[^\\.*\[\]^$\n])*?)(\$?)\1([^\\&\n]*?)\1([g1]*)\Z"
)
_EXTENDED = re.compile(r"[+?(){}|]")
_RANGE = re.compile(r"([0-9]{1,6})?(-)?([0-9]{1,6})?\Z")
_COUNT = re.compile(r"-?([0-9]{1,6})\Z")
_ROWS = {"--lines": "-n", "--bytes": "-c"}


def by_line(text: str, change: Callable[[str], str]) -> str:
    """Every line of a text changed."""
    end = "\n" if text.endswith("\n") else ""
    return "\n".join(map(change, text.removesuffix("\n").split("\n"))) + end


def decode_base64(text: str, options: list[str]) -> str | None:
    """``base64 -d``."""
    if not options or not all(option in _DECODING for option in options):
        return None
    try:
        return base64.b64decode("".join(text.split())).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return None


def decode_hex(text: str, options: list[str]) -> str | None:
    """``xxd -r -p``."""
    if sorted("".join(option.lstrip("-") for option in options)) not in (["p", "r"], [*"prs"]):
        return None
    try:
        return bytes.fromhex("".join(text.split())).decode("utf-8", "replace")
    except ValueError:
        return None


def reverse(text: str, options: list[str]) -> str | None:
    """``rev``."""
    return None if options else by_line(text, lambda line: line[::-1])


def reverse_lines(text: str, options: list[str]) -> str | None:
    """``tac``."""
    return None if options else "".join(reversed(text.splitlines(keepends=True)))


def unchanged(text: str, options: list[str]) -> str | None:
    """``cat``."""
    return None if any(option != "-" for option in options) else text


def copied(text: str, options: list[str]) -> str | None:
    """``tee``: the files get the same."""
    return text


def exchange(text: str, options: list[str]) -> str | None:
    """``tr`` with two sets, or with one that is deleted."""
    if len(options) != 2 or options[1].startswith("-"):
        return None
    if options[0] in ("-d", "--delete"):
        return None if re.search(r"[\\\[-]", options[1]) else _without(text, options[1])
    return None if options[0].startswith("-") else translate(text, *options)


def _without(text: str, letters: str) -> str:
    return text.translate(dict.fromkeys(map(ord, letters)))


def edit(text: str, options: list[str]) -> str | None:
    """``sed`` with substitutions of plain text."""
    scripts = [option for option in options if option not in ("-e", "-E", "-r", "--")]
    extended = len({"-E", "-r"} & {*options}) > 0
    if not scripts or (len(scripts) > 1 and options.count("-e") != len(scripts)):
        return None
    for script in (part for whole in scripts for part in whole.split(";")):
        changed = _substituted(text, script.strip(), extended)
        if changed is None:
            return None
        text = changed
    return text


def _substituted(text: str, script: str, extended: bool) -> str | None:
    found = _SUBSTITUTION.match(script)
    if found is None or (extended and _EXTENDED.search(found.group(3))):
        return None
    _, start, old, end, new, flags = found.groups()
    plain = re.escape(re.sub(r"\\(.)", r"\1", old))
    pattern = re.compile(("^" if start else "") + plain + ("$" if end else ""))
    return by_line(text, lambda line: pattern.sub(lambda _: new, line, count="g" not in flags))


def cut(text: str, options: list[str]) -> str | None:
    """``cut`` of one range of characters or fields."""
    given = _lettered(options, "dfcb")
    if given is None or len(given.keys() & {"f", "c", "b"}) != 1:
        return None
    kind = next(key for key in given if key in "fcb")
    place = _RANGE.match(given[kind])
    if place is None or not (place.group(1) or place.group(3)):
        return None
    first = int(place.group(1) or 1) - 1
    last = int(place.group(3)) if place.group(3) else None if place.group(2) else first + 1
    if first < 0:
        return None
    if kind != "f":
        return by_line(text, lambda line: line[first:last])
    mark = given.get("d", "\t")
    if len(mark) != 1:
        return None
    return by_line(
        text,
        lambda line: mark.join(line.split(mark)[first:last]) if mark in line else line,
    )


def _lettered(options: list[str], letters: str) -> dict[str, str] | None:
    """Options that are one letter and its value, together or apart."""
    given: dict[str, str] = {}
    at = 0
    while at < len(options):
        option = options[at]
        if len(option) < 2 or option[0] != "-" or option[1] not in letters:
            return None
        value = option[2:] or "".join(options[at + 1 : at + 2])
        at += 1 if option[2:] else 2
        given[option[1]] = value
    return given


def _amount(options: list[str]) -> tuple[str, str] | None:
    """What ``head`` and ``tail`` count, and how far."""
    if not options:
        return "n", "10"
    if len(options) == 1 and _COUNT.match(options[0]):
        return "n", options[0].lstrip("-")
    spelled = [piece for option in options for piece in option.split("=", 1)]
    given = _lettered([_ROWS.get(piece, piece) for piece in spelled], "nc")
    return next(iter(given.items())) if given is not None and len(given) == 1 else None


def first_part(text: str, options: list[str]) -> str | None:
    """``head``."""
    found = _amount(options)
    if found is None or not _COUNT.match(found[1]) or found[1].startswith("-"):
        return None
    units = text.splitlines(keepends=True) if found[0] == "n" else list(text)
    return "".join(units[: int(found[1])])


def last_part(text: str, options: list[str]) -> str | None:
    """``tail``."""
    found = _amount(options)
    if found is None or not _COUNT.match(found[1].lstrip("+")):
        return None
    units = text.splitlines(keepends=True) if found[0] == "n" else list(text)
    count = int(found[1].lstrip("+-"))
    if found[1].startswith("+"):
        return "".join(units[max(count - 1, 0) :])
    return "".join(units[len(units) - min(count, len(units)) :])


FILTERS: Mapping[str, Callable[[str, list[str]], str | None]] = {
    "base64": decode_base64,
    "xxd": decode_hex,
    "rev": reverse,
    "tac": reverse_lines,
    "cat": unchanged,
    "tee": copied,
    "tr": exchange,
    "sed": edit,
    "gsed": edit,
    "cut": cut,
    "head": first_part,
    "tail": last_part,
}
