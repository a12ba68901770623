"""The list of planted faults is complete and fits the source."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.faults import ROOT, SOURCE, Fault, read_faults

MIN_FAULTS = 3  # for each package, from the project's style


@pytest.mark.parametrize("fault", read_faults(), ids=lambda f: f"{f.file}: {f.why}")
def test_fault_has_exactly_one_place(fault: Fault) -> None:
    text = (SOURCE / fault.file).read_text(encoding="utf-8")
    assert text.count(fault.find) == 1
    assert fault.planted(text) != text
    assert all((ROOT / path).exists() for path in fault.tests)


def test_every_package_has_its_faults() -> None:
    packages = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()}
    counted = Counter(fault.package for fault in read_faults())
    assert {name for name in packages if counted[name] < MIN_FAULTS} == set()
