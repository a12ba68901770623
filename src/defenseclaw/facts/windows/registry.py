"""Keys of the registry: their one spelling, and what they decide over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from defenseclaw.core.labels import PathLabel as L
from defenseclaw.core.labels import Trait
from defenseclaw.facts.tables import windows as table

# Stores of certificates that all programs believe, as a drive of PowerShell and in the registry.
_ANCHORS = re.compile(
    r"(?i)(?:cert:[\\/]\w+|hk(?:lm|cu)/software/(?:policies/)?microsoft/(?:systemcertificates|enterprisecertificates))"
    r"[\\/](?:root|authroot|ca|trustedpublisher)(?:[\\/]|$)"
)
_CONTROL_SET = re.compile(r"(?<=/)controlset\d{3}(?=/|$)")
_HASHED = frozenset({"hklm/sam", "hklm/security", "hklm/system"})


def canonical(key: str) -> str:
    """A lower-case key in its first spelling: without views and copies of the same tree."""
    key = key.lower().replace("/wow6432node", "")
    key = _CONTROL_SET.sub("currentcontrolset", key)
    hive, _, below = key.partition("/")
    if hive == "hkcr":
        return f"hklm/software/classes/{below}".rstrip("/")
    if hive == "hku" and below:
        owner, _, below = below.partition("/")
        classes = owner.endswith("_classes")
        return f"hkcu/software/classes/{below}" if classes else f"hkcu/{below}".rstrip("/")
    return key


def labels_of_key(key: str) -> Iterator[L]:
    """What a key, or a key with the name of its value behind it, is."""
    key = canonical(key)
    hive, _, below = key.partition("/")
    if not below:
        yield L.SYSTEM_ROOT
    if key in table.REGISTRY_TREES:
        yield L.SYSTEM_TREE
    if _is_in(below, table.REGISTRY_START) or _is_handler(below):
        yield L.AUTOSTART
    if _is_in(below, table.REGISTRY_SECRETS):
        yield L.TOKEN_STORE
    if key in _HASHED or key.startswith(("hklm/sam/", "hklm/security/")):
        yield L.SHADOW
    if hive == "hklm" and below.startswith("bcd00000000"):
        yield L.BOOT


def traits_of_change(key: str) -> tuple[Trait, ...]:
    """What a command does that changes a key or a certificate: some decide over the scanner, the
    firewall, what is logged, or who is believed."""
    if _ANCHORS.match(key):
        return (Trait.TRUST_ANCHOR,)
    protects = _is_in(canonical(key).partition("/")[2], table.REGISTRY_PROTECTION)
    return (Trait.PROTECTION_OFF,) if protects else ()


def _is_in(below: str, keys: Iterable[str]) -> bool:
    return any(below == key or below.startswith(f"{key}/") for key in keys)


def _is_handler(below: str) -> bool:
    if not below.startswith("software/classes/"):
        return False
    return not table.REGISTRY_HANDLERS.isdisjoint(below.split("/"))
