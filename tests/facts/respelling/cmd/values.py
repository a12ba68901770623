"""Respellings that compute one word in cmd: variables, substrings, loops, arguments, places."""

from __future__ import annotations

import random
import re

from tests.facts.respelling.cmd.scan import FILING, Kind, Shape, Word
from tests.facts.respelling.cmd.words import put, respelling, swapped
from tests.facts.respelling.model import Rewrite, fresh
from tests.facts.respelling.windows.judge import CWD
from tests.facts.respelling.windows.places import PLACES, Spelling, is_absolute, known_folder

_HIVES = {"HKLM": "HKEY_LOCAL_MACHINE", "HKCU": "HKEY_CURRENT_USER"}
# Programs that take slashes for switches, or paths only in their own spelling.
_SLASHED = frozenset(
    [*("reg", "icacls", "takeown", "cipher", "schtasks", "msbuild", "robocopy", "findstr", "find"),
     *("bitsadmin", "xcopy", "attrib", "fsutil", "tree", "fc", "sort", "more", "rundll32")]
)  # fmt: skip


def _held(*forms: str, sole: bool = False) -> Rewrite:
    """One word in a variable: {n} is its name, {w} the word, {h} and {r} its halves; ``|>`` ends
    the preparation, the use is behind it. ``sole``: only for one command and nothing else."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        words = [w for _, w in shape.words if len(w.raw) > 1 and w.kind is not Kind.TARGET]
        if not words or (sole and shape.only is None):
            return None
        word = chance.choice(words)
        cut = chance.randrange(1, len(word.raw))
        form = chance.choice(forms)
        if "qq" in word.raw.lower() or ("{X}" in form and len(word.raw) > 40):
            return None
        filled = form.format(
            n=fresh(text, "v"), w=word.raw, h=word.raw[:cut], r=word.raw[cut:], l=len(word.raw),
            k=cut, N=swapped(fresh(text, "v"), chance),
        )  # fmt: skip
        prepared, _, use = filled.rpartition("|>")
        return prepared + put(text, word, use)

    return rewrite


def _looped(*forms: str) -> Rewrite:
    """One word from a loop; {t} is the text with the loop's letter in place of the word."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        words = [w for _, w in shape.words if len(w.raw) > 1 and w.kind is not Kind.TARGET]
        if not words:
            return None
        word = chance.choice(words)
        form = chance.choice(forms)
        letter = chance.choice("abijxA")
        use = chance.choice(("%{0}", "%~{0}")).format(letter)
        made = form.format(i=f"%{letter}", w=word.raw, t=put(text, word, use))
        return made.replace("%", "%%") if made.startswith("@echo off\n") else made

    return rewrite


def _argument(text: str, shape: Shape, chance: random.Random) -> str | None:
    """One word as the argument of a label that is called."""
    words = [w for _, w in shape.words if len(w.raw) > 1 and w.kind is not Kind.TARGET]
    if not words:
        return None
    word = chance.choice(words)
    name, use = fresh(text, "sub"), chance.choice(("%1", "%~1", "%*"))
    end = chance.choice(("goto :eof", "exit /b", "exit /b 0"))
    return f"@echo off\ncall :{name} {word.raw}\n{end}\n:{name}\n{put(text, word, use)}\n{end}\n"


def _spelled(spelling: Spelling, slashes: bool = False) -> Rewrite:
    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        words = _paths(shape, slashes)
        if not words or re.search(r"\b(?:cd|chdir|pushd)\b", text, re.IGNORECASE):
            return None
        word = chance.choice(words)
        other = spelling(word.raw, chance)
        return put(text, word, other) if other is not None and other != word.raw else None

    return rewrite


def _paths(shape: Shape, slashes: bool) -> list[Word]:
    return [
        w for c, w in shape.values
        if c.name not in ("reg", "schtasks") and not (slashes and (c.name in _SLASHED or c.builtin))
    ]  # fmt: skip


def _variable(raw: str, chance: random.Random) -> str | None:
    found = known_folder(raw, chance)
    if found is None:
        return None
    name, rest = found
    if rest.endswith("\\"):
        return None  # programs take a backslash before a quote for the quote's
    name = chance.choice((name, name.upper(), name.lower()))
    forms = ["%{0}%{1}", '"%{0}%{1}"', '"%{0}%"{1}']
    if name.lower() == "userprofile":
        forms += ["%HOMEDRIVE%%HOMEPATH%{1}", '"%HomeDrive%%HomePath%{1}"']
    return chance.choice(forms).format(name, rest)


def _current(raw: str, chance: random.Random) -> str | None:
    if not raw.startswith(CWD + "\\"):
        return None
    return chance.choice(("%CD%{0}", '"%cd%{0}"')).format(raw[len(CWD) :])


def _drive(raw: str, chance: random.Random) -> str | None:
    if not raw.startswith("C:\\"):
        return None
    return (
        chance.choice(("%SystemDrive%", "%ComSpec:~0,2%", "%HOMEDRIVE%", "%windir:~0,1%:"))
        + raw[2:]
    )


