"""Hosts, URLs, scopes and what a host is."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import NetworkScope as S
from defenseclaw.core.facts import NetworkTargetKind as K
from defenseclaw.facts.network import browser_url, canonical_host, classify, parse_port, parse_url


@pytest.mark.parametrize(
    ("text", "host", "port", "scheme"),
    [
        ("https://h.example/x", "h.example", 0, "https"),
        ("HTTP://H.Example:8080/", "h.example", 8080, "http"),
        ("http://user:pw@h.example/x", "h.example", 0, "http"),
        ("http://[::1]:80/", "::1", 80, "http"),
        ("http://2130706433/", "127.0.0.1", 0, "http"),
        ("http://0x7f.1/", "127.0.0.1", 0, "http"),
        ("http://0177.0.0.1/", "127.0.0.1", 0, "http"),
    ],
)
def test_url_is_split(text: str, host: str, port: int, scheme: str) -> None:
    endpoint = parse_url(text)
    assert endpoint is not None
    assert (endpoint.host, endpoint.port, endpoint.scheme) == (host, port, scheme)


@pytest.mark.parametrize(
    "text",
    [
        "https://",
        "http://256.1.1.1/",
        "http://a b/",
        "http://h:0/",
        "http://h:99999/",
        "x",
        "foo://h/",
        "http://-h/",
    ],
)
def test_bad_url_is_refused(text: str) -> None:
    assert parse_url(text) is None


def test_scheme_may_be_assumed_for_web_programs() -> None:
    endpoint = parse_url("h.example/x", default_scheme="http")
    assert endpoint is not None
    assert (endpoint.host, endpoint.path) == ("h.example", "/x")


@pytest.mark.parametrize(
    ("host", "scope", "external"),
    [
        ("127.0.0.1", S.LOOPBACK, False),
        ("169.254.169.254", S.LINK_LOCAL, False),
        ("10.1.2.3", S.PRIVATE, False),
        ("8.8.8.8", S.PUBLIC, True),
        ("100.64.0.1", S.UNKNOWN, False),
        ("198.51.100.7", S.UNKNOWN, False),
        ("localhost", S.UNKNOWN, False),
        ("api.localhost", S.UNKNOWN, False),
        ("evil.example", S.UNKNOWN, True),
        ("drop.example.test", S.UNKNOWN, True),
        ("db", S.UNKNOWN, False),
        ("fe80::1", S.LINK_LOCAL, False),
        ("2001:4860::1", S.PUBLIC, True),
    ],
)
def test_scope_and_reach(host: str, scope: S, external: bool) -> None:
    target = classify(host)
    assert (target.scope, target.external) == (scope, external)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("10.0.0.0/24", K.MULTI_ADDRESS_CIDR),
        ("10.0.0.1/32", K.SINGLE_ADDRESS_CIDR),
        ("10.0.0.1-9", K.RANGE),
        ("10.0.1-5.9", K.RANGE),
        ("10.0.*.1", K.GENERATED),
        ("a.example,b.example", K.LIST),
        ("h.example", K.SINGLE_HOST),
        ("300.1.1.1", K.UNKNOWN),
    ],
)
def test_target_kind(text: str, kind: K) -> None:
    assert classify(text).kind is kind


def test_prefix_wider_than_its_scope_has_none() -> None:
    assert classify("10.0.0.0/24").scope is S.PRIVATE
    assert classify("10.0.0.0/7").scope is S.UNKNOWN


@pytest.mark.parametrize(
    ("host", "path", "expected"),
    [
        ("169.254.169.254", "", "metadata-service"),
        ("metadata.google.internal", "", "metadata-service"),
        ("abc.webhook.site", "", "capture-service"),
        ("x.ngrok-free.app", "", "tunnel-service"),
        ("pastebin.com", "/raw/abc", "paste-raw"),
    ],
)
def test_host_is_called(host: str, path: str, expected: str) -> None:
    assert expected in classify(host, path).labels


def test_near_miss_hosts_carry_no_label() -> None:
    assert classify("pastebin.com", "/abc").labels == ()
    assert classify("notwebhook.site").labels == ()
    assert classify("169.254.170.3").labels == ()


def test_host_spellings_that_are_none() -> None:
    for text in ("", "-x", "a/b", "a@b", "a b", "*.x", "x" * 300, "1.2.3.4.5"):
        assert canonical_host(text) == ""


def test_port_is_plain_digits() -> None:
    assert parse_port("80") == 80
    assert [parse_port(t) for t in ("", "0", "+80", "8_0", "65536", "٣")] == [None] * 6


@pytest.mark.parametrize(
    "text, host, path",
    [
        ("https:h.example/x", "h.example", "/x"),
        ("https:/h.example/x", "h.example", "/x"),
        ("HTTP:\\\\h.example\\x?a\\b", "h.example", "/x?a\\b"),
        (" ht\ttps://h.exa\nmple/x\n", "h.example", "/x"),
        ("https://%68.ex%61mple/%78?%78", "h.example", "/x?%78"),
        ("https://h.example/a/../x/./%2E%2e/y", "h.example", "/y"),
        ("https://h.example/../..", "h.example", "/"),
        ("https://h.example/a/.", "h.example", "/a/"),
        ("https://h.example/?q=/../a", "h.example", "/?q=/../a"),
        ("https://h.example/%2Fa", "h.example", "/%2Fa"),
    ],
)
def test_a_web_address_means_the_same_however_it_is_spelled(
    text: str, host: str, path: str
) -> None:
    endpoint = parse_url(browser_url(text))
    assert endpoint is not None
    assert (endpoint.host, endpoint.path) == (host, path)


@pytest.mark.parametrize("text", ["https://a%2fb.example/", "https://%/", "https:", "file:///x"])
def test_what_is_no_web_address_stays_none(text: str) -> None:
    assert parse_url(browser_url(text)) is None
