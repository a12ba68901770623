"""Registering hooks in agents' configuration files, and taking them out again without a trace."""

from defenseclaw.setup.apply import check_contract, check_host, install_hook, register
from defenseclaw.setup.introspect import trust_status
from defenseclaw.setup.launcher import installed_fail_mode, remove_credentials
from defenseclaw.setup.model import (
    Detection,
    Options,
    RegistrationState,
    RemovalReport,
    SetupReport,
    Step,
    TrustReport,
)
from defenseclaw.setup.probe import detect
from defenseclaw.setup.target import client_words, config_home
from defenseclaw.setup.teardown import unregister
from defenseclaw.setup.verify import residue, verify_registered

__all__ = [
    "Detection",
    "Options",
    "RegistrationState",
    "RemovalReport",
    "SetupReport",
    "Step",
    "TrustReport",
    "check_contract",
    "check_host",
    "client_words",
    "config_home",
    "detect",
    "install_hook",
    "installed_fail_mode",
    "register",
    "remove_credentials",
    "residue",
    "trust_status",
    "unregister",
    "verify_registered",
]
