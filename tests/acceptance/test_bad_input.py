"""Input that no agent should send, through the registered hook: an answer, always."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.acceptance.conftest import CONNECTORS, make_product
from tests.harness import Product, make_payload, make_shell_call

pytestmark = pytest.mark.acceptance
KEYS = sorted(CONNECTORS.values())
LIMIT = 1024 * 1024
CALL = '{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/srv/app","tool_name":"Bash",'

# Nothing that could be judged: the fail mode answers.
UNREADABLE: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \n",
    "truncated": (CALL + '"tool_input":{"comm').encode(),
    "two-mebibytes": (CALL + '"tool_input":{"command":"' + "x" * 2 * LIMIT + '"}}').encode(),
    "one-byte-over-the-limit": (CALL + '"tool_input":{"command":"ls"}}').encode().ljust(LIMIT + 1),
    "invalid-utf-8": (CALL + '"tool_input":{"command":"\xff\xfe"}}').encode("latin-1"),
    "utf-16": (CALL + '"tool_input":{"command":"ls"}}').encode("utf-16"),
    "array": b"[1,2,3]",
    "string": b'"PreToolUse"',
    "null": b"null",
    "two-documents": b'{"hook_event_name":"PreToolUse"}{"hook_event_name":"PreToolUse"}',
    "duplicate-keys": (CALL + '"tool_input":{"command":"ls","command":"rm"}}').encode(),
    "not-a-number": (CALL + '"tool_input":{"command":"ls","n":NaN}}').encode(),
    "deep-nesting": (CALL + '"tool_input":' + "[" * 5000 + "]" * 5000 + "}").encode(),
    "event-of-wrong-type": b'{"hook_event_name":7,"tool_name":"Bash"}',
    "no-event": b'{"tool_name":"Bash","tool_input":{"command":"ls"}}',
    "tool-name-of-wrong-type": b'{"hook_event_name":"PreToolUse","tool_name":{"a":1}}',
    "session-of-wrong-type": (
        b'{"hook_event_name":"PreToolUse","session_id":[],"tool_name":"Bash",'
        b'"tool_input":{"command":"ls"}}'
    ),
}
# Odd, but it can be judged, and nothing in it is dangerous.
JUDGED: dict[str, bytes] = {
    "unknown-event": b'{"hook_event_name":"DirectoryAdded","session_id":"s","cwd":"/srv/app"}',
    "unknown-tool": CALL.replace("Bash", "NoSuchTool").encode() + b'"tool_input":{"a":1}}',
    "no-tool-name": b'{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/srv/app"}',
    "no-tool-input": (CALL + '"tool_use_id":"call_7"}').encode(),
    "unknown-fields": (CALL + '"tool_input":{"command":"ls"},"later":{"a":[1]}}').encode(),
    "relative-cwd": CALL.replace("/srv/app", "app").encode() + b'"tool_input":{"command":"ls"}}',
    "exactly-the-limit": (CALL + '"tool_input":{"command":"ls"}}').encode().ljust(LIMIT),
    "lone-surrogate": (CALL + '"tool_input":{"command":"echo \\ud800"}}').encode(),
    "nul-in-command": (CALL + '"tool_input":{"command":"echo \\u0000"}}').encode(),
}


@pytest.fixture(scope="module")
def opened() -> Iterator[Product]:
    """Both connectors with the fail mode ``open``."""
    with make_product(*CONNECTORS) as ours:
        for connector in CONNECTORS:
            mode = ("guardrail", "fail-mode", "open", "--connector", connector, "--yes")
            ours.cli(*mode).expect()
        yield ours


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_input_blocks_when_closed(protected: Product, key: str, name: str) -> None:
    before = len(protected.failures())
    ran = protected.registered_hook(key, UNREADABLE[name]).expect(2)
    assert ran.stdout == ""
    assert ran.stderr.startswith("defenseclaw: ")
    assert len(ran.stderr.splitlines()) == 1
    assert len(protected.failures()) == before + 1


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_input_passes_when_open_and_is_recorded(
    opened: Product, key: str, name: str
) -> None:
    before = len(opened.failures())
    ran = opened.registered_hook(key, UNREADABLE[name]).expect(0)
    assert ran.stdout == ""
    assert len(opened.failures()) == before + 1
    assert opened.failures()[-1]["fail_mode"] == "open"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", JUDGED)
def test_odd_input_is_judged_and_recorded(protected: Product, key: str, name: str) -> None:
    before, failures = len(protected.audit(key)), len(protected.failures())
    ran = protected.registered_hook(key, JUDGED[name]).expect(0)
    assert ran.stderr == ""
    assert len(protected.audit(key)) == before + 1
    assert len(protected.failures()) == failures


@pytest.mark.parametrize("key", KEYS)
def test_good_calls_are_still_judged_afterwards(protected: Product, key: str) -> None:
    protected.registered_hook(key, UNREADABLE["deep-nesting"]).expect(2)
    project = protected.box.project
    payload = make_shell_call(project, "rm -rf /", f"after-{key}")
    answer = protected.registered_hook(key, payload).expect(0).json
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    [row] = protected.audit(key, call_id=f"after-{key}")
    assert row["action"] == "block"


def test_observation_events_pass_even_when_closed_and_unreadable(protected: Product) -> None:
    payload = json.dumps(make_payload(protected.box.project, "SessionStart")).encode()
    for key in KEYS:
        broken = payload.replace(b'"cwd"', b'"session_id":1,"cwd"')
        assert protected.registered_hook(key, broken).expect(0).stdout == ""
