"""What the registered launcher does when there is no verdict, in both fail modes.

Each test names the row of the contract's fault table that it covers.
"""

from __future__ import annotations

import json
import os
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from defenseclaw.core.verdict import FailMode
from tests.hook.stub import ALLOW, TOKEN, Outcome, event, http, install, serving

OPEN, CLOSED = FailMode.OPEN, FailMode.CLOSED
AGENTS = ("codex", "claudecode")
MODES = (OPEN, CLOSED)


def check(done: Outcome, mode: FailMode, word: str = "") -> None:
    """The failure answer of a block-capable event under a mode."""
    verb = "allowing" if mode is OPEN else "blocking"
    assert done.stdout == ""
    assert done.exit == (0 if mode is OPEN else 2)
    assert done.stderr.startswith("defenseclaw: ")
    assert f"{verb} PreToolUse" in done.stderr
    assert word in done.stderr
    assert "no policy was consulted" in done.stderr
    assert done.stderr.count("\n") == 1
    assert TOKEN not in done.stderr


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("mode", MODES)
def test_f1_connection_refused(tmp_path: Path, agent: str, mode: FailMode) -> None:
    made = install(tmp_path / "h", agent, mode)
    done = made.run(event())
    check(done, mode, "gateway unreachable")
    assert "run `defenseclaw-gateway start`" in done.stderr or "connection refused" in done.stderr
    (line,) = made.failures()
    decision = "allow" if mode is OPEN else "block"
    assert (line["connector"], line["category"], line["fail_mode"]) == (agent, "transport", mode)
    assert (line["event"], line["decision"]) == ("PreToolUse", decision)


@pytest.mark.parametrize("mode", MODES)
def test_f2_connection_that_is_never_accepted_is_given_up(tmp_path: Path, mode: FailMode) -> None:
    with socket.socket() as listener, ExitStack() as stack:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4):  # fill the queue: the next connection is not answered
            filler = stack.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(listener.getsockname())
        made = install(tmp_path / "h", "codex", mode, listener.getsockname()[1])
        check(made.run(event()), mode, "did not answer in time")


@pytest.mark.parametrize("mode", MODES)
def test_f3_slow_server_is_given_up_before_the_event_times_out(
    tmp_path: Path, mode: FailMode
) -> None:
    # The budget of Codex's SessionEnd is the shortest; the mechanism is the same for all.
    with serving(None) as stub:
        done = install(tmp_path / "h", "codex", mode, stub.port).run(event("SessionEnd"))
    assert (done.stdout, done.exit) == ("", 0)
    assert "allowing SessionEnd: the gateway did not answer in time" in done.stderr


@pytest.mark.parametrize("status", [500, 502, 503])
@pytest.mark.parametrize("mode", MODES)
def test_f4_server_error_is_a_transport_failure(
    tmp_path: Path, status: int, mode: FailMode
) -> None:
    with serving(http({}, f"{status} Broken")) as stub:
        made = install(tmp_path / "h", "codex", mode, stub.port)
        check(made.run(event()), mode, f"gateway returned HTTP {status}")
    assert made.failures()[0]["category"] == "transport"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 415, 429])
@pytest.mark.parametrize("mode", MODES)
def test_f5_refused_request_is_a_response_failure(
    tmp_path: Path, status: int, mode: FailMode
) -> None:
    with serving(http({"error": "no"}, f"{status} No")) as stub:
        made = install(tmp_path / "h", "claudecode", mode, stub.port)
        done = made.run(event())
    check(done, mode, f"claudecode hook error, {'allow' if mode is OPEN else 'block'}ing")
    assert ("possible token drift" in done.stderr) == (status in (401, 403))
    assert made.failures()[0]["category"] == "response"


@pytest.mark.parametrize("mode", MODES)
def test_f6_redirect_is_not_followed(tmp_path: Path, mode: FailMode) -> None:
    with serving(ALLOW) as target:
        reply = http({}, "302 Found", f"Location: http://{target.address}/\r\n")
        with serving(reply) as stub:
            check(install(tmp_path / "h", "codex", mode, stub.port).run(event()), mode, "302")
    assert target.requests == []


