"""Respellings of whole texts: blocks, loops, functions, code in code, launchers, separators."""

from __future__ import annotations

import base64
import random
import re

from tests.facts.respelling.model import Rewrite, fresh
from tests.facts.respelling.powershell.quoting import double, single
from tests.facts.respelling.powershell.scan import Kind, Shape
from tests.facts.respelling.powershell.tables.cmdlets import cmdlet_of
from tests.facts.respelling.powershell.words import respelling

_STATE = re.compile(r"\b(?:Set-Location|cd|sl|Push-Location)\b", re.IGNORECASE)


def ends_open(text: str) -> bool:
    """Whether what follows on the same line would be swallowed."""
    last = text.rpartition("\n")[2]
    return "#" in last or "--%" in last or text.endswith("`")


def _whole(*forms: str) -> Rewrite:
    """The text in a form: T the text, Q and D quoted, N a fresh name, E base64, H a here-string."""

    def rewrite(text: str, _: Shape, chance: random.Random) -> str | None:
        form = chance.choice(forms)
        if ends_open(text) and re.search(r"T[^\n]", form):
            return None
        if "H" in form and "\n'@" in text:
            return None
        coded = base64.b64encode(text.encode("utf-16-le")).decode()
        parts = {"T": text, "Q": single(text), "D": double(text), "N": fresh(text, "n"), "E": coded,
                 "H": f"@'\n{text}\n'@\n"}  # fmt: skip
        return re.sub(
            r"«([TQDNEH])»", lambda m: parts[m[1]], re.sub(r"\b([TQDNEH])\b", r"«\1»", form)
        )

    return rewrite


def _child(*forms: str) -> Rewrite:
    """The text as another PowerShell's; quotes inside would be read twice by its command line."""
    inner = _whole(*forms)
    # Without quotes around it, the shell in front reads the text as its own.
    bare = any(form.endswith(" T") for form in forms)

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        if bare and set(text) & set("{};|&$<>@,"):
            return None
        return inner(text, shape, chance) if not set(text) & set("\"()'`\n\u201c\u201d") else None

    return rewrite


def _one(*forms: str) -> Rewrite:
    """Only for one simple command."""
    inner = _whole(*forms)

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        return inner(text, shape, chance) if shape.simple else None

    return rewrite


