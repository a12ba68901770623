"""Ways to name a command in cmd without running it: nothing in them is an action."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.facts.respelling.cmd.scan import BUILTINS
from tests.facts.respelling.cmd.words import SYSTEM
from tests.facts.respelling.windows.judge import Mention


def _form(form: str) -> Callable[[str], str | None]:
    """The text in a form: <T> as it is, <E> with carets, <Q> between quotes, <P> its first word."""

    def call(text: str) -> str | None:
        if (
            "%" in text
            or ("<Q>" in form and '"' in text)
            or ("<T>" in form and set(text) & set('&|<>^"'))
        ):
            return None
        first = text.split(maxsplit=1)[0]
        parts = {"T": text, "Q": text, "E": re.sub(r'([&|<>^"])', r"^\1", text), "P": first}
        return re.sub(r"<([TQEP])>", lambda m: parts[m[1]], form)

    return call


def _anything(form: str) -> Callable[[str], str | None]:
    """For places that end with the line, whatever stands there."""
    return lambda text: form.replace("<T>", text) if "%" not in text else None


def _help(form: str) -> Callable[[str], str | None]:
    """Only for commands that know ``/?``."""
    inner = _form(form)
    known = BUILTINS | SYSTEM
    return lambda text: inner(text) if text.split(maxsplit=1)[0].lower() in known else None


MENTIONS = (
    Mention("echo", _form("echo <E>")),
    Mention("echo-quoted", _form('echo "<Q>"')),
    Mention("echo-dot", _form("echo.<E>")),
    Mention("echo-at", _form("@echo <E>")),
    Mention("echo-to-file", _form("echo <E>>> notes.md")),
    Mention("echo-redirect-first", _form(">> docs\\notes.md echo <E>")),
    Mention("echo-block", _form("(\necho Never run\necho <E>\n) > notes.md")),
    Mention("echo-nul", _form("echo <E> >nul")),
    Mention("echo-and", _form("echo <E> & echo done")),
    Mention("echo-piped", _form("echo <E>| more")),
    Mention("echo-clip", _form("echo <E>| clip")),
    Mention("rem", _anything("rem <T>\ndir")),
    Mention("rem-at", _anything("@rem <T>\ndir")),
    Mention("double-colon", _anything(":: <T>\ndir")),
    Mention("rem-behind", _form("dir & rem <E>")),
    Mention("unused-label", _form(":<P>\ndir")),
    Mention("title", _form("title <E>")),
    Mention("prompt", _form("prompt <P>$g")),
    Mention("commit-message", _form('git commit -m "<Q>"')),
    Mention(
        "commit-body", _form('git add -A && git commit -q -m "docs" -m "do not run <Q> again"')
    ),
    Mention("tag-message", _form('git tag -a v1 -m "<Q>"')),
    Mention("stash-message", _form('git stash push -m "<Q>"')),
    Mention("git-grep", _form('git grep -n "<Q>"')),
    Mention("git-log", _form('git log --oneline --grep "<Q>"')),
    Mention("pull-request", _form('gh pr create --title "Docs" --body "<Q>"')),
    Mention("issue", _form('gh issue create --title "<Q>" --body "see title"')),
    Mention("findstr", _form('findstr /s /n /c:"<Q>" *.md')),
    Mention("findstr-piped", _form('type README.md | findstr /c:"<Q>"')),
    Mention("find", _form('find "<Q>" README.md')),
    Mention("find-piped", _form('dir /b | find /i "<Q>"')),
    Mention("rg", _form('rg -n -F "<Q>" src')),
    Mention("set", _form('set "NOTE=<Q>"')),
    Mention("set-shown", _form('set "NOTE=<Q>"\necho "%NOTE%"')),
    Mention("compared", _form('if "%LINE%"=="<Q>" echo same')),
    Mention("dead-if", _form("if 1==2 <T>")),
    Mention("dead-block", _form("if 1==2 (\n<T>\n)")),
    Mention("after-exit", _form("echo bye\nexit /b 0\n<T>")),
    Mention("jumped-over", _form("goto end1\n<T>\n:end1\necho done")),
    Mention("never-called", _form("dir\ngoto :eof\n:sub1\n<T>\nexit /b")),
    Mention("loop-shown", _form('for %i in ("<Q>") do echo would run: %i')),
    Mention("loop-text-shown", _form('for /f "delims=" %i in ("<Q>") do @echo %i')),
    Mention("help", _help("<P> /?")),
    Mention("help-command", _form("help <P>")),
    Mention("where", _form("where <P>")),
    Mention("message", _form('msg * "<Q>"')),
    Mention("choice", _form('choice /m "<Q>"')),
    Mention("powershell-shown", _form("powershell -NoProfile -Command \"Write-Host '<T>'\"")),
    Mention("child-shown", _form("cmd /c echo <T>")),
    Mention("docker-echo", _form('docker run --rm alpine echo "<Q>"')),
    Mention("explained", _form('defenseclaw explain "<Q>"')),
)
