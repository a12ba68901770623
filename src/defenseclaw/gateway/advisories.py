"""Which observe advisories an agent has been told lately; each is told once in a while only."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

from defenseclaw.connectors import Connector
from defenseclaw.core.event import HookEvent
from defenseclaw.core.limits import MAX_REMEMBERED_ADVISORIES

Key = tuple[str, str, str, frozenset[str]]


class Advisories:
    """Remembers (connector, session, event family, rule set) for each connector's own window.

    ``clock`` is monotonic seconds. Safe from any thread.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._told: OrderedDict[Key, float] = OrderedDict()
        self._lock = threading.Lock()

    def is_repeated(self, connector: Connector, event: HookEvent, rules: frozenset[str]) -> bool:
        """Whether this was told within the window; if it was not, it counts as told now."""
        if not connector.advisory_window_s or not event.session_id:
            return False
        family = connector.advisory_families.get(event.spec.name, event.spec.name)
        key = (connector.key, event.session_id, family, rules)
        now = self._clock()
        with self._lock:
            told = self._told.get(key)
            if told is not None and now - told < connector.advisory_window_s:
                self._told.move_to_end(key)
                return True
            self._told[key] = now
            self._told.move_to_end(key)
            if len(self._told) > MAX_REMEMBERED_ADVISORIES:
                self._told.popitem(last=False)
            return False
