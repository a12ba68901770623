"""What is registered on Windows: recorded texts, and how they are recognised again."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.connectors import (
    MARKER,
    TOMBSTONE_MARKER,
    HookSettings,
    UnsafeValueError,
    bootstrap_script,
    decode_command,
    encoded_command,
    is_below,
    powershell_launcher,
    powershell_tombstone,
    registered_paths,
)
from defenseclaw.connectors.windows import literal
from defenseclaw.core.facts import Dialect, IssueCode
from defenseclaw.core.verdict import FailMode
from defenseclaw.facts import analyze
from tests.facts.describe import shell_call

GOLDEN = Path(__file__).parent / "golden" / "windows"
POWERSHELL = "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe"
HOMES = (
    "C:\\Users\\dev\\.defenseclaw",
    "C:\\Users\\Zoë O'Neil\\.defenseclaw",
    "D:\\データ home\\guard",
    "C:\\Users\\$env:x`n\\${y}\\.defenseclaw",
    "C:\\Users\\O’Neil ‘x‚ ‛\\.defenseclaw",
)
PATHS = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=40).map(
    "C:\\{}".format
)


def settings(mode: FailMode) -> HookSettings:
    home = HOMES[1]
    return HookSettings(
        connector="codex",
        home=home,
        address="127.0.0.1:18970",
        token_file=f"{home}\\hooks\\codex.token",
        fail_mode=mode,
        python="C:\\Users\\Zoë O'Neil\\venv\\Scripts\\python.exe",
    )


def launcher(mode: FailMode) -> str:
    boot = "C:\\Users\\Zoë O'Neil\\venv\\Lib\\site-packages\\defenseclaw\\hook\\boot.py"
    return powershell_launcher(
        settings(mode), boot=boot, settings_file=f"{HOMES[1]}\\hooks\\codex.conf"
    )


TEXTS = {
    "registered.ps1": bootstrap_script(f"{HOMES[1]}\\hooks\\codex.ps1"),
    "launcher-closed.ps1": launcher(FailMode.CLOSED),
    "launcher-open.ps1": launcher(FailMode.OPEN),
    "tombstone.ps1": powershell_tombstone(),
    "command.txt": encoded_command(POWERSHELL, bootstrap_script(f"{HOMES[0]}\\hooks\\codex.ps1"))
    + "\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_are_those_that_were_reviewed(name: str) -> None:
    assert TEXTS[name] == (GOLDEN / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [n for n in TEXTS if n.endswith(".ps1")])
def test_scripts_are_powershell_and_have_no_fault_of_syntax(name: str) -> None:
    facts = analyze(shell_call(TEXTS[name], shell="powershell")).facts
    assert facts.parse.dialect is Dialect.POWERSHELL
    assert set(facts.parse.issues) <= {IssueCode.DYNAMIC_WORD}


@pytest.mark.parametrize("home", HOMES)
def test_the_command_is_the_systems_powershell_with_one_encoded_script(home: str) -> None:
    script = bootstrap_script(f"{home}\\hooks\\codex.ps1")
    command = encoded_command(POWERSHELL, script)
    start = f"{POWERSHELL} -NoLogo -NoProfile -NonInteractive -EncodedCommand "
    assert command.startswith(start)
    raw = base64.b64decode(command.removeprefix(start), validate=True)
    assert raw.decode("utf-16-le") == script == decode_command(command)
    assert list(registered_paths({"command": command})) == [f"{home}\\hooks\\codex.ps1".lower()]


def test_the_command_does_not_depend_on_settings_and_the_launcher_does() -> None:
    assert TEXTS["registered.ps1"].count("closed") == 0
    assert launcher(FailMode.OPEN) != launcher(FailMode.CLOSED)
    assert launcher(FailMode.OPEN).rstrip().endswith("exit 0")
    assert launcher(FailMode.CLOSED).rstrip().endswith("exit 2")
    assert launcher(FailMode.CLOSED).splitlines()[0] == MARKER
    assert powershell_tombstone().splitlines()[0] == TOMBSTONE_MARKER


def test_no_command_of_a_module_is_needed_before_the_verdict() -> None:
    # A module is looked for in folders that a variable names, which a project can set.
    before_failure = TEXTS["registered.ps1"].partition("Microsoft.PowerShell.Utility")[0]
    for text in (before_failure, TEXTS["launcher-closed.ps1"]):
        for word in ("New-Object", "Start-Process", "Get-Content", "Write-", "Test-Path", "Set-"):
            assert word not in text


@given(PATHS)
def test_any_path_is_found_again_in_what_is_registered(home: str) -> None:
    path = f"{home}\\hooks\\x.ps1"
    try:
        command = encoded_command(POWERSHELL, bootstrap_script(path))
    except UnsafeValueError:
        return
    found = list(registered_paths({"command": "other", "command_windows": command}))
    assert path.lower() in found


@given(st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=30))
def test_a_literal_ends_where_it_should(value: str) -> None:
    inner = literal(value)[1:-1]
    quotes = "'‘’‚‛"
    at = 0
    read = ""
    while at < len(inner):
        if inner[at] in quotes:
            assert inner[at : at + 2] == inner[at] * 2
            at += 1
        read += inner[at]
        at += 1
    assert read == value


@pytest.mark.parametrize("value", ["a\nb", "a\x00", "a\x7f", "\ud800"])
def test_control_characters_are_refused(value: str) -> None:
    for act in (literal, bootstrap_script, lambda v: encoded_command(v, "x")):
        with pytest.raises(UnsafeValueError):
            act(value)


@pytest.mark.parametrize("path", ['C:\\a"b', "C:\\a\\"])
def test_paths_that_would_end_a_word_of_the_client_are_refused(path: str) -> None:
    with pytest.raises(UnsafeValueError):
        powershell_launcher(settings(FailMode.CLOSED), boot=path, settings_file="C:\\x")
    with pytest.raises(UnsafeValueError):
        powershell_launcher(settings(FailMode.CLOSED), boot="C:\\x", settings_file=path)


def test_a_command_line_that_would_be_cut_is_refused() -> None:
    with pytest.raises(UnsafeValueError):
        encoded_command(POWERSHELL, "x" * 4000)


def test_a_system_folder_with_a_space_is_quoted() -> None:
    assert encoded_command("C:\\My Windows\\powershell.exe", "x").startswith('"C:\\My Windows\\')


@pytest.mark.parametrize(
    "handler,found",
    [
        ({}, []),
        ({"command": 1, "args": "x"}, []),
        ({"command": "C:\\X\\Y.exe"}, ["c:\\x\\y.exe"]),
        ({"command": "p", "args": ["-I", 1, "C:\\H\\x.conf"]}, ["p", "-i", "c:\\h\\x.conf"]),
        ({"commandWindows": "C:\\A"}, ["c:\\a"]),
        ({"command": f"{POWERSHELL} -NoLogo -NoProfile -NonInteractive -EncodedCommand %%"},
         [f"{POWERSHELL} -NoLogo -NoProfile -NonInteractive -EncodedCommand %%".lower()]),
    ],
)  # fmt: skip
def test_what_a_handler_leads_to(handler: dict[str, object], found: list[str]) -> None:
    assert list(registered_paths(handler)) == found


@pytest.mark.parametrize(
    "path,inside",
    [
        ("c:\\h\\hooks\\x.ps1", True),
        ("c:\\h\\hooks/x.ps1", True),
        ("c:\\h\\hooks", False),
        ("c:\\h\\hooks2\\x.ps1", False),
        ("type c:\\h\\hooks\\x", False),
    ],
)
def test_a_folder_holds_what_is_below_it(path: str, inside: bool) -> None:
    assert is_below(path, "C:\\H\\hooks") is inside
    assert is_below(path, "C:\\H\\hooks\\") is inside
