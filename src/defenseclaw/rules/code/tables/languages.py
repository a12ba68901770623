"""What files hold which language, and how each language writes comments and strings: data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Language(StrEnum):
    """Languages whose files rules about code read."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"  # TypeScript too
    GO = "go"
    JAVA = "java"
    KOTLIN = "kotlin"  # Groovy and Scala too
    CSHARP = "csharp"
    RUBY = "ruby"
    PHP = "php"
    C = "c"  # C++ and Objective-C too
    RUST = "rust"
    SWIFT = "swift"  # Dart too
    PERL = "perl"
    LUA = "lua"
    SHELL = "shell"
    POWERSHELL = "powershell"
    SQL = "sql"
    YAML = "yaml"
    JSON = "json"
    XML = "xml"  # HTML too
    SETTINGS = "settings"  # TOML, INI, properties, environment files, HCL
    DOCKERFILE = "dockerfile"


class Fill(StrEnum):
    """How expressions stand inside a string; each has its pattern in the lexer."""

    NONE = "none"
    BRACE = "brace"  # {x}
    DOLLAR_BRACE = "dollar-brace"  # ${x}
    HASH = "hash"  # #{x}
    DOLLAR = "dollar"  # $x and ${x}


@dataclass(frozen=True, slots=True)
class Form:
    """One way to write a comment or a string.

    A form with ``close`` runs until that text, over lines; without it, ``opening`` matches the
    whole token. ``close`` may name a group of the opening as ``{name}``, for here-documents.
    """

    opening: str
    close: str = ""
    comment: bool = False
    fill: Fill = Fill.NONE
    escapes: bool = True


def _line(quote: str, fill: Fill = Fill.NONE, prefix: str = "") -> Form:
    """A string that ends with its line if it is not closed before."""
    return Form(rf"{prefix}{quote}(?:[^{quote}\\\n]++|\\.)*+(?:{quote}|(?=\n)|\Z|\\\Z)", fill=fill)


def _remark(start: str) -> Form:
    return Form(rf"{start}[^\n]*+", comment=True)


_DOUBLE, _SINGLE = _line('"'), _line("'")
_CHARACTER = Form(r"'(?:\\[^\n']{1,9}|\\'|[^'\\\n])'")
_SLASHES, _HASH, _HASH_WORD, _DASHES = (
    _remark("//"),
    _remark("#"),
    _remark(r"(?<!\S)#"),
    _remark("--"),
)
_STARS = Form(r"/\*", r"\*/", comment=True, escapes=False)
_MARKUP = Form("<!--", "-->", comment=True, escapes=False)
_C_LIKE = (_SLASHES, _STARS, _DOUBLE, _CHARACTER)
_REGEX = Form(
    r"(?:(?<=[=(,:\[!&|?;{}])|(?<=[=(,:\[!&|?;{}] )|(?<=return ))"
    r"/(?![/*])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.){0,120}+\]){1,400}+/[a-z]*"
)
_HERE = r"(?P<mark>['\"]?)(?P<word>[A-Za-z_]\w*)(?P=mark)[^\n]*\n"
_HERE_END = r"(?m:^[ \t]*{word}\b)"
_PYTHON = tuple(
    form
    for prefix, fill in (
        (r"(?i:\b(?:fr|rf|f))", Fill.BRACE),
        (r"(?i:(?:\b(?:br|rb|r|b|u))?)", Fill.NONE),
    )
    for form in (
        Form(prefix + '"""', '"""', fill=fill),
        Form(prefix + "'''", "'''", fill=fill),
        _line('"', fill, prefix),
        _line("'", fill, prefix),
    )
)

