"""Writing and checking generated pages; a page whose source is gone goes as well."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.docs import NOTE, main, render_all, stale, write

WANTED = {"a.md": NOTE + "# A\n", "rules/b.md": NOTE + "# B\n"}


def test_written_pages_are_current(tmp_path: Path) -> None:
    assert write(WANTED, tmp_path) == 2
    assert not list(stale(WANTED, tmp_path))
    assert write(WANTED, tmp_path) == 0


def test_check_tells_missing_outdated_and_left_over_pages(tmp_path: Path) -> None:
    write({**WANTED, "old.md": NOTE}, tmp_path)
    (tmp_path / "a.md").write_text(NOTE + "# changed\n", encoding="utf-8")
    (tmp_path / "rules" / "b.md").unlink()
    assert list(stale(WANTED, tmp_path)) == [
        "a.md is outdated",
        "rules/b.md is missing",
        "old.md has no source any more",
    ]


def test_pages_written_by_hand_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("# Mine\n", encoding="utf-8")
    write(WANTED, tmp_path)
    assert (tmp_path / "mine.md").exists()
    assert not list(stale(WANTED, tmp_path))


def test_windows_line_ends_are_outdated(tmp_path: Path) -> None:
    write(WANTED, tmp_path)
    (tmp_path / "a.md").write_bytes((NOTE + "# A\n").replace("\n", "\r\n").encode())
    assert list(stale(WANTED, tmp_path)) == ["a.md is outdated"]


def test_pages_are_the_same_every_time() -> None:
    assert render_all() == render_all()


def test_wrong_usage_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--chekc"]) == 2
    assert "usage" in capsys.readouterr().err
