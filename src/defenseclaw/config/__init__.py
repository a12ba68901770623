"""The configuration file of the product: reading, editing, and the value in force."""

from defenseclaw.config.documents import (
    Document,
    DocumentError,
    json_document,
    same,
    toml_document,
    yaml_document,
)
from defenseclaw.config.edit import edit_config, edited, read_snapshot, restore_snapshot
from defenseclaw.config.lists import drop_row, load_lists, put_row
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
from defenseclaw.config.places import own_paths
from defenseclaw.config.suppressions import (
    MAX_LIFE_MS,
    drop_suppression,
    iso,
    load_suppressions,
    put_suppressions,
)

__all__ = [
    "CONFIG_VERSION",
    "MAX_LIFE_MS",
    "SETTING_NAMES",
    "Config",
    "ConnectorEntry",
    "Document",
    "DocumentError",
    "GuardSettings",
    "Source",
    "StateMode",
    "StateSettings",
    "drop_row",
    "drop_suppression",
    "edit_config",
    "edited",
    "iso",
    "json_document",
    "load_config",
    "load_lists",
    "load_suppressions",
    "own_paths",
    "parse_config",
    "put_row",
    "put_suppressions",
    "read_snapshot",
    "restore_snapshot",
    "same",
    "toml_document",
    "yaml_document",
]
