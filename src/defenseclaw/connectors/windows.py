"""What is registered on Windows: an encoded command for the system's PowerShell, or words. Pure.

The encoded script never changes: it reads the launcher in the data home, whose content may. The
host has read standard input before a script begins, so the script hands on what the host took; a
host that takes nothing leaves it to the client.
"""

from __future__ import annotations

import base64
import binascii
import ntpath
from collections.abc import Iterator, Mapping

from defenseclaw.connectors.launcher import (
    CLIENT_STATUS,
    MARKER,
    TOMBSTONE_MARKER,
    HookSettings,
    UnsafeValueError,
    interpreter_variables,
    is_unsafe,
    missing_text,
)
from defenseclaw.core.verdict import FailMode

ENCODED_OPTIONS = "-NoLogo -NoProfile -NonInteractive -EncodedCommand"
MAX_ENCODED_CHARS = 8000  # an agent may start it with the command interpreter, which takes 8191
_COMMAND_NAMES = ("command", "command_windows", "commandWindows")
# Windows PowerShell ends a text in single quotes at any of these.
_QUOTES = "'‘’‚‛"
_MARKER_START = MARKER.rpartition("v")[0] + "v"

_BOOTSTRAP = """\
$ErrorActionPreference = 'Stop'
$env:NoDefaultCurrentDirectoryInExePath = '1'
$ProgressPreference = 'SilentlyContinue'
$given = @($input)
$launcher = {launcher}
$missing = {missing}
try {{
  $text = [System.IO.File]::ReadAllText($launcher)
  if (-not $text.StartsWith({marker})) {{ throw 'not a launcher' }}
  $block = [ScriptBlock]::Create($text)
  & $block $given
}} catch {{ }}
try {{
  [Console]::Error.WriteLine($missing)
}} catch {{
  Microsoft.PowerShell.Utility\\Write-Error $missing -ErrorAction Continue
}}
exit 2
"""

_LAUNCHER = """\
{marker}
# Written by `defenseclaw setup`; do not edit. Connector {connector}, fail mode {fail_mode}.
param($given)
$python = {python}
$boot = {boot}
$conf = {conf}
$code = -1
try {{
  foreach ($name in {variables}) {{
    [System.Environment]::SetEnvironmentVariable($name, $null)
  }}
  $there = $true
  foreach ($file in $python, $boot, $conf) {{
    $there = $there -and [System.IO.File]::Exists($file)
  }}
  if ($there) {{
    $start = [System.Diagnostics.ProcessStartInfo]::new()
    $start.FileName = $python
    $start.Arguments = '-I -S "' + $boot + '" "' + $conf + '"'
    $start.UseShellExecute = $false
    $start.RedirectStandardInput = $given.Count -gt 0
    $child = [System.Diagnostics.Process]::Start($start)
    if ($given.Count -gt 0) {{
      try {{
        $bytes = [Console]::InputEncoding.GetBytes($given -join "`n")
        $child.StandardInput.BaseStream.Write($bytes, 0, $bytes.Length)
        $child.StandardInput.Close()
      }} catch {{ }}
    }}
    $child.WaitForExit()
    $code = $child.ExitCode
  }}
}} catch {{ }}
# An interpreter ends with 0 or 2 on its own as well, so the client's last word is another one.
if ($code -eq {let_go}) {{ exit 0 }}
if ($code -eq {refused}) {{ exit 2 }}
# No verdict and no client: a finished turn is let go, so that an agent cannot loop on it.
$text = $given -join "`n"
if (-not $text.Contains('"tool_name":')) {{
  if ($text.Contains('"stop_hook_active":true') -or $text.Contains('"stop_hook_active": true')) {{
    exit 0
  }}
}}
[Console]::Error.WriteLine({message})
exit {status}
"""

_TOMBSTONE = """\
{marker}
# DefenseClaw was removed here; running agents may still name this file.
exit 0
"""


def bootstrap_script(launcher: str) -> str:
    """The registered script: run the launcher, and refuse where there is none."""
    return _BOOTSTRAP.format(
        launcher=literal(launcher),
        missing=literal(missing_text("blocking")),
        marker=literal(_MARKER_START),
    )


def powershell_launcher(settings: HookSettings, *, boot: str, settings_file: str) -> str:
    """The launcher that the registered script runs; every path in it is absolute."""
    open_mode = settings.fail_mode is FailMode.OPEN
    if any('"' in word or word.endswith("\\") for word in (boot, settings_file)):
        raise UnsafeValueError("path")
    return _LAUNCHER.format(
        marker=MARKER,
        connector=settings.connector,
        fail_mode=settings.fail_mode.value,
        python=literal(settings.python),
        boot=literal(boot),
        conf=literal(settings_file),
        variables=", ".join(map(literal, interpreter_variables())),
        let_go=CLIENT_STATUS[0],
        refused=CLIENT_STATUS[2],
        message=literal(missing_text("allowing" if open_mode else "blocking")),
        status=0 if open_mode else 2,
    )


def powershell_tombstone() -> str:
    """The inert launcher that stays where running agents still look for it."""
    return _TOMBSTONE.format(marker=TOMBSTONE_MARKER)


def encoded_command(powershell: str, script: str) -> str:
    """The command line that runs a script with the system's own PowerShell."""
    if is_unsafe(powershell) or '"' in powershell:
        raise UnsafeValueError("path")
    text = base64.b64encode(script.encode("utf-16-le")).decode("ascii")
    program = f'"{powershell}"' if " " in powershell else powershell
    command = f"{program} {ENCODED_OPTIONS} {text}"
    if len(command) > MAX_ENCODED_CHARS:
        raise UnsafeValueError("path")
    return command


def decode_command(command: str) -> str | None:
    """The script of such a command line; None for any other."""
    _, mark, text = command.partition(f" {ENCODED_OPTIONS} ")
    if not mark:
        return None
    try:
        return base64.b64decode(text.strip(), validate=True).decode("utf-16-le")
    except (binascii.Error, UnicodeDecodeError):
        return None


def registered_paths(handler: Mapping[str, object]) -> Iterator[str]:
    """Every path that a handler may run or read first: words, a command, a script's first text.

    In lower case: names differ by case on no drive of Windows that we know.
    """
    for name in _COMMAND_NAMES:
        command = handler.get(name)
        if isinstance(command, str):
            script = decode_command(command)
            yield from _scripts_paths(script) if script is not None else (command.lower(),)
    words = handler.get("args")
    for word in words if isinstance(words, list) else []:
        if isinstance(word, str):
            yield word.lower()


def is_below(path: str, folder: str) -> bool:
    """Whether a path, as ``registered_paths`` gives it, is in a folder of Windows."""
    start = folder.lower().rstrip("\\/")
    return path.startswith((start + "\\", start + "/"))


def literal(value: str) -> str:
    """A PowerShell text that stands for exactly these characters."""
    if is_unsafe(value):
        raise UnsafeValueError("path")
    return "'" + "".join(c * 2 if c in _QUOTES else c for c in value) + "'"


def _scripts_paths(script: str) -> Iterator[str]:
    """The texts that a script of ours gives to names, as they are meant."""
    for line in script.splitlines():
        name, mark, text = line.strip().partition(" = '")
        if mark and name.startswith("$") and text.endswith("'"):
            value = text[:-1]
            for quote in _QUOTES:
                value = value.replace(quote * 2, quote)
            if ntpath.isabs(value) or value.startswith("/"):
                yield value.lower()
