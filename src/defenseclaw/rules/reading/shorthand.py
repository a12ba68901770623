"""Short enum constants in expressions.

``PathAccess.READ`` stands for the wire constant with its package and prefix. The wire spelling is
always accepted; packs that must load elsewhere use it.
"""

from __future__ import annotations

import re

from defenseclaw.core import facts

_FAMILIES = {
    "ParseStatus": (facts.ParseStatus, "PARSE_STATUS_"),
    "Dialect": (facts.Dialect, "DIALECT_"),
    "IssueCode": (facts.IssueCode, "ISSUE_CODE_"),
    "CommandKind": (facts.CommandKind, "COMMAND_KIND_"),
    "CommandEffect": (facts.CommandEffect, "COMMAND_EFFECT_"),
    "CommandContext": (facts.CommandContext, "COMMAND_CONTEXT_"),
    "QuoteKind": (facts.QuoteKind, "QUOTE_KIND_"),
    "OperationKind": (facts.OperationKind, "OPERATION_KIND_"),
    "PathAccess": (facts.PathAccess, "PATH_ACCESS_"),
    "PathFlavor": (facts.PathFlavor, "PATH_FLAVOR_"),
    "NetworkScope": (facts.NetworkScope, "NETWORK_SCOPE_"),
    "NetworkTargetKind": (facts.NetworkTargetKind, "NETWORK_TARGET_KIND_"),
    "NetworkAction": (facts.NetworkAction, "NETWORK_ACTION_"),
    "DataKind": (facts.DataKind, "DATA_KIND_"),
}
_LITERAL = r"'''.*?'''|\"\"\".*?\"\"\"|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\""
_TOKEN = re.compile(
    rf"(?s)(?P<skip>{_LITERAL}|//[^\n]*)|(?<![\w.])(?P<family>{'|'.join(_FAMILIES)})\.(?P<name>[A-Z_]+)"
)


def expand(expression: str) -> str:
    """The expression with wire constants; unknown words are left for the compiler to refuse."""
    return _TOKEN.sub(_wire, expression)


def _wire(match: re.Match[str]) -> str:
    if match["skip"] is not None:
        return match[0]
    enum, prefix = _FAMILIES[match["family"]]
    name = match["name"]
    wire = prefix + name if name in enum.__members__ else name
    return f"{facts.PACKAGE}.{match['family']}.{wire}"
