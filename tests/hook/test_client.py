"""The hook client against a gateway that answers: what it sends and what it prints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.hook.stub import ALLOW, authorization, event, install, proven, serving


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


def answering_from(number: int) -> Callable[[bytes, bytes], bytes]:
    """Closes the first connections without an answer."""
    seen: list[bytes] = []

    def sign(request: bytes, reply: bytes) -> bytes:
        seen.append(request)
        return proven(request, reply) if len(seen) >= number else b""

    return sign


def test_request_whose_connection_ends_unanswered_is_sent_again_unchanged(tmp_path: Path) -> None:
    with serving({**ALLOW, "stdout": "{}\n"}, answering_from(2)) as stub:
        done = install(tmp_path / "h", port=stub.port).run(event())
    assert (done.stdout, done.stderr, done.exit) == ("{}\n", "", 0)
    assert len(stub.requests) == 2
    assert stub.requests[0] == stub.requests[1]


def test_request_is_sent_again_once_only(tmp_path: Path) -> None:
    with serving(ALLOW, answering_from(3)) as stub:
        done = install(tmp_path / "h", port=stub.port).run(event())
    assert done.exit == 2
    assert len(stub.requests) == 2


def test_answer_that_began_is_not_asked_for_again(tmp_path: Path) -> None:
    with serving(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", lambda _r, reply: reply) as stub:
        done = install(tmp_path / "h", port=stub.port).run(event())
    assert done.exit == 2
    assert "cut short" in done.stderr
    assert len(stub.requests) == 1
