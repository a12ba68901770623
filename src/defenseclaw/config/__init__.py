"""The configuration file of the product: reading, editing, and the value in force."""

from defenseclaw.config.documents import (
    Document,
    DocumentError,
    json_document,
    same,
    toml_document,
)
from defenseclaw.config.edit import edit_config, edited, read_snapshot, restore_snapshot
from defenseclaw.config.load import load_config, parse_config
from defenseclaw.config.model import (
    CONFIG_VERSION,
    SETTING_NAMES,
    Config,
    ConnectorEntry,
    GuardSettings,
    Source,
    StateMode,
    StateSettings,
)

__all__ = [
    "CONFIG_VERSION",
    "SETTING_NAMES",
    "Config",
    "ConnectorEntry",
    "Document",
    "DocumentError",
    "GuardSettings",
    "Source",
    "StateMode",
    "StateSettings",
    "edit_config",
    "edited",
    "json_document",
    "load_config",
    "parse_config",
    "read_snapshot",
    "restore_snapshot",
    "same",
    "toml_document",
]
