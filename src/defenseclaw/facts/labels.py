"""Labels of a resolved path: what it is, decided by the tables and the call's own places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache

from defenseclaw.core.facts import PathFlavor
from defenseclaw.core.labels import PathLabel as L
from defenseclaw.facts.paths import Place, glob_split, is_below, prefixes, trees_of
from defenseclaw.facts.tables import labels as table
from defenseclaw.facts.tables import windows
from defenseclaw.facts.windows.other_names import first_name, long_names, mounted_drive
from defenseclaw.facts.windows.registry import labels_of_key
from defenseclaw.facts.windows.spelling import git_bash_drive, is_stream_device

# Where a path lies to the call, which the path under its own name says.
_RELATIVE = frozenset(
    {L.OUTSIDE, L.PROJECT, L.PROJECT_ROOT, L.PROJECT_PARENT, L.BUILD_OUTPUT, L.TEMP, L.FIXTURE,
     L.HOME_TOP, L.PERSONAL}
)  # fmt: skip
# Pattern components that match every name, alone or with their dotted twin.
_COVERING = frozenset({"*", "**", ".*", "?*", ".[!.]*", ".??*", "*.*", "[!.]*", ".[^.]*", "[a-z]*"})
_RAW_DISK = re.compile(
    r"/dev/(?:(?:sd|vd|xvd|hd)[a-z]\d*|r?disk\d+(?:s\d+)*|mmcblk\d+(?:p\d+)?|md\d+|dm-\d+"
    r"|nvme\d+n\d+(?:p\d+)?|loop\d+p\d+|mapper/[\w.+-]+|disk/by-[a-z]+/[\w.:+-]+)"
)
_PHYSICAL_DRIVE = re.compile(r"//\./(?:physicaldrive\d+|[a-z]:)")
_PROC_ENVIRON = re.compile(r"/proc/(?:self|thread-self|\*|\?+|\[[^]]*\]\*?|\d+)/environ")
_RUNTIME_SOCKET = re.compile(r"/run/user/\d+/(?:docker|podman/podman|containerd/containerd)\.sock")
_OTHER_HOME = re.compile(r"(?:/home|/users|/var/home|c:/users)/[^/]+|/root|/var/root")
_MAX_GLOB_CHARS = 256  # longer patterns are treated as covering their folder

_TEMP, _HOME_TEMP = trees_of(table.TEMP_TREES), trees_of(table.HOME_TEMP_TREES)
_CACHES, _HOME_CACHES = trees_of(table.SYSTEM_CACHES), trees_of(table.HOME_CACHES)
_PERSONAL = trees_of(table.PERSONAL_TREES)


@dataclass(frozen=True, slots=True)
class Scope:
    """The call's places and the files that are ours."""

    place: Place
    own_paths: tuple[str, ...] = ()
    hook_paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """One path prepared for the labellers: lower-case key, components and relations."""

    key: str
    parts: tuple[str, ...]
    pattern: str  # the rest from the first pattern component, empty for a plain path
    covers: bool  # the access takes everything below
    contents: bool  # a pattern stands for everything in the folder, not the folder itself
    cwd: str
    home: str
    below_home: str | None  # path relative to a home folder, "" for the home itself
    active_home: bool
    hive: bool

    @property
    def name(self) -> str:
        """The last component."""
        return self.parts[-1] if self.parts else ""

    @property
    def in_project(self) -> bool:
        """Strictly below a working directory that is a place of its own."""
        return is_below(self.key, self.cwd) if _is_project(self.cwd) else False


def _is_project(cwd: str) -> bool:
    return bool(cwd) and cwd not in ("/", "c:/") and cwd not in table.SYSTEM_TREES


