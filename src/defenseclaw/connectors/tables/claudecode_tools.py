"""Claude Code's built-in tools, checked against the input types shipped with 2.1.197.

Tools whose effect no argument tells (``REPL``, ``Workflow``, ``RemoteTrigger``, worktrees) have no
row on purpose: their calls stay partly understood. Names of earlier versions are kept while
transcripts and installed versions still use them.
"""

from __future__ import annotations

from defenseclaw.connectors.tables.roles import table, tool
from defenseclaw.core.tool import FieldRole as F
from defenseclaw.core.tool import ToolFamily as T

# The command is judged as if it ran outside every sandbox, so asking to leave the sandbox changes
# nothing about what it touches.
_SHELL_INERT = "description timeout run_in_background dangerouslyDisableSandbox"
_GREP_INERT = "output_mode -A -B -C context -n -i -o type head_limit offset multiline"
_AGENT_INERT = (
    "description subagent_type model run_in_background name team_name mode isolation resume"
)
_NOTEBOOK_INERT = "cell_id edit_mode"

TOOLS = table(
    (
        tool("Bash", T.SHELL, _SHELL_INERT, "posix", command=F.COMMAND),
        tool("PowerShell", T.SHELL, _SHELL_INERT, "powershell", command=F.COMMAND),
        tool("Monitor", T.SHELL, "description timeout_ms persistent", "posix", command=F.COMMAND),
        tool("BashOutput", T.INERT, "bash_id filter"),
        tool("KillShell", T.INERT, "shell_id"),
        tool("TaskOutput", T.INERT, "task_id block timeout"),
        tool("TaskStop", T.INERT, "task_id shell_id"),
        tool("Read", T.READ, "offset limit pages", file_path=F.PATH),
        tool("Write", T.WRITE, file_path=F.PATH, content=F.CONTENT),
        tool(
            "Edit",
            T.EDIT,
            "replace_all",
            file_path=F.PATH,
            old_string=F.REMOVED,
            new_string=F.CONTENT,
        ),
        tool("MultiEdit", T.EDIT, file_path=F.PATH, edits=F.EDITS),
        tool(
            "NotebookEdit",
            T.EDIT,
            _NOTEBOOK_INERT,
            notebook_path=F.PATH,
            new_source=F.CONTENT,
            cell_type=F.CONTENT_KIND,
        ),
        tool("NotebookRead", T.READ, "cell_id", notebook_path=F.PATH),
        tool("LS", T.LIST, "ignore", path=F.PATH),
        tool("Glob", T.SEARCH, pattern=F.GLOB, path=F.PATH),
        tool("Grep", T.SEARCH, _GREP_INERT, pattern=F.PATTERN, glob=F.GLOB, path=F.PATH),
        tool("LSP", T.READ, "operation line character query", filePath=F.PATH),
        tool("WebFetch", T.FETCH, url=F.URL, prompt=F.PROMPT),
        tool("WebSearch", T.INERT, "allowed_domains blocked_domains", query=F.PROMPT),
        tool("Task", T.AGENT, _AGENT_INERT, prompt=F.PROMPT),
        tool("Agent", T.AGENT, _AGENT_INERT, prompt=F.PROMPT),
        tool("CronCreate", T.AGENT, "cron recurring durable", prompt=F.PROMPT),
        tool("CronDelete", T.INERT, "id"),
        tool("CronList", T.INERT),
        tool("ScheduleWakeup", T.AGENT, "delaySeconds reason", prompt=F.PROMPT),
        tool("Skill", T.SKILL, "skill args command"),
        tool("SlashCommand", T.SKILL, "command"),
        tool("TodoWrite", T.INERT, "todos"),
        tool("TaskCreate", T.INERT, "subject description activeForm metadata"),
        tool("TaskGet", T.INERT, "taskId"),
        tool("TaskList", T.INERT),
        tool(
            "TaskUpdate",
            T.INERT,
            "taskId subject description activeForm status addBlocks addBlockedBy owner metadata",
        ),
        tool("AskUserQuestion", T.INERT, "questions answers annotations metadata"),
        tool("EnterPlanMode", T.INERT),
        tool("ExitPlanMode", T.INERT, "allowedPrompts plan planFilePath"),
        tool("ReportFindings", T.INERT, "level findings"),
        tool("PushNotification", T.INERT, "message status"),
        tool("SendUserMessage", T.INERT, "message status"),
        tool("SendUserFile", T.READ, "caption status display", files=F.PATHS),
        tool("Artifact", T.READ, "favicon description label url force", file_path=F.PATH),
        tool("Projects", T.READ, "method path content force query n", local_path=F.PATH),
        tool("ToolSearch", T.INERT, "query max_results"),
        tool("ListMcpResourcesTool", T.INERT, "server"),
        tool("ReadMcpResourceTool", T.MCP, "server uri"),
        tool("ReadMcpResourceDirTool", T.MCP, "server uri"),
    )
)
