"""Respellings that compute one argument: variables, operators, methods, expandable strings."""

from __future__ import annotations

import base64
import random

from tests.facts.respelling.model import Rewrite, fresh
from tests.facts.respelling.powershell.scan import Command, Kind, Shape, Word, is_cmdlet
from tests.facts.respelling.powershell.words import put, respelling

LONGEST = 200  # lists of letters are followed up to the limit of words of a command


def _held(*forms: str, cmdlets: bool = False) -> Rewrite:
    """One argument computed: {n} is a fresh name, {w} the word, {h} and {r} its halves; ``|`` ends
    the preparation, the use is behind it. ``cmdlets``: a native program would get other words."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        words = [w for c, w in shape.values if _may_move(c, w) and (
            not cmdlets or is_cmdlet(c.name))]  # fmt: skip
        if not words:
            return None
        word = chance.choice(words)
        form = chance.choice(forms)
        if ("QQ" in form and "qq" in word.raw.lower()) or len(word.raw) > LONGEST:
            return None
        filled = form.format(**_pieces(text, word.raw, chance))
        prepared, _, use = filled.rpartition("|>")
        return prepared + put(text, word, use)

    return rewrite


def _may_move(command: Command, word: Word) -> bool:
    """Not the dashes of a native program, and no name that would be read before it is set."""
    return len(word.raw) > 1 and not word.raw.startswith("-") and not command.called


def _pieces(text: str, raw: str, chance: random.Random) -> dict[str, object]:
    cut = chance.randrange(1, len(raw))
    return {
        "n": fresh(text, "v"), "w": raw, "h": raw[:cut], "r": raw[cut:], "k": cut, "l": len(raw),
        "z": raw[::-1], "x": ",".join(str(ord(c)) for c in raw), "f": ord(raw[0]), "t": raw[1:],
        "b": base64.b64encode(raw.encode()).decode(),
        "B": base64.b64encode(raw.encode("utf-16-le")).decode(),
        "X": ",".join(f"0x{ord(c):02x}" for c in raw),
    }  # fmt: skip


def _switch_value(text: str, shape: Shape, chance: random.Random) -> str | None:
    """A whole command in which one argument is the subject of ``switch``."""
    words = [w for c, w in shape.values if _may_move(c, w)]
    if not words or any(c.called for c in shape.commands) or "{" in text:
        return None
    word = chance.choice(words)
    return f"switch ('{word.raw}') {{ default {{ {put(text, word, '$_')} }} }}"


def _taken(*forms: str) -> Rewrite:
    """A whole text in a body that takes one argument from outside; {t} is the text with {u}."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        words = [w for c, w in shape.values if _may_move(c, w)]
        if not words or shape.opaque or "$_" in text or "$args" in text:
            return None
        word = chance.choice(words)
        use, form = chance.choice(forms).split(" :: ")
        if use[0] != '"' and "NAME" not in use and "{" in text:
            return None  # a block inside has its own
        name = fresh(text, "p")
        use = use.replace("NAME", name)
        body = put(text, word, use)
        return form.replace("NAME", name).replace("WORD", word.raw).replace("BODY", body)

    return rewrite


