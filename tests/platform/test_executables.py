"""Finding programs: what a project could have put there is not found."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from defenseclaw.core.tool import Platform
from defenseclaw.platform import find_executable
from defenseclaw.platform.executables import MAX_SEARCH_FOLDERS, candidates


def program(path: Path, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", encoding="ascii")
    path.chmod(mode)
    return path


def find(tmp_path: Path, *folders: str, cwd: str = "work") -> Path | None:
    (tmp_path / cwd).mkdir(exist_ok=True)
    environment = {"PATH": os.pathsep.join(folders), "HOME": str(tmp_path / "home")}
    return find_executable(("tool", "other"), environment, tmp_path / cwd)


def test_the_first_usable_program_on_the_path_is_found(tmp_path: Path) -> None:
    program(tmp_path / "a" / "tool", 0o644)
    program(tmp_path / "b" / "tool", 0o757)
    (tmp_path / "c" / "tool").mkdir(parents=True)
    wanted = program(tmp_path / "d" / "other")
    program(tmp_path / "e" / "tool")
    folders = ["", ".", "rel", *(str(tmp_path / n) for n in ("none", "a", "b", "c", "d", "e"))]
    assert find(tmp_path, *folders) == wanted


def test_a_linked_program_is_judged_by_its_target(tmp_path: Path) -> None:
    real = program(tmp_path / "lib" / "tool.js")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "tool").symlink_to(real)
    assert find(tmp_path, str(tmp_path / "bin")) == tmp_path / "bin" / "tool"
    (tmp_path / "lib").rename(tmp_path / "work")
    (tmp_path / "bin" / "tool").unlink()
    (tmp_path / "bin" / "tool").symlink_to(tmp_path / "work" / "tool.js")
    assert find(tmp_path, str(tmp_path / "bin")) is None


def test_nothing_of_the_whole_repository_is_found(tmp_path: Path) -> None:
    program(tmp_path / "repo" / "bin" / "tool")
    (tmp_path / "repo" / ".git").mkdir()
    assert find(tmp_path, str(tmp_path / "repo" / "bin"), cwd="repo/deep") is None
    assert find(tmp_path, str(tmp_path / "repo" / "bin")) is not None


def test_programs_of_the_user_are_found_from_the_home_itself(tmp_path: Path) -> None:
    wanted = program(tmp_path / "home" / ".local" / "bin" / "tool")
    assert find(tmp_path, str(wanted.parent), cwd="home") == wanted


WINDOWS_PATH = {
    "Path": 'C:\\tools;relative;"C:\\a b";\\rooted;;\\\\host\\share;D:\\x',
    "PATHEXT": ".COM;.EXE;.BAT;.CMD;.VBS;.PS1",
}


def test_windows_looks_in_folders_of_drives_and_shares_and_for_each_suffix_in_order() -> None:
    found = list(candidates(["codex"], WINDOWS_PATH, Platform.WINDOWS))
    suffixes = (".com", ".exe", ".bat", ".cmd")
    folders = ("C:\\tools", "C:\\a b", "\\\\host\\share", "D:\\x")
    assert found == [f"{f}\\codex{s}" for f in folders for s in suffixes]


@pytest.mark.parametrize(
    "text,order",
    [
        (".CMD;.EXE", (".cmd", ".exe")),
        (".PS1;.PY", (".com", ".exe", ".bat", ".cmd")),
        ("", (".com", ".exe", ".bat", ".cmd")),
        (" .exe ;.EXE;.cmd", (".exe", ".cmd")),
    ],
)
def test_the_users_order_of_suffixes_holds_for_what_windows_starts(
    text: str, order: tuple[str, ...]
) -> None:
    environment = {"path": "C:\\t", "PathExt": text}
    found = candidates(["claude", "other"], environment, Platform.WINDOWS)
    assert list(found) == [f"C:\\t\\{name}{s}" for name in ("claude", "other") for s in order]


def test_names_of_variables_have_a_case_elsewhere() -> None:
    assert list(candidates(["codex"], {"Path": "/bin"}, Platform.POSIX)) == []
    found = candidates(["codex"], {"PATH": "/bin:rel:/usr/bin"}, Platform.POSIX)
    assert list(found) == ["/bin/codex", "/usr/bin/codex"]


def test_a_search_path_has_a_bound() -> None:
    path = ";".join(f"C:\\{n}" for n in range(3000))
    found = list(candidates(["x"], {"PATH": path, "PATHEXT": ".EXE"}, Platform.WINDOWS))
    assert len(found) == MAX_SEARCH_FOLDERS
