"""The gateway through ends, restarts, races and damage: hooks get verdicts, orders are obeyed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from tests.harness import Product, Ran, make_shell_call

pytestmark = pytest.mark.acceptance
ROUNDS = 40  # looks at something that comes about by itself; each is a whole command


@pytest.fixture
def codex(product: Product) -> Product:
    product.protect("codex")
    return product


def dangerous(product: Product) -> Ran:
    return product.registered_hook("codex", make_shell_call(product.box.project, "rm -rf /"))


def is_denied(ran: Ran) -> bool:
    return ran.exit == 0 and '"deny"' in ran.stdout


def is_listening(product: Product) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", product.port)) == 0


@contextmanager
def running(product: Product, *command: str) -> Iterator[subprocess.Popen[bytes]]:
    """One of our commands in the background."""
    program = product.environment["PATH"].split(os.pathsep)[0] + "/" + command[0]
    with subprocess.Popen(
        [program, *command[1:]],
        cwd=product.box.project,
        env=product.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        yield process


def test_terminated_gateway_cleans_up_and_the_next_hook_starts_another(codex: Product) -> None:
    pid = int(codex.identity()["pid"])
    os.kill(pid, signal.SIGTERM)
    for _ in range(ROUNDS):
        if codex.gateway("status").exit:
            break
    assert not (codex.box.data / "gateway.pid").exists()
    assert is_denied(dangerous(codex))
    assert int(codex.identity()["pid"]) != pid


@pytest.mark.parametrize("seconds", [0.0, 0.4, 0.8, 1.2])
def test_stop_while_a_hook_starts_the_gateway_is_obeyed(codex: Product, seconds: float) -> None:
    codex.kill_gateway()
    with ThreadPoolExecutor(1) as pool:
        hook = pool.submit(dangerous, codex)
        threading.Event().wait(seconds)
        codex.gateway("stop")
        assert is_denied(hook.result()) or hook.result().exit == 2
    for _ in range(ROUNDS):
        if not is_listening(codex):
            break
        codex.gateway("status")
    assert not is_listening(codex)
    assert "stopped on purpose" in dangerous(codex).expect(2).stderr


@pytest.mark.parametrize("seconds", [0.5, 1.0, 1.5])
def test_restart_that_is_killed_leaves_the_start_to_the_next_hook(
    codex: Product, seconds: float
) -> None:
    with running(codex, "defenseclaw-gateway", "restart") as command:
        threading.Event().wait(seconds)
        command.kill()
    assert not (codex.box.data / "gateway.stopped").exists()
    assert is_denied(dangerous(codex))


def test_no_call_passes_and_none_is_lost_during_restarts(codex: Product) -> None:
    over = threading.Event()
    answers: list[Ran] = []

    def work() -> None:
        while not over.is_set():
            answers.append(dangerous(codex))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(2):
        codex.gateway("restart").expect()
    over.set()
    for thread in threads:
        thread.join()
    assert [ran.text for ran in answers if not is_denied(ran)] == []


def test_many_hooks_start_one_gateway(codex: Product) -> None:
    codex.kill_gateway()
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: dangerous(codex), range(32)))
    assert [ran.text for ran in answers if not is_denied(ran)] == []


@pytest.mark.parametrize("content", [None, b"{", b"[" * 4000])
def test_identity_record_that_is_lost_comes_back(codex: Product, content: bytes | None) -> None:
    record = codex.box.data / "gateway.pid"
    if content is None:
        record.unlink()
    else:
        record.write_bytes(content)
    for _ in range(ROUNDS):
        ran = codex.gateway("status")
        assert "Traceback" not in ran.text
        if ran.exit == 0:
            break
    codex.gateway("restart").expect()


def test_damaged_audit_store_costs_its_rows_and_no_verdict(codex: Product) -> None:
    codex.gateway("stop").expect()
    store = codex.box.data / "audit.db"
    for part in codex.box.data.glob("audit.db*"):
        part.unlink()
    store.write_bytes(b"\x00garbage" * 1000)
    store.chmod(0o600)
    codex.gateway("start").expect()
    assert is_denied(dangerous(codex))
    assert len(codex.audit("codex", action="block")) == 1
    assert "the audit store was damaged" in codex.cli("doctor", "--passive").expect(1).text
    assert len(list(codex.box.data.glob("audit.db.damaged-*"))) == 1


def test_setups_at_the_same_time_do_not_undo_each_other(product: Product) -> None:
    product.protect("codex", "observe")
    settings = product.box.claude_home / "settings.json"
    settings.write_text("{ not json")
    command = ("defenseclaw", "setup")
    with (
        running(product, *command, "claude-code", "--mode", "action", "--yes") as refused,
        running(product, *command, "codex", "--mode", "action", "--yes") as accepted,
    ):
        assert refused.wait(60) == 1
        assert accepted.wait(60) == 0
    [row] = product.items("guardrail", "status")
    assert (row["connector"], row["mode"], row["drift"]) == ("codex", "action", [])


def test_hooks_are_answered_beside_clients_that_hold_connections(codex: Product) -> None:
    idle = []
    try:
        for _ in range(600):
            link = socket.create_connection(("127.0.0.1", codex.port), 10)
            link.sendall(b"POST /api/v1/codex/hook HTTP/1.1\r\n")
            idle.append(link)
        with ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(lambda _: dangerous(codex), range(32)))
    finally:
        for link in idle:
            link.close()
    assert [ran.text for ran in answers if not is_denied(ran)] == []
