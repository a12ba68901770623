"""Tool rows of the action-facts contract by their numbers, and where they are answered otherwise.

A reason stands where the contract has another answer: there a list of reviewed arguments decides,
names are exact, and text that looks like an address in a path argument is a file's name.
"""

from __future__ import annotations

from typing import Any

import pytest

from defenseclaw.core.facts import ParseStatus
from defenseclaw.core.tool import ToolCall
from defenseclaw.facts import GLOBAL_TOOLS, analyze, enforcement_projection
from tests.facts.describe import lines
from tests.facts.test_tools import call

DELETE_A = "*** Begin Patch\n*** Delete File: a\n*** End Patch"
OPEN, REFUSED, TWO = "issue unknown-operand-grammar", "invalid", "ambiguous"
HERE = "/home/dev/project"
Row = tuple[int, str, dict[str, Any], tuple[str, ...], str]
PATCH = "apply_patch"


def envelope(*body: str) -> dict[str, Any]:
    """The arguments of a patch with these lines."""
    return {"patch": "\n".join(("*** Begin Patch", *body, "*** End Patch"))}


def nested(depth: int) -> Any:
    """An object so many levels deep."""
    value: Any = "x"
    for _ in range(depth):
        value = {"a": value}
    return value


def wide(count: int) -> dict[str, int]:
    """An object with so many members."""
    return {f"k{n}": n for n in range(count)}


