"""Respellings of words in cmd: carets, quotes, case, separators, switches, redirections, names."""

from __future__ import annotations

import random
import re
from functools import partial

from tests.facts.respelling.cmd.scan import BUILTINS, FILING, Command, Kind, Shape, Word, scan
from tests.facts.respelling.model import Respelling, Rewrite

respelling = partial(Respelling, read=scan)
# Programs that read their switches as cmd's own commands do: case does not matter.
SYSTEM = frozenset(
    [
        *("vssadmin", "wbadmin", "bcdedit", "wevtutil", "shutdown", "reg", "schtasks", "net"),
        *("netsh", "takeown", "icacls", "certutil", "bitsadmin", "mshta", "regsvr32", "rundll32"),
        *("format", "diskpart", "cipher", "cmdkey", "robocopy", "xcopy", "attrib", "tasklist"),
        *("ipconfig", "whoami", "findstr", "sc", "wmic", "msiexec", "fsutil", "systeminfo"),
    ]
)
SCRIPTS = frozenset(["npm", "npx", "pnpm", "yarn", "gcloud", "az"])
_PLACES = {
    "git": "C:\\Program Files\\Git\\cmd\\git.exe",
    "docker": "C:\\Program Files\\Docker\\Docker\\resources\\bin\\docker.exe",
}


def put(text: str, word: Word, raw: str) -> str:
    """The text with another word in place of one."""
    return text[: word.start] + raw + text[word.end :]


def swapped(raw: str, chance: random.Random) -> str:
    """The same letters in other cases."""
    return "".join(c.upper() if chance.random() < 0.5 else c.lower() for c in raw)


def _carets(text: str, shape: Shape, chance: random.Random) -> str | None:
    words = [word for _, word in shape.words]
    if not words:
        return None
    word = chance.choice(words)
    share = chance.choice((0.2, 0.5, 1.0))
    return put(text, word, "".join("^" + c if chance.random() < share else c for c in word.raw))


def _caret_line(text: str, shape: Shape, chance: random.Random) -> str | None:
    words = [w for _, w in shape.words if w.start and text[w.start - 1] == " "]
    if not words:
        return None
    at = chance.choice(words).start
    return text[: at - 1] + chance.choice((" ^\n", " ^\n ")) + text[at:]


def _quoted(*forms: str) -> Rewrite:
    """One operand in quotes; {w} is the word, {h} and {r} its halves."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        words = [w for _, w in shape.values if len(w.raw) > 1 and not w.raw.endswith("\\")]
        if not words:
            return None
        word = chance.choice(words)
        cut = chance.randrange(1, len(word.raw))
        if word.raw[cut - 1] == "\\":
            return None  # a backslash before a quote is the quote's for programs
        form = chance.choice(forms)
        return put(text, word, form.format(w=word.raw, h=word.raw[:cut], r=word.raw[cut:]))

    return rewrite


def _program_quotes(text: str, shape: Shape, chance: random.Random) -> str | None:
    names = _programs(shape)
    if not names:
        return None
    word = chance.choice(names)
    return put(
        text, word, chance.choice((f'"{word.raw}"', f'"{word.raw}.exe"')[: 1 + _binary(word)])
    )


def _binary(word: Word) -> bool:
    return word.raw.lower() not in SCRIPTS and "." not in word.raw


def _programs(shape: Shape) -> list[Word]:
    return [w for c, w in shape.words if w.kind is Kind.NAME and w.raw.lower() not in BUILTINS]


def _cased(text: str, shape: Shape, chance: random.Random) -> str | None:
    words = [
        w for c, w in shape.words
        if w.kind is Kind.NAME or (w.kind is Kind.SWITCH and (c.builtin or c.name in SYSTEM))
    ]  # fmt: skip
    if not words:
        return None
    word = chance.choice(words)
    return put(text, word, swapped(word.raw, chance))


def _blanks(text: str, shape: Shape, chance: random.Random) -> str | None:
    words = [w for _, w in shape.words if w.start and text[w.start - 1] == " "]
    if not words:
        return None
    at = chance.choice(words).start
    return text[:at] + chance.choice((" ", "\t", "  \t ")) + text[at:]


def _separators(text: str, shape: Shape, chance: random.Random) -> str | None:
    """Commas, semicolons and equal signs are blanks for cmd's own commands."""
    words = [
        w for c, w in shape.words
        if c.name in FILING and w.kind is not Kind.NAME and text[w.start - 1] == " "
    ]  # fmt: skip
    if not words:
        return None
    at = chance.choice(words).start
    return text[: at - 1] + chance.choice((",", ";", "=", ", ", ";;", " = ")) + text[at:]


