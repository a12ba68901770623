"""Tables and objects that hold several people's or several kinds of personal values."""

from __future__ import annotations

import csv
import re

MAX_LINE = 4096
MIN_COLUMNS = 2
MIN_ADDRESSES = 5  # fewer are signatures, contacts and test users
_WEAK = ("first name", "last name", "firstname", "lastname", "full name")
_STRONG = (
    "ssn",
    "social security",
    "social security number",
    "credit card",
    "creditcard",
    "card number",
    "account number",
)
_BLANKED = re.compile(r"(?i)^\W*(?:redacted|masked|removed|hidden|x+|\*+|n/?a)\W*$")
_PAIR = re.compile(r'"([A-Za-z _-]{2,32})"\s*:\s*"?(\d[\d -]{3,24}\d)"?')
_ADDRESS = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,255}\.[A-Za-z]{2,24}")
_KINDS = {
    "ssn": "ssn", "socialsecurity": "ssn", "socialsecuritynumber": "ssn", "taxid": "tax",
    "creditcard": "card", "cardnumber": "card", "accountnumber": "account", "account": "account",
    "phone": "phone", "phonenumber": "phone", "passport": "passport", "passportnumber": "passport",
    "routingnumber": "routing", "mrn": "record",
}  # fmt: skip


def is_csv_pii(text: str, start: int, end: int) -> bool:
    """A header with personal columns above real rows: one for numbers, two for names alone."""
    begin = text.rfind("\n", 0, start) + 1
    lines = text[begin : begin + 4 * MAX_LINE].split("\n")[:3]
    delimiter = "\t" if "\t" in lines[0] else ","
    rows = [row for line in lines if (row := _cells(line, delimiter))]
    if not rows:
        return False
    names = [re.sub(r"[\s_-]+", " ", cell.strip().lower()) for cell in rows[0]]
    strong = [i for i, name in enumerate(names) if name.endswith(_STRONG)]
    weak = [i for i, name in enumerate(names) if name.endswith(_WEAK)]
    if len(strong) + len(weak) < MIN_COLUMNS:
        return False
    needed = 1 if strong else 2
    data = rows[1 : needed + 1]
    return len(data) == needed and all(_is_data(row, len(names), strong + weak) for row in data)


def is_json_pii(text: str, start: int, end: int) -> bool:
    """At least two kinds of labelled numbers in one flat object."""
    kinds = set()
    for name, value in _PAIR.findall(text[start:end]):
        kind = _KINDS.get(re.sub(r"[^a-z]", "", name.lower()))
        if kind and len(set(value)) > 2:
            kinds.add(kind)
    return len(kinds) >= MIN_COLUMNS


def is_address_list(text: str, start: int, end: int) -> bool:
    """Several different e-mail addresses from here on: a list of people, not a contact."""
    found: set[str] = set()
    for address in _ADDRESS.finditer(text, start):
        found.add(address[0].lower())
        if len(found) >= MIN_ADDRESSES:
            return True
    return False


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line.strip("\r")[:MAX_LINE]], delimiter=delimiter), [])
    except csv.Error:
        return []


def _is_data(row: list[str], width: int, columns: list[int]) -> bool:
    if len(row) != width:
        return False
    values = [row[index].strip() for index in columns]
    return all(values) and not all(_BLANKED.match(value) for value in values)
