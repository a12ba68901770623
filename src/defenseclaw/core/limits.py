"""Every number we enforce, grouped, each with its origin."""

from __future__ import annotations

# --- analysis: the action-facts contract ---
MAX_COMMAND_BYTES = 64 * 1024
MAX_ARGS_JSON_BYTES = 256 * 1024
MAX_SCALAR_BYTES = 4096
MAX_WORD_BYTES = MAX_COMMAND_BYTES  # ours: inline code and messages are as long as their command
MAX_JSON_DEPTH = 16
MAX_JSON_ITEMS = 512
MAX_ARGV_ITEMS = 256
MAX_COMMANDS = 128
MAX_REDIRECTS = 256
MAX_PATHS = 256
MAX_NETWORK = 128
MAX_FLOWS = 256
MAX_ISSUES = 8
MAX_WRAPPERS = 4
MAX_SHELL_NODES = 4096
MAX_SHELL_DEPTH = 64
MAX_NESTED_DEPTH = 4  # code inside code: sh -c, ssh, xargs, …
MAX_PATCH_DIRECTIVES = 256

# --- hook client and endpoint: the connector contract ---
MAX_HOOK_BODY_BYTES = 1024 * 1024
MAX_HOOK_RESPONSE_BYTES = 1024 * 1024
MAX_TOKEN_FILE_BYTES = 4096
TOKEN_HEX_CHARS = 64  # 32 random bytes
HOOK_CONNECT_TIMEOUT_S = 2.0
CODEX_HOOK_BUDGET_S = 10.0  # the client gives up here, below every registered timeout
GATEWAY_EVALUATION_BUDGET_S = 8.0  # below the shortest client budget (design: deadlines nest)
COLD_START_MEMORY_S = 30.0  # a failed start is not tried again for this long
FAILURE_LOG_ROTATE_BYTES = 5 * 1024 * 1024
MAX_REASON_CHARS = 9000  # Claude Code caps injected text at 10,000 characters

# --- store ---
MAX_PREVIEW_CHARS = 200

# --- gateway ---
DEFAULT_PORT = 18970
MAX_PAYLOAD_DEPTH = 64  # JSON nesting of a hook payload
MAX_CONNECTIONS = 512  # twice the hooks that have to be answered at once; the oldest idle one goes
MAX_REQUEST_HEAD_BYTES = 64 * 1024  # a hook's head has half a kilobyte
MAX_REQUEST_BYTES = 2 * 1024 * 1024  # a payload at its limit, in chunks of any size
REQUEST_TIMEOUT_S = 10.0  # a hook sends its request at once and is given up after this time
ANSWER_TIMEOUT_S = 20.0  # twice the evaluation's own limit, for a client that reads slowly
MAX_REMEMBERED_ADVISORIES = 512  # connector contract, section 3
GATEWAY_LOG_ROTATE_BYTES = 5 * 1024 * 1024  # one older file is kept

# --- rule packs: the rule-pack contract ---
MAX_PACK_ENTRIES = 4096  # files and folders below a pack's folder, of whatever kind
MAX_PACK_DEPTH = 16  # ours: components lie at most one folder deep
MAX_PACK_COMPONENTS = 64
MAX_PACK_FILE_BYTES = 1024 * 1024
MAX_PACK_BYTES = 4 * 1024 * 1024

# --- policy documents and Rego modules: ours ---
MAX_POLICY_INPUT_BYTES = 1024 * 1024
MAX_REGO_MODULES = 64
MAX_REGO_MODULE_BYTES = 128 * 1024  # parsed trees are fifty times as large
MAX_REGO_BYTES = 512 * 1024
MAX_REGO_REPLY_BYTES = 1024 * 1024
REGO_TIMEOUT_S = 5.0  # of one evaluation in its own process, its start included
REGO_CPU_S = 4  # whole seconds; the system ends the process beyond it
REGO_MEMORY_BYTES = 1024 * 1024 * 1024  # address space, of which an interpreter takes a fifth