FORMS: Mapping[Language, tuple[Form, ...]] = {
    Language.PYTHON: (_HASH, *_PYTHON),
    Language.JAVASCRIPT: (
        _SLASHES,
        _STARS,
        _REGEX,
        _DOUBLE,
        _SINGLE,
        Form("`", "`", fill=Fill.DOLLAR_BRACE),
    ),
    Language.GO: (*_C_LIKE, Form("`", "`", escapes=False)),
    Language.JAVA: (_SLASHES, _STARS, Form('"""', '"""'), _DOUBLE, _CHARACTER),
    Language.KOTLIN: (
        _SLASHES,
        _STARS,
        Form('"""', '"""', fill=Fill.DOLLAR),
        _line('"', Fill.DOLLAR),
        _SINGLE,
    ),
    Language.CSHARP: (
        _SLASHES,
        _STARS,
        Form(r'\$@"|@\$"', '"', fill=Fill.BRACE, escapes=False),
        Form('@"', '"', escapes=False),
        _line('"', Fill.BRACE, r"\$"),
        _DOUBLE,
        _CHARACTER,
    ),
    Language.RUBY: (
        _HASH,
        Form("<<[~-]?" + _HERE, _HERE_END, fill=Fill.HASH, escapes=False),
        Form('"', '"', fill=Fill.HASH),
        Form("'", "'"),
        Form("`", "`", fill=Fill.HASH),
        Form(r"%x\{", r"\}", fill=Fill.HASH),
        Form(r"%x\(", r"\)", fill=Fill.HASH),
    ),
    Language.PHP: (
        _SLASHES,
        _HASH,
        _STARS,
        Form("<<<" + _HERE, _HERE_END, fill=Fill.DOLLAR, escapes=False),
        Form('"', '"', fill=Fill.DOLLAR),
        Form("'", "'"),
        Form("`", "`", fill=Fill.DOLLAR),
    ),
    Language.C: _C_LIKE,
    Language.RUST: (
        _SLASHES,
        _STARS,
        Form('r#"', '"#', escapes=False),
        Form('"', '"'),
        _CHARACTER,
    ),
    Language.SWIFT: (_SLASHES, _STARS, Form('"""', '"""'), _DOUBLE, _SINGLE),
    Language.PERL: (_HASH_WORD, Form('"', '"', fill=Fill.DOLLAR), Form("'", "'"),
                    Form("`", "`", fill=Fill.DOLLAR)),
    Language.LUA: (
        Form(r"--\[\[", r"\]\]", comment=True, escapes=False),
        _DASHES,
        Form(r"\[\[", r"\]\]", escapes=False),
        _DOUBLE,
        _SINGLE,
    ),
    Language.SHELL: (
        _HASH_WORD,
        Form("'", "'", escapes=False),
        Form('"', '"', fill=Fill.DOLLAR),
    ),
    Language.POWERSHELL: (
        Form("<#", "#>", comment=True, escapes=False),
        _HASH,
        Form("'", "'", escapes=False),
        Form('"', '"', fill=Fill.DOLLAR),
    ),
    Language.SQL: (_DASHES, _STARS, Form("'", "'", escapes=False)),
    Language.YAML: (_HASH_WORD, _line('"', prefix=r"(?<!\w)"), _line("'", prefix=r"(?<!\w)")),
    Language.JSON: (_SLASHES, _STARS, _DOUBLE),
    Language.XML: (_MARKUP, _DOUBLE),
    Language.SETTINGS: (_HASH_WORD, _remark(r"(?<!\S)(?:;|//)"), _DOUBLE, _SINGLE),
    Language.DOCKERFILE: (_HASH_WORD, _DOUBLE, _SINGLE),
}  # fmt: skip

# Characters of which every opening has one, and how many letters may stand before it there:
# looking for them first is several times quicker than trying every form at every place.
TRIGGERS: Mapping[Language, tuple[str, int]] = {
    Language.PYTHON: ("#\"'", 2),
    Language.JAVASCRIPT: ("/\"'`", 0),
    Language.JSON: ('/"', 0),
}

EXTENSIONS: Mapping[Language, str] = {
    Language.PYTHON: "py pyi pyw pyx",
    Language.JAVASCRIPT: "js jsx mjs cjs ts tsx mts cts vue svelte",
    Language.GO: "go",
    Language.JAVA: "java",
    Language.KOTLIN: "kt kts groovy gradle scala",
    Language.CSHARP: "cs",
    Language.RUBY: "rb rake gemspec ru",
    Language.PHP: "php phtml inc",
    Language.C: "c h cc cpp cxx hpp hh hxx m mm",
    Language.RUST: "rs",
    Language.SWIFT: "swift dart",
    Language.PERL: "pl pm",
    Language.LUA: "lua",
    Language.SHELL: "sh bash zsh ksh",
    Language.POWERSHELL: "ps1 psm1 psd1",
    Language.SQL: "sql",
    Language.YAML: "yaml yml",
    Language.JSON: "json jsonc json5",
    Language.XML: "xml html htm xhtml plist config csproj props",
    Language.SETTINGS: "toml ini cfg conf properties env tf tfvars hcl",
    Language.DOCKERFILE: "dockerfile containerfile",
}
# Files that are known by their whole name, lower-case.
NAMES: Mapping[str, Language] = {
    "rakefile": Language.RUBY,
    "gemfile": Language.RUBY,
    "vagrantfile": Language.RUBY,
    "dockerfile": Language.DOCKERFILE,
    "containerfile": Language.DOCKERFILE,
    "jenkinsfile": Language.KOTLIN,
    ".env": Language.SETTINGS,
    ".bashrc": Language.SHELL,
    ".zshrc": Language.SHELL,
    ".profile": Language.SHELL,
}
# Programs of a first line `#!`, without version numbers.
INTERPRETERS: Mapping[str, Language] = {
    "python": Language.PYTHON,
    "pypy": Language.PYTHON,
    "node": Language.JAVASCRIPT,
    "deno": Language.JAVASCRIPT,
    "bun": Language.JAVASCRIPT,
    "ruby": Language.RUBY,
    "php": Language.PHP,
    "perl": Language.PERL,
    "lua": Language.LUA,
    "pwsh": Language.POWERSHELL,
    **dict.fromkeys(("sh", "bash", "zsh", "ksh", "dash"), Language.SHELL),
}
NOTEBOOK = ".ipynb"
