# ruff: noqa: E501 - tables are read by their rows
"""Respellings that hand words on: through variables, lists, reads and parameters."""

from __future__ import annotations

import random
import shlex

from tests.facts.respelling.model import NESTING, Respelling, Rewrite, closed, double, fresh
from tests.facts.respelling.scan import DECLARING, Shape, Word, scan


def _held(*forms: str) -> Rewrite:
    """One word in a variable: {n} is its name, {w} the word, {q} the word quoted, {h} and {r} its
    halves, {U} the word in capitals; ``|`` ends the preparation, the use is behind it."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        words = [w for w in shape.rewritable if _may_move(w)]
        if not words:
            return None
        word = chance.choice(words)
        cut = chance.randrange(len(word.raw))
        name = fresh(text, "w")
        filled = chance.choice(forms).format(
            n=name, w=word.raw, q=shlex.quote(word.raw), h=word.raw[:cut], r=word.raw[cut:],
            k=cut, l=len(word.raw), z=word.raw[::-1], U=word.raw.swapcase(),
            b="".join(f"\\x{ord(c):02x}" for c in word.raw),
        )  # fmt: skip
        prepared, _, use = filled.partition("|")
        return prepared + text[: word.start] + use + text[word.end :]

    return rewrite


def _may_move(word: Word) -> bool:
    """No keyword-like builtin, no descriptor, and nothing that ``echo`` or ``cut`` would change."""
    declares = word.first and word.raw in DECLARING
    return not declares and word.raw[0] not in "-@" and not (word.target and word.raw.isdigit())


def _printed(*forms: str) -> Rewrite:
    """A word with a substitution in it, stored first: {n} is its name, {v} the word as written."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        words = [] if shape.opaque else [w for w in shape.words if _is_printed(w)]
        if not words:
            return None
        word = chance.choice(words)
        prepared, _, use = chance.choice(forms).partition("|")
        name = fresh(text, "p")
        prepared, use = (part.format(n=name, v=word.raw) for part in (prepared, use))
        return prepared + text[: word.start] + use + text[word.end :]

    return rewrite


def _is_printed(word: Word) -> bool:
    """A word that only a substitution makes unknown, and that is neither program nor file."""
    open_at = max(word.raw.find("$("), word.raw.find("`"))
    return open_at >= 0 and not word.first and not word.target and not set("'\"") & set(word.raw)


