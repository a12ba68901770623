"""Who a program is: its canonical name, and under which name its table is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from defenseclaw.core.facts import Dialect
from defenseclaw.facts.paths import clean
from defenseclaw.facts.powershell import ALIASES
from defenseclaw.facts.tables.programs import OWN_SCRIPTS, PROJECT_PROGRAMS
from defenseclaw.facts.windows.other_names import mounted_drive

# Folders that hold installed programs; a name below any other folder is a file of the project.
_PROGRAM_FOLDERS = frozenset(
    {"bin", "sbin", ".bin", "scripts", "shims", "system32", "syswow64", "v1.0"}
)
_TRUSTED_PREFIXES = (
    "/bin/", "/sbin/", "/usr/", "/opt/", "/snap/", "/nix/", "/run/current-system/", "/system/",
    "/library/", "/applications/",
)  # fmt: skip
# Behind a drive's letter: every program below was installed, in a folder of its own.
_INSTALLED = (
    ":/windows/", ":/program files/", ":/program files (x86)/", ":/progra~",
    ":/programdata/chocolatey/",
)  # fmt: skip
_INSTALLED_PARTS = (
    "/appdata/local/programs/", "/appdata/local/microsoft/windowsapps/", "/appdata/roaming/npm/",
    "/appdata/local/pnpm/", "/appdata/local/microsoft/winget/", "/scoop/", "/.dotnet/tools/",
    ":/python", ":/msys64/", ":/cygwin", ":/tools/", ":/strawberry/", ":/ruby",
)  # fmt: skip
# Parts of folder names that mark a private environment of a language.
_ENVIRONMENT_PARTS = (
    "venv/", "/.bin/", "/env/", ".local/", ".cargo/", "vendor/bin/", "/.pyenv/", "/.nvm/",
)  # fmt: skip
_EXECUTABLE_SUFFIXES = (".exe", ".com")
_LAUNCHER_SUFFIXES = (".cmd", ".bat")
_VERSION = re.compile(r"(?<=[a-z])-?\d+(?:\.\d+)*$")


@dataclass(frozen=True, slots=True)
class Identity:
    """``program`` is the fact, ``lookup`` the names in the tables, ``path`` a project file."""

    program: str
    lookup: tuple[str, ...]
    path: bool = False
    windows: bool = False  # spelled as only Windows does

    @property
    def known(self) -> str:
        """The program that a launcher such as ``npm.cmd`` starts, if its own name says nothing."""
        stem, _, suffix = self.program.rpartition(".")
        return stem if stem in self.lookup and f".{suffix}" in _LAUNCHER_SUFFIXES else self.program


@lru_cache(maxsize=4096)
def identify(name: str, dialect: Dialect) -> Identity:
    """Identify a program by the word that names it."""
    windows = dialect in (Dialect.POWERSHELL, Dialect.CMD)
    if name.startswith("=") and not windows:
        name = name[1:] or name  # zsh puts the path of that program there
    low = name.replace("\\", "/").lower() if windows or name[1:3] == ":\\" else name.lower()
    if dialect is Dialect.POWERSHELL and (low in ALIASES or low.startswith("[")):
        return Identity(ALIASES.get(low, low), (ALIASES.get(low, low), low))
    low = mounted_drive(low).lower() or low
    folder, slash, base = low.rpartition("/")
    if slash and base in PROJECT_PROGRAMS:
        return Identity(base, (base,), True)
    if slash and (not base or not _is_installed(low, folder)):
        return Identity(clean(low) if low.startswith("/") else low, (), True)
    if dialect is Dialect.CMD and base.endswith(_LAUNCHER_SUFFIXES) and base[:-4] in OWN_SCRIPTS:
        return Identity(base, (), True)
    stem = base
    for suffix in _EXECUTABLE_SUFFIXES:
        stem = stem.removesuffix(suffix)
    stem = stem or base  # `.exe` alone is a name, too
    launched = [stem.removesuffix(s) for s in _LAUNCHER_SUFFIXES if stem.endswith(s)]
    names = [stem, *launched]
    bare = _VERSION.sub("", stem)
    if bare != stem:
        names.append(bare)
    return Identity(stem, tuple(names), windows=stem != base)


def _is_installed(low: str, folder: str) -> bool:
    parent = folder.rpartition("/")[2]
    if low[1:].startswith(_INSTALLED) or any(part in low for part in _INSTALLED_PARTS):
        return True
    if low.startswith(_TRUSTED_PREFIXES):
        return parent in _PROGRAM_FOLDERS or low.startswith(("/bin/", "/sbin/"))
    if parent not in ("bin", ".bin", "scripts"):
        return False
    return any(part in low for part in _ENVIRONMENT_PARTS)
