"""Respellings of whole commands: launchers, code in code, and the shell's own structure."""

from __future__ import annotations

import base64
import random
import re
import shlex

from tests.facts.respelling.model import Respelling, Rewrite, closed, double, ends_open, fresh
from tests.facts.respelling.scan import BUILTINS, Shape

# What a plain sh has not, or prints and reads in another way; looked for without quotes.
_BASH_ONLY = re.compile(
    r"\$['\"]|time |<<<|<\(|\{|\[\[|\(\(|\+=|=\(|/dev/tcp|>&|`|\$IFS| -v| -ra|\\x|echo -e"
    r"|\b(?:function|shopt|source|mapfile|readarray|declare|typeset|local|pushd|coproc)\b"
)
_QUOTING = re.compile(r"\\\n|['\"]")
_STATE = BUILTINS - {":", "eval", "exec", "source", ".", "command"}


def touches_shell(shape: Shape) -> bool:
    """Whether some command changes the shell itself, which a child process cannot do."""
    return any(w.first and w.raw in _STATE for w in shape.words)


def needs_bash(text: str) -> bool:
    """Whether a plain sh might read the text in another way."""
    bare = _QUOTING.sub("", text).replace("\\", "")
    return any(_BASH_ONLY.search(spelling) for spelling in (text, _QUOTING.sub("", text), bare))


def _launcher(*forms: str) -> Rewrite:
    """Words in front of one simple command."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        if not shape.external or shape.program in ("time",):
            return None
        return f"{chance.choice(forms)} {text}"

    return rewrite


def _folder(text: str, shape: Shape, chance: random.Random) -> str | None:
    if not shape.external or "/" in shape.words[0].raw:
        return None
    return chance.choice(("/bin/", "/usr/bin/", "/usr/local/bin/")) + text


def _backslash_name(text: str, shape: Shape, _: random.Random) -> str | None:
    return "\\" + text if shape.simple and shape.words[0].plain else None


def _split_string(text: str, shape: Shape, _: random.Random) -> str | None:
    return f"env -S {shlex.quote(text)}" if shape.static and shape.external else None


def _child(*forms: str) -> Rewrite:
    """The text as the argument or input of another shell; {q} is the quoted text, {t} the text."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        if touches_shell(shape) or "$0" in text:
            return None
        form = chance.choice(forms)
        if needs_bash(text):
            form = _with_bash(form)
        if "echo" in form and "\\" in text:
            return None
        end = fresh(text, "END")
        coded = base64.b64encode(text.encode()).decode()
        return form.format(q=shlex.quote(text), t=text, e=end, b=coded, d=double(text))

    return rewrite


def _with_bash(form: str) -> str:
    words = form.split(" ")
    return " ".join("bash" if w in ("sh", "dash") else w for w in words)


def _frame(before: str, after: str) -> Rewrite:
    """The text inside the shell's own structure."""

    def rewrite(text: str, _: Shape, __: random.Random) -> str | None:
        return f"{before}{closed(text)}{after}"

    return rewrite


def _around(*forms: str) -> Rewrite:
    """The text as part of a list; forms with something behind it need a text that ends."""

    def rewrite(text: str, _: Shape, chance: random.Random) -> str | None:
        form = chance.choice(forms)
        if not form.endswith("{t}") and ends_open(text):
            return None
        return form.replace("{t}", text)

    return rewrite


def _one_command(*forms: str) -> Rewrite:
    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        return chance.choice(forms).replace("{t}", text) if shape.simple else None

    return rewrite


def _eval_words(text: str, shape: Shape, _: random.Random) -> str | None:
    return f"eval {text}" if shape.static else None


def _redirected(text: str, shape: Shape, chance: random.Random) -> str | None:
    if not shape.simple:
        return None
    word = chance.choice(shape.words)
    at = chance.choice((word.start, word.end))
    return (
        f"{text[:at]} {chance.choice(('2>/dev/null', '2>&1', '3>&1', '2>>/dev/null'))} {text[at:]}"
    )


def _function(text: str, shape: Shape, chance: random.Random) -> str | None:
    name = fresh(text, "fn")
    head = chance.choice((f"{name}() {{", f"function {name} {{", f"{name} () {{"))
    return f"{head} {closed(text)}}}{chance.choice(('; ', chr(10)))}{name}"


