"""A sender proves its token, and what was proven is this request and no other."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from defenseclaw.connectors import CONNECTORS
from defenseclaw.gateway.auth import MAX_PROOF_AGE_S, PROOF_HEADER, Caller, TokenStore, sign
from defenseclaw.gateway.guards import Refusal
from defenseclaw.hook import wire
from tests.gateway.asgi import Response, request
from tests.gateway.test_app import PAYLOAD, House, token_of

KEY, OTHER = list(CONNECTORS)[:2]
TOKEN = "0123456789abcdef" * 4
BODY = json.dumps(PAYLOAD).encode()


def store(now_s: float) -> TokenStore:
    return TokenStore(lambda: "m" * 64, lambda _key: TOKEN, lambda: int(now_s * 1000))


def head_of(sent: wire.Request, body: bytes = BODY) -> dict[str, str]:
    """The header fields of a request as the hook client writes it."""
    lines = sent.build(("127.0.0.1", 18970), body).partition(b"\r\n\r\n")[0].decode().split("\r\n")
    return {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}


def check(head: dict[str, str], now_s: float = 0, path: str = "") -> Caller | Refusal:
    return store(now_s or time.time()).check(head, path or f"/api/v1/{KEY}/hook", KEY)


def test_client_and_gateway_agree_on_request_and_answer() -> None:
    sent = wire.Request(KEY, "PreToolUse", TOKEN)
    caller = check(head_of(sent))
    assert isinstance(caller, Caller)
    assert caller.owns(BODY)
    [(name, value)] = caller.proof(200, b"{}").items()
    head = f"HTTP/1.1 200 OK\r\n{name}: {value}\r\n".encode()
    assert sent.is_proven(200, head, b"{}")
    assert not sent.is_proven(200, head, b"{ }")
    assert not sent.is_proven(202, head, b"{}")
    assert not wire.Request(KEY, "", TOKEN).is_proven(200, head, b"{}")


CHANGES: dict[str, Callable[[dict[str, str]], dict[str, str]]] = {
    "another event": lambda head: {**head, "x-defenseclaw-event": "Stop"},
    "no event": lambda head: {k: v for k, v in head.items() if k != "x-defenseclaw-event"},
    "another nonce": lambda head: changed(head, 2, "0" * 32),
    "another body": lambda head: changed(head, 3, "0" * 64),
    "another digest": lambda head: changed(head, 4, "0" * 64),
    "another time": lambda head: changed(head, 1, "1"),
    "cut short": lambda head: {**head, "authorization": head["authorization"][:-1]},
    "other scheme": lambda head: {**head, "authorization": "Bearer" + head["authorization"][4:]},
}


def changed(head: dict[str, str], index: int, word: str) -> dict[str, str]:
    words = head["authorization"].split(" ")
    words[index] = word
    return {**head, "authorization": " ".join(words)}


@pytest.mark.parametrize("name", CHANGES)
def test_changed_request_is_refused(name: str) -> None:
    head = head_of(wire.Request(KEY, "PreToolUse", TOKEN))
    refusal = check(CHANGES[name](head))
    assert isinstance(refusal, Refusal)
    assert refusal.status == 401


def test_proof_counts_for_its_own_route_only() -> None:
    head = head_of(wire.Request(KEY, "", TOKEN))
    assert isinstance(check(head, path=f"/api/v1/{OTHER}/hook"), Refusal)


@pytest.mark.parametrize("offset", [MAX_PROOF_AGE_S + 2, -MAX_PROOF_AGE_S - 2])
def test_proof_of_another_time_is_refused(offset: float) -> None:
    head = head_of(wire.Request(KEY, "", TOKEN))
    assert isinstance(check(head, time.time() + offset), Refusal)
    assert isinstance(check(head, time.time() + offset / 2), Caller)


def post(sent: wire.Request, announced: bytes, body: bytes) -> Response:
    return request(House().app(), "POST", sent.path, head_of(sent, announced), [body])


def test_hook_route_answers_with_a_proof() -> None:
    sent = wire.Request(KEY, "", token_of(KEY))
    got = post(sent, BODY, BODY)
    assert got.status == 200
    text = f"answer\n{sent.nonce}\n200\n{wire.sha256(got.body)}"
    assert got.headers[PROOF_HEADER] == sign(token_of(KEY), text)


def test_body_that_was_not_announced_is_refused_before_it_is_judged() -> None:
    got = post(wire.Request(KEY, "", token_of(KEY)), BODY, BODY + b" ")
    assert got.status == 401
    assert PROOF_HEADER not in got.headers


def test_sender_of_the_token_itself_gets_no_proof() -> None:
    assert PROOF_HEADER not in House().hook().headers
