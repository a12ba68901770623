"""Codex's built-in tools as its hooks present them, checked against 0.171.0 and its tool schemas.

Shell calls of every kind arrive as ``Bash`` with the command text only; the other shell names are
those under which older versions and recorded transcripts have the same call. ``login``, ``shell``,
``additional_permissions`` and environment fields are left out: they change what is run.
"""

from __future__ import annotations

from defenseclaw.connectors.tables.roles import table, tool
from defenseclaw.core.tool import FieldRole as F
from defenseclaw.core.tool import ToolFamily as T

# Waiting, output limits and the words of the approval question; the command is judged as if it
# ran outside every sandbox, so asking to leave it changes nothing about what it touches.
_SHELL_INERT = (
    "description timeout timeout_ms yield_time_ms max_output_tokens tty justification"
    " prefix_rule sandbox_permissions with_escalated_permissions"
)
_TARGET = "target interrupt"

TOOLS = table(
    (
        tool("Bash", T.SHELL, _SHELL_INERT, command=F.COMMAND, workdir=F.CWD),
        tool("shell_command", T.SHELL, _SHELL_INERT, command=F.COMMAND, workdir=F.CWD),
        tool("exec_command", T.SHELL, _SHELL_INERT, cmd=F.COMMAND, workdir=F.CWD),
        tool("shell", T.SHELL, _SHELL_INERT, command=F.ARGV, workdir=F.CWD),
        tool("local_shell", T.SHELL, _SHELL_INERT, command=F.ARGV, workdir=F.CWD),
        tool(
            "write_stdin",
            T.SHELL_INPUT,
            "session_id yield_time_ms max_output_tokens",
            chars=F.COMMAND,
        ),
        tool("apply_patch", T.PATCH, command=F.PATCH, input=F.PATCH, patch=F.PATCH),
        tool("view_image", T.READ, "detail", path=F.PATH),
        tool("read_file", T.READ, "offset limit mode indentation", file_path=F.PATH),
        tool("list_dir", T.LIST, "offset limit depth", dir_path=F.PATH),
        tool("grep_files", T.SEARCH, "limit", pattern=F.PATTERN, include=F.GLOB, path=F.PATH),
        tool("update_plan", T.INERT, "plan explanation"),
        tool("request_user_input", T.INERT, "questions"),
        tool("get_goal", T.INERT),
        tool("create_goal", T.INERT, "objective token_budget"),
        tool("update_goal", T.INERT, "status"),
        tool("get_context_remaining", T.INERT),
        tool("tool_search", T.INERT, "query limit"),
        tool(
            "spawn_agent",
            T.AGENT,
            "agent_type fork_context fork_turns model reasoning_effort service_tier task_name",
            message=F.PROMPT,
            items=F.PROMPT,
        ),
        tool("send_input", T.AGENT, _TARGET, message=F.PROMPT, items=F.PROMPT),
        tool("send_message", T.AGENT, _TARGET, message=F.PROMPT),
        tool("followup_task", T.AGENT, _TARGET, message=F.PROMPT),
        tool("resume_agent", T.INERT, "id"),
        tool("wait_agent", T.INERT, "targets timeout_ms"),
        tool("list_agents", T.INERT, "path_prefix"),
        tool("close_agent", T.INERT, "target"),
        tool("list_mcp_resources", T.INERT, "server cursor"),
        tool("list_mcp_resource_templates", T.INERT, "server cursor"),
        tool("read_mcp_resource", T.MCP, "server uri"),
    )
)