def _with_arguments(text: str, shape: Shape, _: random.Random) -> str | None:
    """A function that runs its arguments, or takes the last of them."""
    if not shape.simple or len(shape.words) < 2:
        return None
    last = shape.words[-1]
    if "IFS" in last.raw:
        return None  # it splits, and only a part of it would be the argument
    name = fresh(text, "fn")
    return f'{name}() {{ {text[: last.start]}"$1"; }}; {name} {last.raw}'


def _run_arguments(text: str, shape: Shape, _: random.Random) -> str | None:
    if not shape.simple or touches_shell(shape):
        return None
    name = fresh(text, "fn")
    return f'{name}() {{ "$@"; }}; {name} {text}'


def _set_arguments(text: str, shape: Shape, _: random.Random) -> str | None:
    return f'set -- {text}; "$@"' if shape.simple and not touches_shell(shape) else None


def _array(text: str, shape: Shape, _: random.Random) -> str | None:
    if not shape.simple or touches_shell(shape):
        return None
    name = fresh(text, "arr")
    return f'{name}=({text}); "${{{name}[@]}}"'


def _alias(text: str, shape: Shape, _: random.Random) -> str | None:
    if not shape.simple or not shape.words[0].plain:
        return None
    first = shape.words[0]
    name = fresh(text, "al")
    return f"shopt -s expand_aliases\nalias {name}={first.raw}\n{name}{text[first.end :]}"


def _xargs(text: str, shape: Shape, chance: random.Random) -> str | None:
    if not shape.static or not shape.external or len(shape.words) < 2:
        return None
    cut = chance.randrange(1, len(shape.words))
    head, tail = text[: shape.words[cut].start].rstrip(), text[shape.words[cut].start :]
    if tail.startswith("-"):
        return None
    tail = " ".join(tail.split())
    form = chance.choice(
        ("echo {t} | xargs {h}", "printf '%s\\n' {t} | xargs {h}", "xargs {h} <<< '{t}'")
    )
    return form.format(t=tail, h=head)


def _xargs_replace(text: str, shape: Shape, _: random.Random) -> str | None:
    if not shape.static or not shape.external or len(shape.words) < 2:
        return None
    last = shape.words[-1]
    if last.raw.startswith("-"):
        return None  # echo would take it for its own option
    return f"echo {last.raw} | xargs -I% {text[: last.start]}%" if "%" not in text else None


def _find_exec(text: str, shape: Shape, chance: random.Random) -> str | None:
    if not shape.external or any(w.raw in (";", "+") for w in shape.words) or "{}" in text:
        return None
    return (
        f"find . -maxdepth 0 -exec {text} {chance.choice((chr(92) + ';', chr(39) + ';' + chr(39)))}"
    )


def _script_file(text: str, shape: Shape, chance: random.Random) -> str | None:
    if touches_shell(shape):
        return None
    name = f"/tmp/{fresh(text, 's')}.sh"
    shell = "bash" if needs_bash(text) else chance.choice(("sh", "bash"))
    end = fresh(text, "END")
    form = chance.choice(
        (
            "printf '%s\\n' {q} > {n}; {s} {n}",
            "cat > {n} <<'{e}'\n{t}\n{e}\n{s} {n}",
            "printf '%s\\n' {q} > {n} && chmod +x {n} && {n}",
        )
    )
    return form.format(q=shlex.quote(text), t=text, n=name, s=shell, e=end)


_SHELL = frozenset({"CMD-BASH-C"})
_EVAL = frozenset({"CMD-EVAL"})
_DECODED = frozenset({"CMD-PIPE-BASE64", "CMD-EVAL", "CMD-BASH-C"})
_ROOT = frozenset({"CMD-SUDO"})