def label(resolved: str, flavor: PathFlavor, scope: Scope, covers: bool) -> tuple[str, ...]:
    """The labels of one resolved path; ``covers`` says that the access takes all below it."""
    if not resolved:
        return (L.UNRESOLVED,)
    if flavor is PathFlavor.WINDOWS and "~" in resolved:
        places = (_slashes(scope.place.cwd), _slashes(scope.place.home))
        names = tuple(long_names(resolved.lower(), places))
        if names:
            return _united(_label(name, flavor, scope, covers) for name in names)
    own = _label(resolved, flavor, scope, covers)
    drive = mounted_drive(resolved) if flavor is PathFlavor.POSIX else ""
    if not drive:
        return own
    behind = _label(drive, PathFlavor.WINDOWS, scope, covers)
    return _united((own, (word for word in behind if word not in _RELATIVE)))


def _united(found: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for words in found for word in words))


@lru_cache(maxsize=8192)
def _label(resolved: str, flavor: PathFlavor, scope: Scope, covers: bool) -> tuple[str, ...]:
    subject = _subject(resolved, flavor, scope, covers)
    found = dict.fromkeys(word for labeller in _LABELLERS for word in labeller(subject))
    found.update(dict.fromkeys(_ours(resolved, subject, scope)))
    return tuple(found)


