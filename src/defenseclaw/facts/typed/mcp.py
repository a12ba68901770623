"""Which reviewed program a declared server is, and the schema of the operation that is called.

Identity comes from what starts or reaches the server; the name that its user gave it says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from urllib.parse import urlsplit

from defenseclaw.core.tool import McpServer, McpTool, ToolCall, ToolSpec
from defenseclaw.facts.tables.mcp_adapters import ADAPTERS, Adapter, Source

# A version behind a package name; sources such as `@npm:other` or `@git+https:…` are no versions.
_VERSION = re.compile(r"[\w.+^~*<>=!-]+\Z", re.ASCII)
_OUTSIDE_NAMES = re.compile(r"[^A-Za-z0-9_-]")
_HTTPS_PORTS = (None, 443)
# Variables that make a launcher or an interpreter load other code than the package's.
_REDIRECTING = (
    "NPM_CONFIG_", "NODE_", "BUN_", "UV_", "PIP_", "PIPX_", "PYTHON", "LD_", "DYLD_", "DOCKER_",
    "CONTAINER_", "PATH", "HOME", "XDG_", "YARN_", "PNPM_", "COREPACK_", "VIRTUAL_ENV",
)  # fmt: skip
_BY_SOURCE: Mapping[tuple[Source, str], Adapter] = {
    (source, name): adapter
    for adapter in ADAPTERS
    for source, names in adapter.names.items()
    for name in names
}


def split_name(name: str) -> tuple[str, str]:
    """Server and tool of an ``mcp__server__tool`` name, or empty."""
    for mark in ("__", ":"):
        if name.startswith("mcp" + mark):
            server, _, tool = name[len("mcp" + mark) :].partition(mark)
            if server and tool:
                return server, tool
    return "", ""


def mcp_identity(call: ToolCall) -> tuple[str, str]:
    """Server and operation of a call, as bound by the caller or else as its name spells them."""
    return (call.mcp.name, call.mcp.operation) if call.mcp is not None else split_name(call.tool)


def operation_of(tool: McpTool | None) -> ToolSpec | None:
    """The reviewed schema of a bound tool, or None."""
    if tool is None:
        return None
    adapter = identify_server(tool.server)
    if adapter is None:
        return None
    found = adapter.operations.get(tool.operation)
    if found is not None:
        return found
    # Agents replace what their own tool names cannot hold.
    for name, spec in adapter.operations.items():
        if _OUTSIDE_NAMES.sub("_", name) == tool.operation:
            return spec
    return None


@lru_cache(maxsize=256)
def identify_server(server: McpServer) -> Adapter | None:
    """The adapter of a server whose launch leaves no doubt about what runs."""
    if any(name.upper().startswith(_REDIRECTING) for name in server.environment):
        return None
    if server.url:
        return None if server.command else _by_url(server.url)
    words = _without_shell(server.command)
    read = LAUNCHERS.get(words[0]) if words else None
    if read is not None:
        adapter = read(words[1:])
    else:
        adapter = _BY_SOURCE.get((Source.PROGRAM, words[0])) if words else None
    if adapter is not None and adapter.local and server.cwd:
        return None  # its relative paths are not those of the session
    return adapter


def _without_shell(words: tuple[str, ...]) -> tuple[str, ...]:
    """The launch without the command interpreter that Windows needs in front of it."""
    low = tuple(word.lower() for word in words[:2])
    rest = words[2:] if low in (("cmd", "/c"), ("cmd.exe", "/c")) else words
    return (rest[0].lower().removesuffix(".cmd").removesuffix(".exe"), *rest[1:]) if rest else ()


def _by_url(url: str) -> Adapter | None:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme != "https" or port not in _HTTPS_PORTS or "@" in parts.netloc:
        return None
    return _BY_SOURCE.get((Source.HOST, (parts.hostname or "").lower()))


def _package(source: Source, spelled: str, separators: tuple[str, ...]) -> Adapter | None:
    """The adapter of a package, whatever its version."""
    name, version = spelled, ""
    for separator in separators:
        at = spelled.find(separator, 1)
        if at > 0:
            name, version = spelled[:at], spelled[at + len(separator) :]
            break
    if version and not _VERSION.match(version):
        return None
    if source is Source.PYPI:
        name = name.lower().replace("_", "-").replace(".", "-")
    return _BY_SOURCE.get((source, name))


def _skip(words: tuple[str, ...], flags: frozenset[str]) -> tuple[str, ...]:
    """The words behind known flags."""
    at = 0
    while at < len(words) and words[at] in flags:
        at += 1
    return words[at:]


_NPM_FLAGS = frozenset({"-y", "--yes", "-q", "--quiet", "--silent", "--"})


def _npm(words: tuple[str, ...]) -> Adapter | None:
    rest = _skip(words, _NPM_FLAGS)
    if not rest or rest[0].startswith("-"):
        return None
    found = _package(Source.NPM, rest[0], ("@",))
    if found is not None and found.key == BRIDGE:
        return _by_url(rest[1]) if len(rest) > 1 else None
    return found


def _npm_verb(*verbs: str) -> Callable[[tuple[str, ...]], Adapter | None]:
    def read(words: tuple[str, ...]) -> Adapter | None:
        return _npm(words[1:]) if words and words[0] in verbs else None

    return read


def _pypi(words: tuple[str, ...]) -> Adapter | None:
    rest = _skip(words, frozenset({"-q", "--quiet", "--isolated", "--refresh", "--no-cache"}))
    if len(rest) > 1 and rest[0] == "--from":
        # The program is named for itself; only one that bears its package's name is reviewed.
        found = _package(Source.PYPI, rest[1], ("==", "@"))
        same = _package(Source.PYPI, rest[2], ()) if len(rest) > 2 else None
        return found if found is same else None
    if not rest or rest[0].startswith("-"):
        return None
    return _package(Source.PYPI, rest[0], ("==", "@"))


def _uv(words: tuple[str, ...]) -> Adapter | None:
    return _pypi(words[2:]) if words[:2] == ("tool", "run") else None


def _pipx(words: tuple[str, ...]) -> Adapter | None:
    return _pypi(words[1:]) if words[:1] == ("run",) else None


_IMAGE_FLAGS = frozenset({"-i", "--interactive", "--rm", "--init", "-t", "-it", "-ti"})
_IMAGE_VALUES = frozenset({"-e", "--env", "--name", "--network", "--pull", "--platform"})


def _image(words: tuple[str, ...]) -> Adapter | None:
    """``docker run``: an image from outside sees none of our files, so path tools are not bound."""
    if not words or words[0] != "run":
        return None
    rest = words[1:]
    while rest and rest[0].startswith("-"):
        if rest[0] in _IMAGE_VALUES:
            rest = rest[2:]
        elif rest[0] in _IMAGE_FLAGS or rest[0].startswith(("--env=", "--pull=", "--name=", "-e=")):
            rest = rest[1:]
        else:
            return None
    image = rest[0].partition("@")[0] if rest else ""
    head, slash, last = image.rpartition("/")
    adapter = _BY_SOURCE.get((Source.IMAGE, f"{head}{slash}{last.partition(':')[0]}"))
    return adapter if adapter is not None and not adapter.local else None


BRIDGE = "bridge"  # a package that only connects to the URL behind it
LAUNCHERS: Mapping[str, Callable[[tuple[str, ...]], Adapter | None]] = {
    "npx": _npm,
    "bunx": _npm,
    "pnpx": _npm,
    "npm": _npm_verb("exec", "x"),
    "pnpm": _npm_verb("dlx"),
    "yarn": _npm_verb("dlx"),
    "bun": _npm_verb("x"),
    "uvx": _pypi,
    "uv": _uv,
    "pipx": _pipx,
    "docker": _image,
    "podman": _image,
}
