"""Other names that a call gives to files: links, bind mounts and copies of programs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from defenseclaw.core.facts import Dialect, PathAccess
from defenseclaw.facts.identity import identify
from defenseclaw.facts.paths import Located, clean, is_below

MAX_LINKS = 64  # of one call; more only repeat the trick
MAX_HOPS = 8  # links to links; the kernel follows 40, nobody means more than a few


@dataclass(slots=True)
class Links:
    """Resolved names that this call gave, and what they stand for."""

    targets: dict[str, str] = field(default_factory=dict)
    programs: dict[str, str] = field(default_factory=dict)  # a copy's path -> its program's path

    def add(self, name: str, target: str) -> None:
        """Remember a link; its name and target are resolved."""
        if name and target and name != target and len(self.targets) < MAX_LINKS:
            self.targets[name] = target

    def add_program(self, copy: str, source: str) -> None:
        """Remember the copy of an installed program."""
        if copy and identify(source, Dialect.POSIX).lookup and len(self.programs) < MAX_LINKS:
            self.programs[copy] = source

    def follow(self, located: Located, access: PathAccess | None, spelling: str) -> Located:
        """Where a path leads. Deleting a link deletes the name and not what is behind it."""
        resolved = located.resolved
        own = access is PathAccess.DELETE and not spelling.endswith("/")
        for _ in range(MAX_HOPS):
            step = self._step(resolved, own=own)
            if step == resolved:
                break
            resolved = step
        return located if resolved == located.resolved else replace(located, resolved=resolved)

    def _step(self, path: str, *, own: bool) -> str:
        for name, target in self.targets.items():
            if is_below(path, name):
                found = clean(f"{target}/{path[len(name) :]}")
                return found + "/" if found[1:] == ":" else found
            if path == name and not own:
                return target
        return path

    def program(self, path: str) -> str:
        """The program that a path or a bare name is a link to or a copy of, or empty."""
        if "/" in path:
            found = self._step(path, own=False)
            return self.programs.get(found) or ("" if found == path else found)
        for names in (self.programs, self.targets):
            for name, source in names.items():
                if name.rpartition("/")[2] == path:
                    return source
        return ""