def _slashes(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").lower() or path


def _subject(resolved: str, flavor: PathFlavor, scope: Scope, covers: bool) -> Subject:
    key = resolved.lower()
    if flavor is PathFlavor.WINDOWS:
        key = first_name(key)
    base, pattern = glob_split(key) if flavor is not PathFlavor.REGISTRY else (key, "")
    contents = bool(pattern) and _covering(pattern)
    if contents:
        key, pattern, covers = base, "", True
    on_drive = key[1:2] == ":"
    if on_drive and len(key) == 2:
        key += "/"
    cwd, home = _own_place(scope.place.cwd, on_drive), _own_place(scope.place.home, on_drive)
    below, active = _below_home(key, home)
    parts = tuple(p for p in key.split("/") if p)
    hive = flavor is PathFlavor.REGISTRY
    return Subject(key, parts, pattern, covers, contents, cwd, home, below, active, hive)


def _own_place(path: str, on_drive: bool) -> str:
    """A place of the call as keys are spelled, also where a Unix on Windows named it."""
    return _slashes(git_bash_drive(path) if on_drive and path.startswith("/") else path)


def _covering(pattern: str) -> bool:
    if len(pattern) > _MAX_GLOB_CHARS:
        return True
    return all(part in _COVERING for part in pattern.split("/"))


def _below_home(key: str, home: str) -> tuple[str | None, bool]:
    """The path relative to the active home or to any other home-shaped folder."""
    if home and home != "/":
        if key == home:
            return "", True
        if key.startswith(home + "/"):
            return key[len(home) + 1 :], True
    match = _OTHER_HOME.match(key)
    if match is None or key[match.end() : match.end() + 1] not in ("", "/"):
        return None, False
    return key[match.end() + 1 :], False


def _lookup(files: Mapping[str, Iterable[L]], key: str, pattern: str) -> Iterator[L]:
    """Exact names, and for a pattern every known name that it would match."""
    if not pattern:
        yield from files.get(key, ())
        return
    if not any(c.isalnum() for c in key):
        return  # a pattern without a letter says nothing about which file is meant
    depth = key.count("/")
    for name, labels in files.items():
        if name.count("/") == depth and _expands_to(name, key):
            yield from labels


def _expands_to(name: str, pattern: str) -> bool:
    """Whether the shell may expand a pattern to a name; a leading dot must be written."""
    base, wanted = name.rpartition("/")[2], pattern.rpartition("/")[2]
    if base.startswith(".") and not wanted.startswith("."):
        return False
    return fnmatchcase(name, pattern)


def _places(s: Subject) -> Iterator[L]:
    root = s.key in ("/", "") or (len(s.key) == 3 and s.key.endswith(":/"))
    if root and not s.pattern:
        yield L.SYSTEM_ROOT
    if s.key in table.SYSTEM_TREES:
        yield L.SYSTEM_TREE
    if s.key in table.HOMES_ROOTS:
        yield L.HOMES_ROOT
    if s.pattern and _matches_system_tree(s.key):
        yield L.SYSTEM_TREE
    if _is_temp(s):
        yield L.TEMP
        return
    if not s.in_project and _is_deep(s):
        yield L.IN_SYSTEM_TREE


def _matches_system_tree(pattern: str) -> bool:
    depth = pattern.count("/")
    return depth <= 2 and any(
        fnmatchcase(tree, pattern) for tree in table.SYSTEM_TREES if tree.count("/") == depth
    )


def _is_deep(s: Subject) -> bool:
    at_home = s.below_home is not None and s.active_home
    return not at_home and not table.SYSTEM_DEEP.isdisjoint(set(prefixes(s.key)) - {s.key})


def _is_temp(s: Subject) -> bool:
    below = s.key.startswith(_TEMP.prefixes) or _HOME_TEMP.include(s.below_home or "")
    return below or (s.contents and s.key in _TEMP.folders)


def _home_places(s: Subject) -> Iterator[L]:
    if s.below_home is None:
        return
    if s.below_home == "":
        yield L.HOME_ROOT if s.active_home else L.OTHER_HOME
    elif s.active_home and "/" not in s.below_home:
        yield L.HOME_TOP
    if not s.in_project and _PERSONAL.include(s.below_home):
        yield L.PERSONAL


def _project_places(s: Subject) -> Iterator[L]:
    if not s.cwd or s.hive:
        return
    if s.key == s.cwd:
        yield L.PROJECT_ROOT
    elif s.in_project:
        yield L.PROJECT
    elif s.cwd.startswith(s.key.rstrip("/") + "/") and len(s.key) > 1:
        yield L.PROJECT_PARENT
    if not s.in_project and s.key != s.cwd and not _is_temp(s) and not is_stream_device(s.key):
        yield L.OUTSIDE


def _generated(s: Subject) -> Iterator[L]:
    if _CACHES.include(s.key):
        yield L.BUILD_OUTPUT
    if L.IN_SYSTEM_TREE in _places(s):
        return
    relative = s.key[len(s.cwd) :].split("/") if s.in_project else s.parts[1:]
    if _HOME_CACHES.include(s.below_home or "") or any(_is_build_name(p) for p in relative):
        yield L.BUILD_OUTPUT
    if s.in_project and (
        any(p in table.FIXTURE_COMPONENTS for p in relative[:-1])
        or s.name.endswith(table.FIXTURE_SUFFIXES)
    ):
        yield L.FIXTURE


def _is_build_name(part: str) -> bool:
    return (
        part in table.BUILD_OUTPUT
        or part.endswith(table.BUILD_OUTPUT_SUFFIXES)
        or part.startswith(table.BUILD_OUTPUT_PREFIXES)
    )


def _devices(s: Subject) -> Iterator[L]:
    if _PHYSICAL_DRIVE.fullmatch(s.key):
        yield L.RAW_DISK
    if not s.key.startswith("/dev/"):
        return
    if _RAW_DISK.fullmatch(s.key) or (s.pattern and _RAW_DISK.fullmatch(s.key.rstrip("*?"))):
        yield L.RAW_DISK
    elif s.key not in table.STREAM_DEVICES and not s.key.startswith(table.STREAM_DEVICE_TREES):
        yield L.DEVICE


def _home_files(s: Subject) -> Iterator[L]:
    below = s.below_home
    if not below:
        return
    yield from _lookup(table.HOME_FILES, below, s.pattern)
    for prefix in prefixes(below):
        yield from table.HOME_TREES.get(prefix, ())
    if s.covers:
        yield from table.HOME_COVERED.get(below, ())
    if below.startswith(".ssh/"):
        yield from _ssh_file(s, below[5:])
    yield from _browser(s, below)


def _ssh_file(s: Subject, name: str) -> Iterator[L]:
    if s.pattern:
        samples = ("id_rsa", "id_ed25519", "id_ecdsa", "id_dsa")
        if any(fnmatchcase(sample, name) for sample in samples):
            yield L.SSH_PRIVATE_KEY
        return
    public = name.endswith(".pub") or name in table.SSH_PUBLIC_NAMES or "/" in name
    if not public and ("." not in name or name.endswith(table.PRIVATE_KEY_SUFFIXES)):
        yield L.SSH_PRIVATE_KEY


def _browser(s: Subject, below: str) -> Iterator[L]:
    if not below.startswith(table.BROWSER_ROOTS):
        return
    inside = s.name in table.BROWSER_FILES or any(
        s.pattern and fnmatchcase(name, s.name) for name in table.BROWSER_FILES
    )
    if inside or (s.covers and below.startswith(table.BROWSER_ROOTS)):
        yield L.BROWSER_STORE


def _root_files(s: Subject) -> Iterator[L]:
    yield from _lookup(table.ROOT_FILES, s.key, s.pattern)
    for prefix in prefixes(s.key):
        yield from table.ROOT_TREES.get(prefix, ())
    if s.key.startswith(table.HOST_KEY_PREFIX) and not s.key.endswith(".pub"):
        yield L.SSH_PRIVATE_KEY
    if _PROC_ENVIRON.fullmatch(s.key):
        yield L.PROC_ENVIRON
    if _RUNTIME_SOCKET.fullmatch(s.key):
        yield L.CONTAINER_SOCKET


def _names(s: Subject) -> Iterator[L]:
    yield from _lookup(table.BASENAMES, s.name, s.pattern)
    if len(s.parts) > 1:
        yield from table.PAIRS.get("/".join(s.parts[-2:]), ())
    for index, part in enumerate(s.parts):
        yield from table.COMPONENT_TREES.get(part, ())
        if index:
            yield from table.PAIR_TREES.get(f"{s.parts[index - 1]}/{part}", ())
    if s.name.endswith(".log"):
        yield L.LOG


def _environment_files(s: Subject) -> Iterator[L]:
    if not s.name.startswith(".env."):
        return
    words = s.name[5:].split(".")
    template = any(word in table.ENV_TEMPLATE_WORDS for word in words)
    yield L.ENV_TEMPLATE if template else L.ENV_FILE


def _git_hooks(s: Subject) -> Iterator[L]:
    parts = s.parts
    if len(parts) >= 3 and parts[-2] == "hooks" and ".git" in parts[:-2]:
        if "." not in parts[-1]:
            yield L.GIT_HOOK
    elif len(parts) >= 2 and parts[-1] == "hooks" and parts[-2] == ".git" and s.covers:
        yield L.GIT_HOOK


def _private_keys(s: Subject) -> Iterator[L]:
    name = s.name
    if name.endswith(table.PRIVATE_KEY_SUFFIXES) and not any(
        part in name for part in table.PUBLIC_CERTIFICATE_PARTS
    ):
        yield L.PRIVATE_KEY_FILE


def _secret_files(s: Subject) -> Iterator[L]:
    """Files that hold secrets by their name or folder; templates and fixtures are none."""
    name = s.name
    if name.endswith(table.FIXTURE_SUFFIXES) or any(
        word in table.ENV_TEMPLATE_WORDS for word in name.split(".")
    ):
        return
    if name in table.WORKLOAD_PUBLIC_NAMES and table.WORKLOAD_FOLDER in s.parts[-2:-1]:
        return
    named = name in table.SECRET_NAMES or name.endswith(windows.SECRET_SUFFIXES)
    named = named or (
        name.startswith(table.SECRET_PREFIXES) and name.endswith(table.SECRET_SUFFIXES)
    )
    if named or any(part in table.SECRET_FOLDERS for part in s.parts[:-1]):
        yield L.SECRET_FILE


def _registry(s: Subject) -> Iterator[L]:
    if s.hive:
        yield from labels_of_key(s.key)


def _ours(resolved: str, s: Subject, scope: Scope) -> Iterator[L]:
    for path in scope.hook_paths:
        key = _slashes(path)
        if s.key == key or (s.covers and is_below(key, s.key)):
            yield L.HOOK_REGISTRATION
    for path in scope.own_paths:
        key = _slashes(path)
        if s.key == key or is_below(s.key, key):
            yield L.OWN_STATE


_LABELLERS = (
    _places,
    _home_places,
    _project_places,
    _devices,
    _home_files,
    _root_files,
    _names,
    _environment_files,
    _git_hooks,
    _private_keys,
    _secret_files,
    _registry,
    _generated,
)
