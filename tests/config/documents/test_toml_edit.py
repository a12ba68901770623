"""Editing TOML: what does not change stays byte for byte."""

from __future__ import annotations

import copy
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defenseclaw.config.documents import DocumentError, same, toml_document
from defenseclaw.config.documents.toml_edit import edit_toml

OURS = {"matcher": "*", "hooks": [{"type": "command", "command": "/h/x.sh", "timeout": 30}]}
PIECES = [
    "# a comment\n",
    "\n",
    "[model_providers.mock]\nname = 'a # b'\nheaders = { x = \"1\" } # why\n",
    "[features]\n# keep\nhooks = true\n",
    "[[mcp]]\nargs = [\n  \"a\", # first\n  '''b\n]''',\n]\n\n",
    '[projects."/home/é/x.y"]\ntrust_level = "trusted"\n',
    '[tui]\ntext = """one\n[not.a.header]\n"""\nn = 1979-05-27T07:32:00Z\nf = nan\n',
    '[[hooks.PreToolUse]]\nmatcher = "Bash"\n# mine\n[[hooks.PreToolUse.hooks]]\n'
    'type = "command"\ncommand = "/usr/bin/true"\n',
    "[[hooks.Stop]]\nhooks = [{ type = \"command\", command = 'a' }]\n",
    '[hooks.state."/x/config.toml:stop:0:0"]\ntrusted_hash = "sha256:00"\n',
]
HEADS = ["", 'model = "gpt"\n', '# top\nnotify = ["a"]\n\n', "a.b.c = 1\n"]


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A file of known pieces in any order, in either line end, with or without the last one."""
    pieces = draw(st.lists(st.sampled_from(PIECES), max_size=8, unique=True))
    text = draw(st.sampled_from(HEADS)) + "".join(pieces)
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


def with_ours(data: dict[str, Any], events: list[str]) -> dict[str, Any]:
    new = copy.deepcopy(data)
    hooks = new.setdefault("hooks", {})
    for event in events:
        hooks[event] = [*hooks.get(event, []), copy.deepcopy(OURS)]
    hooks.setdefault("state", {})["/h/config.toml:k:0:0"] = {"trusted_hash": "sha256:11"}
    return new


@given(texts(), st.lists(st.sampled_from(["PreToolUse", "Stop", "X"]), unique=True, min_size=1))
def test_insertion_followed_by_removal_gives_the_same_bytes(text: str, events: list[str]) -> None:
    before = tomllib.loads(text)
    edited = edit_toml(text, with_ours(before, events))
    assert same(tomllib.loads(edited), with_ours(before, events))
    assert edit_toml(edited, before) == text


@given(texts(), st.data())
def test_removal_of_any_table_keeps_every_comment(text: str, data: st.DataObject) -> None:
    before = tomllib.loads(text)
    after = copy.deepcopy(before)
    for key in data.draw(st.lists(st.sampled_from(sorted(before) or ["-"]), unique=True)):
        after.pop(key, None)
    edited = edit_toml(text, after)
    assert same(tomllib.loads(edited), after)
    for comment in ("# a comment", "# mine", "# keep"):
        assert edited.count(comment) == text.count(comment)


@given(st.binary(max_size=60) | st.text("[]{}=.#\"'\\ \nab1", max_size=40).map(str.encode))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    try:
        document = toml_document(raw)
    except DocumentError:
        return
    new = {**document.data, "added": {"x": [1]}}
    try:
        edited = document.edited(new)
    except DocumentError:
        return
    assert same(toml_document(edited).data, new)


CASES = {
    "appended behind its relatives": (
        '[[hooks.Stop]]\nmatcher = "a"\n\n# about b\n[b]\n',
        lambda d: d["hooks"]["Stop"].append({"matcher": "b"}),
        '[[hooks.Stop]]\nmatcher = "a"\n\n[[hooks.Stop]]\nmatcher = "b"\n\n# about b\n[b]\n',
    ),
    "a value changed in place": (
        "[[h]]\nt = 30 # s\n[[h]]\nt = 4\n",
        lambda d: d["h"][0].update(t=31),
        "[[h]]\nt = 31 # s\n[[h]]\nt = 4\n",
    ),
    "an inline array": (
        '[hooks]\nStop = [ { matcher = "a" } ] # mine\n',
        lambda d: d["hooks"]["Stop"].append({"matcher": "b"}),
        '[hooks]\nStop = [ { matcher = "a" }, {matcher = "b"} ] # mine\n',
    ),
    "an inline table": (
        "hooks = { state = { a = 1 } }\n",
        lambda d: d["hooks"]["state"].update(b=2),
        "hooks = { state = { a = 1, b = 2} }\n",
    ),
    "a file without a last line end": (
        "a = 1", lambda d: d.update(b={"c": 2}), "a = 1\n\n[b]\nc = 2\n"),
    "an element emptied": (
        "[[h]]\na = 1\n# kept\n[[h.x]]\nb = 1\n[[h]]\na = 2\n",
        lambda d: d["h"][0].clear(),
        "[[h]]\n# kept\n[[h]]\na = 2\n",
    ),
    "top-level entries before the tables": ("[a]\n", lambda d: d.update(k=True), "k = true\n[a]\n"),
    "an entry of a table without a header": (
        "[a.b]\nx = 1\n", lambda d: d["a"].update(k="v"), '[a.b]\nx = 1\n\n[a]\nk = "v"\n'),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_only_the_change_is_made(name: str) -> None:
    text, change, expected = CASES[name]
    new = tomllib.loads(text)
    change(new)
    assert edit_toml(text, new) == expected


def test_an_element_of_tables_written_apart_is_found() -> None:
    text = "[[h.a]]\nn = 1\n[other]\n[[h.a]]\nn = 2\n"
    new = tomllib.loads(text)
    new["h"]["a"] = [{"n": 1}]
    assert edit_toml(text, new) == "[[h.a]]\nn = 1\n[other]\n"


def test_a_byte_order_mark_survives() -> None:
    raw = b"\xef\xbb\xbfa = 1\n"
    assert toml_document(raw).edited({"a": 2}) == b"\xef\xbb\xbfa = 2\n"


@pytest.mark.parametrize(
    "raw",
    [
        b"a = 1\na = 2\n",
        b"[a]\n[a]\n",
        b"a = \xff",
        b"a = [",
        b"\0",
        b"a = " + b"[" * 99 + b"]" * 99,
    ],
)
def test_malformed_text_is_refused(raw: bytes) -> None:
    with pytest.raises(DocumentError):
        toml_document(raw)
