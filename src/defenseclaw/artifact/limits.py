"""Bounds of the artifact gate; state contract, sections 7.3 and 7.4."""

MAX_SCRIPT_BYTES = 64 * 1024
MAX_SCRIPTS = 4  # of one call; more are ignored
MAX_SHEBANG_BYTES = 256
FILE_WAIT_S = 0.5
GATE_BUDGET_S = 0.75
READER_SLOTS = 4  # a stalled disk can hold no more threads than these
