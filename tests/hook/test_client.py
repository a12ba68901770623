"""The hook client against a gateway that answers: what it sends and what it prints."""

from __future__ import annotations

from pathlib import Path

from tests.hook.stub import ALLOW, authorization, event, install, serving


def test_allow_prints_nothing_and_exits_zero(tmp_path: Path) -> None:
    with serving(ALLOW) as stub:
        done = install(tmp_path / "h", port=stub.port).run(event())
    assert (done.stdout, done.stderr, done.exit) == ("", "", 0)


def test_request_proves_the_token_and_carries_client_tag_and_the_payload_unchanged(
    tmp_path: Path,
) -> None:
    payload = b'{"hook_event_name": "PreToolUse",  "tool_input": {"command": "caf\xc3\xa9"}}'
    with serving(ALLOW) as stub:
        install(tmp_path / "h", port=stub.port).run(payload)
    head, _, body = stub.requests[0].partition(b"\r\n\r\n")
    assert body == payload
    lines = head.decode().split("\r\n")
    assert lines[0] == "POST /api/v1/codex/hook HTTP/1.1"
    assert set(lines[1:]) == {
        f"Host: {stub.address}",
        f"Authorization: {authorization(stub.requests[0])}",
        "Content-Type: application/json",
        f"Content-Length: {len(payload)}",
        "X-DefenseClaw-Client: hook/1.0",
        "Connection: close",
    }


def test_answer_is_printed_exactly(tmp_path: Path) -> None:
    answer = {**ALLOW, "action": "block", "stdout": '{"decision":"block","reason":"né"}\n'}
    with serving(answer) as stub:
        done = install(tmp_path / "h", port=stub.port).run(event())
    assert (done.stdout, done.stderr, done.exit) == (answer["stdout"], "", 0)


def test_exit_two_answer_carries_its_text(tmp_path: Path) -> None:
    answer = {"action": "block", "stdout": "", "stderr": "no\n", "exit": 2}
    with serving(answer) as stub:
        done = install(tmp_path / "h", port=stub.port).run(event())
    assert (done.stdout, done.stderr, done.exit) == ("", "no\n", 2)
