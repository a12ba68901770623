"""The code of a notebook file: a JSON document whose cells hold lines of text."""

from __future__ import annotations

import json
from collections.abc import Iterator

from defenseclaw.rules.limits import MAX_CODE_FILES


def cells(text: str) -> Iterator[str]:
    """The text of each code cell; the text itself where it is no notebook document."""
    if not text.lstrip().startswith("{"):
        yield text  # one cell, as a notebook tool writes it
        return
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return
    found = document.get("cells") if isinstance(document, dict) else None
    for cell in (found if isinstance(found, list) else [])[:MAX_CODE_FILES]:
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            source = cell.get("source")
            lines = source if isinstance(source, list) else [source]
            yield "".join(line for line in lines if isinstance(line, str))
