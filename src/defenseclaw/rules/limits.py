"""Bounds of a rule pack and of one evaluation; all from the rule-pack contract unless noted."""

from __future__ import annotations

MAX_COMPONENTS = 64
MAX_FILE_BYTES = 1024 * 1024
MAX_PACK_BYTES = 4 * 1024 * 1024
MAX_RULES_PER_PACK = 4096
MAX_RULES_PER_FILE = 2048
MAX_EXPRESSIONS = 512  # twice the contract's 256: our shipped catalogue alone needs more than half
# Twice the contract's 32 million, for the same reason; what runs is bounded by DISPATCH_COST.
MAX_CATALOG_COST = 64_000_000
MAX_PATTERN_BYTES = 2048
MAX_EXAMPLES_PER_RULE = 64  # ours: keeps a hostile pack from turning validation into a workload
MAX_YAML_DEPTH = 32  # ours: the deepest legal document has nine levels
PATTERN_MEMORY_BYTES = 8 * 1024 * 1024  # RE2's own budget per pattern; beyond it compiling fails

EVALUATION_COST = 1_250_000  # one expression over one action
DISPATCH_COST = 24_000_000  # all expressions over one action, both projections
MAX_CONTENT_CHARS = 256 * 1024  # prompts, results and written text that content rules read
MAX_SEEN_CHARS = 160  # ours: what a finding shows of the call, one line
MAX_CANDIDATES = 64  # ours: hits of one pattern that its validator looks at in one text
