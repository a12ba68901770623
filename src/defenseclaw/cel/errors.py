"""What can go wrong: an expression that is not admitted, and an evaluation that cannot finish."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """Admission codes in the order of the checks; the first check that fails names the code."""

    EXPRESSION_ENCODING = "expression_encoding"
    EXPRESSION_SIZE = "expression_size"
    SYNTAX = "syntax"
    AST_NODES = "ast_nodes"
    AST_DEPTH = "ast_depth"
    TYPE = "type"
    RESULT_TYPE = "result_type"
    SURFACE = "surface"
    ENUM_DOMAIN = "enum_domain"
    COMPREHENSION_DEPTH = "comprehension_depth"
    REGEX_FORM = "regex_form"
    REGEX_DYNAMIC = "regex_dynamic"
    REGEX_SIZE = "regex_size"
    REGEX_SYNTAX = "regex_syntax"
    STATIC_COST_UNBOUNDED = "static_cost_unbounded"
    STATIC_COST = "static_cost"
    PROGRAM = "program"


class CelError(Exception):
    """An expression was not admitted.

    ``message`` may name a field or function of the expression, never the content of a literal;
    ``position`` is a character offset into the text.
    """

    def __init__(self, code: Code, message: str, position: int = 0) -> None:
        super().__init__(f"{code.value} at {position}: {message}")
        self.code = code
        self.message = message
        self.position = position


class EvaluationError(Exception):
    """A program could not be evaluated: the message does not have the schema's shape."""


class BudgetExceededError(EvaluationError):
    """An evaluation would cost more than its budget holds."""
