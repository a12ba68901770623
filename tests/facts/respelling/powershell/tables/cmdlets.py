"""Cmdlets of the seeds: module, aliases, places of parameters, beginnings that fit only one.

From the reference pages of the modules Microsoft.PowerShell.* and from about_Aliases.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_M, _U, _C = (f"Microsoft.PowerShell.{part}" for part in ("Management", "Utility", "Core"))


@dataclass(frozen=True, slots=True)
class Cmdlet:
    """One cmdlet as its page shows it; ``ends`` are switches, which take no value."""

    name: str
    module: str
    aliases: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    piped: str = ""


def _row(name: str, module: str, *rest: str) -> Cmdlet:
    """``rest``: aliases, places and switches as words, and the parameter that is piped in."""
    aliases, places, switches, piped = (*rest, "", "", "", "")[:4]
    return Cmdlet(name, module, *(tuple(t.split()) for t in (aliases, places, switches)), piped)


CMDLETS: Mapping[str, Cmdlet] = {
    row.name.lower(): row
    for row in (
        _row("Remove-Item", _M, "ri rm rmdir del erase rd", "Path", "Recurse Force", "Path"),
        _row("Get-Content", _M, "gc cat type", "Path", "Raw Force Wait", "Path"),
        _row("Set-Content", _M, "", "Path Value", "Force NoNewline PassThru"),
        _row("Add-Content", _M, "ac", "Path Value", "Force NoNewline PassThru"),
        _row("Clear-Content", _M, "clc", "Path", "Force"),
        _row("Copy-Item", _M, "copy cp cpi", "Path Destination", "Recurse Force PassThru", "Path"),
        _row("Move-Item", _M, "move mv mi", "Path Destination", "Force PassThru", "Path"),
        _row("Rename-Item", _M, "ren rni", "Path NewName", "Force PassThru"),
        _row("New-Item", _M, "ni", "Path", "Force"),
        _row("Get-Item", _M, "gi", "Path", "Force", "Path"),
        _row(
            "Get-ChildItem",
            _M,
            "gci ls dir",
            "Path Filter",
            "Recurse Force Name Directory File",
            "Path",
        ),
        _row("Test-Path", _M, "", "Path", "IsValid", "Path"),
        _row("Resolve-Path", _M, "rvpa", "Path", "Relative", "Path"),
        _row("Join-Path", _M, "", "Path ChildPath", "Resolve"),
        _row("Set-ItemProperty", _M, "sp", "Path Name Value", "Force PassThru"),
        _row("New-ItemProperty", _M, "", "Path Name", "Force"),
        _row("Stop-Service", _M, "spsv", "Name", "Force NoWait PassThru"),
        _row("Set-Service", _M, "", "Name", "Force PassThru"),
        _row("New-Service", _M, "", "Name BinaryPathName", ""),
        _row("Get-Service", _M, "gsv", "Name", "RequiredServices"),
        _row("Get-Process", _M, "gps ps", "Name", "Module"),
        _row("Get-Location", _M, "gl pwd", "", "Stack"),
        _row("Stop-Computer", _M, "", "ComputerName", "Force AsJob"),
        _row("Restart-Computer", _M, "", "ComputerName", "Force Wait"),
        _row("Clear-EventLog", _M, "", "LogName", ""),
        _row("Select-String", _U, "sls", "Pattern Path", "SimpleMatch Quiet List"),
        _row("Out-File", _U, "", "FilePath Encoding", "Force Append"),
        _row("Write-Output", _U, "echo write", "InputObject", "NoEnumerate"),
        _row("Write-Host", _U, "", "Object", "NoNewline"),
        _row("Invoke-WebRequest", _U, "iwr", "Uri", "UseBasicParsing PassThru"),
        _row("Invoke-RestMethod", _U, "irm", "Uri", "UseBasicParsing PassThru"),
        _row("Invoke-Expression", _U, "iex", "Command", ""),
        _row("Get-FileHash", _U, "", "Path", ""),
        _row("Start-Sleep", _U, "sleep", "Seconds", ""),
        _row("Sort-Object", _U, "sort", "Property", "Descending Unique"),
        _row("Select-Object", _U, "select", "Property", "Unique"),
        _row("Compare-Object", _U, "compare diff", "ReferenceObject DifferenceObject", ""),
        _row(
            "Compress-Archive",
            "Microsoft.PowerShell.Archive",
            "",
            "Path DestinationPath",
            "Force Update",
        ),
        _row("Expand-Archive", "Microsoft.PowerShell.Archive", "", "Path DestinationPath", "Force"),
        _row("Get-Command", _C, "gcm", "Name", "All"),
        _row(
            "Set-ExecutionPolicy",
            "Microsoft.PowerShell.Security",
            "",
            "ExecutionPolicy Scope",
            "Force",
        ),
        _row("Set-MpPreference", "Defender", "", "", "Force"),
        _row("Add-MpPreference", "Defender", "", "", "Force"),
        _row("Set-NetFirewallProfile", "NetSecurity", "", "", "All PassThru"),
        _row("Clear-Disk", "Storage", "", "Number", "RemoveData RemoveOEM"),
        _row("Format-Volume", "Storage", "", "DriveLetter", "Force Full"),
        _row("Register-ScheduledTask", "ScheduledTasks", "", "TaskName", "Force"),
        _row("Add-LocalGroupMember", "Microsoft.PowerShell.LocalAccounts", "", "Group Member", ""),
    )
}
BY_ALIAS = {alias: row for row in CMDLETS.values() for alias in row.aliases}

# Beginnings that fit one parameter of every cmdlet above that has it.
SHORT: Mapping[str, tuple[str, ...]] = {
    "recurse": ("rec", "recu", "recurs"),
    "force": ("fo", "for", "forc"),
    "literalpath": ("lit", "lp", "literalp", "pspath"),
    "destination": ("des", "dest", "destin"),
    "value": ("va", "val"),
    "newname": ("new", "newn"),
    "itemtype": ("it", "item", "type"),
    "filter": ("fi", "filt"),
    "include": ("inc", "incl"),
    "uri": ("ur",),
    "method": ("me", "meth"),
    "infile": ("infi",),
    "outfile": ("outf", "outfi"),
    "usebasicparsing": ("useb", "usebasic"),
    "logname": ("log", "ln"),
    "executionpolicy": ("ex", "exec"),
    "removedata": ("removed", "removeda"),
    "startuptype": ("startupt",),
    "totalcount": ("to", "total", "first", "head"),
    "tail": ("ta", "last"),
    "pattern": ("patt", "patte"),
    "disablerealtimemonitoring": ("disablerealt", "drtm"),
    "exclusionpath": ("exclusionpa",),
    "destinationpath": ("destinationp",),
    "whatif": ("wi", "wh"),
    "confirm": ("cf", "con"),
    "erroraction": ("ea", "errora"),
}


def cmdlet_of(name: str) -> Cmdlet | None:
    """The cmdlet of a name, an alias or a qualified name."""
    plain = name.lower().rpartition("\\")[2]
    return CMDLETS.get(plain) or BY_ALIAS.get(plain)
