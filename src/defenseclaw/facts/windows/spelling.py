"""One place of Windows in its many spellings: namespaces, shares of this machine, streams.

All texts have forward slashes already. Nothing here knows a working folder or a home.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

# Prefixes behind which the object manager's own names start.
NAMESPACES = ("//?/", "//./", "/??/")
# Trees of a system inside Windows, such as WSL or Git's own; nobody has them on a drive.
UNIX_TREES = frozenset(
    {"etc", "usr", "bin", "sbin", "lib", "boot", "proc", "sys", "dev", "root", "var", "run",
     "home", "opt", "srv"}
)  # fmt: skip
# Those that are written with two slashes to keep Git Bash from rewriting them, and are no hosts.
MSYS_TREES = frozenset({"etc", "usr", "var", "proc", "dev", "sys"})
# Names that are devices in every folder.
STREAM_NAMES = frozenset(
    {"nul", "con", "prn", "aux", "conin$", "conout$"}
    | {f"{port}{digit}" for port in ("com", "lpt") for digit in "123456789¹²³"}
)
# Names that rules look for as they are mostly written; Windows has no case in names of files.
USUAL_NAMES = {
    name.lower(): name
    for name in (
        ".aws", ".cursor", ".git", ".openclaw", ".clinerules", ".cursorrules", ".roorules",
        ".windsurfrules", "AGENTS.md", "AGENTS.override.md", "CLAUDE.md", "CLAUDE.local.md",
        "GEMINI.md", "IDENTITY.md", "MEMORY.md", "SOUL.md", "TOOLS.md", "config",
        "copilot-instructions.md", "gateway.json", "mcp.json", "mcp_config.json",
        "mcp_config.yaml", "openclaw.json", "rules",
    )
}  # fmt: skip
_DRIVE = re.compile(r"[A-Za-z]:")
# A volume by its device, its copy for backups or its identifier: one cannot tell which, so the
# system's own drive is assumed, where the files lie that matter.
_VOLUME = re.compile(
    r"(?:globalroot/)?(?:device/)?(?:harddisk(?:dm)?volumes?/?(?:physicalvolumes/)?(?:shadowcopy)?\d+"
    r"|harddiskvolumeshadowcopy\d+|harddisk\d+/partition\d+|volume\{[0-9a-f-]+\})(?=/)",
    re.IGNORECASE,
)
_REDIRECTOR = re.compile(r"(?:globalroot/device/mup|unc)/", re.IGNORECASE)
_THIS_MACHINE = re.compile(
    r"(?:localhost|127(?:\.\d{1,3}){1,3}|\.|\[?::1\]?|0--1\.ipv6-literal\.net|--1\.ipv6-literal\.net)"
    r"(?:@\w+)*",
    re.IGNORECASE,
)
_LINUX_HOSTS = frozenset({"wsl$", "wsl.localhost"})
_OWN_SHARES = {"admin$": "C:/Windows", "users": "C:/Users"}


def starts_with_drive(text: str) -> bool:
    """Whether a text starts with a drive letter and colon."""
    return _DRIVE.match(text) is not None


def unwrapped(text: str) -> str:
    """The ordinary spelling of a path: without a namespace, a share of this machine as its drive.

    A device stays as it is; a path inside a Linux of this machine starts with one slash.
    """
    if text.startswith(NAMESPACES):
        inner = text[4:]
        if starts_with_drive(inner) and inner[2:3] == "/":
            return inner
        volume = _VOLUME.match(inner)
        if volume is not None:
            return f"C:{inner[volume.end() :]}"
        redirected = _REDIRECTOR.match(inner)
        if redirected is None:
            return f"//./{inner}" if text.startswith("/??/") else text
        text = f"//{inner[redirected.end() :]}"
    return _share(text) if text.startswith("//") else text


def _share(text: str) -> str:
    """A share by what it leads to, where that is this machine."""
    host, _, rest = text[2:].partition("/")
    share, slash, below = rest.partition("/")
    if len(host) == 1 and host.isalpha() and host.isascii():  # //c/Users of MSYS
        return f"{host.upper()}:/{rest}"
    if host.lower() in _LINUX_HOSTS:
        return f"/{below}"
    if not _THIS_MACHINE.fullmatch(host):
        return text
    if len(share) == 2 and share[1] == "$" and share[0].isalpha():
        return f"{share[0].upper()}:/{below}"
    own = _OWN_SHARES.get(share.lower())
    return f"{own}{slash}{below}" if own else text


def tidy(rest: str) -> str:
    """The part behind a drive without what Windows ignores: trailing dots and blanks of names, and
    the stream behind the last one."""
    if "." not in rest and " " not in rest and ":" not in rest:
        return rest
    parts = rest.split("/")
    base, colon, _ = parts[-1].partition(":")
    if colon and base:
        parts[-1] = base
    return "/".join(p if p in (".", "..") else p.rstrip(" .") for p in parts)


def usual_case(path: str) -> str:
    """A path whose best known names are in the case that they are mostly written in."""
    return "/".join(USUAL_NAMES.get(part.lower(), part) for part in path.split("/"))


def is_stream(path: str) -> bool:
    """Whether the last name of a path is a device that takes or gives bytes."""
    return path.rpartition("/")[2].partition(":")[0].rstrip(" .").lower() in STREAM_NAMES


def is_stream_device(key: str) -> bool:
    """Whether a resolved path is no file at all: a device of a Unix, or a stream of Windows."""
    return key.startswith("/dev/") or (key.startswith("//./") and is_stream(key))


def git_bash_drive(path: str) -> str:
    """Rewrite ``/c/Users/…`` as Git Bash, MSYS, WSL and Cygwin spell drives."""
    for mount in ("/mnt", "/cygdrive"):
        if path[len(mount) : len(mount) + 1] == "/" and path.lower().startswith(mount):
            inner = path[len(mount) :]
            path = inner if inner[2:3] in ("", "/") else path
    if path[:1] == "/" and path[2:3] in ("", "/") and starts_with_drive(f"{path[1:2]}:"):
        return f"{path[1].upper()}:{path[2:] or '/'}"
    return path


class Files(dict[str, Any]):
    """Files by their resolved paths; Windows finds a file by its name in any case."""

    def __getitem__(self, path: str) -> Any:
        return super().__getitem__(_key(path))

    def __setitem__(self, path: str, value: Any) -> None:
        super().__setitem__(_key(path), value)

    def __contains__(self, path: object) -> bool:
        return super().__contains__(_key(str(path)))

    def get(self, path: str, default: Any = None) -> Any:
        """What is known about a file."""
        return super().get(_key(path), default)

    def put(self, paths: Iterable[str], value: Any) -> None:
        """The same for several files."""
        for path in paths:
            self[path] = value


def _key(path: str) -> str:
    return path.lower() if path[1:2] == ":" or path.startswith("//") else path
