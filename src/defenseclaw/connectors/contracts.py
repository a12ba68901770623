"""Which contract an installed agent falls under."""

from __future__ import annotations

import re
from typing import Protocol

from defenseclaw.connectors.api import Connector, Contract, ContractStatus, Version

MAX_VERSION_TEXT_CHARS = 200  # the first line of `--version`; nobody prints more
MAX_VERSION_DIGITS = 18  # state contract, section 1.6: larger components are unknown

_NUMBER = re.compile(r"(\d+)(?:\.(\d+))?(?:\.(\d+))?(-[0-9A-Za-z])?")


def parse_version(text: str) -> tuple[Version, bool] | None:
    """The first dotted number of a version text, and whether it is a prerelease; None if none."""
    found = _NUMBER.search(text[:MAX_VERSION_TEXT_CHARS])
    if found is None:
        return None
    parts = [part or "0" for part in found.group(1, 2, 3)]
    if any(len(part) > MAX_VERSION_DIGITS for part in parts):
        return None
    return (int(parts[0]), int(parts[1]), int(parts[2])), bool(found.group(4))


def resolve_contract(
    connector: Connector, version_text: str, *, opt_in: bool = False
) -> tuple[Contract | None, ContractStatus]:
    """The contract of an installed version; the newest row that covers it wins.

    An empty text means that no version was found: the reviewed default is used. ``opt_in`` admits
    rows that the operator has to ask for.
    """
    rows = [row for row in connector.contracts if opt_in or not row.opt_in]
    if not version_text.strip():
        default = next((row for row in rows if row.default), None)
        return default, ContractStatus.UNVERSIONED
    parsed = parse_version(version_text)
    if parsed is None:
        return None, ContractStatus.UNKNOWN
    for row in reversed(rows):
        if covers(row, *parsed):
            return row, ContractStatus.KNOWN
    return None, ContractStatus.UNKNOWN


class VersionRange(Protocol):
    """Half open: ``below`` is exclusive."""

    @property
    def since(self) -> Version: ...

    @property
    def below(self) -> Version | None: ...


def covers(row: VersionRange, version: Version, prerelease: bool) -> bool:
    """Ranges are half open; a prerelease sorts just below its release."""
    key = (*version, 0 if prerelease else 1)
    if key < (*row.since, 1):
        return False
    return row.below is None or key < (*row.below, 1)
