"""One host has many spellings; lists are compared with all of them at once."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def is_blocked(destination: str, rows: Sequence[str]) -> bool:
    """Whether a row names the host, a domain that it is below, or a network that it is in."""
    host = plain_host(destination)
    address = _address(host)
    return any(_is_in(address, row) or _is_below(host, plain_host(row)) for row in rows)


def is_allowed(destination: str, rows: Sequence[str]) -> bool:
    """Whether a row names exactly the host, or everything below a domain as ``*.example.org``."""
    host = plain_host(destination)
    for row in rows:
        domain = plain_host(row)
        if host == domain or (domain.startswith("*.") and host.endswith(domain[1:])):
            return True
    return False


def plain_host(destination: str) -> str:
    """The host of a destination: no scheme, account, port or final dot; addresses as numbers."""
    _, _, rest = destination.strip().rpartition("://")
    for separator in "/?#":
        rest = rest.partition(separator)[0]
    rest = rest.rpartition("@")[2]
    if rest.startswith("["):
        rest = rest[1:].partition("]")[0]
    elif rest.count(":") == 1:
        rest = rest.partition(":")[0]
    host = rest.rstrip(".").casefold()
    address = _address(host)
    return str(address) if address else host


def _is_below(host: str, domain: str) -> bool:
    domain = domain.removeprefix("*.")
    return bool(domain) and (host == domain or host.endswith(f".{domain}"))


def _is_in(address: Address | None, row: str) -> bool:
    if address is None or "/" not in row:
        return False
    try:
        return address in ipaddress.ip_network(row.strip(), strict=False)
    except ValueError:
        return False


def _address(host: str) -> Address | None:
    """An address in any spelling that a resolver takes, IPv4 inside IPv6 as IPv4."""
    try:
        found: Address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return _loose_address(host)
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found


def _loose_address(host: str) -> Address | None:
    """The forms of ``inet_aton``: one to four parts, decimal, octal or hexadecimal."""
    try:
        parts = [_number(part) for part in host.split(".")]
    except ValueError:
        return None
    *leading, last = parts
    if len(parts) > 4 or any(part > 255 for part in leading) or last >= 256 ** (5 - len(parts)):
        return None
    value = last
    for index, part in enumerate(leading):
        value += part << (8 * (3 - index))
    return ipaddress.IPv4Address(value)


def _number(part: str) -> int:
    # int() takes signs, spaces and underscores, resolvers do not.
    if not part.isascii() or not part.isalnum():
        raise ValueError
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    return int(part, 8 if part.startswith("0") else 10)
