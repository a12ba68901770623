"""Everything that differs between agents: tables and pure functions, one module per agent."""

from defenseclaw.connectors.api import (
    ConfigFormat,
    Connector,
    Contract,
    ContractStatus,
    DecodeError,
    DecodeFault,
    Environment,
    FailureKind,
    Introspection,
    PolicyFile,
    Probe,
    Registration,
    Switch,
    Version,
)
from defenseclaw.connectors.contracts import parse_version, resolve_contract
from defenseclaw.connectors.failures import render_answers
from defenseclaw.connectors.launcher import (
    CLIENT_STATUS,
    MARKER,
    TOMBSTONE_MARKER,
    HookSettings,
    UnsafeValueError,
    launcher_name,
    launcher_text,
    settings_name,
    settings_text,
    token_name,
    tombstone_text,
)
from defenseclaw.connectors.registered import disarmed, hook_variables, switched_off
from defenseclaw.connectors.registry import CONNECTORS, find
from defenseclaw.connectors.shapes import event_name

__all__ = [
    "CLIENT_STATUS",
    "CONNECTORS",
    "MARKER",
    "TOMBSTONE_MARKER",
    "ConfigFormat",
    "Connector",
    "Contract",
    "ContractStatus",
    "DecodeError",
    "DecodeFault",
    "Environment",
    "FailureKind",
    "HookSettings",
    "Introspection",
    "PolicyFile",
    "Probe",
    "Registration",
    "Switch",
    "UnsafeValueError",
    "Version",
    "disarmed",
    "event_name",
    "find",
    "hook_variables",
    "launcher_name",
    "launcher_text",
    "parse_version",
    "render_answers",
    "resolve_contract",
    "settings_name",
    "settings_text",
    "switched_off",
    "token_name",
    "tombstone_text",
]
