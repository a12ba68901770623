"""Requests from browsers, rebound names and strangers are refused from the head alone."""

from __future__ import annotations

import pytest

from defenseclaw.gateway.guards import check_origin, check_write

PORT = 18970


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:18970", "localhost:18970", "[::1]:18970"])
def test_our_own_names_are_served(host: str) -> None:
    assert check_origin({"host": host}, PORT) is None


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:18970",
        "127.0.0.1:1",
        "127.0.0.1.evil.example",
        "localhost.evil.example:18970",
        "user@127.0.0.1:18970",
        "127.0.0.1:18970/x",
        "127.0.0.1:99999999",
        "[::1",
        "0.0.0.0:18970",
    ],
)
def test_other_names_are_misdirected(host: str) -> None:
    refusal = check_origin({"host": host}, PORT)
    assert refusal is not None
    assert refusal.status == 421


@pytest.mark.parametrize(
    "extra",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:1"},
        {"origin": "https://127.0.0.1:18970"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_browser_pages_are_refused(extra: dict[str, str]) -> None:
    refusal = check_origin({"host": "127.0.0.1:18970", **extra}, PORT)
    assert refusal is not None
    assert refusal.status == 403


def test_own_origin_is_served() -> None:
    headers = {"host": "localhost:18970", "origin": "http://localhost:18970"}
    assert check_origin({**headers, "sec-fetch-site": "same-origin"}, PORT) is None


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content-type": "application/json"}, 403),
        ({"x-defenseclaw-client": " ", "content-type": "application/json"}, 403),
        ({"x-defenseclaw-client": "hook/1.0", "content-type": "text/plain"}, 415),
        ({"x-defenseclaw-client": "hook/1.0"}, 415),
    ],
)
def test_writes_need_marker_and_type(headers: dict[str, str], status: int) -> None:
    refusal = check_write(headers)
    assert refusal is not None
    assert refusal.status == status


def test_write_with_both_is_served() -> None:
    headers = {"x-defenseclaw-client": "hook/1.0", "content-type": "application/json; charset=x"}
    assert check_write(headers) is None
