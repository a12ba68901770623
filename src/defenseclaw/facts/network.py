"""Network targets: strict URL and host parsing, canonical hosts, scopes and host labels."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import unquote

from defenseclaw.core.facts import (
    NetworkAction,
    NetworkScope,
    NetworkTargetKind,
    OperationKind,
    PathAccess,
)
from defenseclaw.core.labels import HostLabel
from defenseclaw.facts.tables import hosts

SCHEMES = frozenset(
    {"http", "https", "ftp", "ftps", "ssh", "tcp", "udp", "tls", "ws", "wss", "sftp", "scp", "git",
     "rsync", "telnet", "ldap", "ldaps", "smb", "gopher", "dict", "redis", "mysql", "postgres",
     "postgresql", "mongodb", "amqp", "s3", "gs",
     "rtmp", "rtmps", "rtsp", "rtsps", "rtp", "srt", "icecast"}
)  # fmt: skip
# What browsers, and the tools that read URLs as they do, take for the start of a web address.
_BROWSER_URL = re.compile(r"(https?|wss?|ftp):[/\\]*([^?#]*)(.*)", re.IGNORECASE | re.DOTALL)
_AROUND_URL = "".join(map(chr, range(33)))  # control characters and the blank
_INSIDE_URL = str.maketrans("", "", "\t\r\n")
_CODED = re.compile(
    r"%(2[DEde]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff]|7[Ee])"
)  # of plain characters
WEB_SCHEMES = frozenset({"http", "https", "ftp", "ftps"})
MAX_HOST_BYTES = 253  # DNS
MAX_LIST_ITEMS = 128  # the action-facts contract, target lists
_HOST_FORBIDDEN = frozenset("/\\@[]\"'<>|{}^`$ \t\r\n")
_LABEL_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")
_NUMERIC = frozenset("0123456789.-")  # an address or a range of them, never a name
_ATON_WIDTHS = {1: (32,), 2: (8, 24), 3: (8, 8, 16), 4: (8, 8, 8, 8)}


def _blocks(*texts: str) -> tuple[object, ...]:
    return tuple(ip_network(t) for t in texts)


# Our own list: the standard library's notion of private differs between Python versions.
_SCOPES: tuple[tuple[NetworkScope, tuple[object, ...]], ...] = (
    (NetworkScope.LOOPBACK, _blocks("127.0.0.0/8", "::1/128")),
    (NetworkScope.LINK_LOCAL, _blocks("169.254.0.0/16", "224.0.0.0/24", "fe80::/10", "ff02::/16")),
    (
        NetworkScope.PRIVATE,
        _blocks("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"),
    ),
    (
        NetworkScope.UNKNOWN,
        _blocks(
            "0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24",
            "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
            "::/128", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20",
            "ff00::/8",
        ),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A parsed network target. ``path`` is the URL's path, ``user`` its user name if any."""

    host: str
    scheme: str = ""
    port: int = 0
    path: str = ""
    user: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """What a canonical host is."""

    normalized: str
    scope: NetworkScope
    kind: NetworkTargetKind
    prefix: int
    external: bool
    labels: tuple[str, ...]


def parse_url(text: str, *, default_scheme: str = "") -> Endpoint | None:
    """Split a URL; without a scheme only if ``default_scheme`` says how such text is read."""
    if not text or any(c in text for c in "\r\n\t\0"):
        return None
    scheme, mark, rest = text.partition("://")
    if not mark:
        if not default_scheme:
            return None
        scheme, rest = default_scheme, text.removeprefix("//")
    elif scheme.lower() not in SCHEMES:
        return None
    authority, slash, tail = _cut(rest)
    user, _, place = authority.rpartition("@")
    if "%" in place and not place.startswith("["):
        place = unquote(place)
    host, port = split_port(place)
    canonical = canonical_host(host)
    if port is None or not canonical:
        return None
    path = slash + tail
    if scheme.lower() in WEB_SCHEMES:
        path = _web_path(path)
    return Endpoint(canonical, scheme.lower(), port, path, user.partition(":")[0])


def browser_url(text: str) -> str:
    """A URL as browsers read it, spelled as everybody does."""
    bare = text.strip(_AROUND_URL).translate(_INSIDE_URL)
    found = _BROWSER_URL.fullmatch(bare)
    if found is None:
        return bare
    scheme, place, rest = found.groups()
    return f"{scheme}://{place.replace(chr(92), '/')}{rest}"


