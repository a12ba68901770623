"""Images made of bytes are readable as such; that they run is shown in the Wine lane."""

from __future__ import annotations

from pathlib import Path

from tests.wine.install import TEST_TOOLS, blocks, requirements
from tests.wine.pe import exported_names, forwarding_library, printer


def test_a_forwarding_library_exports_its_names_in_order(tmp_path: Path) -> None:
    library = tmp_path / "x.dll"
    library.write_bytes(forwarding_library("x.dll", "y", ["b", "PyLong", "a"]))
    assert exported_names(library) == ["PyLong", "a", "b"]
    assert b"y.PyLong\0" in library.read_bytes()


def test_a_printer_carries_its_log_and_its_status() -> None:
    made = printer(r"C:\o\log", 7)
    assert made[:2] == b"MZ"
    assert "C:\\o\\log\0".encode("utf-16-le") in made
    assert made != printer(r"C:\o\log", 8)


def test_windows_gets_every_requirement_with_its_digests_and_no_marker() -> None:
    pins = dict(blocks(requirements()))
    assert {*TEST_TOOLS, "google-re2", "psutil"} <= pins.keys()
    for text in pins.values():
        assert "--hash=sha256:" in text
        assert ";" not in text
