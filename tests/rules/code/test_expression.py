"""What counts as constant, followed through the assignments of the same text."""

from __future__ import annotations

import pytest

from defenseclaw.rules.code.expression import arguments, is_constant, value_at
from defenseclaw.rules.code.lexer import read_code
from defenseclaw.rules.code.tables.languages import Language

L = Language


def first(text: str, language: Language) -> bool:
    """Whether the first argument of ``call(`` is constant."""
    code = read_code(text, language)
    return is_constant(arguments(code, code.bare.index("call(") + len("call("))[0])


@pytest.mark.parametrize(
    "language, text",
    [
        (L.PYTHON, 'call("ls")'),
        (L.PYTHON, 'call("ls" + " -l")'),
        (L.PYTHON, 'name = "ls"\ncall(name)'),
        (L.PYTHON, 'a = "ls"\nb = a + " -l"\ncall(b)'),
        (L.PYTHON, 'call(f"ls {DIRECTORY}")'),
        (L.PYTHON, 'call("x" if os.name == "nt" else "y")'),
        (L.PYTHON, 'call("ls " + shlex.quote(name))'),
        (L.PYTHON, 'call(f"kill {int(pid)}")'),
        (L.PYTHON, 'call(" ".join(["a", "b"]))'),
        (L.JAVASCRIPT, "call(`ls`, options)"),
        (L.JAVASCRIPT, "const c = 'ls';\ncall(c)"),
        (L.PHP, "call('ls ' . escapeshellarg($f))"),
        (L.RUBY, "call('ls')"),
        (L.GO, 'cmd := "ls"\ncall(cmd)'),
    ],
)
def test_constant(language: Language, text: str) -> None:
    assert first(text, language)


@pytest.mark.parametrize(
    "language, text",
    [
        (L.PYTHON, "call(name)"),
        (L.PYTHON, 'call("ls " + name)'),
        (L.PYTHON, 'call(f"ls {name}")'),
        (L.PYTHON, 'call("ls %s" % name)'),
        (L.PYTHON, 'call("ls {}".format(name))'),
        (L.PYTHON, 'name = "ls"\nname = input()\ncall(name)'),
        (L.PYTHON, 'name = "ls"\ndef f(name):\n    call(name)'),
        (L.PYTHON, "call(read())"),
        (L.PYTHON, "call(sys.argv[1])"),
        (L.PYTHON, "call(request.GET['x'])"),
        (L.PYTHON, 'a = "x" + a\ncall(a)'),
        (L.JAVASCRIPT, "call(`ls ${dir}`)"),
        (L.JAVASCRIPT, "const c = `ls ${d}`;\ncall(c)"),
        (L.JAVASCRIPT, "const f = (c) => call(c);\nconst c = 'ls';"),
        (L.PHP, "call('ls ' . $_GET['d'])"),
        (L.PHP, 'call("ls $d")'),
        (L.RUBY, 'call("ls #{d}")'),
        (L.RUBY, "call(ARGV[0])"),
        (L.GO, 'call("ls " + dir)'),
    ],
)
def test_not_constant(language: Language, text: str) -> None:
    assert not first(text, language)


def test_arguments_are_split_at_their_own_commas() -> None:
    code = read_code('call(f(a, b), [c, d], "e,(", {f: g}) + h', L.PYTHON)
    found = [item.text.strip() for item in arguments(code, 5)]
    assert found == ["f(a, b)", "[c, d]", '"e,("', "{f: g}"]


def test_a_call_without_brackets_ends_with_its_line() -> None:
    code = read_code('system "ls", x\ny', L.RUBY)
    assert [item.text.strip() for item in arguments(code, 7)] == ['"ls"', "x"]


@pytest.mark.parametrize(
    "text, value",
    [
        ('a = "x"\nb', '"x"'),
        ('a = ("x"\n  "y")\nb', '("x"\n  "y")'),
        ('a = "x" +\n  y\nb', '"x" +\n  y'),
        ('a = """\nx\n"""\nb', '"""\nx\n"""'),
        ("a = f(\n1,\n2)\nb", "f(\n1,\n2)"),
    ],
)
def test_a_value_runs_to_the_end_of_its_statement(text: str, value: str) -> None:
    assert value_at(read_code(text, L.PYTHON), 4).text == value