WRAPS = (
    Respelling("command", _launcher("command", "command --"), nests=1),
    Respelling("default-path", _launcher("command -p"), argv=False, nests=1),
    Respelling("exec", _launcher("exec", "exec -a x"), nests=1, outermost=True),
    Respelling("backslash-name", _backslash_name),
    Respelling("folder", _folder, argv=False),
    Respelling("env", _launcher("env", "env A=1", "env -u A", "env --"), nests=1),
    Respelling("absolute-env", _launcher("/usr/bin/env", "/bin/env A=1"), argv=False, nests=1),
    Respelling("env-split", _split_string, nests=1),
    Respelling("assignment", _launcher("A=1", "A=1 B='x y'")),
    Respelling("sudo", _launcher("sudo", "sudo -n", "sudo -u root", "sudo -E --", "doas"), False,
               _ROOT, 1),
    Respelling("nice", _launcher("nice", "nice -n 5", "nice -5", "nice --adjustment=5"), nests=1),
    Respelling("timeout", _launcher("timeout 9", "timeout -k 5 9s", "timeout --signal=KILL 9"),
               nests=1),
    Respelling("nohup", _launcher("nohup"), nests=1),
    Respelling("setsid", _launcher("setsid", "setsid -w"), False, nests=1),
    Respelling("stdbuf", _launcher("stdbuf -oL", "stdbuf -o0 -e0"), False, nests=1),
    Respelling("time", _one_command("time {t}", "time -p {t}")),
    Respelling("sh-c", _child("sh -c {q}", "sh -ec {q}", "dash -c {q}"), True, _SHELL, 1),
    Respelling("bash-c", _child("bash -c {q}", "bash -c {d}", "bash -e -u -c {q}"), True,
               _SHELL, 1),
    Respelling("bash-lc", _child("bash -lc {q}", "bash -l -c {q}", "zsh -lc {q}"), False,
               _SHELL, 1),
    Respelling("eval", _child("eval {q}", "eval {d}"), True, _EVAL, 1),
    Respelling("eval-words", _eval_words, False, _EVAL, 1),
    Respelling("heredoc", _child("bash <<'{e}'\n{t}\n{e}\n", "sh -s <<'{e}'\n{t}\n{e}\n",
                                 "cat <<'{e}' | bash\n{t}\n{e}\n"), nests=1),
    Respelling("here-string", _child("bash <<< {q}", "bash -s <<< {d}",
                                     "bash < <(printf '%s\\n' {q})"), nests=1),
    Respelling("echo-pipe", _child("echo {q} | sh", "echo {q} | bash -s", "echo {d} | bash"),
               nests=1),
    Respelling("printf-pipe", _child("printf '%s\\n' {q} | sh", "printf %s {q} | bash"), nests=1),
    Respelling("base64-pipe", _child("echo {b} | base64 -d | bash", "base64 -d <<< {b} | bash",
                                     "printf {b} | base64 --decode | bash"), True, _DECODED, 1),
    Respelling("base64-eval", _child('eval "$(echo {b} | base64 -d)"',
                                     'bash -c "$(echo {b} | base64 -d)"'), True, _DECODED, 1),
    Respelling("process-substitution", _child("bash <(echo {q})", "source <(printf '%s\\n' {q})",
                                              ". <(echo {d})"), nests=1),
    Respelling("script-file", _script_file, False, nests=1),
    Respelling("xargs", _xargs, nests=1),
    Respelling("xargs-replace", _xargs_replace, nests=1),
    Respelling("find-exec", _find_exec, nests=1),
    Respelling("subshell", _frame("( ", ")")),
    Respelling("group", _frame("{ ", "}")),
    Respelling("if", _frame("if true; then ", "fi")),
    Respelling("else", _frame("if false; then :; else ", "fi")),
    Respelling("for", _frame("for i in 1; do ", "done")),
    Respelling("while", _frame("while true; do ", "break; done")),
    Respelling("case", _frame("case x in x) ", ";; esac")),
    Respelling("function", _function),
    Respelling("function-argument", _with_arguments),
    Respelling("function-arguments", _run_arguments),
    Respelling("set-arguments", _set_arguments),
    Respelling("array", _array),
    Respelling("alias", _alias, outermost=True),
    Respelling("after", _around("true && {t}", "false || {t}", ": ; {t}", "true\n{t}")),
    Respelling("before", _around("{t}; true", "{t} && true", "{t} || true", "{t}\n:")),
    Respelling("beside", _around("touch /tmp/x1; {t}", "mkdir -p build; {t}", "ls -la\n{t}",
                                 "{t}; cat README.md", "git status; {t}",
                                 "echo ok > /tmp/out.txt; {t}")),
    Respelling("comment", _around("# start\n{t}", "{t} # it's done", "# a 'b\n\n{t}\n# \"c")),
    Respelling("negated", _one_command("! {t}")),
    Respelling("background", _one_command("{t} & wait", "{t} &")),
    Respelling("captured", _one_command("out=$({t})", ": $({t})", ': "$({t})"')),
    Respelling("redirected", _redirected),
    Respelling("trap", _child("trap {q} EXIT"), nests=1, outermost=True),
)  # fmt: skip
