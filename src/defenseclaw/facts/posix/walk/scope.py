"""What surrounds a command while the tree is walked."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from defenseclaw.core.facts import CommandContext
from defenseclaw.facts.script import Link, Redirect


class Status(IntEnum):
    """What is known of an exit status before anything runs."""

    UNKNOWN = 0
    TRUE = 1
    FALSE = 2
    ASSUMED = 3  # `cd`: state goes on as if it had worked, the guarded code stays possible


# A weaker context never replaces a stronger one.
STRENGTH = {
    CommandContext.UNCONDITIONAL: 0,
    CommandContext.CONDITIONAL: 1,
    CommandContext.BACKGROUND: 2,
    CommandContext.REPEATED: 3,
    CommandContext.FUNCTION_BODY: 4,
    CommandContext.DEAD: 5,
}


class Scope(NamedTuple):
    """The surroundings of a node. A tuple, because replacing a field of one is cheap."""

    context: CommandContext = CommandContext.UNCONDITIONAL
    parent: int = 0
    link: Link = Link.NONE
    pipeline: int = 0
    position: int = 0  # in the pipeline
    channel: int = 0  # where standard output goes; 0 is the script's own
    stdin: tuple[int, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    negated: bool = False
    decides: bool = True
    top: bool = True
    span: tuple[int, int] | None = None  # for code whose positions mean nothing in the source
    reached: bool = True
    uncertain: bool = False
    in_function: bool = False
    in_loop: bool = False  # of the same function and shell
    feeds: bool = False  # a simple command whose output a pipe takes

    def under(self, context: CommandContext) -> Scope:
        """The scope of code that the context guards; it decides no exit status."""
        if STRENGTH[context] <= STRENGTH[self.context]:
            context = self.context
        if context is self.context and not (self.decides or self.top):
            return self
        return self._replace(context=context, decides=False, top=False)

    def inside(self) -> Scope:
        """The scope of a group: no longer at top level."""
        return self._replace(top=False) if self.top else self


def surviving(redirects: tuple[Redirect, ...], closed: set[int]) -> tuple[Redirect, ...]:
    """Redirections that still hold where a pipe takes over some descriptors."""
    if not redirects:
        return redirects
    return tuple(item for item in redirects if item.fd not in closed)
