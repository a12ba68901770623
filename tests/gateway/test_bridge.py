"""A plugin counts as ours only while it is byte for byte what setup wrote."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from defenseclaw.config import Config, ConnectorEntry
from defenseclaw.connectors import CONNECTORS
from defenseclaw.gateway.runtime import installed_bridge
from defenseclaw.platform import host_platform

TEXT = b"// some plugin\n"
BRIDGED = {"opencode": "v7", "amp": "v2"}


def config(key: str, digest: str) -> Config:
    return Config(connectors={key: ConnectorEntry(plugin_sha256=digest)})


def install(home: Path, key: str, text: bytes) -> dict[str, str]:
    file = home / CONNECTORS[key].registration.files[host_platform()]
    file.parent.mkdir(parents=True)
    file.write_bytes(text)
    return {key: str(home)}


@pytest.mark.parametrize(("key", "revision"), BRIDGED.items())
def test_unchanged_plugin_has_its_revision(tmp_path: Path, key: str, revision: str) -> None:
    folders = install(tmp_path, key, TEXT)
    digest = hashlib.sha256(TEXT).hexdigest()
    assert installed_bridge(key, config(key, digest), folders) == revision


@pytest.mark.parametrize("key", BRIDGED)
def test_changed_missing_or_unrecorded_plugin_has_none(tmp_path: Path, key: str) -> None:
    digest = hashlib.sha256(TEXT).hexdigest()
    assert installed_bridge(key, config(key, digest), {key: str(tmp_path)}) == ""
    folders = install(tmp_path, key, TEXT + b"// edited\n")
    assert installed_bridge(key, config(key, digest), folders) == ""
    assert installed_bridge(key, config(key, ""), folders) == ""
    assert installed_bridge(key, Config(), folders) == ""


def test_agent_without_a_plugin_has_none() -> None:
    assert installed_bridge("codex", config("codex", "x"), {}) == ""
