"""Tools that OmniGent's own harness registers; others have the names that their harness gives."""

from __future__ import annotations

from defenseclaw.connectors.tables.roles import several, table, tool
from defenseclaw.core.tool import FieldRole as F
from defenseclaw.core.tool import ToolFamily as T

TOOLS = table(
    (
        *several(
            "sys_os_shell shell",
            tool("", T.SHELL, "description timeout", command=F.COMMAND, cwd=F.CWD),
        ),
        *several("sys_os_read read_file", tool("", T.READ, "offset limit", path=F.PATH)),
        *several("sys_os_write write_file", tool("", T.WRITE, path=F.PATH, content=F.CONTENT)),
        tool("sys_agent_start", T.INERT, "agent_name harness sandbox"),
    )
)