ROWS: tuple[Row, ...] = (
    (
        1,
        "exec_command",
        {"cmd": "cat .env", "workdir": "/srv/app"},
        ("complete", "path cat read /srv/app/.env"),
        "",
    ),
    (
        3,
        "Bash",
        {"command": "head -n 5 report.csv", "description": "peek"},
        ("complete", "op head read"),
        "",
    ),
    (4, "Bash", {"command": "id", "run_with_env": {"PATH": "/x"}}, (OPEN,), ""),
    (5, "mcp__files__run", {"command": "cat /etc/hosts"}, (OPEN, "path cat read /etc/hosts"), ""),
    (6, "Read", {"command": "rm /w/a"}, (OPEN, "not run rm"), ""),
    (
        7,
        "exec",
        {"command": "id", "rawCommand": "whoami"},
        (OPEN,),
        "the second name is not reviewed",
    ),
    (10, "exec", {"argv": ["ls", 3]}, (REFUSED, "issue invalid-json"), ""),
    (11, "exec", {"argv": []}, (REFUSED, "issue invalid-json"), ""),
    (12, "exec", {"command": "  "}, (REFUSED, "issue invalid-syntax"), ""),
    (13, "exec", {"command": "id\u0007"}, (REFUSED, "issue invalid-syntax"), ""),
    (14, "exec", {"command": "a" * 65_537}, ("issue input-limit",), ""),
    (15, "Read", {"path": "a" * 4_097}, ("issue input-limit", "not path read read ?"), ""),
    (16, "exec", {"argv": ["a"] * 257}, ("issue input-limit",), ""),
    (22, "exec", {"argv": ["ls", "/opt"]}, ("complete", "path ls list /opt"), ""),
    (24, "Read", {"path": "/a", "Path": "/b"}, (OPEN,), "names of arguments are exact"),
    (25, "exec", {" command ": "id"}, (OPEN, "not run id"), ""),
    (26, "Read ", {"path": "a"}, (REFUSED, "issue invalid-syntax"), ""),
    (28, "Read", {"active_home": "/evil", "path": "/k"}, (OPEN,), ""),
    (
        30,
        "exec",
        {"command": "printf 'a b'", "argv": ["printf", "a b"]},
        (TWO,),
        "two sources never confirm each other",
    ),
    (
        31,
        "exec",
        {"command": "cat a >b", "argv": ["cat", "a"]},
        (TWO, "issue conflicting-sources"),
        "",
    ),
    (
        36,
        "Read",
        {"file_path": "~/.aws/credentials"},
        ("complete", "path read read /home/dev/.aws/credentials"),
        "",
    ),
    (37, "Read", {"path": "a", "target": "b"}, (OPEN,), ""),
    (38, "Read", {"path": "a", "content": "x"}, (OPEN,), ""),
    (
        39,
        "Write",
        {"file_path": "out.txt", "content": "x"},
        ("complete", f"path write write {HERE}/out.txt"),
        "",
    ),
    (
        40,
        "Edit",
        {"file_path": "a", "old_string": "x", "new_string": "y"},
        ("complete", "op edit write"),
        "",
    ),
    (41, "delete_file", {"source": "a"}, (OPEN,), ""),
    (
        42,
        "move_file",
        {"source": "/a", "destination": "/b"},
        (
            "complete",
            "path move_file read /a",
            "path move_file delete /a",
            "path move_file write /b",
        ),
        "",
    ),
    (
        43,
        "copy_file",
        {"source": "/a", "destination": "https://h.example/x"},
        ("complete", "path copy_file read /a"),
        "a path argument is a file's name, as in row 56",
    ),
    (
        44,
        "web_fetch",
        {"url": "https://docs.example/p"},
        ("complete", "net web_fetch download docs.example"),
        "",
    ),
    (
        45,
        "web_fetch",
        {"url": "https://a.example", "endpoint": "https://b.example"},
        (OPEN,),
        "the second name is not reviewed",
    ),
    (46, "fetch", {"url": "https://"}, (OPEN,), ""),
    (
        47,
        "http_request",
        {"url": "https://a.example", "method": "POST"},
        ("complete", "net http_request connect a.example", "not op http_request upload"),
        "",
    ),
    (
        48,
        "http_request",
        {"url": "https://a.example", "method": "POST", "body": "x"},
        ("complete", "net http_request upload a.example", "flow http_request process - network"),
        "",
    ),
    (
        49,
        "http_request",
        {"url": "https://a.example", "method": "GET", "headers": {"x": "y"}},
        ("complete", "net http_request upload a.example"),
        "",
    ),
    (
        50,
        "http_post",
        {"url": "https://a.example", "headers": {"x": "y"}},
        ("complete", "op http_post upload"),
        "the arguments are reviewed",
    ),
    (
        51,
        "upload_file",
        {"path": "/k", "url": "https://u.example"},
        ("complete", "path upload_file read /k", "net upload_file upload u.example"),
        "",
    ),
    (
        52,
        "download_file",
        {"source": "https://d.example/z", "destination": "/o"},
        ("complete", "path download_file write /o", "net download_file download d.example"),
        "",
    ),
    (53, "r_e_a_d", {"path": "/etc/shadow"}, (OPEN, "not run read"), ""),
    (54, "Glob", {"pattern": "**/*.py", "path": "/w"}, ("complete", "op glob search"), ""),
    (55, "Skill", {"skill": "pdf"}, ("complete", "run skill"), "the arguments are reviewed"),
    (55, "mcp__mail__send", {"to": "x", "body": "y"}, (OPEN,), ""),
    (
        56,
        "Read",
        {"path": "https://docs.example/x"},
        ("complete", f"path read read {HERE}/https:/docs.example/x"),
        "",
    ),
    (
        57,
        PATCH,
        envelope(
            "*** Add File: src/n.py",
            "+*** Delete File: bait",
            "*** Update File: a.py",
            "@@",
            "-x",
            "+y",
            "*** Delete File: b",
        ),
        (
            "complete",
            f"path {PATCH} write {HERE}/src/n.py",
            f"path {PATCH} delete {HERE}/b",
            f"not path {PATCH} delete {HERE}/bait",
        ),
        "",
    ),
    (
        58,
        PATCH,
        envelope("*** Update File: a", "*** Move to: b", "@@", "-x", "+y"),
        (
            "complete",
            f"op {PATCH} move",
            f"path {PATCH} delete {HERE}/a",
            f"path {PATCH} write {HERE}/b",
        ),
        "",
    ),
    (
        59,
        PATCH,
        envelope("*** Update File: a", "*** Move to: b"),
        (REFUSED, "issue invalid-syntax"),
        "",
    ),
    (
        60,
        PATCH,
        envelope("*** Add File: /etc/x", "+y"),
        (REFUSED, f"path {PATCH} write /etc/x"),
        "",
    ),
    (
        61,
        PATCH,
        envelope("*** Add File: d/../a", "+y", "*** Delete File: a"),
        (TWO, "issue conflicting-sources"),
        "",
    ),
    (62, PATCH, {"patch": DELETE_A, "command": DELETE_A}, (TWO, "issue conflicting-sources"), ""),
    (63, "patch", {"patch": DELETE_A}, (OPEN,), ""),
    (63, PATCH, {"patchtext": DELETE_A}, (OPEN,), ""),
    (
        64,
        PATCH,
        {"patch": DELETE_A.replace("\n", "\r\n")},
        ("complete", f"path {PATCH} delete {HERE}/a"),
        "",
    ),
    (
        66,
        PATCH,
        envelope("*** Add File: ../../../etc/cron.d/x", "+y"),
        ("complete", f"path {PATCH} write /etc/cron.d/x"),
        "",
    ),
    (
        2,
        "exec_command",
        {"cmd": "cat .env", "workdir": "/srv/app"},
        ("complete", "path cat read /srv/app/.env", f"not path cat read {HERE}/.env"),
        "a tool runs where it is told to, whatever the session's folder is",
    ),
    (8, "exec", {"command": "id", "Command": "id"}, (OPEN,), "names of arguments are exact"),
    (17, "exec", {"command": "id", "x": nested(18)}, ("issue depth-limit", "not run id"), ""),
    (18, "exec", {"command": "id", "x": wide(513)}, ("issue input-limit", "not run id"), ""),
    (
        19,
        "exec",
        {"input": {"request": {"command": "ls /opt"}}},
        (OPEN, "unknown ls /opt", "not run ls"),
        "arguments are reviewed by their names, not looked for in others",
    ),
    (
        20,
        "exec",
        {"input": {"request": {"parameters": {"command": "ls"}}}},
        (OPEN, "not run ls"),
        "the same",
    ),
    (
        32,
        "exec",
        {"command": 'cat "$T"', "argv": ["cat", "x"]},
        (TWO, "issue conflicting-sources", "issue dynamic-word"),
        "two sources never confirm each other",
    ),
    (
        33,
        "powershell",
        {"command": "WRITE-OUTPUT hi", "argv": ["write-output", "hi"]},
        (TWO, "issue conflicting-sources"),
        "the same",
    ),
    (
        34,
        "exec",
        {"command": "PRINTF hi", "argv": ["printf", "hi"]},
        (TWO, "issue conflicting-sources"),
        "",
    ),
    (35, "exec", {"command": "id \udcff"}, (REFUSED, "issue invalid-utf8"), ""),
    *(
        (60, PATCH, envelope(f"*** Add File: {name}", "+y"), (REFUSED, "issue invalid-syntax"), "")
        for name in ("C:\\x", "~/x", "\\\\s\\h\\x")
    ),
    (
        64,
        PATCH,
        {"patch": DELETE_A.replace("\n", "\r")},
        (REFUSED, "issue invalid-syntax"),
        "",
    ),
    (
        65,
        PATCH,
        envelope(*(f"*** Delete File: f{n}" for n in range(257))),
        ("limit-exceeded", "issue fact-limit"),
        "",
    ),
    (
        80,
        "my_shell",
        {"command": "ls /opt"},
        (OPEN, "path ls list /opt"),
        "what an unreviewed tool does with a text is not known",
    ),
    (
        139,
        "exec",
        {"command": "bash -n /w/s.sh", "argv": ["cat", "x"]},
        (TWO, "issue conflicting-sources"),
        "",
    ),
    (
        202,
        "exec",
        {"argv": ["nmap", "10.0.*.1"]},
        ("complete", "op nmap network-scan", "net nmap scan 10.0.*.1"),
        "",
    ),
    (
        205,
        "exec",
        {"argv": ["nmap", "10.0.0.0/7"]},
        ("complete", "net nmap scan 10.0.0.0/7"),
        "",
    ),
    (229, "Read", {"path": "../../../etc/passwd"}, ("complete", "path read read /etc/passwd"), ""),
    (234, "Read", {"path": "$HOME/x"}, ("complete", f"path read read {HERE}/$HOME/x"), ""),
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_a_tool_call_is_answered_as_its_row_says(row: Row) -> None:
    _, tool, args, expected, _ = row
    found = lines(call(tool, **args))
    missing = [e for e in expected if not e.startswith("not ") and e not in found]
    unwanted = [e for e in expected if e.startswith("not ") and e[4:] in found]
    assert (missing, unwanted) == ([], []), sorted(found)


@pytest.mark.parametrize("args", ["ls /opt", ["ls", "/opt"], 7, None])
def test_arguments_that_are_no_object_give_no_facts(args: Any) -> None:
    """Rows 21 to 23: a payload names its arguments, so nothing else has a meaning."""
    result = analyze(ToolCall("exec", args, HERE, "/home/dev", spec=GLOBAL_TOOLS["exec"]))
    assert result.facts.parse.status is ParseStatus.INVALID
    assert not result.facts.commands
    assert not result.facts.paths


@pytest.mark.parametrize(
    ("tool", "args", "status"),
    [
        ("Bash", {"command": 'cat "$X"'}, ParseStatus.PARTIAL),
        ("exec", {"command": "id", "argv": ["ls"]}, ParseStatus.AMBIGUOUS),
        ("Bash", {"command": "echo 'open"}, ParseStatus.INVALID),
        ("Bash", {"command": "x" * 65_537}, ParseStatus.LIMIT_EXCEEDED),
    ],
)
def test_what_is_not_complete_is_never_enforced(
    tool: str, args: dict[str, Any], status: ParseStatus
) -> None:
    """Row 240."""
    result = call(tool, **args)
    assert result.facts.parse.status is status
    assert enforcement_projection(result.facts) is None
