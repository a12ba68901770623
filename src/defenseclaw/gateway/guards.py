"""Who may speak to the listener at all, decided from the request's head alone.

A page in a browser can post to loopback. What stops it is the Host check (a rebound name is not
ours), the Origin and Sec-Fetch-Site checks, and that no cross-origin header is ever sent back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})
SAME_SITE = frozenset({"same-origin", "none"})
CLIENT_HEADER = "x-defenseclaw-client"
JSON_TYPE = "application/json"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A status and a fixed text; nothing of the request is echoed."""

    status: int
    text: str


def check_origin(headers: Mapping[str, str], port: int) -> Refusal | None:
    """Host, Origin and Sec-Fetch-Site of any request; keys are lower case."""
    host = headers.get("host", "")
    if host != f"127.0.0.1:{port}" and not _is_local(host, port):  # the usual one needs no parsing
        return Refusal(421, "this address is not served")
    origin = headers.get("origin")
    if origin is not None and not _is_local_origin(origin, port):
        return Refusal(403, "requests from other origins are refused")
    site = headers.get("sec-fetch-site")
    if site is not None and site not in SAME_SITE:
        return Refusal(403, "requests from other sites are refused")
    return None


def check_write(headers: Mapping[str, str]) -> Refusal | None:
    """A write needs our client marker, which no simple cross-origin request can carry."""
    if not headers.get(CLIENT_HEADER, "").strip():
        return Refusal(403, "the client header is missing")
    if headers.get("content-type", "").split(";")[0].strip().lower() != JSON_TYPE:
        return Refusal(415, "the content type must be application/json")
    return None


def _is_local(host: str, port: int) -> bool:
    try:
        parts = urlsplit(f"//{host}")
        named_port = parts.port
    except ValueError:
        return False
    if parts.username is not None or parts.path or parts.query:
        return False
    return parts.hostname in LOCAL_HOSTS and named_port in (None, port)


def _is_local_origin(origin: str, port: int) -> bool:
    scheme, _, host = origin.partition("://")
    return scheme == "http" and _is_local(host, port)
