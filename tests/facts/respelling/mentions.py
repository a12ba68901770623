"""Ways to name a command without running it: nothing in them is an action."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass

from defenseclaw.core.tool import ToolCall
from defenseclaw.facts import GLOBAL_TOOLS
from tests.facts.respelling.judge import CWD, HOME, SHELL
from tests.facts.respelling.model import double, fresh
from tests.facts.respelling.scan import scan

Form = Callable[[str], ToolCall | None]  # None where the form cannot hold the text


@dataclass(frozen=True, slots=True)
class Mention:
    """A form that names a text; ``adds`` names weak rules that speak about the form itself."""

    name: str
    call: Form
    adds: frozenset[str] = frozenset()


def shell(text: str) -> ToolCall:
    """A call of a shell tool."""
    return ToolCall("shell", {"command": text}, CWD, HOME, spec=SHELL)


def pieces(text: str) -> dict[str, str]:
    """The text in every quoting that the forms use, by the letter that they name it with."""
    return {
        "t": text,
        "q": shlex.quote(text),
        "d": double(text),
        "e": fresh(text, "END"),
        "c": text.replace("\n", "\n# "),
        "g": shlex.quote(re.escape(text)),
        "s": shlex.quote(f"s/x/{escaped(text)}/"),
        "a": shlex.quote(f"/{escaped(text)}/"),
        "b": shlex.quote(f"fix: do not run `{text}` any more"),
        "h": shlex.quote(f"echo {shlex.quote(text)}"),
        "i": shlex.quote("INSERT INTO notes VALUES ('{}')".format(text.replace("'", "''"))),
        "j": shlex.quote(json.dumps({"command": text})),
        "n": shlex.quote(f"console.log({json.dumps(text)})"),
        "p": shlex.quote(f"print({json.dumps(text)})"),
        "r": shlex.quote(f"puts {single(text)}"),
        "y": f"text = {json.dumps(text)}\nprint(text)",
    }


def escaped(text: str) -> str:
    """The text inside a pattern between slashes."""
    return re.sub(r"([/&\\.*\[\]^$])", r"\\\1", text)


def single(text: str) -> str:
    """The text in single quotes as scripting languages have them."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _form(form: str) -> Form:
    return lambda text: shell(form.format(**pieces(text)))


def _line(form: str) -> Form:
    """For texts of one line."""
    return lambda text: None if "\n" in text else shell(form.format(**pieces(text)))


def _open_heredoc(form: str) -> Form:
    """A here-document that the shell expands: only for texts in which nothing is expanded."""
    return lambda text: (
        None if any(c in text for c in "$`\\") else shell(form.format(**pieces(text)))
    )


def _dead(form: str) -> Form:
    """The text on lines of its own, where the shell never comes; not for texts with functions."""
    return lambda text: None if "()" in text else shell(form.format(t=text))


def _bare(form: str) -> Form:
    """The words of the text as operands of another program."""
    return lambda text: shell(form.format(t=text)) if scan(text).static else None


def _help(form: str) -> Form:
    """Only the program is named."""

    def call(text: str) -> ToolCall | None:
        shape = scan(text)
        return shell(form.format(program=shape.program)) if shape.external else None

    return call


def _tool(name: str, **fields: str) -> Form:
    """The text in the arguments of another tool."""

    def call(text: str) -> ToolCall | None:
        values = {key: value.replace("{t}", text) for key, value in fields.items()}
        return ToolCall(name, values, CWD, HOME, spec=GLOBAL_TOOLS[name])

    return call


