"""Tables and objects of personal data: real rows count, headers and masks do not."""

from __future__ import annotations

import pytest

from defenseclaw.rules.checks.bulk import is_address_list, is_csv_pii, is_json_pii


@pytest.mark.parametrize(
    "text, real",
    [
        ("first_name,last_name\nDana,Kim\nErin,Cole", True),
        ("first_name,last_name\nDana,Kim", False),
        ("first_name,ssn\nDana,219-09-9417", True),
        ("customer first name\tcard number\nDana\t4539", True),
        ("first_name,ssn\nREDACTED,XXXX", False),
        ("first_name,ssn\nDana", False),
        ("first_name,ssn\nDana,", False),
        ("name,age\nDana,3\nErin,4", False),
        ("first_name", False),
    ],
)
def test_tables(text: str, real: bool) -> None:
    assert is_csv_pii(text, 0, len(text.split("\n", 1)[0])) is real


@pytest.mark.parametrize(
    "text, real",
    [
        ('{"ssn": "219-09-9417", "phone": "415-555-2671"}', True),
        ('{"ssn": "219-09-9417", "social security": "219-09-9417"}', False),
        ('{"ssn": "000-00-0000", "phone": "000-000-0000"}', False),
        ('{"ssn": "string", "phone": "string"}', False),
        ('{"count": 12345, "total": 67890}', False),
    ],
)
def test_objects(text: str, real: bool) -> None:
    assert is_json_pii(text, 0, len(text)) is real


def test_a_list_of_addresses_has_several_different_ones() -> None:
    several = " ".join(f"user{n}@example.test" for n in range(5))
    assert is_address_list(several, 0, 5)
    assert not is_address_list("dana@example.test " * 9, 0, 5)
    assert not is_address_list(several[:-20], 0, 5)
