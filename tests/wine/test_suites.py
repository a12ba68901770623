"""Unit tests of the pure packages once more, in a Windows interpreter."""

from __future__ import annotations

import re

import pytest

from tests.wine.guest import copy_checkout
from tests.wine.prefix import PYTHON, Wine

pytestmark = pytest.mark.wine

# The other packages' tests make links, modes and signals of POSIX; test_platform.py is for those.
FOLDERS = ("core", "cel", "policy", "engine", "connectors", "content", "telemetry", "facts/cmd")
PYTEST = r"""
import os, sys
sys.path[:0] = [r"C:\checkout", r"C:\checkout\src", r"C:\site"]
os.chdir(r"C:\checkout")
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""
SECONDS = 600.0
LEAST = 1000


def test_pure_packages_pass_their_tests_on_windows(wine: Wine) -> None:
    copy_checkout(wine.drive / "checkout")
    options = ("-p", "no:randomly", "-p", "no:cacheprovider", "--tb=short", "--no-header", "-rN")
    folders = [f"tests/{name}" for name in FOLDERS]
    argv = [PYTHON, "-I", "-X", "utf8", "-c", PYTEST, *options, *folders]
    done = wine.run(argv, wait_s=SECONDS)
    text = done.stdout.decode("utf-8", "replace")
    assert done.status == 0, text[-8000:]
    passed = re.search(r"(\d+) passed", text)
    print(f"{passed[0] if passed else 'nothing passed'} on Windows")
    assert passed is not None
    assert int(passed[1]) >= LEAST
