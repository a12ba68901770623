"""Changing our configuration keeps the rest of it; what was removed leaves no trace."""

from __future__ import annotations

import pytest

from defenseclaw.config import edited
from defenseclaw.errors import ConfigError

ENTRY = ("guardrail", "connectors", "codex")
FRESH = b'# mine\nconfig_version = 1\n\n[guardrail]\nmode = "observe"\n'
BARE = b"config_version = 1\n\n[gateway]\nport = 1\n"


@pytest.mark.parametrize("before", [FRESH, BARE], ids=["with-guardrail", "without"])
def test_removing_the_last_connector_leaves_the_file_as_it_was(before: bytes) -> None:
    added = edited(before, {(*ENTRY, "mode"): "action", (*ENTRY, "enabled"): True})
    assert b"[guardrail.connectors.codex]" in added
    assert edited(added, {ENTRY: None}) == before


def test_removing_one_connector_keeps_the_other() -> None:
    two = edited(FRESH, {(*ENTRY, "mode"): "action", (*ENTRY[:2], "other", "mode"): "observe"})
    left = edited(two, {ENTRY: None})
    assert b"codex" not in left
    assert b"[guardrail.connectors.other]" in left


def test_removing_what_is_not_there_changes_nothing() -> None:
    assert edited(FRESH, {ENTRY: None}) == FRESH


def test_table_in_the_way_of_a_key_is_refused() -> None:
    with pytest.raises(ConfigError):
        edited(b"guardrail = 1\n", {(*ENTRY, "mode"): "action"})
