"""Takes secrets out of text before anything of it is kept.

Redaction errs on the side of removing: a preview is a reading aid, the facts are the evidence.
"""

from __future__ import annotations

import re2

from defenseclaw.core.limits import MAX_PREVIEW_CHARS

MASK = "[redacted]"
# Reading further than this cannot change a preview, and bounds the work on huge inputs.
SCAN_FACTOR = 8

_NAMED = (
    r"(?i)((?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|"
    r"auth(?:orization)?|credential|cookie|session[_-]?id)[\w.-]{0,24}[\"']?\s{0,4}(?:[=:]|=>)\s{0,4}"
    r"(?:bearer |basic |token )?)([\"']?[^\s\"',;&|]{3,}[\"']?)"
)
# (pattern, replacement): order matters, whole blocks go before the tokens inside them.
_PATTERNS = tuple(
    (re2.compile(pattern), replacement)
    for pattern, replacement in (
        (r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}-----|\z)", MASK),
        (r"(?i)\b([a-z][a-z0-9+.-]{1,20}://)[^\s/@:]{0,128}:[^\s/@]{1,256}@", r"\1" + MASK + "@"),
        (_NAMED, r"\1" + MASK),
        (r"(?i)\b(bearer|basic)\s+[a-z0-9._~+/=-]{8,}", r"\1 " + MASK),
        (r"(?i)((?:^|\s)-(?:p|-password|-token|-user|u)[= ])[^\s-][^\s]{3,}", r"\1" + MASK),
        # Vendor-prefixed tokens, JSON web tokens, cloud key ids.
        (r"\b(?:gh[pousr]|github_pat|glpat|xox[abprs]|sk|pk|rk|npm|pypi|hf|AKIA|ASIA|AIza|ya29|SG|shpat|dop_v1)[_.A-Z0-9-][A-Za-z0-9_.-]{12,}", MASK),  # noqa: E501
        (r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?", MASK),
        (r"\b[A-Fa-f0-9]{32,}\b", MASK),
        (r"[A-Za-z0-9+/]{40,}={0,2}", MASK),
    )
)


def redact(text: str) -> str:
    """The text with everything that looks like a credential replaced."""
    text = text.encode("utf-8", "replace").decode("utf-8")  # RE2 refuses lone surrogates
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    return text


def preview(text: str) -> str:
    """At most ``MAX_PREVIEW_CHARS`` characters of redacted text on one line."""
    flat = " ".join(redact(text[: MAX_PREVIEW_CHARS * SCAN_FACTOR]).split())
    if len(flat) <= MAX_PREVIEW_CHARS:
        return flat
    return flat[: MAX_PREVIEW_CHARS - 1] + "…"
