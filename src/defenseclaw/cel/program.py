"""Admitted expressions, ready to run, and the budget they run under."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from defenseclaw.cel.errors import BudgetExceededError, EvaluationError
from defenseclaw.cel.needs import Needs

# Run-time budgets of the rule-pack contract, in cost units.
PROGRAM_COST = 1_250_000
DISPATCH_COST = 24_000_000


@dataclass(slots=True)
class Budget:
    """Cost units for the evaluations of one dispatch; not shared between threads.

    Each evaluation may spend ``per_program``, all together ``total``.
    """

    total: int = DISPATCH_COST
    per_program: int = PROGRAM_COST
    spent: int = 0

    @property
    def exhausted(self) -> bool:
        """Whether nothing is left for a further program."""
        return self.spent >= self.total


@dataclass(frozen=True, slots=True)
class Program:
    """One compiled expression. It has no state: any number of threads may evaluate it at once."""

    text: str
    static_cost: int
    base_cost: int  # charged for every evaluation, before loops
    run: Callable[[object, list[int]], bool]
    needs: Needs = ()  # met by every message that makes it true
    instructions: int = 0  # size of the automata of its patterns

    def evaluate(self, message: object, budget: Budget) -> bool:
        """The verdict for a message of the schema's shape.

        Raises ``BudgetExceededError`` when the budget does not suffice (the budget then counts the
        whole allowance as spent), and ``EvaluationError`` for a message of another shape.
        """
        allowance = budget.total - budget.spent
        if allowance > budget.per_program:  # noqa: PLR1730 - a call of min() is dearer, and hot
            allowance = budget.per_program
        left = [allowance - self.base_cost]
        try:
            if left[0] < 0:
                raise BudgetExceededError("no cost units are left")
            return self.run(message, left)
        except (AttributeError, TypeError, UnicodeError) as error:
            raise EvaluationError("the message does not fit the schema") from error
        finally:
            budget.spent += allowance - left[0] if left[0] >= 0 else allowance
