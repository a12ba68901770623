"""How much is remembered and for how long; every bound of the state contract in one place."""

from __future__ import annotations

from dataclasses import dataclass

SECOND_NS = 1_000_000_000
MINUTE_NS = 60 * SECOND_NS

# State contract, section 11.
WINDOW_EVENTS = 64  # the longest window of a chain
WINDOW_NS = 30 * MINUTE_NS
PENDING_TTL_NS = WINDOW_NS
CUTOFF_TTL_NS = WINDOW_NS
DELIVERY_TTL_NS = 60 * MINUTE_NS
DENIED_TTL_NS = 7 * 24 * 60 * MINUTE_NS
CLOCK_TOLERANCE_NS = 5 * SECOND_NS
MAX_RULE_IDS = 8
MAX_RULE_ID_CHARS = 128
PRUNE_ROWS = 64  # of one table, inside the transaction of one event
SWEEP_ROWS = 1000  # of one table, beside the events


@dataclass(frozen=True, slots=True)
class Caps:
    """How many rows each table may have; section 6.6 of the state contract."""

    pending: int = 4096
    pending_of_session: int = 256
    partitions: int = 4096
    cutoffs: int = 4096  # of each kind
    deliveries: int = 16384
    denied_deliveries: int = 8192
    deny_receipts: int = 8192


DEFAULT_CAPS = Caps()
