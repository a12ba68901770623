"""Respellings of the whole text as data that some filter turns into code again, and of the shell's
further structure."""

from __future__ import annotations

import codecs
import random
import shlex

from tests.facts.respelling.model import Respelling, Rewrite, closed, ends_open, fresh
from tests.facts.respelling.scan import Shape
from tests.facts.respelling.wraps import touches_shell


def _coded(*forms: str) -> Rewrite:
    """The text in some code, then a filter, then a shell."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        if touches_shell(shape) or "$0" in text or not text.isascii() or "\n" in text:
            return None
        form = chance.choice(forms)
        if "\\" in text and ("{z}" in form or "{u}" in form):
            return None
        return form.format(
            q=shlex.quote(text),
            z=shlex.quote(text[::-1]),
            u=shlex.quote(codecs.encode(text, "rot13")),
            w=shlex.quote(text.swapcase()),
            x=text.encode().hex(),
            o="".join(f"\\{ord(c):03o}" for c in text),
            b="".join(f"\\x{ord(c):02x}" for c in text),
            v=shlex.quote(text.replace(" ", "@")),
            p=shlex.quote("QQ" + text),
            e=fresh(text, "END"),
            t=text,
        )

    return rewrite


def _frame(*pairs: tuple[str, str]) -> Rewrite:
    """The text inside the shell's own structure."""

    def rewrite(text: str, _: Shape, chance: random.Random) -> str | None:
        before, after = chance.choice(pairs)
        return f"{before}{closed(text)}{after}"

    return rewrite


def _multi_call(text: str, shape: Shape, chance: random.Random) -> str | None:
    """Programs that hold many others."""
    if not shape.external or shape.program not in _APPLETS or "/" in shape.words[0].raw:
        return None
    return f"{chance.choice(('busybox', '/bin/busybox', 'toybox'))} {text}"


_APPLETS = {
    "rm",
    "cat",
    "cp",
    "mv",
    "chmod",
    "chown",
    "dd",
    "tee",
    "head",
    "tail",
    "kill",
    "wget",
    "nc",
}


_LAUNCHERS = (
    "ionice -c 3", "chrt -b 0", "taskset -c 0", "env -C /srv/app", "command env", "nohup nice",
    "unbuffer", "flock /tmp/lock1", "strace -f", "setarch -R", "env A=1 nice -n 3",
)  # fmt: skip


def _launched(text: str, shape: Shape, chance: random.Random) -> str | None:
    """Launchers that take words of their own first."""
    return f"{chance.choice(_LAUNCHERS)} {text}" if shape.external else None


def _builtin(text: str, shape: Shape, chance: random.Random) -> str | None:
    """``builtin`` in front of what runs code."""
    if touches_shell(shape):
        return None
    form = chance.choice(("builtin eval {q}", "command eval {q}", "builtin command eval {q}"))
    return form.format(q=shlex.quote(text))


def _coproc(text: str, shape: Shape, chance: random.Random) -> str | None:
    """A coprocess."""
    if ends_open(text):
        return None
    return f"coproc {{ {text}; }}; wait"


