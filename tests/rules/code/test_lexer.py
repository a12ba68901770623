"""Comments and strings of every language, fragments of files, and linear time on hostile text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.rules.code.lexer import Code, read_code
from defenseclaw.rules.code.tables.languages import EXTENSIONS, FORMS, TRIGGERS, Language
from defenseclaw.rules.limits import MAX_CODE_TOKENS

L = Language


@pytest.mark.parametrize(
    "language, text, bare",
    [
        (L.PYTHON, "a = 'eval(x)'  # eval(y)", "a = '       '           "),
        (L.PYTHON, 'f"{eval(x)} y"', 'f" eval(x)   "'),
        (L.PYTHON, '"""\neval(x)\n"""; b', '"""\n       \n"""; b'),
        (L.PYTHON, 'r"\\"; b', 'r"     '),
        (L.JAVASCRIPT, "`a ${eval(x)}` // c", "`    eval(x) `     "),
        (L.JAVASCRIPT, "s.replace(/[\"']/g, x)", "s.replace(/      , x)"),
        (L.JAVASCRIPT, "a / b; c / d", "a / b; c / d"),
        (L.JAVASCRIPT, "/* eval(x) */ b", "              b"),
        (L.GO, '`a\nb` + "c"', '` \n ` + " "'),
        (L.JAVA, '\'"\' + "x"', "' ' + \" \""),
        (L.KOTLIN, '"a $b ${c}"', '"  $b   c "'),
        (L.CSHARP, '$"a {b}" + @"\\"', '$"   b " + @" "'),
        (L.RUBY, "`ls #{x}` # y", "`     x `    "),
        (L.RUBY, "<<~SQL\nselect #{x}\nSQL\ny", "<<~SQL\n         x \nSQL\ny"),
        (L.PHP, '"a $b {$c->d}" # e', '"  $b  $c->d "    '),
        (L.C, '"a\\"b"; // c', '"    ";     '),
        (L.RUST, "&'a str; 'b'; r#\"c\"#", "&'a str; ' '; r#\" \"#"),
        (L.SWIFT, '"a" // b', '" "     '),
        (L.PERL, "`cat $f` # c", "`    $f`    "),
        (L.LUA, "--[[ a\nb ]] c -- d", "      \n     c     "),
        (L.SHELL, "echo 'a' ${x#y} # b", "echo ' ' ${x#y}    "),
        (L.POWERSHELL, '<# a #> "b $c" # d', '        "  $c"    '),
        (L.SQL, "select 'a' -- b", "select ' '     "),
        (L.YAML, "a: it's # b\nc: 'd'", "a: it's    \nc: ' '"),
        (L.JSON, '{"a": "b"} // c', '{" ": " "}     '),
        (L.XML, '<!-- a --> <b c="d"/>', '           <b c=" "/>'),
        (L.SETTINGS, '; a\nb = "c" # d', '   \nb = " "    '),
        (L.DOCKERFILE, "# a\nRUN x 'b'", "   \nRUN x ' '"),
    ],
)
def test_only_code_is_left(language: Language, text: str, bare: str) -> None:
    assert read_code(text, language).bare == bare


def test_every_language_has_a_row_here() -> None:
    (mark,) = test_only_code_is_left.pytestmark  # type: ignore[attr-defined]
    assert {row[0] for row in mark.args[1]} == set(Language)
    assert FORMS.keys() == EXTENSIONS.keys() == set(Language)
    words = [word for text in EXTENSIONS.values() for word in text.split()]
    assert len(words) == len(set(words))


@pytest.mark.parametrize(
    "language, text",
    [
        (L.PYTHON, '"""\neval(x)\n'),
        (L.PYTHON, "'''\neval(x)\n"),
        (L.JAVASCRIPT, "`\neval(x)\n"),
        (L.JAVASCRIPT, "/*\neval(x)\n"),
        (L.PHP, "'\neval(x)\n"),
        (L.RUBY, "<<~END\neval(x)\n"),
        (L.PYTHON, "a = 'open\neval(x)\n"),
    ],
)
def test_nothing_hides_behind_a_quote_that_is_never_closed(language: Language, text: str) -> None:
    assert "eval(x)" in read_code(text, language).bare


def test_what_follows_too_many_strings_counts_as_code() -> None:
    text = "'a'\n" * MAX_CODE_TOKENS + "'eval(x)'"
    assert read_code(text, L.PYTHON).bare.endswith("'eval(x)'")


WORDS = "\" ' ` \\ # /* */ // -- ${ #{ { } $a f \"\"\" ''' r# <!-- --> [[ ]] @ x é ="
PIECES = (*WORDS.split(), "\n", " ", "<<A\n", "A\n")


def check(code: Code) -> None:
    assert len(code.bare) == len(code.quiet) == len(code.text)
    last = 0
    for token in code.tokens:
        assert last <= token.start <= token.inner[0] <= token.inner[1] <= token.end
        last = token.end
        for start, end in token.fills:
            assert token.inner[0] <= start < end <= token.inner[1]
    for view in (code.bare, code.quiet):
        assert all(a in (b, " ") for a, b in zip(view, code.text, strict=True))
        assert [m.start() for m in re.finditer("\n", view)] == [
            m.start() for m in re.finditer("\n", code.text)
        ]


@given(
    st.sampled_from(list(Language)),
    st.lists(
        st.sampled_from(PIECES),
        max_size=40,
    ),
)
def test_views_only_blank(language: Language, pieces: list[str]) -> None:
    check(read_code("".join(pieces), language))


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize(
    "unit", ['"', '"\\', "'`", "${", 'f"{', "/*", "<<A\n", "=/[", "--[[", "<!--"]
)
def test_hostile_text_is_read_in_linear_steps(language: Language, unit: str) -> None:
    check(read_code(unit * (40_000 // len(unit)), language))


@pytest.mark.parametrize("language", list(TRIGGERS))
def test_looking_for_triggers_first_finds_the_same(language: Language) -> None:
    text = "".join(f"{a}{b} x {a}\n" for a in WORDS.split() for b in (*WORDS.split(), "rb'", "Fr'"))
    characters, _ = TRIGGERS[language]
    found = [m.start() for m in re.finditer(f"[{re.escape(characters)}]", text)]
    opener = re.compile("|".join(form.opening for form in FORMS[language]))
    starts = [m for m in opener.finditer(text) if m.end() > m.start()]
    assert all(any(m.start() <= at < m.end() for at in found) for m in starts)