_NOTES = "/srv/app/docs/notes.md"
MENTIONS = (
    Mention("echo", _form("echo {q}")),
    Mention("echo-bare", _bare("echo {t}")),
    Mention("echo-double", _form("echo {d}")),
    Mention("echo-to-file", _form("echo {q} >> notes.md")),
    Mention("printf", _form("printf '%s\\n' {q}")),
    Mention("printf-pipe", _form("printf '%s\\n' {q} | sort | head -3")),
    Mention("grep", _form("grep -rn {q} .")),
    Mention("grep-fixed", _form("grep -rnF -- {q} src docs | head")),
    Mention("grep-regex", _form("grep -rnE {g} . || true")),
    Mention("rg", _form("rg -n -e {q} src")),
    Mention("git-grep", _form("git grep -n {q}")),
    Mention("git-log", _form("git log --oneline --grep {q}")),
    Mention("commit-message", _form("git commit -m {q}")),
    Mention("commit-body", _form("git add -A && git commit -q -m 'docs' -m {b}")),
    Mention("commit-heredoc", _form("git commit -F - <<'{e}'\nSay no to\n\n    {t}\n{e}\n")),
    Mention("commit-open-heredoc", _open_heredoc("git commit -F - <<{e}\n{t}\n{e}\n")),
    Mention("commit-cat", _form("git commit -m \"$(cat <<'{e}'\n{t}\n{e}\n)\"")),
    Mention("tag-message", _form("git tag -a v1 -m {q}")),
    Mention("stash-message", _form("git stash push -m {q}")),
    Mention("branch-note", _form("git notes add -m {q} HEAD")),
    Mention("cat-heredoc", _form("cat > notes.md <<'{e}'\n{t}\n{e}\n")),
    Mention("cat-open-heredoc", _open_heredoc("cat <<{e} >> docs/notes.md\n{t}\n{e}\n")),
    Mention("tee-heredoc", _form("tee notes.md <<'{e}'\n{t}\n{e}\n")),
    Mention("tee-pipe", _form("echo {q} | tee -a notes.txt")),
    Mention("true-heredoc", _form(": <<'{e}'\n{t}\n{e}\n")),
    Mention("here-string", _form("cat <<< {q}")),
    Mention("count", _form("wc -c <<< {q}")),
    Mention("comment", _form("# {c}\nls")),
    Mention("comment-behind", _line("ls # {t}")),
    Mention("pull-request", _form("gh pr create --title 'Docs' --body {q}")),
    Mention("pull-request-file",
            _form("gh pr create --title x --body-file - <<'{e}'\n{t}\n{e}\n")),
    Mention("pull-request-open", _open_heredoc("gh pr edit 1 --body-file - <<{e}\n{t}\n{e}\n")),
    Mention("issue", _form("gh issue create --title {q} --body 'see title'")),
    Mention("issue-comment", _form("gh issue comment 12 --body {d}")),
    Mention("release-notes", _form("gh release create v2 --notes {q}")),
    Mention("python-print", _form("python3 -c {p}"), frozenset({"CMD-PYTHON-C"})),
    Mention("python-heredoc", _form("python3 - <<'{e}'\n{y}\n{e}\n")),
    Mention("node-print", _form("node -e {n}")),
    Mention("ruby-print", _form("ruby -e {r}"), frozenset({"CMD-RUBY-E"})),
    Mention("shell-echo", _form("bash -c {h}"), frozenset({"CMD-BASH-C"})),
    Mention("remote-echo", _form("ssh build.example.test {h}")),
    Mention("container-echo", _form("docker run --rm alpine echo {q}")),
    Mention("insert", _form("sqlite3 notes.db {i}")),
    Mention("logger", _form("logger -t build {q}")),
    Mention("jq-argument", _form("jq -n --arg x {q} '{{cmd: $x}}'")),
    Mention("jq-arguments", _form("jq --argjson n 1 --arg x {q} '.a + $x' in.json")),
    Mention("json-file", _form("echo {j} > out.json")),
    Mention("json-pipe", _form("printf '%s' {j} | jq .command")),
    Mention("sed", _form("sed {s} notes.md")),
    Mention("awk", _form("awk {a} notes.md")),
    Mention("find-name", _form("find . -name {q}")),
    Mention("xargs-echo", _form("printf '%s\\n' {q} | xargs -d '\\n' -n1 echo")),
    Mention("compare-files", _form("diff <(echo {q}) notes.md")),
    Mention("base64", _form("echo {q} | base64")),
    Mention("hash", _form("printf %s {q} | sha256sum")),
    Mention("variable", _form("NOTE={q}; echo done")),
    Mention("variable-shown", _form("NOTE={q}; echo \"$NOTE\"")),
    Mention("exported", _form("export NOTE={q}")),
    Mention("array", _form("list=({q} other); echo \"${{#list[@]}}\"")),
    Mention("read-line", _form("read -r line <<< {q}; echo \"$line\"")),
    Mention("loop-echo", _form("for c in {q}; do echo \"would run: $c\"; done")),
    Mention("function-echo", _form("say() {{ echo \"$1\"; }}; say {q}")),
    Mention("heredoc-function", _form("usage() {{\n  cat <<'{e}'\n{t}\n{e}\n}}\nusage\n")),
    Mention("length", _form("test -n {q} && expr length {q}")),
    Mention("compared", _form("[ \"$1\" = {q} ] && echo same")),
    Mention("test", _form("[[ $line == {q} ]] || echo other")),
    Mention("case", _form("case \"$line\" in {q}) echo hit ;; esac")),
    Mention("explained", _form("defenseclaw explain {q}")),
    Mention("man", _help("man {program}")),
    Mention("which", _help("which {program}; type {program}; command -v {program}")),
    Mention("help", _help("{program} --help")),
    Mention("dead-if", _dead("if false; then\n{t}\nfi")),
    Mention("dead-and", _dead("false && {{\n{t}\n}}")),
    Mention("after-exit", _dead("echo bye\nexit 0\n{t}")),
    # Beside code that cannot be seen, patterns decide, and they may not see data either.
    Mention("beside-script", _form("bash ./deploy.sh && echo {q}")),
    Mention("beside-source", _form("source ./env.sh; git commit -m {q}")),
    Mention("beside-eval", _form("eval \"$SETUP\"; cat > notes.md <<'{e}'\n{t}\n{e}\n")),
    Mention("beside-dynamic", _line("$RUNNER build\ngrep -rn {q} . # {t}")),
    Mention("beside-pipe", _form("./gen.sh | tee out.txt; gh pr create -t x -b {d}")),
    Mention("write-tool", _tool("Write", file_path=_NOTES, content="Never run\n\n    {t}\n")),
    Mention("edit-tool", _tool("Edit", file_path=_NOTES, old_string="x", new_string="{t}")),
    Mention("grep-tool", _tool("Grep", pattern="{t}", path="/srv/app")),
    Mention("search-tool", _tool("WebSearch", query="what does {t} do")),
    Mention("task-tool", _tool("Task", description="x", prompt="Explain {t}")),
)  # fmt: skip