def _language(*forms: str) -> Rewrite:
    """The text as a string that a program of another language gives to a shell."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        if touches_shell(shape) or any(c in text for c in "'\"\\$`\n@#%!"):
            return None
        return chance.choice(forms).format(t=text)

    return rewrite


_DECODED = frozenset({"CMD-PIPE-BASE64", "CMD-EVAL", "CMD-BASH-C", "CMD-PIPE-DECODED"})
_LANGUAGES = frozenset({"CMD-PYTHON-C", "CMD-PERL-E", "CMD-RUBY-E", "CMD-NODE-E", "CMD-PHP-R"})

PIPED = (
    Respelling(
        "rev-pipe",
        _coded("echo {z} | rev | bash", "rev <<< {z} | bash", 'eval "$(rev <<< {z})"'),
        True,
        _DECODED,
        1,
    ),
    Respelling(
        "rot13-pipe",
        _coded(
            "echo {u} | tr 'a-zA-Z' 'n-za-mN-ZA-M' | bash",
            "tr 'A-Za-z' 'N-ZA-Mn-za-m' <<< {u} | bash",
            'bash -c "$(echo {u} | tr n-za-mN-ZA-M a-zA-Z)"',
        ),
        True,
        _DECODED,
        1,
    ),
    Respelling(
        "case-pipe", _coded("printf '%s\\n' {w} | tr 'a-zA-Z' 'A-Za-z' | bash"), True, _DECODED, 1
    ),
    Respelling(
        "hex-pipe",
        _coded(
            "echo {x} | xxd -r -p | bash",
            "xxd -r -p <<< {x} | bash",
            'eval "$(echo {x} | xxd -p -r)"',
        ),
        True,
        _DECODED,
        1,
    ),
    Respelling(
        "octal-pipe",
        _coded("printf '{o}' | bash", "printf '{b}' | bash", "printf %b '{b}' | bash -s"),
        True,
        _DECODED,
        1,
    ),
    Respelling(
        "ansi-shell", _coded("bash -c $'{b}'", "eval $'{b}'", "bash <<< $'{o}'"), True, _DECODED, 1
    ),
    Respelling(
        "sed-pipe",
        _coded("printf '%s\\n' {p} | sed 's/^QQ//' | bash", "sed 's/QQ//' <<< {p} | bash"),
        True,
        _DECODED,
        1,
    ),
    Respelling("cut-pipe", _coded("printf '%s\\n' {p} | cut -c3- | bash"), True, _DECODED, 1),
    Respelling(
        "cat-pipe",
        _coded(
            "printf '%s\\n' {q} | cat | bash",
            "printf '%s\\n' {q} | tee /dev/null | bash",
            "cat <(printf '%s\\n' {q}) | bash",
        ),
        True,
        _DECODED,
        1,
    ),
    Respelling(
        "standard-input",
        _coded(
            ". /dev/stdin <<< {q}",
            "source /dev/stdin <<'{e}'\n{t}\n{e}\n",
            "bash /dev/stdin <<< {q}",
        ),
        True,
        _DECODED,
        1,
    ),
    Respelling(
        "heredoc-eval",
        _coded("eval \"$(cat <<'{e}'\n{t}\n{e}\n)\"", "bash -c \"$(cat <<'{e}'\n{t}\n{e}\n)\""),
        True,
        _DECODED,
        1,
    ),
    Respelling("builtin", _builtin, True, frozenset({"CMD-EVAL"}), 3),
    Respelling("launcher", _launched, False, frozenset(), 2),
    Respelling("multi-call", _multi_call, False, frozenset(), 1),
    Respelling("coproc", _coproc, False, outermost=True),
    Respelling(
        "until", _frame(("until false; do ", "break; done"), ("until ! true; do ", "break; done"))
    ),
    Respelling("counted-loop", _frame(("for ((i=0; i<1; i++)); do ", "done"))),
    Respelling(
        "condition",
        _frame(
            ("if [ 1 = 1 ]; then ", "fi"),
            ("if [[ -n x ]]; then ", "fi"),
            ("test -n x && { ", "}"),
            ("[[ 1 -eq 1 ]] && { ", "}"),
            ("if ! false; then ", "fi"),
        ),
    ),
    Respelling("nested-groups", _frame(("( { ", "} )"), ("{ ( ", ") ; }"), ("( ( ", ") )"))),
    Respelling(
        "case-words", _frame(('case "a b" in *b) ', ";; esac"), ("case $- in *) ", ";; esac"))
    ),
    Respelling(
        "group-redirected", _frame(("{ ", "} 2>/dev/null"), ("( ", ") 2>&1"), ("{ ", "} 3>&1"))
    ),
    Respelling(
        "nested-function", _frame(("fo1() { fi1() { ", "}; fi1; }; fo1"), ("fo1() ( ", "); fo1"))
    ),
    Respelling("returning", _frame(("fo1() { if true; then ", "return; fi; }; fo1"))),
    Respelling(
        "exit-code", _frame(("", "exit 0"), ("set -e; ", "true"), ("set -euo pipefail\n", "true"))
    ),
    Respelling(
        "python-system",
        _language(
            "python3 -c 'import os; os.system(\"{t}\")'",
            "python3 -c 'import subprocess; subprocess.run(\"{t}\", shell=True)'",
        ),
        False,
        _LANGUAGES,
        2,
    ),
    Respelling(
        "perl-system",
        _language("perl -e 'system(\"{t}\")'", "ruby -e 'system(\"{t}\")'"),
        False,
        _LANGUAGES,
        2,
    ),
)  # fmt: skip
