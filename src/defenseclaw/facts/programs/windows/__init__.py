"""What PowerShell and Windows run: cmdlets, .NET methods, and programs of the system."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.facts.grammar import Entry
from defenseclaw.facts.programs.windows import (
    accessories,
    administration,
    builtins,
    dotnet,
    hosts,
    internet,
    items,
    readings,
    running,
    shaping,
    tools,
)

# Programs of Windows that any shell starts.
TOOLS: Mapping[str, Entry] = {**accessories.PROGRAMS, **tools.PROGRAMS}
# Later tables may name what an earlier one only lists.
POWERSHELL: Mapping[str, Entry] = {
    **shaping.CMDLETS,
    **items.CMDLETS,
    **running.CMDLETS,
    **internet.CMDLETS,
    **administration.CMDLETS,
    **dotnet.CALLS,
    **TOOLS,
    **readings.EITHER,
}
# What cmd finds first: its own commands, and programs of the system folder.
CMD: Mapping[str, Entry] = {**TOOLS, **builtins.PROGRAMS, **builtins.BUILTINS}
# PowerShell and cmd themselves, wherever they are started.
HOSTS: Mapping[str, Entry] = hosts.PROGRAMS

__all__ = ["CMD", "HOSTS", "POWERSHELL", "TOOLS"]
