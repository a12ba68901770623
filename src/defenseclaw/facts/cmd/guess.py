"""Whether a text is meant for cmd, where the tool only says that it runs on Windows.

PowerShell is the other possibility. What both read alike decides nothing, and then the text counts
as PowerShell's.
"""

from __future__ import annotations

import re

_START = r"(?:^|[&|(\n])[ \t@]*"
_CMD = re.compile(
    rf"{_START}(?:del|erase|rd|rmdir|dir|copy|move|ren|type|md|mkdir|cd|chdir)\b"
    r"[^&|\n]*?/[a-z?](?![\w\\/])"
    rf"|{_START}(?:if\s+(?:/i\s+)?(?:not\s+)?(?:exist|defined|errorlevel|\"[^\"\n]*\"\s*==)\s"
    r"|for\s+(?:/[a-z]\s+[^%\n]*)?%%?[a-z]\s+in\s*\(|set\s+(?:/[ap]\s+)?\"?\w+\s*=|setlocal\b"
    r"|endlocal\b|rem\s|goto\s|call\s+:|echo\s+off|start\s+\"\"|assoc\b|ftype\b)"
    r"|%[a-z_]\w*(?::[^%\n]*)?%|%~[a-z]*[0-9]|(?:>|<)\s*nul\b|\^\r?\n|^[ \t]*::",
    re.IGNORECASE | re.MULTILINE,
)
_POWERSHELL = re.compile(
    r"\$(?:\w+\b(?!%)|\(|\{)|@[\"'({]|\[[\w.]+\]::|`\r?\n"
    rf"|{_START}(?:[a-z]+-[a-z]+\b|function\s|param\s*\(|foreach\s*\()"
    r"|[ \t]-(?:recurse|force|path|literalpath|whatif|erroraction|itemtype|filter|argumentlist)\b",
    re.IGNORECASE | re.MULTILINE,
)


def is_for_cmd(text: str) -> bool:
    """Whether only cmd would make sense of a text."""
    return bool(_CMD.search(text)) and not _POWERSHELL.search(text)
