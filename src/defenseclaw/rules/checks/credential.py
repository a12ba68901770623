"""Is a credential-shaped value a real one, or a placeholder that documentation uses?"""

from __future__ import annotations

import math
import re
from collections import Counter

# Amazon's documentation publishes this pair; both appear in countless examples.
PUBLIC_EXAMPLES = frozenset(
    {"AKIA" + "IOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY"}
)
MIN_BEARER_ENTROPY = 2.5  # bits per character; the content-rule contract
MIN_SECRET_ENTROPY = 3.3  # bits per character; words and dates stay below
MIN_SECRET_CHARS = 16  # of a quoted literal; the scanner contract
MIN_HEX_CHARS = 24  # ours: the shortest hexadecimal API keys have 32
WORD_CHARS = 9  # letters in a row that random text hardly ever has
MIN_LADDER = 8
MIN_REPEATS = 3
MAX_UNIT = 8
_LADDERS = ("abcdefghijklmnopqrstuvwxyz", "0123456789", "1234567890", "zyxwvutsrqponmlkjihgfedcba")
_PLACEHOLDERS = frozenset(
    {"example", "example-token", "example-secret", "example-key", "placeholder"}
    | {"placeholder-token", "placeholder-secret", "placeholder-key", "changeme", "change-me"}
    | {"replaceme", "replace-me", "your-token", "your-access-token", "your-api-key", "your-key"}
    | {"your-secret", "your-secret-key", "your-token-here", "your-api-key-here", "token-here"}
    | {"secret-here", "key-here", "dummy", "dummy-token", "dummy-secret", "dummy-key"}
    | {
        "not-a-real-token",
        "not-a-real-secret",
        "not-a-real-key",
        "fake",
        "fake-token",
        "insert-token",
    }
    | {"fake-secret", "fake-key", "redacted", "my-token", "my-secret", "sample-token", "test-token"}
)
_PREFIX = re.compile(
    r"(?i)^(?:sk-(?:ant|proj|live|test)?-?(?:api\d{2}-)?|[sr]k_(?:live|test)_|gh[pousr]_|github_pat_"
    r"|glpat-|xox[abeoprs]-|npm_|pypi-|SG\.|AIza|SK|AKIA|ASIA|A3T[A-Z0-9]|AGPA|AIDA|AROA|AIPA|ANPA|ANVA)"
)
_ASSIGNED = re.compile(r"[=:]\s*['\"]?([^'\"\s]+)['\"]?\s*$")
_UNIFY = re.compile(r"[-._/\s]+")
_COMPACT = re.compile(r"[^a-z0-9]")
_SCHEME = re.compile(r"(?i)^.*\bbearer\s+")
_PASSWORD = re.compile(r"://[^\s/:@]*:(?P<password>[^\s@/]+)@(?P<host>\[[^\]\s]*\]|[^\s:/?'\"]*)")
_REFERENCE = re.compile(r"^(?:[$<{%@]|https?:|[./~])|://|\$\{|\{\{|%s|\}$")
_SECRET = re.compile(r"[A-Za-z0-9+/=_.~!@#$^&*-]+")
_VARIABLE = re.compile(r"^(?:[$<{%]|\*+$|x+$)")
_OWN_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]", "0.0.0.0", "host.docker.internal"})  # noqa: S104


def is_credential(text: str, start: int, end: int) -> bool:
    """The hit's secret part is neither a public example nor an obvious placeholder."""
    hit = text[start:end]
    secret = _secret_part(hit)
    if hit in PUBLIC_EXAMPLES or secret in PUBLIC_EXAMPLES:
        return False
    return not is_placeholder(secret)


def is_bearer(text: str, start: int, end: int) -> bool:
    """The token of an authorization header is random enough to be one."""
    token = _SCHEME.sub("", text[start:end])
    return not is_placeholder(token) and _entropy(_compact(token)) >= MIN_BEARER_ENTROPY


def is_connection(text: str, start: int, end: int) -> bool:
    """The connection string carries a password, not a variable, to another machine.

    A password for a database on this machine or for a neighbouring container opens nothing to
    whoever reads it; a short password for a real host does.
    """
    found = _PASSWORD.search(text[start:end])
    if found is None or _VARIABLE.match(found["password"]):
        return False
    host = found["host"].lower()
    return host not in _OWN_HOSTS and ("." in host or ":" in host)


def is_placeholder(secret: str) -> bool:
    """Words, ladders and repetitions that nobody's generator produces."""
    unified = _UNIFY.sub("-", secret.lower()).strip("-").replace("_", "-")
    if not unified or unified in _PLACEHOLDERS:
        return True
    half, odd = divmod(len(unified), 2)
    if odd and unified[:half] == unified[half + 1 :] and unified[:half] in _PLACEHOLDERS:
        return True
    if re.match(r"^(?:your|my|insert|example|dummy|fake|not-a-real|placeholder|test)-", unified):
        return not re.search(r"[0-9]", unified)
    compact = _compact(secret)
    return _is_ladder(compact) or _is_repetition(compact)


def is_secret_value(value: str) -> bool:
    """A quoted value of a secret's name looks drawn at random: letters and digits mixed, dense
    enough, and neither words, a path, an address nor a reference to another value."""
    if len(value) < MIN_SECRET_CHARS or is_placeholder(value) or value in PUBLIC_EXAMPLES:
        return False
    if _REFERENCE.search(value) or not _SECRET.fullmatch(value):
        return False
    if not (re.search(r"[0-9]", value) and re.search(r"[A-Za-z]", value)):
        return False
    if len(value) < MIN_HEX_CHARS and re.fullmatch(r"[0-9A-Fa-f]+", value):
        return False  # ids and checksums are short hexadecimal numbers too
    # Words keep their letters together; what is drawn at random mixes digits in.
    if max(map(len, re.findall(r"[a-z]+|[A-Z][a-z]*", value))) >= WORD_CHARS:
        return False
    return _entropy(value) >= MIN_SECRET_ENTROPY


def _secret_part(hit: str) -> str:
    if "://" in hit:
        return hit.rstrip("/").rpartition("/")[2]
    assigned = _ASSIGNED.search(hit)
    return _PREFIX.sub("", assigned[1] if assigned else hit)


def _compact(text: str) -> str:
    return _COMPACT.sub("", text.lower())


def _is_ladder(compact: str) -> bool:
    if len(compact) < MIN_LADDER:
        return False
    joined = "abcdefghijklmnopqrstuvwxyz0123456789"
    return any(compact in ladder or ladder in compact for ladder in (*_LADDERS, joined))


def _is_repetition(compact: str) -> bool:
    for unit in range(1, MAX_UNIT + 1):
        times = len(compact) // unit
        if times < MIN_REPEATS:
            return False
        if compact == (compact[:unit] * (times + 1))[: len(compact)]:
            return True
    return False


def _entropy(text: str) -> float:
    if not text:
        return 0.0
    shares = [count / len(text) for count in Counter(text).values()]
    return -sum(share * math.log2(share) for share in shares)
