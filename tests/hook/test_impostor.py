"""A program that took the gateway's port learns no token and cannot answer for the gateway."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from defenseclaw.core.verdict import FailMode
from tests.hook.stub import ALLOW, TOKEN, Outcome, event, http, install, proof, proven, serving

NOBODY = 65534
LISTENER = """
import os, socket, sys
os.setuid(int(sys.argv[1]))
server = socket.socket(socket.AF_INET6 if ":" in sys.argv[2] else socket.AF_INET)
server.bind((sys.argv[2], 0))
server.listen(8)
print(server.getsockname()[1], flush=True)
while True:
    link, _ = server.accept()
    link.settimeout(5)
    data = link.recv(65536)
    print(data, flush=True)
    link.close()
"""


def signed_with(token: str) -> Callable[[bytes, bytes], bytes]:
    """Proofs of somebody who has another token."""

    def sign(request: bytes, reply: bytes) -> bytes:
        wrong = proof(request, reply, token).encode()
        return proven(request, reply).replace(proof(request, reply).encode(), wrong)

    return sign


def of_another_answer(request: bytes, reply: bytes) -> bytes:
    """The proof of an answer with another body."""
    other = proof(request, http({**ALLOW, "action": "block"})).encode()
    return proven(request, reply).replace(proof(request, reply).encode(), other)


FORGERIES: dict[str, Callable[[bytes, bytes], bytes]] = {
    "no proof": lambda request, reply: reply,
    "proof of another token": signed_with("f" * 64),
    "proof of another answer": of_another_answer,
    "empty proof": lambda _request, reply: reply.replace(
        b"\r\n", b"\r\nX-DefenseClaw-Proof:\r\n", 1
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
@pytest.mark.parametrize("mode", [FailMode.CLOSED, FailMode.OPEN])
def test_forged_allow_is_no_verdict(tmp_path: Path, name: str, mode: FailMode) -> None:
    with serving(ALLOW, FORGERIES[name]) as stub:
        made = install(tmp_path / "h", fail_mode=mode, port=stub.port)
        done = made.run(event())
    assert done.exit == (2 if mode is FailMode.CLOSED else 0)
    assert "another program listens on the gateway's port" in done.stderr
    assert made.failures()[0]["category"] == "response"


def test_proof_of_an_earlier_request_is_worth_nothing(tmp_path: Path) -> None:
    kept: list[bytes] = []

    def replay(request: bytes, reply: bytes) -> bytes:
        kept.append(proven(request, reply))
        return kept[0]

    with serving(ALLOW, replay) as stub:
        made = install(tmp_path / "h", port=stub.port)
        assert [made.run(event()).exit for _ in range(2)] == [0, 2]


def test_listener_is_never_sent_the_token(tmp_path: Path) -> None:
    with serving(ALLOW, FORGERIES["no proof"]) as stub:
        install(tmp_path / "h", port=stub.port).run(event())
    assert len(stub.requests) == 1
    assert TOKEN.encode() not in stub.requests[0]


@contextmanager
def foreign_listener(address: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """A listener of another user on a loopback or wildcard address."""
    command = [sys.executable, "-I", "-c", LISTENER, str(NOBODY), address]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline()), process
        finally:
            process.terminate()


def ask_foreign(home: Path, address: str) -> tuple[Outcome, bytes]:
    """What a hook does there, and what the listener received."""
    with foreign_listener(address) as (port, process):
        done = install(home, port=port).run(event())
        assert process.stdout is not None
        return done, process.stdout.readline()


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or os.geteuid() != 0,
    reason="needs a second user and Linux's table of sockets",
)
@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0", "::"])
def test_payload_is_not_sent_to_another_user(tmp_path: Path, address: str) -> None:
    done, heard = ask_foreign(tmp_path / "h", address)
    assert done.exit == 2
    assert "another program listens" in done.stderr
    assert heard == b"b''\n"
