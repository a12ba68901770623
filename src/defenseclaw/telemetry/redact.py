"""Takes secrets out of text before anything of it is kept.

Redaction errs on the side of removing: a preview is a reading aid, the facts are the evidence.
"""

from __future__ import annotations

import re2

from defenseclaw.core.limits import MAX_PREVIEW_CHARS

MASK = "[redacted]"
# Reading further than this cannot change a preview, and bounds the work on huge inputs.
SCAN_FACTOR = 8

_NAMES = (
    r"(?:pass(?:word|wd|phrase)?|secret|token|(?:api|access|private|account)[_-]?key|"
    r"auth(?:orization)?|credential|cookie|session[_-]?id|\bpwd?|\bsig(?:nature)?)"
)
_VALUE = r"[\"']?[^\s\"',;&|]{3,}[\"']?"
_REST = r"[\w.-]*"
# (pattern, mask): order matters, whole blocks go before the tokens inside them.
_TABLE = (
    # Key blocks, also cut ones.
    (
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*-----|\z)",
        MASK,
    ),
    # Credentials in addresses: a name with a password, and a bare token where the web is meant.
    (r"(?i)\b([a-z][a-z0-9+.-]*://)[^\s/@:]*:[^\s/@]+@", rf"\1{MASK}@"),
    (r"(?i)\b(https?://)[^\s/@:]+@", rf"\1{MASK}@"),
    # A name that says what its value is: assigned, as an option, as a key of several words.
    (
        rf"(?i)({_NAMES}{_REST}[\"']?\s*(?:[=:]|=>)\s*(?:bearer |basic |token )?){_VALUE}",
        rf"\1{MASK}",
    ),
    (rf"(?i)((?:^|\s)--?[\w-]*{_NAMES}{_REST}\s+)[^\s-][^\s]{{2,}}", rf"\1{MASK}"),
    (
        r"((?:[A-Za-z]+_){1,4}(?i:key|token|secret|password)\s+"
        rf"|[a-z_]+(?:Key|Token|Secret|Password)\s+){_VALUE}",
        rf"\1{MASK}",
    ),
    (r"(?i)(\bpassword\s+)['\"][^'\"]{3,}['\"]", rf"\1{MASK}"),
    (r"(--from-literal[= ][^\s=]+=)[^\s]+", rf"\1{MASK}"),
    # Short options.
    (r"(?i)((?:^|\s)-(?:p|-user|u)[= ])[^\s-][^\s]{3,}", rf"\1{MASK}"),
    (r"((?:^|\s)-[uUa]\s?)[^\s:=]+:[^\s]{3,}", rf"\1{MASK}"),
    (r"(\b(?:mysql|mariadb|sshpass)\w*\b[^|;&\n]*?\s-p)[^\s]{3,}", rf"\1{MASK}"),
    (r"(\bredis-cli\b[^|;&\n]*?\s-a\s+)[^\s]{3,}", rf"\1{MASK}"),
    (r"(\bopenssl\b[^|;&\n]*?\s-(?:k|K)\s+)[^\s]{3,}", rf"\1{MASK}"),
    # What is piped into a program that asks for a password, or given to a vault.
    (
        r"(\becho\s+(?:-\w+\s+)*)[^|\n]{3,}"
        r"(\|[^|\n]*(?:\bsudo\s+-S|--password-stdin|--stdin|\bpasswd\b))",
        rf"\1{MASK} \2",
    ),
    (r"(\bpasswd\b[^|;&\n]*<<<\s*)[^\s]+", rf"\1{MASK}"),
    (r"(\b(?:vault|op|bw)\s+(?:login|signin|unlock)\s+)[^\s-][^\s]{2,}", rf"\1{MASK}"),
    (r"(?i)\b(bearer|basic)\s+[a-z0-9._~+/=-]{8,}", rf"\1 {MASK}"),
    # Vendor-prefixed tokens, JSON web tokens, cloud key ids, keys without a name.
    (
        r"\b(?:gh[pousr]|github_pat|glpat|xox[abprs]|sk|pk|rk|npm|pypi|hf|AKIA|ASIA|AIza|ya29|SG"
        r"|shpat|dop_v1)[_.A-Z0-9-][A-Za-z0-9_.-]{12,}",
        MASK,
    ),
    (r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?", MASK),
    (r"\b[A-Fa-f0-9]{32,}\b", MASK),
    (r"[A-Za-z0-9+/]{40,}={0,2}", MASK),
)


def _compiled(pattern: str, *, captures: bool) -> re2._Regexp:
    options = re2.Options()
    options.log_errors = False  # they would go to standard error, past every bound of the log
    options.never_capture = not captures
    return re2.compile(pattern, options)


_PATTERNS = tuple((_compiled(pattern, captures=True), mask) for pattern, mask in _TABLE)
# Most texts hold nothing: one search over all patterns is far cheaper than a pass for each.
_ANY = _compiled("|".join(f"(?:{pattern})" for pattern, _ in _TABLE), captures=False)


def redact(text: str) -> str:
    """The text with everything that looks like a credential replaced."""
    if not text:
        return text
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode("utf-8")  # RE2 refuses lone surrogates
    if not _ANY.search(text):
        return text
    for pattern, mask in _PATTERNS:
        text = pattern.sub(mask, text)
    return text


def printable(text: str) -> str:
    """The text with what could act on a terminal (controls, turned directions) made visible."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def preview(text: str) -> str:
    """At most ``MAX_PREVIEW_CHARS`` characters of redacted, printable text on one line."""
    whole = redact(text[: MAX_PREVIEW_CHARS * SCAN_FACTOR])
    flat = " ".join(whole[: 2 * MAX_PREVIEW_CHARS].split())
    if len(flat) <= MAX_PREVIEW_CHARS:  # so much white space that the first part does not do
        flat = " ".join(whole.split())
    flat = printable(flat[: MAX_PREVIEW_CHARS + 1])
    if len(flat) <= MAX_PREVIEW_CHARS:
        return flat
    return flat[: MAX_PREVIEW_CHARS - 1] + "…"