BROKEN = {
    "not json": http(b"allow"),
    "array": http(b"[]"),
    "noise": http(json.dumps(ALLOW).encode() + b" x"),
    "nan": http(b'{"action":NaN}'),
    "not utf-8": http(b'{"action":"\xff"}'),
    "cut short": http(ALLOW)[:-5],
    "no length": b"HTTP/1.1 200 OK\r\n\r\n" + json.dumps(ALLOW).encode(),
    "no http": b"hello\r\n\r\n",
    "closed": b"",
    "too long": http(b" " * (1024 * 1024 + 1)),
    "endless head": b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 20_000,
    "no action": http({k: v for k, v in ALLOW.items() if k != "action"}),
    "deny": http({**ALLOW, "action": "deny"}),
    "action number": http({**ALLOW, "action": 1}),
    "native object": http({**ALLOW, "stdout": {"decision": "block"}}),
    "no stderr": http({k: v for k, v in ALLOW.items() if k != "stderr"}),
    "exit 1": http({**ALLOW, "exit": 1}),
    "exit true": http({**ALLOW, "exit": True}),
    "exit text": http({**ALLOW, "exit": "0"}),
    "both": http({"action": "block", "stdout": "{}", "stderr": "no", "exit": 2}),
    "surrogate": http(b'{"action":"allow","stdout":"\\ud800","stderr":"","exit":0}'),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("mode", MODES)
def test_f7_f8_f9_answer_of_another_shape(tmp_path: Path, name: str, mode: FailMode) -> None:
    with serving(BROKEN[name]) as stub:
        check(install(tmp_path / "h", "codex", mode, stub.port).run(event()), mode)


@pytest.mark.parametrize("word", ["BLOCK ", "Allow", " alert", "confirm"])
def test_f8_action_words_are_read_without_case_and_blanks(tmp_path: Path, word: str) -> None:
    answer = {**ALLOW, "action": word, "stdout": '{"systemMessage":"x"}\n'}
    with serving(answer) as stub:
        done = install(tmp_path / "h", port=stub.port).run(event())
    assert (done.stdout, done.exit) == (answer["stdout"], 0)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("code", [0, 2])
def test_f10_block_without_words_still_blocks(tmp_path: Path, mode: FailMode, code: int) -> None:
    with serving({"action": "block", "stdout": "", "stderr": "", "exit": code}) as stub:
        done = install(tmp_path / "h", "codex", mode, stub.port).run(event())
    assert (done.stdout, done.exit) == ("", 2)
    assert done.stderr.strip()


def test_f10_block_without_words_denies_a_permission_by_document(tmp_path: Path) -> None:
    with serving({"action": "block", "stdout": "", "stderr": "", "exit": 0}) as stub:
        made = install(tmp_path / "h", "claudecode", OPEN, stub.port)
        done = made.run(event("PermissionRequest"))
    decision = json.loads(done.stdout)["hookSpecificOutput"]["decision"]
    assert (decision["behavior"], done.exit) == ("deny", 0)


def spoil(token: Path, how: str) -> None:
    """Make a token file unusable."""
    if how == "absent":
        token.unlink()
    elif how == "symlink":
        token.rename(token.with_suffix(".real"))
        token.symlink_to(token.with_suffix(".real"))
    elif how == "readable":
        token.chmod(0o644)
    elif how == "folder":
        token.unlink()
        token.mkdir()
    else:
        texts = {"65": TOKEN + "0", "upper": TOKEN.upper(), "empty": "", "long": "0" * 5000}
        token.write_text(texts[how])


@pytest.mark.parametrize(
    "how", ["absent", "symlink", "readable", "folder", "65", "upper", "empty", "long"]
)
@pytest.mark.parametrize("mode", MODES)
def test_f11_f12_unusable_token_is_a_transport_failure(
    tmp_path: Path, how: str, mode: FailMode
) -> None:
    with serving(ALLOW) as stub:
        made = install(tmp_path / "h", "claudecode", mode, stub.port)
        spoil(made.token, how)
        check(made.run(event()), mode, "the token file")
    assert stub.requests == []
    assert made.failures()[0]["category"] == "transport"


def padded(size: int) -> bytes:
    """A payload of exactly this many bytes."""
    base = json.dumps(event(prompt="")).encode()
    return base.replace(b'"prompt": ""', b'"prompt": "' + b"x" * (size - len(base)) + b'"')


@pytest.mark.parametrize("mode", MODES)
def test_f13_payload_of_one_mebibyte_is_posted_and_one_byte_more_is_not(
    tmp_path: Path, mode: FailMode
) -> None:
    with serving(ALLOW) as stub:
        made = install(tmp_path / "h", "codex", mode, stub.port)
        assert made.run(padded(1024 * 1024)).exit == 0
        assert len(stub.requests) == 1
        check(made.run(padded(1024 * 1024 + 1)), mode, "larger than 1 MiB")
    assert len(stub.requests) == 1


def test_f13_oversized_stop_that_continues_is_let_go(tmp_path: Path) -> None:
    tail = {"stop_hook_active": True, "last_assistant_message": "x" * 1024 * 1024}
    done = install(tmp_path / "h").run(event("Stop", **tail))
    assert (done.stdout, done.exit) == ("", 0)
    forged = event(tool_input={"hook_event_name": "Stop", **tail})
    assert install(tmp_path / "i").run(forged).exit == 2


@pytest.mark.parametrize(
    "payload", [b"", b"   ", b"{", b"[]", b'"x"', b"\xff\xfe", b"{} {}", b"[" * 200_000]
)
@pytest.mark.parametrize("mode", MODES)
def test_f14_payload_that_is_no_object_is_decided_locally(
    tmp_path: Path, payload: bytes, mode: FailMode
) -> None:
    with serving(ALLOW) as stub:
        done = install(tmp_path / "h", "codex", mode, stub.port).run(payload)
    assert stub.requests == []
    assert (done.stdout, done.exit) == ("", 0 if mode is OPEN else 2)
    assert "this event: the payload is not a JSON object" in done.stderr


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("mode", MODES)
def test_f15_observation_events_never_block(tmp_path: Path, agent: str, mode: FailMode) -> None:
    made = install(tmp_path / "h", agent, mode)
    done = made.run(event("SessionStart"))
    assert (done.stdout, done.exit) == ("", 0)
    assert "allowing SessionStart" in done.stderr
    assert made.failures()[0]["decision"] == "allow"


@pytest.mark.parametrize(("agent", "closed"), [("claudecode", 0), ("codex", 2)])
def test_f16_result_event_follows_the_agent(tmp_path: Path, agent: str, closed: int) -> None:
    assert install(tmp_path / "o", agent, OPEN).run(event("PostToolUse")).exit == 0
    assert install(tmp_path / "c", agent, CLOSED).run(event("PostToolUse")).exit == closed


@pytest.mark.parametrize("agent", AGENTS)
def test_f17_stop_that_already_continues_is_let_go(tmp_path: Path, agent: str) -> None:
    made = install(tmp_path / "h", agent)
    assert made.run(event("Stop", stop_hook_active=True)).exit == 0
    assert made.run(event("Stop", stop_hook_active=False)).exit == 2
    assert made.run(event("PreToolUse", stop_hook_active=True)).exit == 2


def test_closed_permission_request_of_claude_code_is_denied_by_document(tmp_path: Path) -> None:
    done = install(tmp_path / "h", "claudecode").run(event("PermissionRequest"))
    specific = json.loads(done.stdout)["hookSpecificOutput"]
    assert specific["hookEventName"] == "PermissionRequest"
    assert specific["decision"]["behavior"] == "deny"
    assert "gateway unreachable" in specific["decision"]["message"]
    assert (done.stderr, done.exit) == ("", 0)


@pytest.mark.parametrize(
    ("value", "code"),
    [("1", 2), ("TRUE", 2), ("yes", 2), (" true ", 2), ("0", 0), ("", 0), ("no", 0)],
)
def test_f18_f19_strict_availability_closes_an_open_hook(
    tmp_path: Path, value: str, code: int
) -> None:
    env = {"DEFENSECLAW_STRICT_AVAILABILITY": value}
    assert install(tmp_path / "o", "codex", OPEN).run(event(), **env).exit == code
    assert install(tmp_path / "c", "codex", CLOSED).run(event(), **env).exit == 2


def test_f18_strict_availability_closes_response_failures_and_adds_no_blocking_event(
    tmp_path: Path,
) -> None:
    env = {"DEFENSECLAW_STRICT_AVAILABILITY": "1"}
    with serving(BROKEN["array"]) as stub:
        made = install(tmp_path / "h", "codex", OPEN, stub.port)
        assert made.run(event(), **env).exit == 2
        assert made.run(event("SessionStart"), **env).exit == 0


@pytest.mark.parametrize(("value", "code"), [("closed", 2), ("CLOSED", 2), ("open", 0), ("", 0)])
def test_f24_environment_fail_mode_only_closes(tmp_path: Path, value: str, code: int) -> None:
    env = {"DEFENSECLAW_FAIL_MODE": value}
    assert install(tmp_path / "o", "codex", OPEN).run(event(), **env).exit == code
    assert install(tmp_path / "c", "codex", CLOSED).run(event(), **env).exit == 2


@pytest.mark.parametrize(
    "address", ["10.0.0.5:18970", "example.test:80", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:x", ""]
)
@pytest.mark.parametrize("mode", MODES)
def test_f22_address_that_is_not_loopback_is_refused(
    tmp_path: Path, address: str, mode: FailMode
) -> None:
    made = install(tmp_path / "h", "codex", mode).with_settings(address=address)
    check(made.run(event()), mode, "not a loopback address")


def test_f25_proxies_and_foreign_homes_in_the_environment_are_ignored(tmp_path: Path) -> None:
    other = install(tmp_path / "other", "codex", OPEN)
    env = {
        "HTTP_PROXY": "http://127.0.0.1:9",
        "http_proxy": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
        "DEFENSECLAW_HOME": str(other.home),
        "DEFENSECLAW_GATEWAY_ADDR": "127.0.0.1:9",
        "PYTHONPATH": str(tmp_path),
        "PYTHONHOME": str(tmp_path),
        "LD_LIBRARY_PATH": str(tmp_path),
        "HOME": str(other.home),
        "PATH": "",
    }
    with serving({**ALLOW, "stdout": "{}\n"}) as stub:
        done = install(tmp_path / "h", port=stub.port).run(event(), **env)
    assert (done.stdout, done.exit) == ("{}\n", 0)
    assert len(stub.requests) == 1


GOOD_TRACE = "00-" + "a" * 32 + "-" + "b" * 16 + "-01"


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        (GOOD_TRACE, True),
        ("", False),
        (GOOD_TRACE + "0", False),
        (GOOD_TRACE.replace("a", "0"), False),
        (GOOD_TRACE.replace("b", "0"), False),
        (GOOD_TRACE.replace("a", "A"), False),
        ("00-x\r\nX-Evil: 1", False),
    ],
)
def test_f26_trace_context_is_sent_only_when_well_formed(
    tmp_path: Path, value: str, sent: bool
) -> None:
    with serving(ALLOW) as stub:
        install(tmp_path / "h", port=stub.port).run(event(), TRACEPARENT=value)
    assert (b"\r\ntraceparent: " in stub.requests[0]) == sent
    assert b"X-Evil" not in stub.requests[0]


@pytest.mark.parametrize("mode", MODES)
def test_f27_log_that_cannot_be_written_changes_nothing(tmp_path: Path, mode: FailMode) -> None:
    made = install(tmp_path / "h", "codex", mode)
    (made.home / "logs").write_text("in the way")
    check(made.run(event()), mode)


def test_f31_parallel_failures_leave_whole_lines(tmp_path: Path) -> None:
    made = install(tmp_path / "h")
    payload = tmp_path / "payload"
    payload.write_text(json.dumps(event()))
    pids = []
    for _ in range(20):
        streams = [
            (os.POSIX_SPAWN_OPEN, 0, str(payload), os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0),
        ]
        pids.append(os.posix_spawn(made.launcher, [str(made.launcher)], {}, file_actions=streams))
    codes = {os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids}
    assert codes == {2}
    assert len(made.failures()) == 20


def test_f32_answer_after_an_internal_error_of_the_gateway_is_an_ordinary_allow(
    tmp_path: Path,
) -> None:
    with serving({**ALLOW, "degraded": True, "reason": "internal error"}) as stub:
        done = install(tmp_path / "h", port=stub.port).run(event())
    assert (done.stdout, done.stderr, done.exit) == ("", "", 0)
