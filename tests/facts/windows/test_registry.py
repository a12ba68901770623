"""Keys of the registry: one spelling, and what they decide over."""

from __future__ import annotations

import pytest

from defenseclaw.core.labels import Trait
from defenseclaw.facts.tables import windows as table
from defenseclaw.facts.windows.registry import canonical, labels_of_key, traits_of_change


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("HKLM/SOFTWARE/WOW6432Node/A", "hklm/software/a"),
        ("HKLM/System/ControlSet001/Services/x", "hklm/system/currentcontrolset/services/x"),
        ("HKU/S-1-5-21-7/Software/A", "hkcu/software/a"),
        ("HKU/S-1-5-21-7_Classes/A", "hkcu/software/classes/a"),
        ("HKCR/exefile", "hklm/software/classes/exefile"),
        ("HKCU", "hkcu"),
    ],
)
def test_a_key_has_one_spelling(key: str, expected: str) -> None:
    assert canonical(key) == expected


@pytest.mark.parametrize("key", table.REGISTRY_START)
@pytest.mark.parametrize("hive", ["HKCU", "HKLM", "HKU/S-1-5-21-7"])
def test_keys_that_start_programs(hive: str, key: str) -> None:
    assert "autostart" in list(labels_of_key(f"{hive}/{key}/x"))


@pytest.mark.parametrize("key", table.REGISTRY_PROTECTION)
def test_keys_that_protect(key: str) -> None:
    assert traits_of_change(f"HKLM/{key.upper()}") == (Trait.PROTECTION_OFF,)


@pytest.mark.parametrize("key", table.REGISTRY_SECRETS)
def test_keys_that_hold_secrets(key: str) -> None:
    assert "token-store" in list(labels_of_key(f"HKCU/{key}"))


def test_handlers_of_classes_start_programs() -> None:
    key = "HKCU/Software/Classes/CLSID/{1}/InprocServer32"
    assert list(labels_of_key(key)) == ["autostart"]


@pytest.mark.parametrize("key", ["HKCU/Software/MyApp", "HKCU/Console", "HKLM/Software/Running"])
def test_ordinary_keys_have_no_label(key: str) -> None:
    assert not list(labels_of_key(key))
    assert not traits_of_change(key)


def test_roots_and_hives() -> None:
    assert list(labels_of_key("HKLM")) == ["system-root"]
    assert list(labels_of_key("HKLM/SAM")) == ["system-tree", "shadow"]
