"""Values in queries as opposed to names, parameters and placeholders."""

from __future__ import annotations

import pytest

from defenseclaw.rules.code.expression import arguments
from defenseclaw.rules.code.lexer import read_code
from defenseclaw.rules.code.query import built_query
from defenseclaw.rules.code.tables.languages import Language

L = Language
FROM = "SELECT * FROM t WHERE id = "


def judged(text: str, language: Language) -> bool | None:
    code = read_code(text, language)
    return built_query(arguments(code, code.bare.index("run(") + len("run("))[0])


@pytest.mark.parametrize(
    "language, text, expected",
    [
        (L.PYTHON, f'run("{FROM}%s", (x,))', None),
        (L.PYTHON, f'run("{FROM}%s" % x)', True),
        (L.PYTHON, f'run(f"{FROM}{{x}}")', True),
        (L.PYTHON, f'run("{FROM}" + x)', True),
        (L.PYTHON, f'run("{FROM}{{}}".format(x))', True),
        (L.PYTHON, f'run(text(f"{FROM}{{x}}"))', True),
        (L.PYTHON, f'run(f"{FROM}{{int(x)}}")', None),
        (L.PYTHON, f'run(f"{FROM}{{LIMIT}}")', None),
        (L.PYTHON, 'run(f"SELECT * FROM {table} WHERE id = %s", x)', False),
        (L.PYTHON, 'run(f"SELECT * FROM t ORDER BY {column}")', False),
        (L.PYTHON, 'run(f"SELECT * FROM t WHERE {where}", values)', False),
        (L.PYTHON, 'm = ",".join("?" * n)\nrun(f"SELECT * FROM t WHERE a IN ({m})", v)', None),
        (L.PYTHON, "run(f\"INSERT INTO t VALUES (1, '{x}')\")", True),
        (L.PYTHON, 'run(f"SELECT * FROM t LIMIT {n}")', True),
        (L.PYTHON, f'q = "{FROM}"\nq += x\nrun(q)', True),
        (L.PYTHON, 'run(f"select {x} now")', None),
        (L.PYTHON, "run(q)", None),
        (L.JAVASCRIPT, f"run(`{FROM}${{x}}`)", True),
        (L.JAVASCRIPT, f"run(sql`{FROM}${{x}}`)", None),
        (L.JAVASCRIPT, 'run("SELECT * FROM t WHERE a IN (" + v.map(() => "?") + ")")', None),
        (L.PHP, f'run("{FROM}$x")', True),
        (L.PHP, f"run('{FROM}' . $x)", True),
        (L.PHP, f"run('{FROM}' . intval($x))", None),
        (L.RUBY, f'run("{FROM}#{{x}}")', True),
        (L.GO, f"run(fmt.Sprintf(\"{FROM}'%s'\", x))", True),
        (L.GO, f'run(fmt.Sprintf("{FROM}%d", x))', None),
        (L.JAVA, f'run("{FROM}\'" + x + "\'")', True),
        (L.JAVA, f"run(String.format(\"{FROM}'%s'\", x))", True),
        (L.JAVA, 'run("SELECT a " + "FROM t")', None),
        (L.KOTLIN, f'run("{FROM}$x")', True),
        (L.CSHARP, f'run($"{FROM}{{x}}")', True),
        (L.RUST, f'run(&format!("{FROM}{{}}", x))', True),
    ],
)
def test_a_value_in_a_query_is_told_from_a_name(
    language: Language, text: str, expected: bool | None
) -> None:
    assert judged(text, language) is expected
