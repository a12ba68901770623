"""Grammar: precedence, macros, names, and bounded nesting."""

from __future__ import annotations

import sys
import threading

import pytest

from defenseclaw.cel import Code, Limits
from tests.cel.environment import Line, Order, admit, holds, refusal

TRUE = [
    "true || false && false",
    "false && false || true",
    "!false && true",
    "!!true",
    "!!!false",
    "!(true && false)",
    "1 == 1 == true",
    "true == false == false",
    "1 in [1, 2] == true",
    "true in [true] in [true]",
    "!(1 in [2])",
    "f.lines.all(x, false)",
    "(f).name == ''",
    "f . name // a comment\n == ''",
    ".f.name == ''",
    "\t\f\r\ntrue",
    "1 in [1,]",
    "!(1 in [,])",
    "true//",
]
SYNTAX = [
    "",
    " ",
    "// nothing",
    "true true",
    "(true",
    "true)",
    "()",
    "true &&",
    "&& true",
    "true & true",
    "true | true",
    "f.total = 1",
    "f.total === 1",
    "true and true",
    "not true",
    "-!true",
    "f..name == ''",
    "f. == ''",
    "f.'name' == ''",
    "f.true == 1",
    "f.in == 1",
    "1 in [1,,]",
    "1 in [,1]",
    "1 in [1",
    "f.name.startsWith('a',)",
    "f.name.startsWith('a'",
    "if == 1",
    "while(1)",
    "package == 1",
    "f?.name == ''",
    "f.?name == ''",
    "f.words[?0] == ''",
    "{1 2}",
    "true ? true",
    "true;",
    "true\x00",
    "$f",
    "f@name",
    "é == 1",
    "f.lines.exists(x.y, true)",
    "f.lines.exists('x', true)",
    "f.lines.all(.x, true)",
    "has(f)",
    "has(f.lines.exists(x, true))",
    "has(has(f.name))",
]


@pytest.mark.parametrize("text", TRUE)
def test_expression_parses_by_precedence_and_holds(text: str) -> None:
    assert holds(text)


@pytest.mark.parametrize("text", SYNTAX)
def test_malformed_expression_is_a_syntax_error(text: str) -> None:
    assert refusal(text) is Code.SYNTAX


@pytest.mark.parametrize(
    "name", ["int", "string", "shop", "list", "type", "__x", "class", "lambda"]
)
def test_loop_variable_may_have_any_plain_name(name: str) -> None:
    order = Order(lines=[Line(id=3)])
    assert holds(f"f.lines.exists({name}, {name}.id == 3)", order)


def test_inner_variable_hides_outer_one_and_a_leading_dot_reaches_the_message() -> None:
    order = Order(total=1, lines=[Line(id=2, words=["w"])])
    assert holds("f.lines.exists(f, f.id == 2 && .f.total == 1)", order)
    assert holds("f.lines.exists(x, x.words.exists(x, x == 'w') && x.id == 2)", order)


def nested(depth: int) -> str:
    return "(" * depth + "true" + ")" * depth


@pytest.mark.parametrize(
    "shape",
    [
        nested,
        lambda n: "true ? true : " * n + "true",
        lambda n: "[" * n + "]" * n,
        lambda n: "f.name" + ".size()" * n,
        lambda n: "f" + "[0]" * n,
        lambda n: "1" + " + 1" * n + " == 1",
        lambda n: "true" + " == true" * n,
        lambda n: "size(" * n + "'a'" + ")" * n,
        lambda n: "{1: " * n + "1" + "}" * n,
    ],
)
def test_nesting_is_bounded_and_never_exhausts_the_stack(shape) -> None:
    assert refusal(shape(65)) is Code.SYNTAX
    assert refusal(shape(500)) is Code.SYNTAX


def test_sixty_four_levels_are_admitted() -> None:
    # The whole expression is the first level.
    assert holds(nested(63))
    assert refusal(nested(64)) is Code.SYNTAX


def test_deepest_admitted_nesting_parses_on_a_half_used_stack() -> None:
    found: list[Code | None] = []

    def descend(frames: int) -> None:
        if frames:
            descend(frames - 1)
        else:
            found.append(refusal(nested(63)))

    thread = threading.Thread(target=descend, args=(sys.getrecursionlimit() // 2 - 60,))
    thread.start()
    thread.join()
    assert found == [None]


def test_long_chains_count_as_balanced() -> None:
    assert holds(" && ".join(["true"] * 1500))
    assert holds(" || ".join(["false"] * 1500 + ["true"]))


def test_nodes_of_a_chain_count_terms_and_operators() -> None:
    limits = Limits(nodes=9)
    assert refusal(" && ".join(["true"] * 5), limits) is None
    assert refusal(" && ".join(["true"] * 6), limits) is Code.AST_NODES


def test_macro_counts_as_its_expansion() -> None:
    text = "f.lines.exists(x, true)"  # 2 nodes of range, 1 of body, 8 of the expansion
    assert refusal(text, Limits(nodes=11)) is None
    assert refusal(text, Limits(nodes=10)) is Code.AST_NODES


def test_parser_has_a_ceiling_of_its_own() -> None:
    text = "[" + ",".join(["1"] * 8192) + "] == []"
    assert len(text.encode()) <= Limits().text_bytes + 100
    assert refusal(text, Limits(text_bytes=20_000, text_chars=20_000)) is Code.SYNTAX


def test_depth_counts_the_tree_behind_macros_and_chains() -> None:
    assert refusal("true && true && true && true", Limits(depth=3)) is None
    assert refusal("true && (true && (true && true))", Limits(depth=3)) is Code.AST_DEPTH
    assert refusal("f.lines.exists(x, true)", Limits(depth=4)) is None
    assert refusal("f.lines.exists(x, x.done == true)", Limits(depth=4)) is Code.AST_DEPTH


def test_error_names_the_position() -> None:
    with pytest.raises(Exception, match="type at 10"):
        admit("true && f.nothing")
