"""Program tables: one file per group; an entry says what a program's words mean."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.core.facts import Dialect
from defenseclaw.facts.grammar import Entry
from defenseclaw.facts.programs import (
    agents,
    archive,
    build,
    builtins,
    catalog,
    cloud,
    cluster,
    containers,
    database,
    files,
    languages,
    launchers,
    packages,
    sending,
    services,
    shells,
    system,
    text,
    transfer,
    vcs,
    windows,
)
from defenseclaw.facts.programs.shells import BATCH_SUFFIXES, INTERPRETERS, run_file
from defenseclaw.facts.programs.variables import apply_variable

# The tests allow no name in two groups, but for interpreters that a later group extends.
POSIX: Mapping[str, Entry] = {
    **catalog.PROGRAMS,
    **build.PROGRAMS,
    **packages.PROGRAMS,
    **builtins.PROGRAMS,
    **system.PROGRAMS,
    **archive.PROGRAMS,
    **agents.PROGRAMS,
    **text.PROGRAMS,
    **files.PROGRAMS,
    **shells.PROGRAMS,
    **windows.HOSTS,
    **languages.PROGRAMS,
    **launchers.PROGRAMS,
    **transfer.PROGRAMS,
    **sending.PROGRAMS,
    **vcs.PROGRAMS,
    **containers.PROGRAMS,
    **cluster.PROGRAMS,
    **cloud.PROGRAMS,
    **database.PROGRAMS,
    **services.PROGRAMS,
}
# Programs that rarely matter: an operand with such a name does not hide a telling one behind it.
MINOR = frozenset(catalog.PROGRAMS)
# Dialects whose own commands come before the common programs.
NATIVE: Mapping[Dialect, Mapping[str, Entry]] = {
    Dialect.POWERSHELL: windows.POWERSHELL,
    Dialect.CMD: windows.CMD,
}
_TOOLS = windows.TOOLS
# Names of programs of Windows under which its Unix shells have a program of their own.
UNIX_TOO = frozenset({"expand", "hostname", "whoami", "timeout", "find", "sort", "tldr"})


def find(names: tuple[str, ...], dialect: Dialect, *, windows: bool = False) -> Entry | None:
    """The entry of the first known name; ``windows`` says that a program of Windows is meant."""
    native = NATIVE.get(dialect, _TOOLS if windows else None)
    for name in names:
        if native is not None and name in native:
            return native[name]
        entry = POSIX.get(name)
        if entry is not None:
            return entry
    return None


__all__ = [
    "BATCH_SUFFIXES",
    "INTERPRETERS",
    "MINOR",
    "POSIX",
    "UNIX_TOO",
    "apply_variable",
    "find",
    "run_file",
]
