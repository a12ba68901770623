"""A folder with policy data and Rego modules: plain files only, of bounded number and size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from defenseclaw.core.jsontext import JsonTextError, parse_object
from defenseclaw.core.limits import (
    MAX_PAYLOAD_DEPTH,
    MAX_REGO_BYTES,
    MAX_REGO_MODULE_BYTES,
    MAX_REGO_MODULES,
)
from defenseclaw.errors import PolicyError, RulePackError
from defenseclaw.platform import read_pack

MODULE = ".rego"
NESTED = "rego/"  # where modules are looked for first
TEST = "_test.rego"  # tests of modules are no policy
DOCUMENTS = ("data.json", "data-sandbox.json")  # a later one replaces top-level keys


@dataclass(frozen=True, slots=True)
class PolicyFolder:
    """What a folder holds: documents in their order, and modules by their path."""

    documents: tuple[Mapping[str, Any], ...] = ()
    modules: Mapping[str, str] = field(default_factory=dict)


def read_policy_folder(folder: Path) -> PolicyFolder:
    """Everything that counts in a folder. Raises PolicyError."""
    try:
        found = read_pack(folder, _chosen)
    except RulePackError as error:
        raise PolicyError(error.path, error.reason) from None
    return PolicyFolder(
        tuple(_document(name, found[name]) for name in DOCUMENTS if name in found),
        _modules({name: raw for name, raw in found.items() if name.endswith(MODULE)}),
    )


def _chosen(names: Sequence[str]) -> Sequence[str]:
    prefix = NESTED if any(name.startswith(NESTED) for name in names) else ""
    modules = [
        name
        for name in names
        if name.startswith(prefix)
        and "/" not in name.removeprefix(prefix)
        and name.endswith(MODULE)
        and not name.endswith(TEST)
    ]
    if len(modules) > MAX_REGO_MODULES:
        raise PolicyError(".", f"there are more than {MAX_REGO_MODULES} modules")
    return [*(name for name in DOCUMENTS if name in names), *modules]


def _document(name: str, raw: bytes) -> Mapping[str, Any]:
    try:
        return parse_object(raw, max_depth=MAX_PAYLOAD_DEPTH)
    except JsonTextError as error:
        raise PolicyError(name, str(error)) from None


def _modules(found: Mapping[str, bytes]) -> dict[str, str]:
    if sum(map(len, found.values())) > MAX_REGO_BYTES:
        raise PolicyError(".", f"the modules have more than {MAX_REGO_BYTES} bytes")
    modules = {}
    for name, raw in found.items():
        if len(raw) > MAX_REGO_MODULE_BYTES:
            raise PolicyError(name, f"has more than {MAX_REGO_MODULE_BYTES} bytes")
        try:
            modules[name] = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise PolicyError(name, "is not UTF-8") from None
    return modules
