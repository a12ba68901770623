"""Every limit that is written down is enforced somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from defenseclaw.core import limits
from defenseclaw.hook import client, coldstart, failure, wire

SOURCE = Path(__file__).resolve().parents[2] / "src" / "defenseclaw"
NAMES = [name for name in vars(limits) if name.isupper()]
# The hook client imports nothing of the package and has numbers of its own.
COPIES = {
    "MAX_HOOK_BODY_BYTES": client.MAX_BODY,
    "MAX_HOOK_RESPONSE_BYTES": wire.MAX_RESPONSE,
    "HOOK_CONNECT_TIMEOUT_S": wire.CONNECT_S,
    "COLD_START_MEMORY_S": coldstart.MEMORY_S,
    "FAILURE_LOG_ROTATE_BYTES": failure.ROTATE_BYTES,
}


@pytest.mark.parametrize("name", NAMES)
def test_limit_is_enforced(name: str) -> None:
    users = [
        path
        for path in SOURCE.rglob("*.py")
        if path.name != "limits.py" and re.search(rf"\b{name}\b", path.read_text(encoding="utf-8"))
    ]
    assert users or name in COPIES


@pytest.mark.parametrize("name", COPIES)
def test_hook_client_has_the_same_number(name: str) -> None:
    assert COPIES[name] == getattr(limits, name)
