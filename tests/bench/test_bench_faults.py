"""Each planted fault turns the suite red: tests that notice nothing measure nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults import ROOT, Fault, read_faults

pytestmark = pytest.mark.bench
RUN_TIMEOUT_S = 900.0  # all named tests together, one after the other, beside other work
FAILED = 1  # pytest's status for failed tests; a collection that breaks has another


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source somewhere else, where it can be made wrong."""
    folder = tmp_path_factory.mktemp("planted") / "src"
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src", folder, ignore=ignored)
    return folder


def run(source: Path, tests: tuple[str, ...]) -> subprocess.CompletedProcess[str]:
    """The tests against the source in a folder."""
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=RUN_TIMEOUT_S,
        check=False,
    )


def test_copy_without_a_fault_is_green(copy: Path) -> None:
    tests = sorted({path for fault in read_faults() for path in fault.tests})
    done = run(copy, tuple(tests))
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.parametrize("fault", read_faults(), ids=lambda f: f"{f.file}: {f.why}")
def test_fault_is_noticed(copy: Path, fault: Fault) -> None:
    place = copy / "defenseclaw" / fault.file
    sound = place.read_text(encoding="utf-8")
    place.write_text(fault.planted(sound), encoding="utf-8")
    try:
        done = run(copy, fault.tests)
    finally:
        place.write_text(sound, encoding="utf-8")
    assert done.returncode == FAILED, f"{fault.why}: {done.stdout[-800:]}"
