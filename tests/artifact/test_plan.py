"""Which files of a call are scripts, and which of them may justify more than detection."""

from __future__ import annotations

import pytest

from defenseclaw.artifact import MAX_SCRIPTS, plan
from defenseclaw.core.tool import Platform, ToolCall
from defenseclaw.engine.evaluate import SHELL_SPECS
from defenseclaw.facts import analyze

W = "C:\\Users\\u\\p"


def planned(command: str, shell: str = "posix", cwd: str = "") -> list[tuple[str, str, bool]]:
    platform = Platform.POSIX if shell == "posix" else Platform.WINDOWS
    folder = cwd or ("/home/u/p" if platform is Platform.POSIX else W)
    call = ToolCall("shell", {"command": command}, folder, "/home/u", platform, SHELL_SPECS[shell])
    found = plan(analyze(call, {}).facts, platform)
    return [(c.path, c.language, c.may_enforce) for c in found]


@pytest.mark.parametrize("shell", ["sh", "bash", "zsh", "dash", "ksh", "/bin/bash", "bash -e"])
def test_named_shell_decides_the_language(shell: str) -> None:
    assert planned(f"{shell} s") == [("/home/u/p/s", "posix", True)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("source s.sh", [("/home/u/p/s.sh", "posix", True)]),
        (". ./s.sh", [("/home/u/p/s.sh", "posix", True)]),
        ("./s.sh", [("/home/u/p/s.sh", "", True)]),
        ("./run", [("/home/u/p/run", "", True)]),
        ("/opt/x/../y/run a b", [("/opt/y/run", "", True)]),
        ("pwsh -File s.ps1", [("/home/u/p/s.ps1", "powershell", True)]),
        ("bash s a b", [("/home/u/p/s", "posix", True)]),
        ("ls; ./run", [("/home/u/p/run", "", True)]),
    ],
)
def test_script_of_a_call(command: str, expected: list[tuple[str, str, bool]]) -> None:
    assert planned(command) == expected


@pytest.mark.parametrize(
    "command",
    [
        "true || bash s", "bash s && x", "x && bash s", "bash s > f", "bash s < f", "env bash s",
        "sudo bash s", "nohup bash s", "command bash s", "exec bash s", "bash s | cat",
        "x | bash s", "bash s &", "if x; then bash s; fi", "f() { bash s; }; f", "! bash s",
        "bash s \"$X\"", "FOO=1 bash s", "bash s; bash t", "(bash s)", "{ bash s; }",
        "sh -c 'bash s'", "timeout 5 bash s", "cd /tmp && bash s", "bash s; echo $X > $Y",
        "bash s; echo hi", "echo hi; bash s",
    ],
)  # fmt: skip
def test_anything_around_the_script_leaves_detection_only(command: str) -> None:
    """193: one static path on its own is the only uncertainty that may be replaced."""
    found = planned(command)
    assert found
    assert not any(may_enforce for _, _, may_enforce in found)


@pytest.mark.parametrize(
    "command",
    [
        "bash $X", "bash -n s", "sh -n s", "dash -n s", "bash -o noexec s", "python3 x.py",
        "node x.js", "cat s.sh", "echo ./s.sh", "bash -c 'ls'", "make", "docker run x ./s.sh",
        "ssh host ./s.sh", "chmod +x s.sh", "s.sh",
    ],
)  # fmt: skip
def test_no_script_of_this_machine(command: str) -> None:
    """194"""
    assert planned(command) == []


def test_switched_on_again_it_runs() -> None:
    """194"""
    assert planned("bash -n +n s") == [("/home/u/p/s", "posix", True)]


@pytest.mark.parametrize(
    "command",
    ["echo ls > s; bash s", "cp a s; bash s", "tee s < a; bash s", "sed -i s/a/b/ s; bash s"],
)
def test_what_the_call_itself_writes_is_not_read(command: str) -> None:
    """The bytes on disk are not those that will run."""
    assert planned(command) == []


def test_relative_path_without_a_known_folder_is_no_candidate() -> None:
    call = ToolCall("shell", {"command": "bash s"}, "", "", Platform.POSIX, SHELL_SPECS["posix"])
    assert plan(analyze(call, {}).facts, Platform.POSIX) == ()


def test_only_the_first_scripts_are_read() -> None:
    """204"""
    found = planned("; ".join(f"bash s{i}" for i in range(6)))
    assert [path for path, _, _ in found] == [f"/home/u/p/s{i}" for i in range(MAX_SCRIPTS)]


def test_one_script_named_twice_is_read_once() -> None:
    assert len(planned("bash s; bash ./s")) == 1


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("powershell -File x.ps1", (f"{W}\\x.ps1", "powershell")),
        ("pwsh x.ps1", (f"{W}\\x.ps1", "powershell")),
        ("& '.\\x.ps1'", (f"{W}\\x.ps1", "powershell")),
        (".\\x.ps1", (f"{W}\\x.ps1", "powershell")),
        (". .\\x.ps1", (f"{W}\\x.ps1", "powershell")),
        (".\\x.cmd", (f"{W}\\x.cmd", "cmd")),
        (".\\x.bat", (f"{W}\\x.bat", "cmd")),
        (".\\X.PS1", (f"{W}\\X.PS1", "powershell")),
        ("bash x.sh", (f"{W}\\x.sh", "posix")),
        ("C:\\t\\x.ps1", ("C:\\t\\x.ps1", "powershell")),
    ],
)
def test_windows_goes_by_its_own_suffixes(command: str, expected: tuple[str, str]) -> None:
    """215"""
    assert [found[:2] for found in planned(command, "powershell")] == [expected]


@pytest.mark.parametrize("name", ["x.ps1", "x.cmd", "x.bat"])
def test_suffix_proves_nothing_to_a_posix_shell(name: str) -> None:
    """199"""
    assert [language for _, language, _ in planned(f"./{name}")] == [""]


@pytest.mark.parametrize(
    "path",
    [
        "\\\\srv\\s\\x.ps1", "\\\\?\\C:\\x.ps1", "\\\\.\\C:\\x.ps1", "C:x.ps1", "x.ps1:ads",
        "\\x.ps1", "C:\\a\\nul.ps1", "C:\\con\\x.ps1", "C:\\a \\x.ps1", "C:\\a.\\x.ps1",
        "//srv/s/x.ps1",
    ],
)  # fmt: skip
def test_places_that_are_not_plain_local_files_are_left_alone(path: str) -> None:
    """216"""
    assert planned(f"powershell -File '{path}'", "powershell") == []
