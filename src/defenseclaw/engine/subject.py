"""The text that identifies a call: equal texts are the same call, whatever decorates it."""

from __future__ import annotations

import json

from defenseclaw.core.event import HookEvent
from defenseclaw.core.tool import FieldRole

_canonical = json.JSONEncoder(sort_keys=True).encode


def subject_of(event: HookEvent) -> str:
    """Tool, deciding arguments and directory of a call; route and texts of any other event.

    Arguments whose role is inert (a description, a timeout) are left out: agents word them anew
    each time.
    """
    call = event.call
    if call is None:
        return _canonical([event.spec.route.value, list(event.contents)])
    roles = call.spec.fields if call.spec else {}
    deciding = {
        key: value for key, value in call.args.items() if roles.get(key) is not FieldRole.INERT
    }
    return _canonical([call.tool, call.cwd, deciding])
