"""Respellings of single words: every command gets the same arguments (about_Quoting_Rules)."""

from __future__ import annotations

import random
import re
from functools import partial

from tests.facts.respelling.model import Respelling, Rewrite, fresh
from tests.facts.respelling.powershell.scan import Kind, Shape, Word, is_cmdlet, scan
from tests.facts.respelling.powershell.tables.cmdlets import cmdlet_of

respelling = partial(Respelling, read=scan)
_ESCAPED = frozenset("0abefnrtuv")  # letters that mean something behind a backtick


def put(text: str, word: Word, raw: str) -> str:
    """The text with another word in place of one."""
    return text[: word.start] + raw + text[word.end :]


def swapped(raw: str, chance: random.Random) -> str:
    """The same letters in other cases."""
    return "".join(c.upper() if chance.random() < 0.5 else c.lower() for c in raw)


def escaped(raw: str, chance: random.Random) -> str:
    """Backticks before letters that mean nothing behind one."""
    return "".join(
        "`" + c if c.isalpha() and c.lower() not in _ESCAPED and chance.random() < 0.5 else c
        for c in raw
    )


def _value(*forms: str) -> Rewrite:
    """One argument in a form; {w} is the word, {h} and {r} its halves, {b} it with backticks."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        if not shape.values:
            return None
        _, word = chance.choice(shape.values)
        if len(word.raw) < 2 or (word.raw.startswith("-") and "{h}" in "".join(forms)):
            return None
        cut = chance.randrange(1, len(word.raw))
        filled = chance.choice(forms).format(
            w=word.raw, h=word.raw[:cut], r=word.raw[cut:], b=escaped(word.raw, chance)
        )
        return put(text, word, filled)

    return rewrite


def _named(*forms: str) -> Rewrite:
    """The name of a command in a form of its own, such as behind the call operator."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        if not shape.names:
            return None
        _, word = chance.choice(shape.names)
        cut = chance.randrange(1, len(word.raw)) if len(word.raw) > 1 else 0
        form = chance.choice(forms)
        filled = form.format(
            w=word.raw, h=word.raw[:cut], r=word.raw[cut:], n=fresh(text, "c"),
            b=escaped(word.raw, chance), c=swapped(word.raw, chance),
            z=word.raw[::-1], l=len(word.raw), x=",".join(str(ord(c)) for c in word.raw),
        )  # fmt: skip
        prepared, bar, use = filled.rpartition("|>")
        if bar and not _first(shape, word):
            return None  # what prepares it stands in front of everything
        return prepared + put(text, word, use)

    return rewrite


def _first(shape: Shape, word: Word) -> bool:
    return shape.commands[0].words[0] is word and word.start == 0


def _parameter_case(text: str, shape: Shape, chance: random.Random) -> str | None:
    words = [w for c in shape.commands for w in c.words if w.kind is Kind.PARAMETER and w.plain]
    if not words:
        return None
    word = chance.choice(words)
    return put(text, word, swapped(word.raw, chance))


def _to_other_name(text: str, shape: Shape, chance: random.Random) -> str | None:
    """Another of a cmdlet's own names."""
    known = [(word, cmdlet_of(word.raw)) for _, word in shape.names]
    fitting = [(word, row) for word, row in known if row is not None]
    if not fitting:
        return None
    word, row = chance.choice(fitting)
    other = chance.choice([row.name, f"{row.module}\\{row.name}", *row.aliases])
    return put(text, word, other) if other.lower() != word.raw.lower() else None


def _qualified(text: str, shape: Shape, chance: random.Random) -> str | None:
    known = [(word, cmdlet_of(word.raw)) for _, word in shape.names]
    fitting = [(word, row) for word, row in known if row is not None and "\\" not in word.raw]
    if not fitting:
        return None
    word, row = chance.choice(fitting)
    return put(text, word, swapped(f"{row.module}\\{row.name}", chance))


def _gaps(shape: Shape) -> list[int]:
    return [w.start for c in shape.commands for w in c.words[1:] if w.kind is not Kind.OTHER]


def _gap(*forms: str) -> Rewrite:
    """Something else than one blank between two words."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        places = [at for at in _gaps(shape) if text[at - 1] == " "]
        if not places:
            return None
        at = chance.choice(places)
        return text[: at - 1] + chance.choice(forms) + text[at:]

    return rewrite


def _dash(text: str, shape: Shape, chance: random.Random) -> str | None:
    """Other dashes in front of a parameter of a cmdlet."""
    words = [w for c in shape.commands for w in c.words if w.kind is Kind.PARAMETER and w.plain]
    if not words:
        return None
    word = chance.choice(words)
    return put(text, word, chance.choice("\u2013\u2014\u2015") + word.raw[1:])


def _smart_quotes(text: str, shape: Shape, chance: random.Random) -> str | None:
    if not shape.values:
        return None
    _, word = chance.choice(shape.values)
    form = chance.choice(("\u2018{0}\u2019", "\u201c{0}\u201d", "'{0}\u2019", '\u201c{0}"'))
    return put(text, word, form.format(word.raw))


def _redirected(text: str, shape: Shape, chance: random.Random) -> str | None:
    places = _gaps(shape) + [c.words[-1].end for c in shape.commands if c.words]
    if not places or shape.opaque:
        return None
    at = chance.choice(places)
    added = chance.choice(("2>$null", "3>$null", "2>&1", "2>> $null", "2> $null"))
    return f"{text[:at].rstrip(' ')} {added} {text[at:].lstrip(' ')}".rstrip()


def _native(text: str, shape: Shape, chance: random.Random) -> tuple[Word, str] | None:
    found = [
        word for _, word in shape.names
        if re.fullmatch(r"[a-z][a-z0-9]*", word.raw)
        and not is_cmdlet(word.raw)
        and not re.search(rf"(?:function|filter|Alias|al)\b[^;]*\b{word.raw}\b", text)
    ]  # fmt: skip
    word = chance.choice(found) if found else None
    return (word, word.raw) if word is not None else None


def _extension(text: str, shape: Shape, chance: random.Random) -> str | None:
    """Scripts such as npm's have another extension."""
    found = _native(text, shape, chance)
    if found is None:
        return None
    scripts = ("npm", "npx", "pnpm", "yarn", "gcloud", "az")
    suffix = ".cmd" if found[1] in scripts else ".exe"
    return put(text, found[0], found[1] + chance.choice((suffix, suffix.upper())))


