"""Respellings of options and paths: other words, the same request."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.facts.respelling.model import Respelling
from tests.facts.respelling.scan import Shape, Word

HOME = "/home/dana"
# Long names of short options, by program and verb; these may be bundled and put in any order.
LONG: dict[str, dict[str, str]] = {
    "rm": {"r": "recursive", "R": "recursive", "f": "force", "v": "verbose", "d": "dir"},
    "cp": {"r": "recursive", "f": "force", "v": "verbose"},
    "chmod": {"R": "recursive", "v": "verbose"},
    "chown": {"R": "recursive", "v": "verbose"},
    "git clean": {"f": "force", "d": "", "x": "", "q": "quiet"},
    "git push": {"f": "force", "q": "quiet"},
    "git checkout": {"f": "force", "q": "quiet"},
    "git worktree remove": {"f": "force"},
    "git submodule deinit": {"f": "force"},
    "wipefs": {"a": "all", "f": "force"},
    "docker system prune": {"a": "all", "f": "force"},
    "curl": {"s": "silent", "S": "show-error", "f": "fail", "L": "location"},
}
# Programs whose operands that look like paths are paths of files, and whose options may follow.
FILE_PROGRAMS = {
    "rm", "cat", "cp", "head", "tail", "chmod", "chown", "tee", "shred", "truncate", "less", "mv",
    "wipefs", "mkfs.ext4", "grep",
}  # fmt: skip


def _table(shape: Shape) -> tuple[dict[str, str], int]:
    """The options of the program at hand, and how many words name it."""
    raws = [w.raw for w in shape.words]
    for count in (3, 2, 1):
        found = LONG.get(" ".join(raws[:count]))
        if found is not None:
            return found, count
    return {}, 0


def _spelled(change: Callable[[list[str], dict[str, str], random.Random], list[str]]):  # type: ignore[no-untyped-def]
    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        table, count = _table(shape) if shape.static else ({}, 0)
        raws = [w.raw for w in shape.words]
        options = [r for r in raws[count:] if _known(r, table)]
        if not options or "--" in raws:
            return None
        at = raws.index(options[0])
        rest = [r for r in raws[count:] if r not in options]
        ahead = [r for r in rest if raws.index(r) < at]
        letters = [c for o in options for c in _letters(o, table)]
        behind = [r for r in rest if r not in ahead]
        return " ".join([*raws[:count], *ahead, *change(letters, table, chance), *behind])

    return rewrite


def _known(raw: str, table: dict[str, str]) -> bool:
    if raw.startswith("--"):
        return raw[2:] in table.values()
    return len(raw) > 1 and raw[0] == "-" and all(c in table for c in raw[1:])


def _letters(raw: str, table: dict[str, str]) -> list[str]:
    if not raw.startswith("--"):
        return list(raw[1:])
    return [next(k for k, name in table.items() if name == raw[2:])]


def _apart(letters: list[str], _: dict[str, str], chance: random.Random) -> list[str]:
    chance.shuffle(letters)
    return [f"-{c}" for c in letters]


def _bundled(letters: list[str], _: dict[str, str], chance: random.Random) -> list[str]:
    chance.shuffle(letters)
    return ["-" + "".join(letters)]


def _long(letters: list[str], table: dict[str, str], chance: random.Random) -> list[str]:
    chance.shuffle(letters)
    return [f"--{table[c]}" if table[c] else f"-{c}" for c in letters]


def _options_last(text: str, shape: Shape, _: random.Random) -> str | None:
    """GNU programs take options behind their operands too."""
    table, count = _table(shape) if shape.static else ({}, 0)
    raws = [w.raw for w in shape.words]
    options = [r for r in raws[count:] if _known(r, table)]
    if not options or "--" in raws:
        return None
    return " ".join([*raws[:count], *(r for r in raws[count:] if r not in options), *options])


def _end_of_options(text: str, shape: Shape, _: random.Random) -> str | None:
    if not shape.static or shape.program not in ("rm", "cat", "cp", "shred", "chmod", "wipefs"):
        return None
    words = shape.words
    first = next((w for w in words[1:] if not w.raw.startswith("-")), None)
    if first is None or any(w.raw.startswith("-") for w in words if w.start > first.start):
        return None
    return f"{text[: first.start]}-- {text[first.start :]}"


def _files(shape: Shape) -> list[Word]:
    if not shape.simple or shape.program not in FILE_PROGRAMS:
        return []
    return [
        w for w in shape.words[1:] if w.raw.startswith(("/", "~/")) and not set("'\\") & set(w.raw)
    ]


def _on_path(change: Callable[[str, random.Random], str | None]):  # type: ignore[no-untyped-def]
    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        paths = _files(shape)
        if not paths:
            return None
        word = chance.choice(paths)
        raw = change(word.raw, chance)
        return None if raw is None else text[: word.start] + raw + text[word.end :]

    return rewrite


def _slash(raw: str, chance: random.Random) -> int:
    return chance.choice([i for i, c in enumerate(raw) if c == "/"])


def _dot(raw: str, chance: random.Random) -> str:
    at = _slash(raw, chance)
    return f"{raw[:at]}/.{raw[at:]}"


def _dots(raw: str, chance: random.Random) -> str:
    at = _slash(raw, chance)
    return f"{raw[:at]}/tmp/..{raw[at:]}"


def _doubled(raw: str, chance: random.Random) -> str:
    at = _slash(raw, chance)
    return f"{raw[:at]}{chance.choice(('//', '///'))}{raw[at + 1 :]}"


def _above_root(raw: str, _: random.Random) -> str | None:
    return f"/..{raw}" if raw.startswith("/") else None


def _trailing(text: str, shape: Shape, chance: random.Random) -> str | None:
    """Only what is removed with everything below is surely a folder."""
    recursive = any(w.raw.startswith("-") and w.raw[-1] in "rRf" for w in shape.words)
    if not recursive or shape.program not in ("rm", "chmod", "chown"):
        return None
    ending = chance.choice(("/", "//", "/."[: 1 if shape.program == "rm" else 2]))
    return _on_path(lambda raw, _: raw + ending)(text, shape, chance)


def _home(raw: str, chance: random.Random) -> str | None:
    rest = next((raw[len(h) :] for h in ("~/", HOME + "/") if raw.startswith(h)), None)
    if rest is None:
        return None
    heads = ("~/", "$HOME/", "${HOME}/", '"$HOME"/', '"${HOME}/"', f"{HOME}/", "~/./", "${HOME%/}/")
    return chance.choice(heads) + rest


def _change_folder(text: str, shape: Shape, chance: random.Random) -> str | None:
    """cd first, then a relative path; only where no other word can be a relative path."""
    paths = _files(shape)
    others = [w for w in shape.words[1:] if w not in paths and not w.raw.startswith("-")]
    if not paths or (others and shape.program not in ("chmod", "chown", "head", "tail")):
        return None
    word = chance.choice(paths)
    folder, _, name = word.raw.rstrip("/").rpartition("/")
    if name == "~":
        return None
    if not name:
        return f"cd / && {text[: word.start]}.{text[word.end :]}" if word.raw == "/" else None
    dot = chance.choice(("", "./"))
    between = chance.choice((" && ", "; ", "\n"))
    return f"cd {folder or '/'}{between}{text[: word.start]}{dot}{name}{text[word.end :]}"


OPERANDS = (
    Respelling("options-apart", _spelled(_apart), argv=False),
    Respelling("options-bundled", _spelled(_bundled), argv=False),
    Respelling("options-long", _spelled(_long), argv=False),
    Respelling("options-last", _options_last, argv=False),
    Respelling("end-of-options", _end_of_options, argv=False),
    Respelling("dot-component", _on_path(_dot), argv=False),
    Respelling("parent-component", _on_path(_dots), argv=False),
    Respelling("above-root", _on_path(_above_root), argv=False),
    Respelling("doubled-slash", _on_path(_doubled), argv=False),
    Respelling("trailing-slash", _trailing, argv=False),
    Respelling("home-forms", _on_path(_home), argv=False),
    Respelling("change-folder", _change_folder, argv=False),
)