def _leading(text: str, shape: Shape, chance: random.Random) -> str | None:
    if not shape.commands:
        return None
    return chance.choice((",", ";", "=", " ", ";,", "\t", "  ")) + text


def _at_sign(text: str, shape: Shape, _: random.Random) -> str | None:
    return "@" + text if shape.commands and not text.startswith("@") else None


def _switches(command: Command) -> list[Word]:
    return [w for w in command.words if w.kind is Kind.SWITCH and w.plain]


def _glued(text: str, shape: Shape, chance: random.Random) -> str | None:
    """A switch right behind the name or another switch."""
    words = [
        w
        for c in shape.commands
        if c.name in FILING
        for w in _switches(c)
        if re.search(rf"(?:/\w|\b{re.escape(c.words[0].raw)}) $", text[: w.start])
    ]
    if not words:
        return None
    at = chance.choice(words).start
    return text[: at - 1] + text[at:]


def _order(text: str, shape: Shape, chance: random.Random) -> str | None:
    """Switches of cmd's own commands may stand in any order, behind the names too."""
    command = shape.only
    if command is None or command.name not in ("rd", "rmdir", "del", "erase", "dir"):
        return None
    if command.redirected or any(w.raw.startswith("/") and not w.plain for w in command.words):
        return None
    rest = [w.raw for w in command.words[1:]]
    chance.shuffle(rest)
    return " ".join([command.words[0].raw, *rest])


_ADDED = ("2>nul", ">nul", "1>nul", "2>&1", "<nul", ">nul 2>&1", "2> nul", ">NUL", "2>>nul")


def _redirected(text: str, shape: Shape, chance: random.Random) -> str | None:
    command = shape.only
    if command is None or command.redirected or command.name == "echo" or ">" in text:
        return None
    at = chance.choice([0, len(text), *(w.end for w in command.words)])
    return f"{text[:at]} {chance.choice(_ADDED)} {text[at:].lstrip()}".strip()


def _extension(text: str, shape: Shape, chance: random.Random) -> str | None:
    names = [w for w in _programs(shape) if "." not in w.raw]
    if not names:
        return None
    word = chance.choice(names)
    low = word.raw.lower()
    suffix = ".cmd" if low in SCRIPTS else ".com" if low == "format" else ".exe"
    return put(text, word, word.raw + chance.choice((suffix, suffix.upper())))


def _full_path(text: str, shape: Shape, chance: random.Random) -> str | None:
    names = [w for w in _programs(shape) if w.raw.lower() in SYSTEM or w.raw.lower() in _PLACES]
    if not names:
        return None
    word = chance.choice(names)
    low = word.raw.lower()
    if low in _PLACES:
        return put(text, word, f'"{_PLACES[low]}"')
    folder = chance.choice(
        (
            "C:\\Windows\\System32",
            "%SystemRoot%\\System32",
            "%windir%\\system32",
            "c:\\windows\\SysWOW64",
        )
    )
    name = f"{folder}\\{low}{chance.choice(('', '.com' if low == 'format' else '.exe'))}"
    return put(text, word, chance.choice((name, f'"{name}"')))


WORDS = (
    respelling("carets", _carets),
    respelling("caret-line", _caret_line),
    respelling("quotes", _quoted('"{w}"')),
    respelling("quotes-inside", _quoted('{h}"{r}"', '"{h}"{r}', '{h}""{r}')),
    respelling("program-quotes", _program_quotes),
    respelling("case", _cased),
    respelling("wide-blanks", _blanks),
    respelling("separators", _separators),
    respelling("leading-separators", _leading),
    respelling("at-sign", _at_sign),
    respelling("glued-switches", _glued),
    respelling("order", _order),
    respelling("redirected", _redirected),
    respelling("extension", _extension),
    respelling("full-path", _full_path),
)
