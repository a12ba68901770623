"""Package data is found where the package is installed."""

from __future__ import annotations

import hashlib

from defenseclaw.platform import catalog_files, package_file, sha256_of


def test_package_data_is_found() -> None:
    files = catalog_files()
    assert files
    assert all(name.endswith(".yaml") and data for name, data in files.items())
    boot = package_file("hook", "boot.py")
    assert sha256_of(boot) == hashlib.sha256(boot.read_bytes()).hexdigest()
