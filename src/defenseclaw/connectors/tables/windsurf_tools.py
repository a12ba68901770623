"""What Windsurf's hooks tell about a call, under the names of its events without their time.

There are no tools of one's own choosing: a command, a read, a write, or an MCP tool, whose server
and name stand beside its arguments.
"""

from __future__ import annotations

from defenseclaw.connectors.tables.roles import table, tool
from defenseclaw.core.tool import FieldRole as F
from defenseclaw.core.tool import ToolFamily as T

TOOLS = table(
    (
        tool("run_command", T.SHELL, command_line=F.COMMAND, cwd=F.CWD),
        tool("read_code", T.READ, file_path=F.PATH),
        tool("write_code", T.EDIT, file_path=F.PATH, edits=F.EDITS),
        tool("mcp_tool_use", T.MCP),
    )
)
