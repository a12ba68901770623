"""Bounds of a rule pack and of one evaluation; all from the rule-pack contract unless noted."""

from __future__ import annotations

MAX_RULES_PER_PACK = 4096
MAX_RULES_PER_FILE = 2048
MAX_EXPRESSIONS = 256  # in one pack, enabled or not
MAX_CATALOG_COST = 32_000_000  # worst case of a pack's enabled expressions together
# The built-in catalogue and a pack at its limits fit together; DISPATCH_COST bounds what runs.
MAX_EFFECTIVE_EXPRESSIONS = 2 * MAX_EXPRESSIONS
MAX_EFFECTIVE_COST = 2 * MAX_CATALOG_COST
MAX_JUDGE_CATEGORIES = 256
MAX_SUPPRESSIONS = 4096
MAX_SENSITIVE_TOOLS = 2048
MAX_LOCAL_PATTERNS = 4096
# Stands for the contract's two seconds of compiling, as a number that is the same everywhere.
MAX_PACK_INSTRUCTIONS = 4_000_000
MAX_PATTERN_BYTES = 2048
MAX_EXAMPLES_PER_RULE = 64  # ours: keeps a hostile pack from turning validation into a workload
MAX_EXAMPLES_PER_PACK = 8192  # ours, likewise; the built-in catalogue has about 2,000
MAX_YAML_DEPTH = 32  # ours: the deepest legal document has nine levels
PATTERN_MEMORY_BYTES = 8 * 1024 * 1024  # RE2's own budget per pattern; beyond it compiling fails

EVALUATION_COST = 1_250_000  # one expression over one action
DISPATCH_COST = 24_000_000  # all expressions over one action, both projections
MAX_CONTENT_CHARS = 256 * 1024  # prompts, results and written text that content rules read
MAX_SEEN_CHARS = 160  # ours: what a finding shows of the call, one line
MAX_CANDIDATES = 64  # ours: hits of one pattern that its validator looks at in one text
MAX_CODE_CHARS = (
    1024 * 1024
)  # ours: written text that rules about code read; a hook carries no more
MAX_CODE_TOKENS = (
    65536  # ours: strings and comments that are told apart; what follows counts as code
)
MAX_CODE_FILES = 256  # ours: files of one call that rules about code read; a patch names no more
MAX_CODE_PATTERNS = 32  # ours: patterns over code that one rule has
MAX_CODE_CANDIDATES = 512  # ours: hits of one pattern over code that its check looks at in one text
MAX_ARGUMENT_CHARS = 4096  # ours: of a call's arguments that are looked at
MAX_ASSIGNMENTS = 4096  # ours: assignments of a text that values are followed through
MAX_VALUE_DEPTH = 4  # ours: variables that a value is followed through
