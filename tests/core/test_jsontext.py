"""JSON from outside is accepted strictly or refused with a fixed text."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.core.jsontext import JsonTextError, parse_object, parse_value

DEPTH = 64


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "not valid JSON"),
        (b"{", "not valid JSON"),
        (b"{} x", "not valid JSON"),
        (b"[]", "not a JSON object"),
        (b'"x"', "not a JSON object"),
        (b"\xff{}", "not UTF-8"),
        (b"\xef\xbb\xbf{}", "not valid JSON"),
        (b'{"a":1,"a":2}', "same key twice"),
        (b'{"x":{"a":1,"a":1}}', "same key twice"),
        (b'{"a":NaN}', "not finite"),
        (b'{"a":-Infinity}', "not finite"),
        (b'{"\\ud800":1,"\\udfff":2}', "same key twice"),
        (b'{"a":' * 65 + b"1" + b"}" * 65, "nested too deeply"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' + b"1" * 5000 + b"}", "not valid JSON"),
    ],
)
def test_unacceptable_text_is_refused(raw: bytes, why: str) -> None:
    with pytest.raises(JsonTextError, match=why):
        parse_object(raw, max_depth=DEPTH)


def test_brackets_inside_strings_are_no_nesting() -> None:
    value = {"content": "{[" * 200, "list": [[1]] * 100}
    assert parse_object(json.dumps(value).encode(), max_depth=DEPTH) == value


def test_half_a_surrogate_pair_is_replaced_everywhere() -> None:
    raw = b'{"a":"x\\ud800y","b":[{"\\udfff":"\\udc00"}]}'
    expected = {"a": "x\ufffdy", "b": [{"\ufffd": "\ufffd"}]}
    assert parse_object(raw, max_depth=DEPTH) == expected


def test_surrogate_pair_is_one_character() -> None:
    assert parse_object(b'{"a":"\\ud83d\\ude00"}', max_depth=DEPTH) == {"a": "\U0001f600"}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(json_values)
def test_valid_json_is_read_as_written(value: object) -> None:
    assert parse_value(json.dumps(value).encode(), max_depth=500) == value


@given(st.binary(max_size=200))
def test_any_bytes_end_in_a_value_or_a_refusal(raw: bytes) -> None:
    with contextlib.suppress(JsonTextError):
        parse_value(raw, max_depth=DEPTH)
