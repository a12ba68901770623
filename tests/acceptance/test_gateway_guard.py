"""Who may talk to the gateway, and who may be one."""

from __future__ import annotations

import http.client
import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from tests.acceptance.conftest import make_product
from tests.harness import Product, make_shell_call

pytestmark = pytest.mark.acceptance
ROUTE = "/api/v1/codex/hook"


def token(product: Product, name: str) -> str:
    return (product.box.data / name).read_text(encoding="ascii").strip()


def headers(product: Product, **changes: str | None) -> dict[str, str]:
    """The headers of the hook client, with some changed or (None) left out."""
    base: dict[str, str | None] = {
        "Host": f"127.0.0.1:{product.port}",
        "Authorization": f"Bearer {token(product, 'hooks/codex.token')}",
        "Content-Type": "application/json",
        "X-DefenseClaw-Client": "hook/1.0",
    }
    merged = base | {name.replace("_", "-"): value for name, value in changes.items()}
    return {name: value for name, value in merged.items() if value is not None}


def post(
    product: Product, sent: dict[str, str], body: bytes | None = None, method: str = "POST"
) -> tuple[int, dict[str, object]]:
    """One raw request; status and JSON body."""
    if body is None:
        body = make_shell_call(product.box.project, "ls")
    with closing(http.client.HTTPConnection("127.0.0.1", product.port, timeout=20)) as link:
        link.request(method, ROUTE, body, sent)
        response = link.getresponse()
        raw = response.read()
        assert response.getheader("Access-Control-Allow-Origin") is None
        return response.status, json.loads(raw) if raw else {}


def test_client_with_the_connectors_token_gets_a_verdict(protected: Product) -> None:
    status, answer = post(protected, headers(protected))
    assert (status, answer["action"]) == (200, "allow")


REFUSALS = {
    "no-token": ({"Authorization": None}, {401}),
    "wrong-token": ({"Authorization": "Bearer " + "0" * 64}, {401}),
    "empty-token": ({"Authorization": "Bearer "}, {401}),
    "foreign-origin": ({"Origin": "https://example.com"}, {403}),
    "null-origin": ({"Origin": "null"}, {403}),
    "cross-site-page": ({"Sec-Fetch-Site": "cross-site"}, {403}),
    "rebound-host": ({"Host": "evil.example:80"}, {403, 421}),
    "no-client-mark": ({"X-DefenseClaw-Client": None}, {403}),
    "form-post": ({"Content-Type": "text/plain"}, {415}),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_request_is_refused_without_a_verdict(protected: Product, name: str) -> None:
    changes, allowed = REFUSALS[name]
    before = len(protected.audit("codex"))
    status, answer = post(protected, headers(protected, **changes))
    assert status in allowed
    assert "action" not in answer
    assert token(protected, "gateway.token") not in json.dumps(answer)
    assert len(protected.audit("codex")) == before


@pytest.mark.parametrize("name", ["hooks/claudecode.token", "gateway.token"])
def test_token_of_another_scope_is_refused(protected: Product, name: str) -> None:
    bearer = f"Bearer {token(protected, name)}"
    assert post(protected, headers(protected, Authorization=bearer))[0] == 401


def test_reading_method_and_oversized_body_are_refused(protected: Product) -> None:
    assert post(protected, headers(protected), b"", "GET")[0] == 405
    big = make_shell_call(protected.box.project, "ls").ljust(1024 * 1024 + 1)
    assert post(protected, headers(protected), big)[0] == 413


def test_starting_again_is_no_second_gateway(protected: Product) -> None:
    before = protected.identity()
    assert "already running" in protected.gateway("start").expect().text
    assert protected.identity() == before


def test_second_gateway_in_the_foreground_is_refused(protected: Product) -> None:
    ran = protected.gateway("run").expect(1)
    assert str(protected.identity()["pid"]) in ran.text
    assert post(protected, headers(protected))[0] == 200


@contextmanager
def stranger(port: int, body: bytes = b"{}") -> Iterator[list[bytes]]:
    """A foreign process's listener on our port; collects what it is told and answers a body."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", port)) as server:

        def serve() -> None:
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                with client:
                    heard.append(client.recv(65536))
                    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body)
                    client.sendall(head + body)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield heard
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_gateway_does_not_start_where_a_stranger_listens(product: Product) -> None:
    product.cli("setup", "codex", "--mode", "action", "--yes").expect()
    product.gateway("stop")
    with stranger(product.port) as heard:
        ran = product.gateway("start").expect(1)
        assert str(product.port) in ran.text
        call = make_shell_call(product.box.project, "ls")
        assert "blocking" in product.registered_hook("codex", call).expect(2).stderr
    for name in ("gateway.token", "hooks/codex.token"):
        assert token(product, name).encode() not in b"".join(heard)


def test_stranger_on_the_port_cannot_answer_for_the_gateway(product: Product) -> None:
    product.cli("setup", "codex", "--mode", "action", "--yes").expect()
    product.gateway("stop")
    with stranger(product.port, b'{"action":"allow","stdout":"","stderr":"","exit":0}') as heard:
        call = make_shell_call(product.box.project, "rm -rf /")
        done = product.registered_hook("codex", call).expect(2)
    assert "another program listens" in done.stderr
    assert len(heard) == 1


def test_data_homes_on_one_port_do_not_see_each_other(protected: Product) -> None:
    with make_product() as other:
        config = other.box.data / "config.toml"
        text = config.read_text(encoding="utf-8")
        config.write_text(text.replace(str(other.port), str(protected.port)), encoding="utf-8")
        ran = other.cli("setup", "codex", "--mode", "action", "--yes").expect(1)
        assert str(protected.port) in ran.text
        other.gateway("start").expect(1)
        assert os.path.realpath(protected.box.data) not in other.cli("status").text
        assert not (other.box.data / "hooks" / "codex.sh").exists()
