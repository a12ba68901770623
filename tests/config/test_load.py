"""Reading the configuration: strict, with the place of each error."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.config import Source, StateMode, load_config, parse_config
from defenseclaw.core.posture import Posture
from defenseclaw.core.verdict import FailMode, Mode, Profile
from defenseclaw.errors import ConfigError
from defenseclaw.platform import DataHome

FULL = """\
config_version = 1
[gateway]
port = 4000
[guardrail]
mode = "observe"
profile = "strict"
block_message = "ask the platform team"
[guardrail.state]
chains = "shadow"
[guardrail.connectors.a]
mode = "ACTION"
fail_mode = "open"
human_approval = false
contract = "c1"
agent_version = "1.2"
config_home = "/h"
[guardrail.connectors.b]
enabled = false
"""


def write(tmp_path: Path, data: bytes, mode: int = 0o600) -> DataHome:
    home = DataHome(tmp_path / "home")
    home.create()
    home.config.write_bytes(data)
    home.config.chmod(mode)
    return home


def test_every_value_is_read_and_resolved() -> None:
    config = parse_config(FULL.encode(), "f")
    assert config.port == 4000
    assert (config.state.chains, config.state.gate) == (StateMode.SHADOW, StateMode.ON)
    assert config.posture("a") == Posture(
        enabled=True, mode=Mode.ACTION, fail_mode=FailMode.OPEN, profile=Profile.STRICT,
        human_approval=False, block_message="ask the platform team",
    )  # fmt: skip
    assert not config.posture("b").enabled
    assert list(config.connectors) == ["a", "b"]
    entry = config.connectors["a"]
    assert (entry.contract, entry.agent_version, entry.config_home) == ("c1", "1.2", "/h")
    assert config.warnings == ()


def test_the_source_of_each_value_is_known() -> None:
    config = parse_config(FULL.encode(), "f")
    assert config.source("a", "mode") is Source.CONNECTOR
    assert config.source("a", "profile") is Source.GLOBAL
    assert config.source("b", "fail_mode") is Source.DEFAULT


def test_an_empty_file_means_the_defaults() -> None:
    config = parse_config(b"", "f")
    assert config.posture("x") == Posture()
    assert config.posture("x").fail_mode is FailMode.CLOSED
    assert config.enabled


def test_the_global_switch_is_stronger_than_an_entry() -> None:
    text = b"[guardrail]\nenabled = false\n[guardrail.connectors.a]\nenabled = true\n"
    config = parse_config(text, "f")
    assert not config.enabled
    assert not config.posture("a").enabled


@pytest.mark.parametrize("word", ["", " ", "Closed", "closed", "never", "opened", "0"])
def test_only_open_opens_and_an_unknown_word_is_reported(word: str) -> None:
    config = parse_config(f'[guardrail]\nfail_mode = "{word}"\n'.encode(), "f")
    assert config.posture("x").fail_mode is FailMode.CLOSED
    unknown = word.strip().lower() not in ("", "closed")
    assert bool(config.warnings) is unknown


@pytest.mark.parametrize("word", ["open", " OPEN "])
def test_open_is_kept(word: str) -> None:
    config = parse_config(f'[guardrail]\nfail_mode = "{word}"\n'.encode(), "f")
    assert config.posture("x").fail_mode is FailMode.OPEN


REFUSED = {
    "guardrail.mod is not a known key": "[guardrail]\nmod = 'observe'",
    "gateway.host is not a known key": "[gateway]\nhost = '0.0.0.0'",
    "guardrail.connectors.x.hook is not": "[guardrail.connectors.x]\nhook = 1",
    "guardrail.mode has an unknown value": "[guardrail]\nmode = 'enforce'",
    "guardrail.connectors.x.profile has": "[guardrail.connectors.x]\nprofile = 3",
    "guardrail.state.chains has an unknown": "[guardrail.state]\nchains = 'yes'",
    "guardrail.state has an unknown value": "[guardrail]\nstate = 'maybe'",
    "guardrail.state.x is not a known key": "[guardrail.state]\nx = 'on'",
    "guardrail.enabled is neither true nor": "[guardrail]\nenabled = 'yes'",
    "guardrail.block_message is not a text": f"[guardrail]\nblock_message = '{'x' * 501}'",
    "gateway.port is not a port": "[gateway]\nport = 0",
    "gateway.port is not": "[gateway]\nport = true",
    "gateway is not a table": "gateway = 1",
    "guardrail.connectors is not a table": "[guardrail]\nconnectors = []",
    "guardrail.connectors.x is not a table": "[guardrail.connectors]\nx = 1",
    "config_version is not 1": "config_version = 2",
    "config_version is not": "config_version = true",
    "not valid TOML .*line 2": "a = 1\nb = ]\n",
    "not valid TOML": "[gateway]\n[gateway]",
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_protection_depends_on_is_strict(message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        parse_config(REFUSED[message].encode(), "the-file")
    assert "the-file" in caught.value.what
    assert caught.value.impact
    assert caught.value.hint


def test_the_allowed_values_are_named() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config(b"[guardrail]\nmode = 'x'", "f")
    assert all(mode.value in caught.value.hint for mode in Mode)


def test_other_sections_are_kept_and_unknown_ones_reported() -> None:
    config = parse_config(b"[notifications]\nx = 1\n[notification]\ny = 2\n", "f")
    assert config.sections["notifications"] == {"x": 1}
    assert len(config.warnings) == 1
    assert "notification is not" in config.warnings[0]


def test_a_mark_in_front_is_accepted_and_other_encodings_are_not() -> None:
    assert parse_config("\ufeff[gateway]\nport = 7\n".encode(), "f").port == 7
    with pytest.raises(ConfigError, match="not UTF-8"):
        parse_config("a = 1".encode("utf-16"), "f")


def test_a_missing_file_names_the_next_step(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="does not exist") as caught:
        load_config(DataHome(tmp_path))
    assert "setup" in caught.value.hint


@pytest.mark.parametrize("mode", [0o660, 0o602])
def test_a_file_that_others_can_change_is_refused(tmp_path: Path, mode: int) -> None:
    home = write(tmp_path, FULL.encode(), mode)
    with pytest.raises(ConfigError, match="changed by other users"):
        load_config(home)


def test_links_and_large_files_are_refused(tmp_path: Path) -> None:
    home = write(tmp_path, b"# " + b"x" * (1024 * 1024))
    with pytest.raises(ConfigError, match="larger"):
        load_config(home)
    os.replace(home.config, tmp_path / "real")
    home.config.symlink_to(tmp_path / "real")
    with pytest.raises(ConfigError, match="symbolic link"):
        load_config(home)


@given(
    st.binary(max_size=80) | st.text("[]{}=.\"'#\\ \nagurdilconetwyp1", max_size=60).map(str.encode)
)
def test_any_bytes_are_a_configuration_or_a_configuration_error(data: bytes) -> None:
    with contextlib.suppress(ConfigError):
        assert parse_config(data, "f").posture("x")


@pytest.mark.parametrize(
    "folder", ["/etc/packs/house", "C:\\packs\\house", "D:/p", "\\\\srv\\x", ""]
)
def test_a_rule_pack_is_an_absolute_folder_or_none(folder: str) -> None:
    config = parse_config(f"[guardrail]\nrule_pack_dir = '{folder}'\n".encode(), "f")
    assert config.posture("x").rule_pack_dir == folder


@pytest.mark.parametrize(
    "value", ["'house'", "'~/house'", "'./x'", "7", "'/a\\nb'", "true", "' /a'"]
)
def test_other_places_of_a_rule_pack_are_refused(value: str) -> None:
    text = f"[guardrail]\nrule_pack_dir = {value}\n".replace("'", '"')
    with pytest.raises(ConfigError, match="rule_pack_dir is not an absolute path"):
        parse_config(text.encode(), "f")


def test_empty_text_of_an_agent_is_stronger_than_the_common_pack() -> None:
    text = '[guardrail]\nrule_pack_dir = "/p"\n[guardrail.connectors.a]\nrule_pack_dir = ""\n'
    config = parse_config(text.encode(), "f")
    assert config.posture("a").rule_pack_dir == ""
    assert config.posture("b").rule_pack_dir == "/p"


@pytest.mark.parametrize(
    "folder, profile",
    [
        ("/p/strict", Profile.STRICT),
        ("/p/Permissive/", Profile.PERMISSIVE),
        ("C:\\\\p\\\\STRICT", Profile.STRICT),
        ("/p/balanced", Profile.DEFAULT),
        ("/p/default", Profile.DEFAULT),
        ("/strict/house", Profile.DEFAULT),
    ],
)
def test_a_packs_folder_may_be_named_after_its_profile(folder: str, profile: Profile) -> None:
    text = f'[guardrail]\nrule_pack_dir = "{folder}"\n'
    config = parse_config(text.encode(), "f")
    assert config.posture("x").profile is profile
    named = not folder.endswith("house")
    assert config.source("x", "profile") is (Source.RULE_PACK if named else Source.DEFAULT)
    said = parse_config((text + 'profile = "permissive"\n').encode(), "f")
    assert said.posture("x").profile is Profile.PERMISSIVE
    assert said.source("x", "profile") is Source.GLOBAL