VALUES = (
    respelling(
        "variable",
        _held(
            "$_n = '{w}'; |>$_n".replace("_n", "{n}"),
            '${n}="{w}"\n|>"${n}"',
            "${n} = '{w}'; |>${{{n}}}",
            "${n} = '{w}'; |>\"${{{n}}}\"",
        ),
    ),
    respelling(
        "variable-subexpression",
        _held("${n} = '{w}'; |>$(${n})", "${n} = '{w}'; |>\"$(${n})\"", "${n} = '{w}'; |>(${n})"),
    ),
    respelling(
        "set-variable",
        _held(
            "Set-Variable {n} '{w}'; |>${n}",
            "sv {n} {w}; |>${n}",
            "Set-Variable -Name {n} -Value '{w}'; |>${n}",
            'Set-Variable -Value {w} -Name {n}\n|>"${n}"',
        ),
    ),
    respelling(
        "new-variable",
        _held(
            "New-Variable {n} '{w}'; |>${n}",
            "nv -Name {n} -Value {w}; |>${n}",
            "New-Variable -Name {n} -Value '{w}' -Option ReadOnly; |>${n}",
        ),
    ),
    respelling(
        "get-variable",
        _held(
            "${n} = '{w}'; |>(Get-Variable {n} -ValueOnly)",
            "${n} = '{w}'; |>(Get-Variable -Name {n}).Value",
            "${n} = '{w}'; |>(gv {n} -ValueOnly)",
        ),
    ),
    respelling(
        "typed-variable", _held("[string]${n} = '{w}'; |>${n}", "${n} = [string]'{w}'; |>${n}")
    ),
    respelling(
        "scoped-variable",
        _held(
            "$script:{n} = '{w}'; |>$script:{n}",
            "$global:{n} = '{w}'; |>${n}",
            "${{script:{n}}}='{w}';|>${n}",
        ),
    ),
    respelling(
        "environment-variable",
        _held(
            "$env:{n} = '{w}'; |>$env:{n}",
            "${{env:{n}}} = '{w}'; |>\"$env:{n}\"",
            "Set-Item Env:{n} '{w}'; |>$env:{n}",
        ),
    ),
    respelling("here-string", _held("${n} = @'\n{w}\n'@\n|>${n}", '${n} = @"\n{w}\n"@\n|>"${n}"')),
    respelling(
        "concatenation",
        _held(
            "|>('{h}' + '{r}')",
            "|>('{h}'+\"{r}\")",
            "${n} = '{h}' + '{r}'; |>${n}",
            "${n} = '{h}'; ${n} += '{r}'; |>${n}",
        ),
    ),
    respelling(
        "two-variables",
        _held(
            "${n}a = '{h}'; ${n}b = '{r}'; |>\"${n}a${n}b\"",
            "${n}a='{h}';${n}b='{r}';|>(${n}a + ${n}b)",
            "${n}a = '{h}'; |>\"${{{n}a}}{r}\"",
        ),
    ),
    respelling(
        "several-assigned",
        _held("${n}, ${n}x = '{w}', 'x'; |>${n}", "${n}x = ${n} = '{w}'; |>${n}"),
    ),
    respelling(
        "format-operator",
        _held(
            "|>('{{0}}{{1}}' -f '{h}','{r}')",
            "|>('{{1}}{{0}}' -f '{r}', '{h}')",
            "${n} = '{{0}}' -f '{w}'; |>${n}",
        ),
    ),
    respelling(
        "join-operator",
        _held(
            "|>(-join ('{h}','{r}'))",
            "|>('{h}','{r}' -join '')",
            "|>(@('{h}','{r}') -join '')",
            "${n} = -join @('{h}', '{r}'); |>${n}",
        ),
    ),
    respelling(
        "character-codes",
        _held(
            "|>(-join [char[]]({x}))",
            "|>(-join [char[]]@({X}))",
            "|>([string][char]{f} + '{t}')",
            '|>"$([char]{f}){t}"',
        ),
    ),
    respelling(
        "piped-codes",
        _held(
            "|>(-join ({x} | ForEach-Object {{ [char]$_ }}))", "|>(({x}|%{{[char]$_}}) -join '')"
        ),
    ),
    respelling(
        "join-method",
        _held(
            "|>([string]::Join('', @('{h}','{r}')))",
            "|>([string]::Concat('{h}','{r}'))",
            "|>([String]::Join('','{h}','{r}'))",
        ),
    ),
    respelling("format-method", _held("|>([string]::Format('{{0}}{{1}}', '{h}', '{r}'))")),
    respelling(
        "replace-method",
        _held(
            "|>('{h}QQ{r}'.Replace('QQ',''))",
            "|>('QQ{w}'.Replace('QQ', ''))",
            "${n} = 'QQ{w}'.Replace('QQ',''); |>${n}",
        ),
    ),
    respelling(
        "replace-operator",
        _held(
            "|>('{h}QQ{r}' -replace 'QQ','')",
            "|>('QQ{w}' -replace 'QQ')",
            "|>('{h}QQ{r}' -creplace 'QQ', '')",
        ),
    ),
    respelling(
        "substring",
        _held(
            "|>('QQ{w}'.Substring(2))",
            "|>('Q{w}Q'.Substring(1,{l}))",
            "${n} = 'QQ{w}'; |>${n}.Substring(2)",
        ),
    ),
    respelling(
        "trimmed", _held("|>('  {w} '.Trim())", "|>('{w}^^'.TrimEnd('^'))", "|>('^{w}'.Trim('^'))")
    ),
    respelling("inserted", _held("|>('{r}'.Insert(0,'{h}'))", "|>('Q{w}'.Remove(0,1))")),
    respelling("split-method", _held("|>('x^{w}'.Split('^')[1])", "|>('{w}^x'.Split('^')[0])")),
    respelling(
        "split-operator", _held("|>(('x^{w}' -split '\\^')[1])", "|>(('{w}~~x' -split '~~')[0])")
    ),
    respelling(
        "indexed",
        _held(
            "|>('x','{w}')[1]",
            "|>@('{w}','x')[0]",
            "${n} = @('x','{w}'); |>${n}[1]",
            "${n} = 'x', '{w}'; |>${n}[-1]",
        ),
    ),
    respelling("reversed", _held("|>(-join '{z}'[-1..-{l}])", "|>('{z}'[-1..-{l}] -join '')")),
    respelling(
        "array-reverse", _held("${n} = '{z}'.ToCharArray(); [array]::Reverse(${n}); |>(-join ${n})")
    ),
    respelling(
        "hashtable",
        _held(
            "${n} = @{{ x = '{w}' }}; |>${n}.x",
            "${n} = @{{x='{w}'}}; |>${n}['x']",
            "|>(@{{x='{w}'}}.x)",
        ),
    ),
    respelling("custom-object", _held("${n} = [pscustomobject]@{{ x = '{w}' }}; |>${n}.x")),
    respelling(
        "subexpression",
        _held(
            "|>$('{w}')", "|>\"$('{w}')\"", "|>\"$('{h}'){r}\"", "|>\"{h}$('{r}')\"", "|>('{w}')"
        ),
    ),
    respelling(
        "printed",
        _held(
            "|>(Write-Output '{w}')", "|>$(echo {w})", "|>(echo '{w}')", '|>"$(Write-Output {w})"'
        ),
    ),
    respelling(
        "stored-output", _held("${n} = Write-Output '{w}'; |>${n}", '${n} = echo {w}; |>"${n}"')
    ),
    respelling(
        "base64",
        _held(
            "|>([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('{b}')))",
            "|>([System.Text.Encoding]::Unicode.GetString([System.Convert]::FromBase64String('{B}')))",
            "${n} = [Text.Encoding]::ASCII.GetString([Convert]::FromBase64String('{b}')); |>${n}",
        ),
    ),
    respelling(
        "if-value",
        _held(
            "${n} = if ($true) {{ '{w}' }} else {{ 'x' }}; |>${n}",
            "|>$(if ($true) {{ '{w}' }})",
            "${n} = $true ? '{w}' : 'x'; |>${n}",
        ),
    ),
    respelling("null-coalescing", _held("${n} = $null ?? '{w}'; |>${n}", "|>($null ?? '{w}')")),
    respelling("block-value", _held("${n} = & {{ '{w}' }}; |>${n}", "|>(& {{ '{w}' }})")),
    respelling(
        "function-value",
        _held("function {n} {{ '{w}' }}; |>({n})", "function {n} {{ return '{w}' }}\n|>$({n})"),
    ),
    respelling(
        "cast-codes",
        _held(
            "|>([string]::new([char[]]({x})))",
            "|>([Text.Encoding]::ASCII.GetString([byte[]]({X})))",
        ),
    ),
    respelling("regex-method", _held("|>([regex]::Replace('{h}QQ{r}','QQ',''))")),
    respelling("switch-value", _switch_value),
    respelling(
        "loop-value",
        _taken(
            "$NAME :: foreach ($NAME in 'WORD') { BODY }",
            "\"$NAME\" :: foreach ($NAME in @('WORD')) { BODY }",
        ),
    ),
    respelling(
        "piped-value",
        _taken(
            "$_ :: 'WORD' | ForEach-Object { BODY }",
            "$_ :: 'WORD' | % { BODY }",
            "$PSItem :: @('WORD') | foreach { BODY }",
        ),
        nests=1,
    ),
    respelling("method-loop", _taken("$_ :: @('WORD').ForEach({ BODY })"), nests=1),
    respelling(
        "function-argument",
        _taken(
            "$NAME :: function fn1($NAME) { BODY }; fn1 'WORD'",
            "$NAME :: function fn1 { param([string]$NAME) BODY }; fn1 WORD",
            "$NAME :: function fn1 { param($NAME) BODY }\nfn1 -NAME 'WORD'",
            "$args[0] :: function fn1 { BODY }; fn1 'WORD'",
        ),
    ),
    respelling(
        "block-argument",
        _taken(
            "$NAME :: & { param($NAME) BODY } 'WORD'",
            "$args[0] :: & { BODY } 'WORD'",
            "$NAME :: Invoke-Command { param($NAME) BODY } -ArgumentList 'WORD'",
        ),
        nests=1,
    ),
    respelling(
        "default-argument",
        _taken(
            "$NAME :: function fn1($NAME = 'WORD') { BODY }; fn1",
            "$NAME :: & { param($NAME = 'WORD') BODY }",
        ),
    ),
)


def targets(shape: Shape) -> list[Word]:
    """Files behind redirections."""
    return [w for c in shape.commands for w in c.words if w.kind is Kind.TARGET]
