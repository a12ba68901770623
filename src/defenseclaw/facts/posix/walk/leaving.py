"""``exit``, ``return``, ``break`` and ``continue``."""

from __future__ import annotations

import re

from defenseclaw.core.facts import CommandContext
from defenseclaw.facts.posix.expand.state import Ending
from defenseclaw.facts.posix.walk.calls import Call
from defenseclaw.facts.posix.walk.scope import Status

EXIT_CODE = re.compile(r"[0-9]{1,18}\Z")
LEVELS = re.compile(r"[1-9][0-9]{0,2}\Z")


def do_exit(call: Call) -> Status:
    """``exit``: certain only if the shell can neither refuse its argument nor its redirection."""
    values = call.values()
    code = values[0] if values else None
    nonzero = code is not None and EXIT_CODE.match(code) is not None and int(code) % 256 != 0
    call.state.exit_risk |= not nonzero
    call.state.after_exec = True
    refused = len(values) > 1 or (values and not EXIT_CODE.match(code or ""))
    if not refused and not call.node.redirects:
        call.state.ended = Ending.EXITED
    return Status.UNKNOWN


def do_return(call: Call) -> Status:
    """``return``; outside of functions it is an error that ends nothing."""
    call.state.exit_risk = True
    if call.scope.in_function:
        call.state.returns.append(call.state.copy())
        # A redirection may fail, and then the function goes on.
        if len(call.words) <= 2 and not call.node.redirects:
            call.state.ended = Ending.RETURNED
    return Status.UNKNOWN


def do_leave(call: Call) -> Status:
    """``break`` and ``continue``: certain only in the loop's own function and shell."""
    state, exits, values = call.state, call.state.leaves, call.values()
    if exits is None or state.ended or call.scope.context is CommandContext.DEAD:
        return Status.UNKNOWN
    name = call.words[0].value
    plain = not values or (len(values) == 1 and LEVELS.match(values[0] or "") is not None)
    sure = plain and call.scope.in_loop and name not in state.aliases and not call.node.redirects
    if sure and values in ([], ["1"]):
        exits.leave(state, done=name == "break", again=name == "continue")
    else:
        exits.leave_any(state)
    if sure:
        state.ended = Ending.LEFT
    return Status.UNKNOWN