def _web_path(tail: str) -> str:
    """A path and what follows it, without needless codes and detours."""
    end = next((at for at, c in enumerate(tail) if c in "?#"), len(tail))
    path, rest = tail[:end], tail[end:]
    if "%" in path or "/." in path:
        path = _CODED.sub(lambda found: chr(int(found.group(1), 16)), path)
        kept: list[str] = []
        for part in path.split("/"):
            if part == "..":
                kept = kept[: max(len(kept) - 1, 1)]
            elif part != ".":
                kept.append(part)
        path = "/".join(kept) + ("/" if path.endswith(("/.", "/..")) else "")
    return path + rest


def _cut(rest: str) -> tuple[str, str, str]:
    for index, character in enumerate(rest):
        if character in "/?#":
            return rest[:index], character, rest[index + 1 :]
    return rest, "", ""


_ACTIONS = (
    (OperationKind.UPLOAD, NetworkAction.UPLOAD),
    (OperationKind.FETCH, NetworkAction.DOWNLOAD),
    (OperationKind.NETWORK_SCAN, NetworkAction.SCAN),
    (OperationKind.TUNNEL, NetworkAction.TUNNEL),
    (OperationKind.LISTEN, NetworkAction.LISTEN),
)


def action_of(operations: Collection[OperationKind]) -> NetworkAction:
    """What a command with these operations does with a network target."""
    return next((action for kind, action in _ACTIONS if kind in operations), NetworkAction.CONNECT)


def split_port(place: str) -> tuple[str, int | None]:
    """Split ``host:port`` and ``[v6]:port``; the port is 0 if absent, None if it is malformed."""
    if place.startswith("["):
        host, _, tail = place[1:].partition("]")
        return host, parse_port(tail[1:]) if tail.startswith(":") else (None if tail else 0)
    if place.count(":") > 1:
        return place, 0
    host, mark, digits = place.partition(":")
    return host, parse_port(digits) if mark and digits else 0


def parse_port(text: str) -> int | None:
    """A port of plain digits in 1..65535, or None."""
    if not text.isascii() or not text.isdigit() or len(text) > 5:
        return None
    port = int(text)
    return port if 0 < port <= 65535 else None


def _aton(text: str) -> str | None:
    """Dotted, decimal, octal and hexadecimal IPv4 spellings; None if the text is no number."""
    parts = text.split(".")
    widths = _ATON_WIDTHS.get(len(parts))
    if widths is None:
        return None
    value = 0
    for part, width in zip(parts, widths, strict=True):
        number = _aton_part(part)
        if number is None:
            return None
        if number >= 1 << width:
            return ""
        value = value << width | number
    return str(IPv4Address(value))


def _aton_part(part: str) -> int | None:
    low = part.lower()
    if not part.isascii() or len(part) > 16:
        return None
    if low.startswith("0x"):
        digits = low[2:]
        return int(digits, 16) if digits and all(c in "0123456789abcdef" for c in digits) else None
    if not part.isdigit():
        return None
    if part.startswith("0") and len(part) > 1:
        return int(part, 8) if all(c in "01234567" for c in part) else None
    return int(part)


@lru_cache(maxsize=4096)
def canonical_host(host: str) -> str:
    """The canonical spelling of a host, or empty if it is none."""
    low = host.lower().rstrip(".") if host != "." else ""
    if not low or low.startswith("-") or len(low) > MAX_HOST_BYTES:
        return ""
    if not _HOST_FORBIDDEN.isdisjoint(low):
        return ""
    if ":" in low:
        return _canonical_v6(low)
    labels = low.split(".")
    dotted = _aton(low)
    if dotted is not None or _NUMERIC.issuperset(low):
        return dotted or ""
    if all(0 < len(p) < 64 and _LABEL_CHARACTERS.issuperset(p) for p in labels):
        return low
    return _idna(low)


def _canonical_v6(text: str) -> str:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)


def _idna(text: str) -> str:
    if text.isascii():
        return ""  # plain characters that a host name may not have
    try:
        return text.encode("idna").decode("ascii")
    except UnicodeError:
        return ""


