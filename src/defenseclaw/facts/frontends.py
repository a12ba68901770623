"""The shell dialects: one row per front end that turns source text into a script."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from defenseclaw.core.facts import Dialect
from defenseclaw.facts import cmd, posix, powershell
from defenseclaw.facts.script import Script, Word


@dataclass(frozen=True, slots=True)
class Setting:
    """What a front end may assume: directories and positional parameters as the caller's words."""

    cwd: str = ""
    home: str = ""
    positional: tuple[Word, ...] | None = None
    depth: int = 0
    plain: bool = False  # a small shell, without the quoting that others add
    variables: Mapping[str, str | None] = field(default_factory=dict)
    exported: frozenset[str] = frozenset()
    examples: frozenset[str] = frozenset()  # variables whose values stand for others like them
    session: object = None  # what else the shell knows that runs the text
    apart: bool = False  # but in a process of its own
    delayed: bool = False  # cmd reads `!name!` as well
    batch: bool = False  # the text is a batch file's


def _posix(source: str, setting: Setting) -> Script:
    environment = posix.ShellEnv(
        home=setting.home,
        cwd=setting.cwd,
        variables=setting.variables,
        arguments=setting.positional,
        depth=setting.depth,
        exported=setting.exported & setting.variables.keys(),
        examples=setting.examples & setting.variables.keys(),
        plain=setting.plain,
        zsh=not setting.plain,
    )
    return posix.parse(source, environment)


def _powershell(source: str, setting: Setting) -> Script:
    session = setting.session if isinstance(setting.session, powershell.Session) else None
    host = powershell.Host(
        setting.cwd,
        setting.home,
        setting.variables,
        setting.positional or (),
        session,
        setting.apart,
    )
    return powershell.parse(source, host)


def _cmd(source: str, setting: Setting) -> Script:
    given = setting.positional
    arguments = None
    if given is not None and all(word.value is not None for word in given):
        arguments = tuple(word.value or "" for word in given)
    return cmd.parse(
        source,
        cmd.Host(
            setting.cwd,
            setting.home,
            setting.variables,
            arguments,
            setting.batch,
            setting.delayed,
        ),
    )


FrontEnd = Callable[[str, Setting], Script]
FRONT_ENDS: Mapping[Dialect, FrontEnd] = {
    Dialect.POSIX: _posix,
    Dialect.POWERSHELL: _powershell,
    Dialect.CMD: _cmd,
    Dialect.ARGV: _posix,  # a vector's inner code, such as after sh -c, is a shell's
}
