"""Respellings of paths, as every program reads them and as PowerShell's providers do."""

from __future__ import annotations

import random
import re

from tests.facts.respelling.model import Rewrite
from tests.facts.respelling.powershell.scan import Command, Shape, Word, is_cmdlet
from tests.facts.respelling.powershell.words import put, respelling
from tests.facts.respelling.windows.judge import CWD, HOME
from tests.facts.respelling.windows.places import PLACES, Spelling, is_absolute, known_folder

_REGISTRY = re.compile(r"(HKLM|HKCU):\\(.*)", re.IGNORECASE)
_MOVED = re.compile(r"\b(?:Set-Location|Push-Location|sl|cd)\b", re.IGNORECASE)
_HIVES = {"HKLM": "HKEY_LOCAL_MACHINE", "HKCU": "HKEY_CURRENT_USER"}
# Programs of Windows that take slashes for switches, or paths only in their own spelling.
_SLASHED = frozenset(
    [
        "reg",
        "icacls",
        "takeown",
        "cipher",
        "schtasks",
        "msbuild",
        "robocopy",
        "findstr",
        "bitsadmin",
    ]
)


def _spelled(spelling: Spelling, cmdlets: bool = False) -> Rewrite:
    """One path of a cmdlet or program in another spelling."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        words = _paths(shape, cmdlets)
        if not words or _MOVED.search(text):
            return None
        _, word = chance.choice(words)
        other = spelling(word.raw, chance)
        return put(text, word, other) if other is not None and other != word.raw else None

    return rewrite


def _paths(shape: Shape, cmdlets: bool) -> list[tuple[Command, Word]]:
    return [
        (c, w) for c, w in shape.values
        if (is_cmdlet(c.name) or not cmdlets) and not w.raw.startswith("-")
        and c.name.removesuffix(".exe") not in _SLASHED
    ]  # fmt: skip


def _variable(raw: str, chance: random.Random) -> str | None:
    found = known_folder(raw, chance)
    if found is None:
        return None
    name, rest = found
    forms = ['"$env:{n}{r}"', '"${{env:{n}}}{r}"', "$env:{n}{r}", "${{env:{n}}}{r}",
             "($env:{n} + '{r}')", "\"$($env:{n}){r}\""]  # fmt: skip
    if name == "USERPROFILE":
        forms += ['"$HOME{r}"', "$HOME{r}", "$home{r}", "(Join-Path $HOME '{r}')"]
    return chance.choice(forms).format(n=chance.choice((name, name.upper())), r=rest)


def _tilde(raw: str, chance: random.Random) -> str | None:
    if not raw.startswith(HOME) or not is_absolute(raw):
        return None
    return chance.choice(("~{0}", "'~{0}'", '"~{0}"')).format(raw[len(HOME) :])


def _current(raw: str, chance: random.Random) -> str | None:
    if not raw.startswith(CWD + "\\"):
        return None
    forms = ('"$PWD{0}"', "$PWD{0}", '"$($PWD.Path){0}"', "(Join-Path (Get-Location) '{0}')",
             "(Join-Path $PWD '{0}')")  # fmt: skip
    return chance.choice(forms).format(raw[len(CWD) :])


def _provider(raw: str, chance: random.Random) -> str | None:
    if not is_absolute(raw):
        return None
    prefix = chance.choice(
        ("FileSystem::", "filesystem::", "Microsoft.PowerShell.Core\\FileSystem::")
    )
    return prefix + raw


def _joined(raw: str, chance: random.Random) -> str | None:
    if not is_absolute(raw) or raw.count("\\") < 2:
        return None
    cut = chance.choice([m.start() for m in re.finditer(r"\\", raw)][1:])
    head, tail = raw[:cut], raw[cut + 1 :]
    forms = ("(Join-Path '{0}' '{1}')", "(Join-Path -Path {0} -ChildPath {1})",
             "([IO.Path]::Combine('{0}','{1}'))", "$([System.IO.Path]::Combine('{0}', '{1}'))",
             "([IO.Path]::GetFullPath('{0}\\x\\..\\{1}'))")  # fmt: skip
    return chance.choice(forms).format(head, tail) if tail else None


def _resolved(raw: str, chance: random.Random) -> str | None:
    if not is_absolute(raw):
        return None
    forms = ("(Resolve-Path '{0}')", "(Resolve-Path {0}).Path", "(Get-Item '{0}').FullName",
             "(Convert-Path '{0}')", "(gi {0})")  # fmt: skip
    return chance.choice(forms).format(raw)


def _folder_call(raw: str, chance: random.Random) -> str | None:
    if not raw.startswith(HOME + "\\"):
        return None
    forms = ("([Environment]::GetFolderPath('UserProfile') + '{0}')",
             "\"$([Environment]::GetFolderPath('UserProfile')){0}\"",
             "([Environment]::GetEnvironmentVariable('USERPROFILE') + '{0}')",
             "([Environment]::ExpandEnvironmentVariables('%USERPROFILE%{0}'))")  # fmt: skip
    return chance.choice(forms).format(raw[len(HOME) :])


def _registry(raw: str, chance: random.Random) -> str | None:
    found = _REGISTRY.fullmatch(raw)
    if found is None:
        return None
    hive, rest = found[1].upper(), found[2]
    long = _HIVES[hive]
    forms = ("Registry::{1}\\{2}", "registry::{0}\\{2}", "{3}:\\{2}", "{0}:{2}", "{0}:/{4}",
             "Microsoft.PowerShell.Core\\Registry::{1}\\{2}", "'{0}:\\{2}\\'")  # fmt: skip
    return chance.choice(forms).format(hive, long, rest, hive.lower(), rest.replace("\\", "/"))


def _changed_folder(*forms: str) -> Rewrite:
    """From the folder above the path; only for one command with one path."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        words = [w for _, w in _paths(shape, True)]
        if shape.only is None or len(words) != 1 or not is_absolute(words[0].raw):
            return None
        head, _, tail = words[0].raw.rpartition("\\")
        if not tail or head.endswith(":"):
            return None
        form = chance.choice(forms)
        return form.format(head) + put(text, words[0], chance.choice((tail, f".\\{tail}")))

    return rewrite


PATHS = (
    *(
        respelling(name, _spelled(spelling, name in ("forward-slashes", "mixed-slashes")))
        for name, spelling in PLACES.items()
    ),
    respelling("known-variable", _spelled(_variable)),
    respelling("home-tilde", _spelled(_tilde, True)),
    respelling("current-folder", _spelled(_current)),
    respelling("provider-path", _spelled(_provider, True)),
    respelling("joined-path", _spelled(_joined)),
    respelling("resolved-path", _spelled(_resolved)),
    respelling("folder-call", _spelled(_folder_call)),
    respelling("registry-path", _spelled(_registry, True)),
    respelling(
        "changed-folder",
        _changed_folder(
            "Set-Location {0}; ",
            "cd '{0}'\n",
            "sl {0};",
            "Push-Location {0}; ",
            "Set-Location -LiteralPath '{0}'; ",
        ),
    ),
)