def scope_of(host: str) -> NetworkScope:
    """The scope of an IP literal; a name has none, because nothing is resolved here."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return NetworkScope.UNKNOWN
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    for scope, blocks in _SCOPES:
        if any(address in block for block in blocks):  # type: ignore[operator]
            return scope
    return NetworkScope.PUBLIC


def _range_scope(first: IPv4Address | IPv6Address, last: IPv4Address | IPv6Address) -> NetworkScope:
    one = scope_of(str(first))
    if one is NetworkScope.UNKNOWN or scope_of(str(last)) is not one:
        return NetworkScope.UNKNOWN
    for scope, blocks in _SCOPES:
        for block in blocks:
            inside = first in block, last in block  # type: ignore[operator]
            if scope is one and all(inside):
                return one
            overlaps = first <= block[0] <= last if block.version == first.version else False  # type: ignore[index,attr-defined]
            if one is NetworkScope.PUBLIC and overlaps:
                return NetworkScope.UNKNOWN
    return one if one is NetworkScope.PUBLIC else NetworkScope.UNKNOWN


_UNKNOWN = Target("", NetworkScope.UNKNOWN, NetworkTargetKind.UNKNOWN, 0, False, ())


@lru_cache(maxsize=4096)
def classify(host: str, path: str = "") -> Target:
    """Kind, scope, reach and labels of a target text: host, CIDR, range, list or pattern."""
    if "," in host:
        return _classify_list(host)
    if "/" in host:
        return _classify_cidr(host)
    canonical = canonical_host(host)
    if canonical:
        scope = scope_of(canonical)
        return Target(
            canonical,
            scope,
            NetworkTargetKind.SINGLE_HOST,
            0,
            _is_external(canonical, scope),
            _host_labels(canonical, path),
        )
    if "*" in host:
        return Target(host, NetworkScope.UNKNOWN, NetworkTargetKind.GENERATED, 0, False, ())
    if "-" in host and host.replace("-", "").replace(".", "").isdigit():
        return _classify_range(host)
    return _UNKNOWN


def _classify_list(host: str) -> Target:
    items = host.split(",")
    if not 2 <= len(items) <= MAX_LIST_ITEMS or not all(items):
        return _UNKNOWN
    targets = [classify(item) for item in items]
    scopes = {t.scope for t in targets}
    scope = scopes.pop() if len(scopes) == 1 else NetworkScope.UNKNOWN
    return Target(host, scope, NetworkTargetKind.LIST, 0, any(t.external for t in targets), ())


def _classify_cidr(host: str) -> Target:
    try:
        network = ip_network(host, strict=False)
    except ValueError:
        return _UNKNOWN
    single = network.prefixlen == network.max_prefixlen
    kind = NetworkTargetKind.SINGLE_ADDRESS_CIDR if single else NetworkTargetKind.MULTI_ADDRESS_CIDR
    scope = _range_scope(network[0], network[-1])
    external = scope is NetworkScope.PUBLIC
    return Target(str(network), scope, kind, network.prefixlen, external, ())


def _classify_range(host: str) -> Target:
    low, _, high = host.partition("-")
    try:
        first = ip_address(low)
        last = ip_address(high if "." in high else low.rpartition(".")[0] + "." + high)
    except ValueError:
        return Target(host, NetworkScope.UNKNOWN, NetworkTargetKind.RANGE, 0, False, ())
    scope = _range_scope(first, last)
    return Target(host, scope, NetworkTargetKind.RANGE, 0, scope is NetworkScope.PUBLIC, ())


def _is_literal(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdigit()


def _is_external(host: str, scope: NetworkScope) -> bool:
    if _is_literal(host):
        return scope is NetworkScope.PUBLIC
    if host in hosts.LOCAL_NAMES or host.endswith(hosts.LOCAL_SUFFIXES):
        return False
    return "." in host


def _host_labels(host: str, path: str) -> tuple[str, ...]:
    labels: list[str] = []
    if host in hosts.METADATA_HOSTS:
        labels.append(HostLabel.METADATA_SERVICE)
    name = host
    while name:
        if name in hosts.HOST_SUFFIXES:
            labels.append(hosts.HOST_SUFFIXES[name])
        prefix = hosts.PASTE_PATHS.get(name)
        if prefix is not None and path.startswith(prefix):
            labels.append(HostLabel.PASTE_RAW)
        name = name.partition(".")[2]
    return tuple(labels)


# What an access to a file means where the file is on a share of another machine.
SHARED = {
    PathAccess.READ: NetworkAction.DOWNLOAD,
    PathAccess.EXECUTE: NetworkAction.DOWNLOAD,
    PathAccess.WRITE: NetworkAction.UPLOAD,
    PathAccess.APPEND: NetworkAction.UPLOAD,
}


def share_host(path: str) -> Endpoint | None:
    """The machine of ``//host/share/…``, also with the port of a web folder behind its name."""
    name, _, port = path[2:].partition("/")[0].partition("@")
    host = canonical_host(name) if "." in name and name != "." else ""
    return Endpoint(host, "smb", parse_port(port) or 0) if host else None
