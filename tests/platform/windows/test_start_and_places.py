"""Command lines, the logon value, the system's own folders, and the table of calls."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.platform.logon import LogonError, LogonStart, NoLogonEntry
from defenseclaw.platform.windows.logon import MAX_COMMAND_CHARS, RUN_VALUE, RunValue
from defenseclaw.platform.windows.places import Places
from defenseclaw.platform.windows.quoting import command_line
from defenseclaw.platform.windows.signatures import SIGNATURES
from tests.harness.windows import FakeWindows

PYTHON = "C:\\Users\\Zoë O'Neil\\venv\\Scripts\\python.exe"
HOME = "C:\\Users\\Zoë O'Neil\\.defenseclaw"
NATIVE = Path("src/defenseclaw/platform/windows/native.py")


def split(line: str) -> list[str]:
    """The C library's rules, written down a second time: quotes group, backslashes escape them."""
    words, word, quoted, at, begun = [], "", False, 0, False
    while at < len(line):
        slashes = len(line[at:]) - len(line[at:].lstrip("\\"))
        after = line[at + slashes : at + slashes + 1]
        if slashes and after == '"':
            word, begun, at = word + "\\" * (slashes // 2), True, at + slashes
            if slashes % 2:
                word, at = word + '"', at + 1
        elif slashes:
            word, begun, at = word + "\\" * slashes, True, at + slashes
        elif line[at] == '"':
            quoted, begun, at = not quoted, True, at + 1
        elif line[at] in " \t" and not quoted:
            words += [word] if begun else []
            word, begun, at = "", False, at + 1
        else:
            word, begun, at = word + line[at], True, at + 1
    return words + ([word] if begun else [])


@given(st.lists(st.text(alphabet="ab \\\"'\t%&é", max_size=8), min_size=1, max_size=4))
def test_a_command_line_splits_into_the_words_it_was_made_of(words: list[str]) -> None:
    assert split(command_line(words)) == words


@pytest.mark.parametrize(
    "words,line",
    [
        (["a", "b"], "a b"),
        (["C:\\a b\\p.exe", "x"], '"C:\\a b\\p.exe" x'),
        (["C:\\a b\\"], '"C:\\a b\\\\"'),
        (['a"b'], '"a\\"b"'),
        (['a\\"b'], '"a\\\\\\"b"'),
        ([""], '""'),
        (["C:\\a\\b"], "C:\\a\\b"),
    ],
)
def test_recorded_command_lines(words: list[str], line: str) -> None:
    assert command_line(words) == line


def test_the_gateway_starts_at_logon_without_a_window() -> None:
    fake = FakeWindows()
    entry = RunValue(fake, PYTHON, HOME)
    assert entry.state() is LogonStart.OFF
    assert entry.enable()
    assert not entry.enable()
    assert fake.run_values == {
        RUN_VALUE: '"C:\\Users\\Zoë O\'Neil\\venv\\Scripts\\pythonw.exe"'
        ' -I -m defenseclaw.gateway --home "C:\\Users\\Zoë O\'Neil\\.defenseclaw"'
    }
    assert entry.state() is LogonStart.ON
    assert entry.disable()
    assert not entry.disable()
    assert fake.run_values == {}


def test_a_moved_installation_takes_its_own_value_over() -> None:
    fake = FakeWindows(run_values={RUN_VALUE: RunValue(FakeWindows(), "D:\\py.exe", HOME).command})
    entry = RunValue(fake, PYTHON, HOME)
    assert entry.state() is LogonStart.OTHER
    assert entry.enable()
    assert entry.state() is LogonStart.ON


def test_a_value_of_another_program_stays() -> None:
    fake = FakeWindows(run_values={RUN_VALUE: "C:\\other.exe", "Another": "x"})
    entry = RunValue(fake, PYTHON, HOME)
    assert entry.state() is LogonStart.OTHER
    with pytest.raises(LogonError, match="another program"):
        entry.enable()
    assert not entry.disable()
    assert fake.run_values == {RUN_VALUE: "C:\\other.exe", "Another": "x"}


def test_a_command_that_the_system_would_not_run_is_refused() -> None:
    fake = FakeWindows()
    with pytest.raises(LogonError, match=str(MAX_COMMAND_CHARS)):
        RunValue(fake, PYTHON, "C:\\" + "x" * 300).enable()
    assert not fake.run_values


def test_a_registry_that_refuses_is_reported() -> None:
    fake = FakeWindows()
    fake.plant("set_run_value", RUN_VALUE, [5])
    with pytest.raises(LogonError, match="registry refuses") as caught:
        RunValue(fake, PYTHON, HOME).enable()
    assert caught.value.hint


def test_an_interpreter_without_a_window_stays_itself() -> None:
    command = RunValue(FakeWindows(), "C:\\p\\pythonw.exe", "C:\\h").command
    assert command.startswith("C:\\p\\pythonw.exe -I ")


def test_other_systems_refuse_with_the_way_out() -> None:
    entry = NoLogonEntry()
    assert entry.state() is LogonStart.OFF
    assert not entry.disable()
    with pytest.raises(LogonError) as caught:
        entry.enable()
    assert "service manager" in caught.value.hint


def test_places_come_from_the_system() -> None:
    places = Places(FakeWindows())
    assert str(places.profile()) == "C:\\Users\\Zoë O'Neil"
    assert str(places.managed_policy()) == "C:\\ProgramData\\DefenseClaw\\policy.toml"
    assert places.program_files() == "C:\\Program Files"
    assert places.command_shell() == "C:\\Windows\\System32\\cmd.exe"
    assert places.powershell() == ("C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe")


def test_a_machines_setting_is_found_by_key_and_name() -> None:
    fake = FakeWindows(machine_values={("SOFTWARE\\Policies\\A", "Settings"): "{}"})
    places = Places(fake)
    assert places.machine_setting("SOFTWARE\\Policies\\A\\Settings") == "{}"
    assert places.machine_setting("SOFTWARE\\Policies\\B\\Settings") is None


@pytest.mark.parametrize(
    "raised,session,said", [(False, 1, ""), (True, 1, "administrator"), (False, 0, "service")]
)
def test_setup_is_for_the_user_who_runs_the_agents(raised: bool, session: int, said: str) -> None:
    problem = Places(FakeWindows(raised=raised, in_session=session)).setup_problem()
    assert said in problem
    assert bool(problem) is bool(said)


def test_every_call_is_declared_and_every_declaration_is_called() -> None:
    names = {
        node.args[0].value
        for node in ast.walk(ast.parse(NATIVE.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("_must", "_function")
        and isinstance(node.args[0], ast.Constant)
    }
    assert names == set(SIGNATURES)


def test_every_call_takes_as_many_arguments_as_are_declared() -> None:
    for node in ast.walk(ast.parse(NATIVE.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or any(isinstance(a, ast.Starred) for a in node.args):
            continue
        direct = isinstance(node.func, ast.Call) and ast.unparse(node.func.func) == "_function"
        via_must = isinstance(node.func, ast.Name) and node.func.id == "_must"
        if not (direct or via_must) or (not node.args and via_must):
            continue
        name = node.args[0] if via_must else node.func.args[0]  # type: ignore[attr-defined]
        given_count = len(node.args) - via_must
        if isinstance(name, ast.Constant):
            assert given_count == len(SIGNATURES[name.value].arguments), name.value


def test_no_shell_and_no_list_tool_is_used_for_protection() -> None:
    for path in NATIVE.parent.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"icacls|takeown|shell=True|os\.system", text), path.name
