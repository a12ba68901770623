"""Our own compiler of the admitted subset of the Common Expression Language.

It knows nothing of actions or rules: types come in as a ``Schema``, limits as ``Limits``, and a
program is a function of a message and a budget.
"""

from defenseclaw.cel.compiler import compile_expression
from defenseclaw.cel.errors import BudgetExceededError, CelError, Code, EvaluationError
from defenseclaw.cel.limits import Limits
from defenseclaw.cel.needs import Clue, Constant, Filled, Need
from defenseclaw.cel.program import Budget, Program
from defenseclaw.cel.schema import Field, Schema

__all__ = [
    "Budget",
    "BudgetExceededError",
    "CelError",
    "Clue",
    "Code",
    "Constant",
    "EvaluationError",
    "Field",
    "Filled",
    "Limits",
    "Need",
    "Program",
    "Schema",
    "compile_expression",
]
