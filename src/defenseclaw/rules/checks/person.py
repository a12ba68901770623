"""Social security numbers: a valid number and a reason to believe that it is one."""

from __future__ import annotations

import csv
import re

NEAR = 256  # a second distinct number within this distance is context enough
LABEL_REACH = 80
MAX_NEIGHBOURS = 16
MAX_TABLE_LOOKBACK = 64 * 1024
_NUMBER = re.compile(r"(?<![\d-])(\d{3})-?(\d{2})-?(\d{4})(?![\d-])")
_LABEL = re.compile(
    r"(?i)\b(?:ssn|social[ _-]?security(?:[ _-]?(?:number|no|#))?|taxpayer[ _-]?id\w*)\b"
)
_NOT_A_NUMBER = re.compile(
    r"(?i)\b(?:hash|digest|sha\d*|md5|example|sample|placeholder|schema|format|regex|pattern)\b\W{0,4}$"
)
_HEADERS = frozenset(
    {"ssn", "social security", "social security number", "taxpayer id", "taxpayer identification"}
    | {"taxpayer identification number"}
)


def is_social_security(text: str, start: int, end: int) -> bool:
    """A number of a valid area, group and serial with a label, a column or a neighbour."""
    number = text[start:end]
    before = text[max(0, start - LABEL_REACH) : start]
    if not _is_valid(number) or _NOT_A_NUMBER.search(before):
        return False
    return (
        bool(_LABEL.search(before)) or _has_neighbour(text, start, end) or _in_column(text, start)
    )


def _is_valid(number: str) -> bool:
    found = _NUMBER.fullmatch(number.strip())
    if found is None:
        return False
    area, group, serial = found.groups()
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


def _has_neighbour(text: str, start: int, end: int) -> bool:
    own = text[start:end].replace("-", "")
    around = text[max(0, start - NEAR) : end + NEAR]
    for index, found in enumerate(_NUMBER.finditer(around)):
        if index >= MAX_NEIGHBOURS:
            break
        if _is_valid(found[0]) and found[0].replace("-", "") != own:
            return True
    return False


def _in_column(text: str, start: int) -> bool:
    """Whether the first line above of the same table names this column so."""
    head = text[max(0, start - MAX_TABLE_LOOKBACK) : start]
    above, newline, row = head.rpartition("\n")
    if not newline:
        return False
    header = above.rpartition("\n")[2]
    delimiter = "\t" if "\t" in header else ","
    columns = next(csv.reader([header[:4096]], delimiter=delimiter), [])
    position = len(next(csv.reader([row[:4096]], delimiter=delimiter), [""])) - 1
    if not 0 <= position < len(columns):
        return False
    name = re.sub(r"[\s_-]+", " ", columns[position].strip().lower())
    return name in _HEADERS