def _native(*forms: str) -> Rewrite:
    """Only for a program with plain words; P is its name, A its arguments, L them as a list."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        command = shape.only
        if (
            command is None
            or cmdlet_of(command.name)
            or "-" in command.name
            or len(command.words) < 2
        ):
            return None
        if any(not w.plain or w.kind is not Kind.VALUE for w in command.words[1:]):
            return None
        arguments = [w.raw for w in command.words[1:]]
        parts = {"P": command.words[0].raw, "A": " ".join(arguments), "T": text,
                 "L": ", ".join(f"'{a}'" for a in arguments)}  # fmt: skip
        return re.sub(r"«([PALT])»", lambda m: parts[m[1]],
                      re.sub(r"\b([PALT])\b", r"«\1»", chance.choice(forms)))  # fmt: skip

    return rewrite


def _alias(text: str, shape: Shape, chance: random.Random) -> str | None:
    command = shape.only
    if command is None:
        return None
    name, first = fresh(text, "zz"), command.words[0]
    form = chance.choice(("Set-Alias {0} {1}; ", "Set-Alias -Name {0} -Value {1}\n", "sal {0} {1};",
                          "New-Alias {0} {1}\n", "nal -Name {0} -Value {1}; "))  # fmt: skip
    return form.format(name, first.raw) + name + text[first.end :]


def _forwarded(text: str, shape: Shape, chance: random.Random) -> str | None:
    """A function that hands its arguments on."""
    command = shape.only
    if command is None or len(command.words) < 2:
        return None
    name, first = fresh(text, "fn"), command.words[0]
    return f"function {name} {{ {first.raw} @args }}; {name}{text[first.end :]}"


_IEX = frozenset({"CMD-EVAL"})
_SHELL = frozenset({"CMD-BASH-C"})
_CODED = frozenset({"CMD-PIPE-BASE64", "CMD-EVAL", "CMD-BASH-C", "CMD-WIN-LOLBIN"})
_ENCODED = (
    "powershell -EncodedCommand E",
    "powershell.exe -NoProfile -enc E",
    "pwsh -e E",
    "powershell -ec E",
    "powershell -en E",
    "powershell -enco E",
    "powershell /enc E",
    "pwsh -NonInteractive -EncodedCommand E",
    "powershell -W Hidden -nop -EnC E",
)

WRAPS = (
    respelling("block-called", _whole("& { T }", "& {\nT\n}", ". { T }", "&{T}")),
    respelling(
        "block-variable", _whole("$N = { T }; & $N", "$N = { T }\n. $N", "$N = {T}; $N.Invoke()")
    ),
    respelling(
        "block-invoked", _whole("{ T }.Invoke()", "({ T }).Invoke()", "{ T }.InvokeReturnAsIs()")
    ),
    respelling(
        "invoke-command",
        _whole(
            "Invoke-Command -ScriptBlock { T }", "icm { T }", "Invoke-Command { T } -NoNewScope"
        ),
        nests=1,
    ),
    respelling(
        "if", _whole("if ($true) { T }", "if (1 -eq 1) { T }", "if(1){T}", "if ($true) {\nT\n}")
    ),
    respelling(
        "else",
        _whole(
            "if ($false) { } else { T }",
            "if ($false) { ls } else { T }",
            "if ($false) { ls } elseif ($true) { T }",
        ),
    ),
    respelling(
        "foreach",
        _whole(
            "foreach ($N in 1) { T }", "foreach ($N in 'x') { T }", "foreach ($N in @(1)) {\nT\n}"
        ),
    ),
    respelling(
        "foreach-object",
        _whole(
            "1 | ForEach-Object { T }",
            "1 | % { T }",
            "1 | foreach -Process { T }",
            "1..1 | ForEach-Object { T }",
        ),
        nests=1,
    ),
    respelling("for", _whole("for ($N = 0; $N -lt 1; $N++) { T }")),
    respelling(
        "while",
        _whole("while ($true) { T; break }", "do { T } while ($false)", "do { T } until ($true)"),
    ),
    respelling(
        "switch", _whole("switch (1) { 1 { T } }", "switch ('x') { 'x' { T } default { } }")
    ),
    respelling(
        "try",
        _whole(
            "try { T } catch { }",
            "try { T } catch { Write-Host failed }",
            "try { T } finally { }",
            "try {\nT\n}\ncatch {\n}\n",
        ),
    ),
    respelling("finally", _whole("try { } finally { T }", "try { ls } finally { T }")),
    respelling("catch", _whole("try { throw 'x' } catch { T }")),
    respelling("trap", _whole("trap { continue }\nT", "trap { break }; T")),
    respelling(
        "function",
        _whole(
            "function N { T }; N",
            "function N() { T }\nN",
            "function Do-N { T }; Do-N",
            "function N {\nT\n}\n& N",
            "filter N { T }; N",
        ),
    ),
    respelling(
        "function-parts",
        _whole(
            "function N { begin { T } }; N",
            "function N { process { T } }; N",
            "function N { end { T } }\nN",
        ),
    ),
    respelling(
        "function-script", _whole("function script:N { T }; N", "function global:N { T }; N")
    ),
    respelling("forwarded", _forwarded),
    respelling("alias", _alias, outermost=True),
    respelling(
        "invoke-expression",
        _whole(
            "Invoke-Expression Q",
            "iex Q",
            "iex D",
            "Invoke-Expression -Command Q",
            "& iex Q",
            "iex (Q)",
            "IEX(Q)",
        ),
        adds=_IEX,
        nests=1,
    ),
    respelling(
        "expression-piped",
        _whole("Q | Invoke-Expression", "Q|iex", "Write-Output Q | iex", "echo D | iex"),
        adds=_IEX,
        nests=1,
    ),
    respelling(
        "expression-stored",
        _whole(
            "$N = Q; iex $N",
            "$N = D; Invoke-Expression $N",
            "$N = H; iex $N",
            "$N = H$N | iex",
            '$N=Q; iex "$N"',
        ),
        adds=_IEX,
        nests=1,
    ),
    respelling(
        "script-block-made",
        _whole(
            "& ([scriptblock]::Create(Q))",
            "[scriptblock]::Create(Q).Invoke()",
            "$N = [ScriptBlock]::Create(Q); & $N",
            ". ([scriptblock]::Create(D))",
            "Invoke-Command ([scriptblock]::Create(Q))",
        ),
        adds=_IEX,
        nests=1,
    ),
    respelling(
        "invoke-script",
        _whole("$ExecutionContext.InvokeCommand.InvokeScript(Q)"),
        adds=_IEX,
        nests=1,
    ),
    respelling(
        "child",
        _child(
            "powershell -Command D",
            "pwsh -c D",
            "powershell.exe -NoProfile -Command Q",
            "pwsh -NoLogo -NonInteractive -Command Q",
            "powershell D",
            "powershell -ExecutionPolicy Bypass -c D",
            "powershell -ep bypass -nop -c Q",
            "& powershell -Command D",
            "powershell -Com D",
            "pwsh /c D",
        ),
        adds=_SHELL,
        nests=1,
    ),
    respelling(
        "child-block",
        _whole(
            "powershell -Command { T }",
            "pwsh -NoProfile { T }",
            "powershell { T }",
            "powershell -c {T}",
        ),
        adds=_SHELL,
        nests=1,
    ),
    respelling(
        "child-text", _child("powershell -Command T", "pwsh -nop -c T"), adds=_SHELL, nests=1
    ),
    respelling(
        "child-pipe",
        _whole("Q | powershell -Command -", "Q | pwsh -c -", "Write-Output Q | powershell -"),
        adds=_SHELL,
        nests=1,
    ),
    respelling("child-encoded", _whole(*_ENCODED), adds=_CODED, nests=1),
    respelling(
        "child-started",
        _child(
            "Start-Process powershell -ArgumentList '-Command', Q -Wait",
            "Start-Process pwsh -Wait -ArgumentList '-NoProfile','-c',Q",
            "saps powershell -ArgumentList Q -NoNewWindow",
        ),
        adds=_SHELL,
        nests=1,
    ),
    respelling(
        "job",
        _whole(
            "Start-Job { T } | Wait-Job", "Start-Job -ScriptBlock { T }", "Start-ThreadJob { T }"
        ),
        nests=1,
    ),
    respelling(
        "measured", _whole("Measure-Command { T }", "Measure-Command -Expression { T }"), nests=1
    ),
    respelling(
        "cmd",
        _native("cmd /c T", "cmd.exe /c T", "cmd /d /c 'T'", 'cmd /s /c "T"', "CMD /C T"),
        adds=_SHELL,
        nests=1,
    ),
    respelling(
        "started",
        _native(
            "Start-Process P -ArgumentList L -Wait",
            "Start-Process P -ArgumentList 'A' -Wait",
            "Start-Process -FilePath P -ArgumentList L",
            "saps P L -NoNewWindow -Wait",
            "start P 'A'",
            "Start-Process -Wait -FilePath 'P' -Args \"A\"",
        ),
        nests=1,
    ),
    respelling("verbatim-arguments", _native("P --% A")),
    respelling(
        "process-start",
        _native(
            "[Diagnostics.Process]::Start('P', 'A')",
            "[System.Diagnostics.Process]::Start('P','A').WaitForExit()",
        ),
        nests=1,
    ),
    respelling(
        "before", _whole("T; ls", "T\nls", "T;", "T; exit 0", "T; Write-Host done", "T\n\n$x = 1")
    ),
    respelling(
        "after",
        _whole(
            "ls; T",
            "ls\nT",
            "$x = 1; T",
            "git status; T",
            "$ErrorActionPreference = 'Stop'; T",
        ),
    ),
    respelling(
        "chained", _one("ls && T", "git status && T", "T && ls", "T || ls", "git diff || T")
    ),
    respelling(
        "if-success",
        _whole(
            "ls; if ($?) { T }",
            "git status; if ($LASTEXITCODE -eq 0) { T }",
            "if (Test-Path C:\\x) { T }",
            "if (-not (Test-Path C:\\x)) { T }",
        ),
    ),
    respelling(
        "comment",
        _whole("# it's a 'start\nT", 'T # end "', "<# a\nb; c #> T", "T <# x #>", "#\n\nT\n#"),
    ),
    respelling("blank-lines", _whole("\nT\n", "  T  ", "\r\nT\r\n", "\t T")),
    respelling(
        "out-null",
        _one(
            "T | Out-Null",
            "T|out-null",
            "T | Out-Host",
            "T | Out-String",
            "T | Tee-Object -Variable z1",
        ),
    ),
    respelling("discarded", _one("$null = T", "[void](T)", "$null=T", "$N = T", "$N = $(T)")),
    respelling(
        "streams", _one("T *> $null", "T > $null", "T *>$null", "T 3>&1 2>&1", "T *>&1 | Out-Null")
    ),
    respelling("grouped", _one("(T)", "$(T)", "@(T)", "(T) | Out-Null")),
    respelling("background", _one("T &")),
    respelling("captured-string", _one('"$(T)"', 'Write-Output "$(T)"', "Write-Host $(T)")),
)