def _whole(*forms: str) -> Rewrite:
    """The whole text in a variable, and run from there; {q} and {d} are the text quoted."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        if "\n" in text or "$0" in text:
            return None
        name, form = fresh(text, "c"), chance.choice(forms)
        if form.startswith("while read") and NESTING.search(text):
            return None  # what talks to its standard input would talk to the loop's
        return form.format(q=shlex.quote(text), d=double(text), n=name)

    return rewrite


def _listed(*forms: str) -> Rewrite:
    """A plain command as a list of words: {t} is the text, {n} a name."""

    def rewrite(text: str, shape: Shape, chance: random.Random) -> str | None:
        if not shape.static or not shape.external or any(c in text for c in ",%"):
            return None
        form = chance.choice(forms)
        last = shape.words[-1]
        if "{h}" in form and (len(shape.words) < 2 or last.raw.startswith("-")):
            return None  # an option would be taken by the program in front
        return form.format(
            t=" ".join(w.raw for w in shape.words), n=fresh(text, "l"), l=last.raw,
            h=text[: last.start].rstrip(), c=",".join(w.raw for w in shape.words),
            s="\\n".join(w.raw for w in shape.words), p=shape.words[0].raw,
            a=" ".join(w.raw for w in shape.words[1:]),
        )  # fmt: skip

    return rewrite


def _local(text: str, shape: Shape, chance: random.Random) -> str | None:
    """A function whose local variable holds one word."""
    words = [w for w in shape.rewritable if not (w.first and w.raw in DECLARING)]
    if not words:
        return None
    word = chance.choice(words)
    name, function = fresh(text, "w"), fresh(text, "fn")
    body = text[: word.start] + f'"${name}"' + text[word.end :]
    keyword = chance.choice(("local", "declare", "typeset", "local -r"))
    return f"{function}() {{ {keyword} {name}={word.raw}; {closed(body)}}}; {function}"


def _changed_folder(text: str, shape: Shape, _: random.Random) -> str | None:
    """Nothing relative may stand in the text."""
    return f"pushd /tmp > /dev/null; popd > /dev/null; {text}" if scan(text).simple else None


_EVAL = frozenset({"CMD-EVAL"})
_SHELL = frozenset({"CMD-BASH-C"})
_DECODED = frozenset({"CMD-PIPE-BASE64"})

STORED = (
    Respelling("default-value", _held('{n}=; |"${{{n}:-{w}}}"', "{n}=; |${{{n}:-{w}}}")),
    Respelling("alternative-value", _held('{n}=1; |"${{{n}:+{w}}}"', "{n}=x; |${{{n}+{w}}}")),
    Respelling(
        "printf-variable",
        _held(
            'printf -v {n} %s {w}; |"${n}"',
            "printf -v {n} '{b}'; |${n}",
            'printf -v {n} %s%s "{h}" "{r}"; |"${n}"',
        ),
    ),
    Respelling(
        "read-variable",
        _held(
            'read -r {n} <<< {w}; |"${n}"',
            "read {n} <<< '{w}'; |${n}",
            'IFS= read -r {n} <<< "{w}"; |"${{{n}}}"',
        ),
    ),
    Respelling("read-two", _held('IFS=^ read -r {n}a {n} <<< "x^{w}"; |"${n}"')),
    Respelling(
        "read-heredoc",
        _held("read -r {n} <<'EOT'\n{w}\nEOT\n|\"${n}\"", "{n}=$(cat <<EOT\n{w}\nEOT\n)\n|${n}"),
    ),
    Respelling(
        "read-process",
        _held(
            "read -r {n} < <(echo {q}); |${n}",
            "mapfile -t {n} < <(printf '%s\\n' {q}); |\"${{{n}[0]}}\"",
        ),
    ),
    Respelling("indirect", _held('{n}a={w}; {n}={n}a; |"${{!{n}}}"')),
    Respelling(
        "appended", _held('{n}={h}; {n}+={r}; |"${n}"', '{n}="{h}"; {n}="${{{n}}}{r}"; |${n}')
    ),
    Respelling(
        "element",
        _held(
            '{n}=(x {w} y); |"${{{n}[1]}}"',
            "{n}=({w}); |${n}",
            '{n}=(); {n}+=({w}); |"${{{n}[@]}}"',
        ),
    ),
    Respelling(
        "slice",
        _held(
            '{n}=QQ{w}QQ; |"${{{n}:2:{l}}}"',
            '{n}=QQ{w}; |"${{{n}##QQ}}"',
            '{n}={w}QQ; |"${{{n}%%QQ}}"',
            '{n}={w}; |"${{{n}:0:{k}}}${{{n}:{k}}}"',
        ),
    ),
    Respelling("reversed-word", _held("|$(echo {q} | rev | rev)", "|$(printf %s '{z}' | rev)"), True, _DECODED),
    Respelling(
        "translated-word", _held("|$(echo {q} | tr x x)", "|$(echo '{U}' | tr 'a-zA-Z' 'A-Za-z')"), True, _DECODED,
    ),
    Respelling(
        "edited-word",
        _held("|$(echo '{h}^^{r}' | sed 's/\\^\\^//')", "|$(sed 's/^QQ//' <<< 'QQ{w}')"), True, _DECODED,
    ),
    Respelling(
        "cut-word",
        _held(
            "|$(echo 'x^{w}' | cut -d^ -f2)",
            "|$(cut -c3- <<< 'xx{w}')",
            "|$(printf '%s\\nx\\n' '{w}' | head -n 1)",
            "|$(printf 'x\\n%s\\n' '{w}' | tail -1)",
        ), True, _DECODED,
    ),
    Respelling(
        "escaped-word", _held("|$(printf '{b}')", "|$(echo -e '{b}')", "|$(printf %b '{b}')"), True, _DECODED,
    ),
    Respelling(
        "constants",
        _held(
            'readonly {n}={w}; |"${n}"',
            "export {n}={w}; |${n}",
            'declare -r {n}={w}; |"${n}"',
            "declare {n}={w}; |${{{n}}}",
        ),
    ),
    Respelling("local-variable", _local),
    Respelling(
        "stored-output",
        _printed(
            "{n}={v}; |${n}",
            '{n}="{v}"; |"${n}"',
            "{n}=({v}); |${{{n}[0]}}",
            "set -- {v}; |$1",
            'read -r {n} <<< "{v}"; |"${n}"',
            "read -r {n} < <(echo {v}); |${n}",
            'printf -v {n} %s {v}; |"${n}"',
            'export {n}="{v}"; |"${n}"',
        ),
    ),
    Respelling("echoed-output", _printed("|$(echo {v})", '|"$(printf %s {v})"')),
    Respelling(
        "text-variable", _whole('{n}={q}; eval "${n}"', "{n}={d}; eval ${{{n}}}"), True, _EVAL, 1
    ),
    Respelling(
        "text-in-shell",
        _whole(
            '{n}={q}; bash -c "${n}"',
            "export {n}={q}; bash -c 'eval \"${n}\"'",
            "bash -c 'eval \"$1\"' _ {q}",
            "bash -c 'eval \"$0\"' {q}",
        ),
        True,
        _EVAL | _SHELL,
        2,
    ),
    Respelling(
        "text-loop",
        _whole(
            'while read -r {n}; do eval "${n}"; done <<< {q}',
            'for {n} in {q}; do eval "${n}"; done',
            'for {n} in {q}; do bash -c "${n}"; done',
        ),
        True,
        _EVAL | _SHELL,
        1,
    ),
    Respelling(
        "shell-arguments",
        _listed("bash -c '\"$@\"' _ {t}", "sh -c '\"$@\"' sh {t}", "bash -c '$0 \"$@\"' {t}"),
        True,
        _SHELL,
        1,
    ),
    Respelling(
        "last-argument",
        _listed("bash -c '{h} \"$1\"' _ {l}", "sh -c '{h} $0' {l}"),
        True,
        _SHELL,
        1,
    ),
    Respelling(
        "joined-words", _listed("IFS=,; {n}={c}; ${n}", 'IFS=, read -ra {n} <<< {c}; "${{{n}[@]}}"')
    ),
    Respelling(
        "words-from-lines",
        _listed(
            "mapfile -t {n} < <(printf '{s}\\n'); \"${{{n}[@]}}\"",
            "readarray -t {n} <<< $'{s}'; \"${{{n}[@]}}\"",
        ),
    ),
    Respelling(
        "word-list",
        _listed(
            "{n}='{t}'; ${n}",
            'set -- {t}; "$@"',
            "set -- {t}; $*",
            'set -- {a}; {p} "$@"',
            '{n}=({a}); {p} "${{{n}[@]}}"',
        ),
    ),
    Respelling(
        "xargs-shell",
        _listed("echo {l} | xargs -I% sh -c '{h} %'", "echo {l} | xargs sh -c '{h} \"$@\"' _"),
        True,
        _SHELL,
        2,
    ),
    Respelling(
        "find-shell",
        _listed(
            "find . -maxdepth 0 -exec sh -c '{t}' \\;",
            "find . -maxdepth 0 -exec bash -c '\"$@\"' _ {t} \\;",
        ),
        True,
        _SHELL,
        2,
    ),
    Respelling("folder-stack", _changed_folder, argv=False),
)  # fmt: skip
