"""Tools that are several tools: one argument says which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from defenseclaw.core.tool import ToolSpec


def choose_variant(spec: ToolSpec | None, args: Mapping[str, Any]) -> ToolSpec | None:
    """The schema that the selecting argument stands for; None where it says something unknown."""
    if spec is None or not spec.select:
        return spec
    value = args.get(spec.select)
    if value is None:
        return spec
    word = str(value).lower() if isinstance(value, str | bool) else ""
    return spec.variants.get(word)
