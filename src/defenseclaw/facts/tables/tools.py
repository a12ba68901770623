"""Reviewed argument schemas of common tools, for text without a connector."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.core.tool import FieldRole as R
from defenseclaw.core.tool import ToolFamily as F
from defenseclaw.core.tool import ToolSpec

_SHELL = {
    "command": R.COMMAND, "cmd": R.COMMAND, "description": R.INERT, "timeout": R.INERT,
    "timeout_ms": R.INERT, "run_in_background": R.INERT, "cwd": R.CWD, "workdir": R.CWD,
    "working_directory": R.CWD, "directory": R.CWD, "is_background": R.INERT,
    "explanation": R.INERT, "justification": R.INERT, "yield_time_ms": R.INERT,
    "max_output_tokens": R.INERT, "initial_wait": R.INERT, "mode": R.INERT, "argv": R.ARGV,
    "is_input": R.INERT, "kind": R.INERT, "reset": R.INERT,
}  # fmt: skip
_READ = {
    "file_path": R.PATH, "path": R.PATH, "filePath": R.PATH, "target_file": R.PATH,
    "absolute_path": R.PATH, "offset": R.INERT, "limit": R.INERT, "pages": R.INERT,
    "view_range": R.INERT, "start_line": R.INERT, "end_line": R.INERT, "encoding": R.INERT,
    "explanation": R.INERT, "head": R.INERT, "tail": R.INERT,
}  # fmt: skip
_WRITE = {
    "file_path": R.PATH, "path": R.PATH, "filePath": R.PATH, "target_file": R.PATH,
    "content": R.CONTENT, "file_text": R.CONTENT, "contents": R.CONTENT, "text": R.CONTENT,
    "code_edit": R.CONTENT, "explanation": R.INERT, "instructions": R.INERT, "append": R.INERT,
}  # fmt: skip
_EDIT = {
    "file_path": R.PATH, "path": R.PATH, "filePath": R.PATH, "old_string": R.REMOVED,
    "new_string": R.CONTENT, "old_str": R.REMOVED, "new_str": R.CONTENT, "oldString": R.REMOVED,
    "newString": R.CONTENT, "replace_all": R.INERT, "replaceAll": R.INERT, "edits": R.EDITS,
    "instruction": R.INERT, "expected_replacements": R.INERT, "insert_line": R.INERT,
    "insert_text": R.CONTENT, "old_text": R.REMOVED, "new_text": R.CONTENT,
}  # fmt: skip
_NOTEBOOK = {
    "notebook_path": R.PATH, "new_source": R.CONTENT, "cell_id": R.INERT, "cell_type": R.CONTENT_KIND,
    "edit_mode": R.INERT,
}  # fmt: skip
_SEARCH = {
    "pattern": R.PATTERN, "query": R.PATTERN, "regex": R.PATTERN, "path": R.PATH, "glob": R.GLOB,
    "include": R.GLOB, "include_pattern": R.GLOB, "exclude_pattern": R.GLOB, "output_mode": R.INERT,
    "-A": R.INERT, "-B": R.INERT, "-C": R.INERT, "-n": R.INERT, "-i": R.INERT, "-o": R.INERT,
    "context": R.INERT, "type": R.INERT, "head_limit": R.INERT, "offset": R.INERT,
    "multiline": R.INERT, "case_sensitive": R.INERT, "explanation": R.INERT, "dir_path": R.PATH,
}  # fmt: skip
_GLOB = {"pattern": R.GLOB, "path": R.PATH, "glob_pattern": R.GLOB, "dir_path": R.PATH}
_LIST = {
    "path": R.PATH, "ignore": R.INERT, "relative_workspace_path": R.PATH, "dir_path": R.PATH,
    "target_directory": R.PATH, "recursive": R.INERT, "depth": R.INERT, "explanation": R.INERT,
}  # fmt: skip
_COPY = {
    "source": R.PATH, "destination": R.DESTINATION, "recursive": R.RECURSIVE, "overwrite": R.INERT,
}  # fmt: skip
_REQUEST = {
    "url": R.URL, "uri": R.URL, "endpoint": R.URL, "method": R.METHOD, "httpMethod": R.METHOD,
    "http_method": R.METHOD, "body": R.PAYLOAD, "data": R.PAYLOAD, "payload": R.PAYLOAD,
    "content": R.PAYLOAD, "headers": R.PAYLOAD, "timeout": R.INERT,
}  # fmt: skip
_UPLOAD = {"path": R.PATH, "source": R.PATH, "file_path": R.PATH, "url": R.URL, "endpoint": R.URL}
_DOWNLOAD = {"source": R.URL, "url": R.URL, "path": R.PATH, "target": R.PATH, "destination": R.PATH}
_DELETE = {"path": R.PATH, "file_path": R.PATH, "target_file": R.PATH, "target": R.PATH,
           "recursive": R.RECURSIVE, "explanation": R.INERT}  # fmt: skip
_MOVE = {"source": R.PATH, "destination": R.DESTINATION, "overwrite": R.INERT}
_FETCH = {
    "url": R.URL, "prompt": R.PROMPT, "format": R.INERT, "timeout": R.INERT, "max_length": R.INERT,
    "raw": R.INERT, "start_index": R.INERT,
}  # fmt: skip
_QUERY = {
    "query": R.PATTERN, "allowed_domains": R.INERT, "blocked_domains": R.INERT,
    "search_term": R.PATTERN, "explanation": R.INERT, "max_results": R.INERT, "num": R.INERT,
}  # fmt: skip
_TASK = {"description": R.PROMPT, "prompt": R.PROMPT, "subagent_type": R.INERT, "model": R.INERT,
         "run_in_background": R.INERT, "resume": R.INERT, "name": R.INERT}  # fmt: skip
_PATCH = {"command": R.PATCH, "patch": R.PATCH, "patchText": R.PATCH, "patch_text": R.PATCH,
          "input": R.PATCH, "workdir": R.CWD, "cwd": R.CWD}  # fmt: skip
_INERT = {
    "todos": R.PROMPT, "plan": R.PROMPT, "questions": R.PROMPT, "question": R.PROMPT,
    "subject": R.PROMPT, "description": R.PROMPT, "status": R.INERT, "taskId": R.INERT,
    "task_id": R.INERT, "activeForm": R.PROMPT, "explanation": R.PROMPT, "answers": R.PROMPT,
    "shell_id": R.INERT, "bash_id": R.INERT, "filter": R.PATTERN, "metadata": R.INERT,
    "addBlockedBy": R.INERT, "addBlocks": R.INERT, "owner": R.INERT, "block": R.INERT,
    "timeout": R.INERT, "max_results": R.INERT, "query": R.PATTERN, "allowedPrompts": R.INERT,
    "thought": R.PROMPT, "message": R.PROMPT, "text": R.PROMPT,
}  # fmt: skip


def _specs(family: F, names: str, fields: Mapping[str, R], dialect: str = "") -> list[ToolSpec]:
    return [ToolSpec(name, family, fields, dialect) for name in names.split()]


_ALL = [
    *_specs(F.SHELL, "Bash bash sh zsh dash ksh", _SHELL, "posix"),
    *_specs(F.SHELL, "PowerShell powershell pwsh Pwsh", _SHELL, "powershell"),
    *_specs(F.SHELL, "cmd Cmd", _SHELL, "cmd"),
    *_specs(
        F.SHELL,
        "Shell shell shell_command local_shell terminal run_command run_shell_command"
        " run_terminal_cmd run_in_terminal execute execute_command exec exec_command command container.exec",
        _SHELL,
    ),
    *_specs(
        F.READ,
        "Read read read_file readfile View view view_file open_file view_image cat_file"
        " NotebookRead",
        _READ,
    ),
    *_specs(F.WRITE, "Write write write_file writefile create create_file append_file", _WRITE),
    *_specs(
        F.EDIT,
        "Edit edit edit_file MultiEdit multiedit multi_edit replace str_replace search_replace",
        _EDIT,
    ),
    *_specs(F.EDIT, "NotebookEdit notebookedit notebook_edit", _NOTEBOOK),
    *_specs(F.SEARCH, "Grep grep grep_search search search_files codebase_search ripgrep", _SEARCH),
    *_specs(F.SEARCH, "Glob glob glob_files file_search", _GLOB),
    *_specs(F.LIST, "LS ls list list_dir list_directory list_files", _LIST),
    *_specs(F.DELETE, "Delete delete delete_file remove_file", _DELETE),
    *_specs(F.MOVE, "move move_file movefile rename_file", _MOVE),
    *_specs(F.COPY, "copy copy_file copyfile", _COPY),
    *_specs(F.FETCH, "WebFetch webfetch web_fetch fetch fetch_url http_get", _FETCH),
    *_specs(
        F.REQUEST, "http_request httprequest http_post httppost web_upload upload_url", _REQUEST
    ),
    *_specs(F.UPLOAD, "upload_file uploadfile", _UPLOAD),
    *_specs(F.DOWNLOAD, "download_file downloadfile", _DOWNLOAD),
    *_specs(F.SHELL, "execute_code", {"code": R.COMMAND, "timeout": R.INERT}, "python"),
    *_specs(F.INERT, "WebSearch websearch web_search google_web_search", _QUERY),
    *_specs(F.AGENT, "Task task Agent agent delegate", _TASK),
    *_specs(F.SKILL, "Skill skill", {"skill": R.INERT, "command": R.INERT, "args": R.PROMPT}),
    *_specs(F.PATCH, "apply_patch applypatch apply-patch", _PATCH),
    *_specs(
        F.INERT,
        "TodoWrite TodoRead todowrite todoread todo_write ExitPlanMode EnterPlanMode"
        " AskUserQuestion TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop KillShell KillBash BashOutput"
        " ToolSearch update_plan get_goal think request_user_input",
        _INERT,
    ),
]
# Matching is by exact name; nothing is guessed from a part of one.
GLOBAL_TOOLS: Mapping[str, ToolSpec] = {spec.name: spec for spec in _ALL}

# Argument names that hold a command or a query on a tool without a schema: for detection only.
GUESSED_FIELDS: Mapping[str, R] = {
    "command": R.COMMAND, "cmd": R.COMMAND, "script": R.COMMAND, "shell_command": R.COMMAND,
    "command_line": R.COMMAND, "commandLine": R.COMMAND, "raw_command": R.COMMAND,
    "argv": R.ARGV, "sql": R.COMMAND,
}  # fmt: skip
