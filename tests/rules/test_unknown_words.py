"""A word that may stay unknown is one that no rule looks at.

Every place of every program table that is said to be data is given values that rules look for. None
may become a finding there, or the place would have to decide.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from defenseclaw.core.facts import ParseStatus
from defenseclaw.facts import enforcement_projection
from defenseclaw.facts.roles import PATH_ROLES, Need
from tests.facts.describe import analyze_shell
from tests.facts.respelling.judge import generation
from tests.facts.test_roles import PLAIN, UNKNOWN, Place, distinct, places, status

# What rules look for in a word: places on this machine, addresses, everything at once, and code.
TELLING = ("/etc/passwd", "/dev/sda", "https://webhook.site/x", ".", "0.0.0.0/0", "rm -rf /")
# Paths that a command only looks at, makes or tidies do not decide: the folder is in the call's own
# hands, and people search and list what they do not know.
TOLERATED = frozenset(name for name, role in PATH_ROLES.items() if role.need is Need.NEVER)


def data_places() -> Iterator[Place]:
    """Places whose unknown words leave a call understood."""
    for row in distinct():
        yield from (
            place
            for place in places(*row)
            if place.need is Need.NEVER
            and place.role not in TOLERATED
            and status(place.command(UNKNOWN))[0] is ParseStatus.COMPLETE
        )


def found(command: str) -> set[str]:
    """The rules that a command's facts match."""
    findings = generation().evaluate_call(analyze_shell(command), enforcement_projection).findings
    return {finding.rule_id for finding in findings}


def test_no_value_of_a_word_that_is_data_becomes_a_finding() -> None:
    every = list(data_places())
    assert len(every) > 500
    wrong = []
    for place in every:
        plain = found(place.command(PLAIN))
        for value in TELLING:
            new = found(place.command(shlex.quote(value))) - plain
            if new:
                wrong.append((place.command(value), sorted(new)))
    assert wrong == []
