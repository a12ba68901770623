"""Ways to name a command in PowerShell without running it: nothing in them is an action."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from tests.facts.respelling.powershell.quoting import double, single
from tests.facts.respelling.windows.judge import Mention


def _form(form: str) -> Callable[[str], str | None]:
    """The text in a form; the letters name its quotings."""

    def call(text: str) -> str | None:
        if ("<T>" in form and "\n" in text) or ("<C>" in form and "#>" in text):
            return None
        if "<O>" in form and any(c in text for c in "$`"):
            return None
        return re.sub(r"<([A-Z])>", lambda m: _quoted(m[1], text), form)

    return call


def _quoted(letter: str, text: str) -> str:
    return {
        "T": text,
        "C": text,
        "O": text,
        "L": text,
        "Q": single(text),
        "D": double(text),
        "M": single(f"fix: never run `{text}` again"),
        "J": single(json.dumps({"command": text})),
        "P": single(re.escape(text)),
        "H": f"@'\nNever run\n\n    {text}\n'@",
        "E": f'@"\n{double(text)[1:-1]}\n"@',
    }[letter]


_HELP = ("Get-Help {0}", "Get-Command {0}", "Get-Alias -Definition {0}", "where.exe {0}", "man {0}")


def _help(form: str) -> Callable[[str], str | None]:
    """Only the command is named."""

    def call(text: str) -> str | None:
        name = text.split(maxsplit=1)[0]
        return form.format(name) if re.fullmatch(r"[\w.-]+", name) else None

    return call


MENTIONS = (
    Mention("write-host", _form("Write-Host <Q>")),
    Mention("write-host-colour", _form("Write-Host <D> -ForegroundColor Red")),
    Mention("write-output", _form("Write-Output <Q>")),
    Mention("echo", _form("echo <Q>")),
    Mention("echo-double", _form("echo <D>")),
    Mention("bare-string", _form("<Q>")),
    Mention("bare-double", _form("<D>")),
    Mention("write-warning", _form("Write-Warning <Q>; Write-Verbose <Q>; Write-Error <D>")),
    Mention("throw", _form("throw <Q>")),
    Mention("write-progress", _form("Write-Progress -Activity <Q> -PercentComplete 10")),
    Mention("read-host", _form("Read-Host -Prompt <Q>")),
    Mention("echo-to-file", _form("<Q> > notes.md")),
    Mention("echo-appended", _form("Write-Output <Q> >> docs\\notes.md")),
    Mention("out-file", _form("<Q> | Out-File notes.md")),
    Mention("set-content", _form("Set-Content -Path docs\\notes.md -Value <Q>")),
    Mention("add-content", _form("Add-Content docs\\notes.md <D>")),
    Mention("here-string-file", _form("<H> | Set-Content docs\\notes.md")),
    Mention("here-string-value", _form("Set-Content -Path notes.md -Value <H>")),
    Mention(
        "here-string-variable",
        _form("$text = <H>\n$text | Out-File -FilePath notes.md -Encoding utf8"),
    ),
    Mention("here-string-double", _form("$text = <E>\nSet-Content notes.md $text")),
    Mention("tee", _form("<Q> | Tee-Object -FilePath notes.txt")),
    Mention(
        "write-all-text",
        _form("[IO.File]::WriteAllText('C:\\Users\\dana\\project\\notes.md', <Q>)"),
    ),
    Mention("commit-message", _form("git commit -m <Q>")),
    Mention("commit-body", _form("git add -A; git commit -q -m 'docs' -m <M>")),
    Mention("commit-here-string", _form("git commit -m <H>")),
    Mention("commit-piped", _form("<H> | git commit -F -")),
    Mention("tag-message", _form("git tag -a v1 -m <Q>")),
    Mention("stash-message", _form("git stash push -m <Q>")),
    Mention("git-grep", _form("git grep -n <Q>")),
    Mention("git-log", _form("git log --oneline --grep <Q>")),
    Mention("pull-request", _form("gh pr create --title 'Docs' --body <Q>")),
    Mention("pull-request-here", _form("gh pr create --title 'Docs' --body <H>")),
    Mention("issue", _form("gh issue create --title <D> --body 'see title'")),
    Mention("comment", _form("# <T>\nls")),
    Mention("comment-behind", _form("ls # <T>")),
    Mention("block-comment", _form("<#\n<C>\n#>\nls")),
    Mention("inner-comment", _form("ls <# <C> #> -Recurse")),
    Mention("select-string", _form("Select-String -Path src\\*.ps1 -Pattern <P>")),
    Mention(
        "select-string-simple",
        _form("Get-ChildItem -Recurse | Select-String -SimpleMatch -Pattern <Q>"),
    ),
    Mention("select-string-place", _form("sls <P> README.md")),
    Mention("findstr", _form("findstr /s /c:<Q> *.md")),
    Mention("rg", _form("rg -n -F <Q> src")),
    Mention("match", _form("Get-Content notes.md | Where-Object { $_ -match <P> }")),
    Mention("compared", _form("if ($line -eq <Q>) { Write-Host same }")),
    Mention("replaced", _form("(Get-Content notes.md) -replace <P>, 'x' | Set-Content notes.md")),
    Mention("contains", _form("$line.Contains(<Q>)")),
    Mention("switch-case", _form("switch ($line) { <Q> { 'hit' } default { 'other' } }")),
    Mention("variable", _form("$note = <Q>; Write-Host done")),
    Mention("variable-shown", _form('$note = <Q>; Write-Host "next: $note"')),
    Mention("array", _form("$list = <Q>, 'other'; $list.Count")),
    Mention("hashtable", _form("$map = @{ command = <Q> }; $map | ConvertTo-Json")),
    Mention("object", _form("[pscustomobject]@{ Text = <Q> } | Export-Csv out.csv")),
    Mention("loop-shown", _form('foreach ($c in @(<Q>)) { Write-Host "would run: $c" }')),
    Mention("piped-shown", _form('<Q> | ForEach-Object { "would run: $_" }')),
    Mention("function-shown", _form("function say($text) { Write-Host $text }; say <Q>")),
    Mention("json", _form("<J> | ConvertFrom-Json")),
    Mention("json-file", _form("<J> | Set-Content out.json")),
    Mention("length", _form("<Q>.Length")),
    Mention("base64", _form("[Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes(<Q>))")),
    Mention("clipboard", _form("Set-Clipboard -Value <Q>")),
    Mention("window-title", _form("$host.UI.RawUI.WindowTitle = <Q>")),
    Mention("message-box", _form("[System.Windows.Forms.MessageBox]::Show(<Q>)")),
    Mention("unused-block", _form("$block = { <T> }; $block.ToString()")),
    Mention("dead-if", _form("if ($false) { <T> }")),
    Mention("dead-while", _form("while ($false) { <T> }")),
    Mention("dead-comparison", _form("while (1 -eq 2) { <T> }")),
    Mention("after-exit", _form("Write-Host bye\nexit 0\n<L>")),
    Mention("parsed", _form("[System.Management.Automation.PSParser]::Tokenize(<Q>, [ref]$null)")),
    Mention("described", _form("New-Item notes.md -Value <Q>")),
    Mention("event", _form("Write-Information <Q> -InformationAction Continue")),
    Mention("docker-echo", _form("docker run --rm alpine echo <Q>")),
    Mention(
        "child-shown", _form("powershell -NoProfile -Command \"Write-Host 'see notes'\"; echo <Q>")
    ),
    Mention("explained", _form("defenseclaw explain <Q>")),
    *(Mention(f"help-{n}", _help(form)) for n, form in enumerate(_HELP)),
)
