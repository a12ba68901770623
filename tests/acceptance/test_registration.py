"""Setup against agents' files as people have them: refused untouched, or changed and restorable."""

from __future__ import annotations

import json
import os
import re
import shlex
import stat
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.acceptance.conftest import CONNECTORS
from tests.harness import Product

pytestmark = pytest.mark.acceptance


def config_file(product: Product, connector: str) -> Path:
    box = product.box
    files = {
        "codex": box.codex_home / "config.toml",
        "claude-code": box.claude_home / "settings.json",
    }
    return files[connector]


# connector, what the user's file holds, a word that the refusal must name
REFUSED = {
    "codex-not-toml": ("codex", "model = [1,\n", "config.toml"),
    "codex-hooks-switched-off": ("codex", "[features]\nhooks = false\n", "hooks"),
    "codex-hooks-of-wrong-type": ("codex", 'hooks = "none"\n', "hooks"),
    "claude-not-json": ("claude-code", '{"hooks": {', "settings.json"),
    "claude-array": ("claude-code", "[]", "settings.json"),
    "claude-hooks-switched-off": ("claude-code", '{"disableAllHooks": true}', "disableAllHooks"),
    "claude-hooks-of-wrong-type": ("claude-code", '{"hooks": []}', "hooks"),
    "claude-event-of-wrong-type": ("claude-code", '{"hooks": {"PreToolUse": {}}}', "PreToolUse"),
    "claude-duplicate-keys": ("claude-code", '{"hooks": {}, "hooks": {}}', "settings.json"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_file_that_cannot_be_used_is_refused_untouched(product: Product, name: str) -> None:
    connector, text, word = REFUSED[name]
    file = config_file(product, connector)
    file.write_text(text, encoding="utf-8")
    ran = product.cli("setup", connector, "--mode", "action", "--yes").expect(1)
    assert word in ran.stderr
    assert file.read_text(encoding="utf-8") == text
    rows = product.cli("guardrail", "status", "--json").json
    assert CONNECTORS[connector] not in json.dumps(rows)


@pytest.mark.parametrize("connector", CONNECTORS)
def test_second_setup_writes_nothing(product: Product, connector: str) -> None:
    product.protect(connector)
    file = config_file(product, connector)
    before = (file.read_bytes(), file.stat().st_mtime_ns, file.stat().st_ino)
    product.protect(connector)
    assert (file.read_bytes(), file.stat().st_mtime_ns, file.stat().st_ino) == before


@pytest.mark.parametrize("connector", CONNECTORS)
def test_edit_made_after_setup_survives_removal(product: Product, connector: str) -> None:
    edits = {"codex": "\n# mine\n[tui]\nnotifications = true\n", "claude-code": ""}
    product.protect(connector)
    file = config_file(product, connector)
    text = file.read_text(encoding="utf-8")
    if connector == "claude-code":
        text = text.replace("{", '{\n  "cleanupPeriodDays": 7,', 1)
    file.write_text(text + edits[connector], encoding="utf-8")
    product.cli("setup", "remove", connector, "--yes", "--force").expect()
    left = file.read_text(encoding="utf-8")
    data = tomllib.loads(left) if connector == "codex" else json.loads(left)
    assert data in ({"tui": {"notifications": True}}, {"cleanupPeriodDays": 7})
    product.gateway("connector", "verify", "--connector", connector).expect(0)


def test_everything_in_the_data_home_is_private(product: Product) -> None:
    old = os.umask(0)
    try:
        for connector in CONNECTORS:
            product.protect(connector)
    finally:
        os.umask(old)
    for path in [product.box.data, *product.box.data.rglob("*")]:
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


def test_setups_at_the_same_time_end_in_one_whole_registration(product: Product) -> None:
    with ThreadPoolExecutor(4) as pool:
        names = [*CONNECTORS] * 2
        ran = list(pool.map(lambda name: product.cli("setup", name, "--yes"), names))
    assert [r.exit for r in ran] == [0] * 4, [r.text for r in ran]
    hooks = json.loads(config_file(product, "claude-code").read_text())["hooks"]
    assert {len(groups) for groups in hooks.values()} == {1}
    product.cli("doctor").expect(0)


@pytest.mark.parametrize("connector", CONNECTORS)
def test_lost_registration_is_mended_by_the_command_that_doctor_names(
    product: Product, connector: str
) -> None:
    product.protect(connector)
    config_file(product, connector).unlink()
    found = product.cli("doctor").expect(1).stdout
    [command] = re.findall(r"next: defenseclaw (setup .+)", found)
    product.cli(*shlex.split(command)).expect(0)
    product.cli("doctor").expect(0)
    assert "action" in product.cli("guardrail", "status").stdout


def test_removal_without_a_gateway_and_without_the_agent_works(product: Product) -> None:
    product.protect("codex")
    product.gateway("stop").expect()
    for program in (product.box.root / "agents").iterdir():
        program.unlink()
    product.cli("setup", "remove", "codex", "--yes", "--force").expect()
    assert not config_file(product, "codex").exists()
    # An agent that still runs with the old registration must not be bricked by it.
    launcher = product.box.data / "hooks" / "codex.sh"
    assert launcher.exists()
    assert product.registered_hook("codex", b"{}").expect(0).text == ""