def _registry(text: str, shape: Shape, chance: random.Random) -> str | None:
    words = [w for c, w in shape.values if c.name == "reg" and w.raw[:4] in _HIVES]
    if not words:
        return None
    word = chance.choice(words)
    long = _HIVES[word.raw[:4]] + word.raw[4:]
    forms = (long, f'"{long}"', word.raw.lower(), f'"{word.raw}"', word.raw + "\\", long.lower())
    return put(text, word, chance.choice(forms))


def _moved(*forms: str) -> Rewrite:
    """From the folder above the path; only for one of cmd's own commands with one path."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        command = shape.only
        if command is None or command.name not in FILING:
            return None
        words = [w for _, w in shape.values if is_absolute(w.raw)]
        if len(words) != 1 or len([w for w in command.words if w.kind is Kind.VALUE]) != 1:
            return None
        head, _, tail = words[0].raw.rpartition("\\")
        if not tail or head.endswith(":"):
            return None
        form = chance.choice(forms)
        return form.format(f=head, t=put(text, words[0], chance.choice((tail, f".\\{tail}"))))

    return rewrite


VALUES = (
    respelling(
        "set", _held("set {n}={w}\n|>%{n}%", "set {n}={w}\n|>%{N}%", "SET {n}={w}\r\n|>%{n}%")
    ),
    respelling(
        "set-quoted",
        _held('set "{n}={w}"\n|>%{n}%', '@set "{n}={w}"\n|>%{n}%'),
    ),
    respelling(
        "set-halves",
        _held(
            "set {n}a={h}\nset {n}b={r}\n|>%{n}a%%{n}b%",
            "set {n}={h}\n|>%{n}%{r}",
            "set {n}={h}\nset {n}=%{n}%{r}\n|>%{n}%",
        ),
    ),
    respelling(
        "set-chained", _held("set {n}={w}& set {n}b=x\n|>%{n}%", "set {n}b=x&&set {n}={w}\n|>%{n}%")
    ),
    respelling(
        "substring",
        _held(
            "set {n}=QQ{w}\n|>%{n}:~2%",
            "set {n}={w}QQ\n|>%{n}:~0,-2%",
            "set {n}=Q{w}Q\n|>%{n}:~1,{l}%",
            "set {n}=QQ{w}\n|>%{n}:~-{l}%",
            "set {n}={w}\n|>%{n}:~0,{k}%%{n}:~{k}%",
        ),
    ),
    respelling(
        "replacement",
        _held(
            "set {n}={h}QQ{r}\n|>%{n}:QQ=%",
            "set {n}={h}qq{r}\n|>%{n}:QQ=%",
            "set {n}=xQQ{w}\n|>%{n}:*QQ=%",
        ),
    ),
    respelling("call-expansion", _held("set {n}={w}& call |>%{n}%", sole=True), outermost=True),
    respelling(
        "delayed",
        _held(
            "setlocal enabledelayedexpansion\nset {n}={w}\n|>!{n}!",
            "setlocal EnableDelayedExpansion\nset {n}=QQ{w}\n|>!{n}:~2!",
            "@echo off\nsetlocal enabledelayedexpansion\nset {n}={h}\nset {n}=!{n}!{r}\n|>!{n}!",
            "setlocal enabledelayedexpansion & set {n}={w}\n|>!{n}!",
        ),
    ),
    respelling(
        "loop-word",
        _looped(
            "for {i} in ({w}) do {t}",
            'for {i} in ("{w}") do {t}'.replace('"{w}"', "{w}"),
            "FOR {i} IN ({w}) DO {t}",
            "for {i} in ( {w} ) do @{t}",
            "for {i} in ({w}) do ({t})",
            "@echo off\nfor {i} in ({w}) do {t}",
        ),
    ),
    respelling(
        "loop-text",
        _looped(
            'for /f {i} in ("{w}") do {t}',
            'for /f "delims=" {i} in ("{w}") do {t}',
            'for /f "tokens=2" {i} in ("x {w}") do {t}',
            'for /f "tokens=1,2 delims=^" {i} in ("{w}^x") do {t}',
            "for /f \"usebackq\" {i} in ('{w}') do {t}",
        ),
    ),
    respelling(
        "loop-output",
        _looped(
            "for /f {i} in ('echo {w}') do {t}",
            "for /f \"delims=\" {i} in ('echo {w}') do @{t}",
            'for /f "usebackq" {i} in (`echo {w}`) do {t}',
        ),
    ),
    respelling("argument", _argument),
    *(
        respelling(name, _spelled(spelling, name in ("forward-slashes", "mixed-slashes")))
        for name, spelling in PLACES.items()
    ),
    respelling("known-variable", _spelled(_variable)),
    respelling("current-folder", _spelled(_current)),
    respelling("drive", _spelled(_drive)),
    respelling("registry-key", _registry),
    respelling(
        "moved",
        _moved(
            "cd /d {f}\n{t}",
            "cd /d {f} & {t}",
            'cd /d "{f}" && {t}',
            "pushd {f}\n{t}\npopd",
            "pushd {f} & {t} & popd",
            "chdir /D {f}\n{t}",
            "cd {f}&{t}",
        ),
    ),
)
