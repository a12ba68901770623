"""Named pieces of patterns, so that a rule's pattern shows only what is its own.

``{{run}}rm\\s`` reads: ``rm`` where a program name may stand. Pieces are expanded when a pack is
admitted; the size limit counts the expanded text. An unknown name is left as it is, which RE2
reads as literal braces.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_WRAPPERS = (
    "sudo|doas|env|exec|eval|command|builtin|nohup|setsid|time|nice|timeout|then|do|else|xargs"
    "|parallel|busybox|call|start|start-process|saps|-exec|-execdir|-[cC](?:ommand)?|/[cCkK]"
)
_READERS = (
    "cat|tac|nl|head|tail|less|more|bat|[efz]?grep|rg|g?awk|sed|cut|sort|strings|xxd|od|hexdump"
    "|base64|scp|rsync|curl|wget|tar|zip|gzip|gpg|openssl|jq|source|dd|type|gc|get-content"
    "|select-string|sls|findstr|sqlite3|read\\w*|view\\w*|open_?file|search\\w*"
)
_WRITERS = (
    "tee|mv|sed\\s+-\\w*i\\S*|perl\\s+-\\w*i\\S*|truncate|dd|rm|unlink|chattr|touch"
    "|set-content|sc|add-content|ac|out-file|move-item|rename-item|remove-item|new-item|ni|move|del|write\\w*|edit\\w*|create\\w*|append\\w*|multi_?edit|patch|delete\\w*|move\\w*"
)
_COPIERS = "cp|mv|install|ln|copy|xcopy|robocopy|copy-item"
_ERASERS = r"(?:remove-item|ri|rm|del|erase|rd|rmdir)(?:\.exe)?"
_DEEP = r"(?i:-r(?:e\w*|f)?|-fr|/s(?:/q)?)"
_HOME = (
    r"(?:~[\w.-]*|\$\{?HOME\}?|/(?:home|Users)/[\w.-]+|/root|%USERPROFILE%|\$env:USERPROFILE"
    r"|[A-Za-z]:[\\/]Users[\\/][\w.-]+)[\\/]+"
)
_RUN = (
    rf"(?:^|[;&|(){{}}`!]|(?:\b(?:{_WRAPPERS})|\s(?:-exec|-execdir|-c|/c))\s['\"]?)\s*"
    r"(?:-\S+\s+|\w+=\S*\s+|\d+\w?\s+)*(?:\\|[/\w.:\\-]*[/\\])?"
)
_BEFORE = r"(?:[^\n;&|]*[\s=@<'\":/\\])?"

PIECES: Mapping[str, str] = {
    # where a program name may stand: the start of a command, or behind a wrapper and its options
    "run": _RUN,
    # a program of Windows that deletes with everything below, up to where the path starts
    "wipes": rf"(?i:{_ERASERS})\s(?:[^\n;&|]*\s)?{_DEEP}\s(?:[^\n;&|]*[\s'\"])?",
    # the same where the option that says so comes behind the path, which ends in `wiped`
    "erases": rf"(?i:{_ERASERS})\s(?:[^\n;&|]*[\s'\"])?",
    "wiped": rf"['\"]?\s(?:[^\n;&|]*\s)?{_DEEP}(?:[\s;&|)}}`'\"]|$)",
    # the end of a word
    "end": r"(?:['\"]?(?:[\s;&|)}`,]|$))",
    # somebody's home folder with its separator, in any spelling
    "home": _HOME,
    # a program or tool that reads files, up to where a path may start
    "reads": rf"(?:{_RUN}(?i:{_READERS})\s{_BEFORE}|<\s*['\"]?)",
    # the same for writing, deleting and redirecting
    "writes": rf"(?:>>?\|?\s*['\"]?|{_RUN}(?i:{_WRITERS})\s{_BEFORE})",
    # a program that copies: what follows is a source if more words come, else the destination
    "copies": rf"{_RUN}(?i:{_COPIERS})\s{_BEFORE}",
    "more": r"['\"]?\s+[^\s;&|)]",
    "last": r"['\"]?\s*(?:$|[;&|)}`])",
    # the start of an order in prose: a line, a sentence, a bullet, a quote or a role label
    "order": (
        r"(?:^|[.!?:;]\s+|[-*•>\"'#]\s*|<!--\s*|\b(?:task|instructions?|system|assistant|user)\s*:\s*)"
        r"(?:(?:please|now|you (?:must|should|will|need to|are to)|can you|could you|i want you to"
        r"|kindly|just|also|and|then|first|immediately|simply)[,\s]+){0,3}"
    ),
    # the rest of the same simple command
    "args": r"[^\n;&|]*",
}
_NAME = re.compile(r"\{\{([a-z]+)\}\}")


def expand_pieces(pattern: str) -> str:
    """The pattern with its named pieces in place."""
    return _NAME.sub(lambda name: PIECES.get(name[1], name[0]), pattern)