SYSTEM = frozenset(
    [
        "vssadmin",
        "wbadmin",
        "bcdedit",
        "wevtutil",
        "shutdown",
        "reg",
        "schtasks",
        "net",
        "netsh",
        "takeown",
        "icacls",
        "certutil",
        "bitsadmin",
        "mshta",
        "regsvr32",
        "rundll32",
        "format",
        "diskpart",
        "cipher",
        "cmdkey",
        "robocopy",
        "tasklist",
        "ipconfig",
        "whoami",
        "findstr",
    ]
)
_PLACES = {"git": "C:\\Program Files\\Git\\cmd\\git.exe", "docker":
           "C:\\Program Files\\Docker\\Docker\\resources\\bin\\docker.exe"}  # fmt: skip


def _full_path(text: str, shape: Shape, chance: random.Random) -> str | None:
    found = _native(text, shape, chance)
    if found is None or not (found[1] in SYSTEM or found[1] in _PLACES):
        return None
    word, name = found
    if name in _PLACES:
        return put(text, word, f"& '{_PLACES[name]}'")
    suffix = ".com" if name == "format" else ".exe"
    folder = chance.choice(
        ("C:\\Windows\\System32", "c:\\windows\\system32", "C:/Windows/System32")
    )
    form = chance.choice(
        (
            "{0}\\{1}{2}",
            "& '{0}\\{1}{2}'",
            '& "{0}\\{1}{2}"',
            '& "$env:SystemRoot\\System32\\{1}{2}"',
        )
    )
    return put(text, word, form.format(folder, name, suffix))


WORDS = (
    respelling("single-quotes", _value("'{w}'")),
    respelling("double-quotes", _value('"{w}"')),
    respelling("quotes-behind", _value('{h}"{r}"', "{h}'{r}'")),
    respelling("empty-quotes", _value("{h}''{r}", '{h}""{r}')),
    respelling("backticks", _value("{b}")),
    respelling("backticks-in-quotes", _value('"{b}"')),
    respelling("smart-quotes", _smart_quotes),
    respelling("smart-dashes", _dash),
    respelling("name-case", _named("{c}")),
    respelling("name-backticks", _named("{b}")),
    respelling("name-quotes", _named("& '{w}'", '& "{w}"', '&"{w}"', "&'{w}'")),
    respelling("name-dotted", _named(". '{w}'", '. "{w}"', ". {w}")),
    respelling("name-called", _named("& {w}", "&{w}")),
    respelling("name-glued", _named("{h}'{r}'", '{h}"{r}"', "{h}''{r}")),
    respelling("name-joined", _named("& ('{h}' + '{r}')", "&('{h}'+'{r}')", ". ('{h}'+'{r}')")),
    respelling(
        "name-formatted",
        _named("& ('{{1}}{{0}}' -f '{r}','{h}')", '&("{{0}}{{1}}" -f "{h}","{r}")'),
    ),
    respelling(
        "name-variable",
        _named(
            "${n} = '{w}'; |>& ${n}",
            "$script:{n} = '{w}'\n|>& $script:{n}",
            "${{{n}}}='{w}';|>. ${{{n}}}",
            '${n} = "{w}"; |>& "${n}"',
        ),
    ),
    respelling(
        "name-command",
        _named(
            "& (Get-Command {w})",
            "&(gcm {w})",
            "& (Get-Command -Name '{w}')",
            "${n} = Get-Command {w}; |>& ${n}",
        ),
    ),
    respelling("name-codes", _named("& (-join [char[]]({x}))", "&(-join({x}|%{{[char]$_}}))")),
    respelling("name-reversed", _named("& (-join '{z}'[-1..-{l}])")),
    respelling("name-subexpression", _named("& \"$('{w}')\"", "& $('{w}')", "& \"$('{h}'){r}\"")),
    respelling("parameter-case", _parameter_case),
    respelling("other-name", _to_other_name),
    respelling("qualified-name", _qualified),
    respelling("wide-blanks", _gap("  ", "\t", " \t  ")),
    respelling("backtick-line", _gap(" `\n", " `\n    ")),
    respelling("inner-comment", _gap(" <# x #> ", " <# it's; a|b #> ", " <#\nx\n#> ")),
    respelling("redirected", _redirected),
    respelling("extension", _extension),
    respelling("full-path", _full_path),
)
