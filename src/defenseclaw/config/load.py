"""Reading ``config.toml``: strict where protection depends on it, with the place of each error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from defenseclaw.config.managed import load_managed
from defenseclaw.config.model import (
    CONFIG_VERSION,
    SETTING_NAMES,
    Config,
    ConnectorEntry,
    GuardSettings,
    StateMode,
    StateSettings,
)
from defenseclaw.config.tables import Reader, read_flag, read_folder, read_text, word_reader
from defenseclaw.config.wrappers import read_wrappers
from defenseclaw.core.limits import DEFAULT_PORT
from defenseclaw.core.tool import Wrapper
from defenseclaw.core.verdict import FailMode, Mode, Profile, parse_fail_mode
from defenseclaw.errors import ConfigError
from defenseclaw.platform import DataHome, Trust, UnsafeFileError, read_bounded

MAX_CONFIG_BYTES = 1024 * 1024  # a file that people write by hand
_PORTS = range(1, 65536)
_TOP = ("config_version", "gateway", "guardrail", "analysis")
# Tables that other parts of the product read; anything else is reported as a likely misspelling.
_SECTIONS = ("assets", "audit", "notifications", "rules", "telemetry", "webhooks")
_ENTRY_TEXTS = ("agent_version", "contract", "config_home", "plugin_sha256")
_IMPACT = "the gateway keeps its last good configuration; a stopped one does not start"


def load_config(home: DataHome) -> Config:
    """The configuration of a data home. Raises ConfigError, also when there is none yet."""
    try:
        data = read_bounded(home.config, MAX_CONFIG_BYTES, Trust.OWN)
    except FileNotFoundError:
        raise ConfigError(
            f"{home.config} does not exist",
            impact="no agent is protected: nothing has been set up for this user",
            hint="run `defenseclaw setup <agent>`",
        ) from None
    except UnsafeFileError as error:
        raise ConfigError(error.what, impact=_IMPACT, hint=error.hint) from error
    config = parse_config(data, str(home.config))
    managed, warnings = load_managed(home)
    return replace(config, managed=managed, warnings=(*config.warnings, *warnings))


def parse_config(data: bytes, file: str) -> Config:
    """The configuration in a file's bytes; ``file`` names it in messages. Raises ConfigError."""
    reader = Reader(file, _IMPACT)
    document = reader.document(data)
    version = document.get("config_version", CONFIG_VERSION)
    if version != CONFIG_VERSION or isinstance(version, bool):
        reader.refuse("config_version", f"is not {CONFIG_VERSION}", "use the release that wrote it")
    gateway = reader.table(document, "gateway")
    reader.only(gateway, "gateway.", ("port",))
    guardrail = reader.table(document, "guardrail")
    reader.only(guardrail, "guardrail.", (*SETTING_NAMES, "state", "connectors"))
    entries = reader.table(guardrail, "connectors", "guardrail.")
    return Config(
        port=_port(gateway.get("port", DEFAULT_PORT), reader),
        guardrail=_settings(guardrail, "guardrail.", reader),
        connectors={key: _entry(entries, key, reader) for key in entries},
        state=_state(guardrail, reader),
        wrappers=_wrappers(document, reader),
        sections=_sections(document, reader),
        warnings=tuple(reader.warnings),
    )


def _port(value: object, reader: Reader) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value in _PORTS:
        return value
    reader.refuse("gateway.port", "is not a port", "use a number from 1 to 65535")


def _sections(document: Mapping[str, Any], reader: Reader) -> dict[str, Any]:
    for name in document:
        if name not in _TOP and name not in _SECTIONS:
            reader.warnings.append(f"{reader.file}: {name} is not a known key and has no effect")
    return {name: value for name, value in document.items() if name not in _TOP}


def _settings(table: Mapping[str, Any], prefix: str, reader: Reader) -> GuardSettings:
    values = {
        name: _SETTINGS[name](table[name], prefix + name, reader)
        for name in SETTING_NAMES
        if name in table
    }
    return GuardSettings(**values)


def _entry(entries: Mapping[str, Any], key: str, reader: Reader) -> ConnectorEntry:
    prefix = f"guardrail.connectors.{key}."
    table = reader.table(entries, key, "guardrail.connectors.")
    reader.only(table, prefix, (*SETTING_NAMES, *_ENTRY_TEXTS))
    texts = {name: read_text(table.get(name, ""), prefix + name, reader) for name in _ENTRY_TEXTS}
    return ConnectorEntry(settings=_settings(table, prefix, reader), **texts)


def _state(guardrail: Mapping[str, Any], reader: Reader) -> StateSettings:
    value = guardrail.get("state", {})
    if isinstance(value, str):
        both = word_reader(StateMode)(value, "guardrail.state", reader)
        return StateSettings(both, both)
    table = reader.table(guardrail, "state", "guardrail.")
    reader.only(table, "guardrail.state.", ("chains", "gate"))
    return StateSettings(
        **{
            key: word_reader(StateMode)(text, f"guardrail.state.{key}", reader)
            for key, text in table.items()
        }
    )


def _wrappers(document: Mapping[str, Any], reader: Reader) -> tuple[Wrapper, ...]:
    table = reader.table(document, "analysis")
    reader.only(table, "analysis.", ("wrappers",))
    return read_wrappers(table.get("wrappers", []), reader.refuse)


def _fail_mode(value: object, key: str, reader: Reader) -> FailMode:
    mode = parse_fail_mode(value)
    if mode is FailMode.CLOSED and str(value).strip().lower() not in ("", FailMode.CLOSED):
        reader.warnings.append(f"{reader.file}: {key} has an unknown value; it means closed")
    return mode


_SETTINGS: dict[str, Callable[[object, str, Reader], Any]] = {
    "enabled": read_flag,
    "mode": word_reader(Mode),
    "fail_mode": _fail_mode,
    "profile": word_reader(Profile),
    "human_approval": read_flag,
    "block_message": read_text,
    "rule_pack_dir": read_folder,
}
