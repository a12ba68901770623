"""Whatever bytes a pack holds, it is admitted or refused with a record, and never anything else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from defenseclaw.core.pack import PackCode
from defenseclaw.core.verdict import Profile
from defenseclaw.rules import Pack, PackRejectedError, build_generation, load_pack
from tests.rules.packs import rule

FOLDER = Path(__file__).parent / "public_pack"
FILES = {
    path.relative_to(FOLDER).as_posix(): path.read_bytes()
    for path in sorted(FOLDER.rglob("*.yaml"))
}
PLACE = re.compile(r"\.|[A-Za-z0-9._-]{1,128}(?:/[A-Za-z0-9._-]{1,128})*")
REASON = re.compile(r"[\x20-\x7e]{1,1000}")
NUMBERS = st.integers() | st.floats()
SCALARS = st.none() | st.booleans() | NUMBERS | st.text(max_size=12)
VALUES = st.recursive(
    SCALARS, lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=5), v, max_size=3)
)
CUTS = st.tuples(st.sampled_from(sorted(FILES)), st.integers(0, 4000), st.integers(0, 40))


def admitted(files: dict[str, bytes]) -> Pack | None:
    """The pack, or None where it is refused as the contract demands."""
    try:
        return load_pack(files, name="x")
    except PackRejectedError as error:
        refused = error
    assert refused.code in list(PackCode)
    assert PLACE.fullmatch(refused.path)
    assert REASON.fullmatch(refused.reason), refused.reason
    return None


@settings(max_examples=150, deadline=None)
@given(CUTS, st.binary(max_size=6))
def test_damaged_bytes_end_in_a_record(cut: tuple[str, int, int], patch: bytes) -> None:
    name, start, length = cut
    raw = FILES[name]
    start %= len(raw)
    admitted({**FILES, name: raw[:start] + patch + raw[start + length :]})


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(rule())), VALUES)
def test_any_value_of_a_key_is_fit_or_refused(key: str, value: Any) -> None:
    text = json.dumps({"version": 1, "category": "c", "rules": [{**rule(), key: value}]})
    pack = admitted({"rules/x.yaml": text.encode()})
    if pack is not None:
        assert build_generation([pack], Profile.STRICT).fingerprint
        assert type(getattr(pack.rules[0], key)) is type(rule()[key]) or key == "tags"


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(sorted(FILES)), VALUES)
def test_any_document_in_any_place_ends_in_a_record(name: str, value: Any) -> None:
    admitted({**FILES, name: json.dumps(value).encode()})


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=60))
def test_any_expression_is_admitted_or_refused_without_being_quoted(text: str) -> None:
    document = {"version": 1, "category": "c", "rules": [{**rule(), "expression": text}]}
    admitted({"rules/x.yaml": json.dumps(document).encode()})


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40))
def test_any_name_of_a_file_is_read_refused_or_left_alone(name: str) -> None:
    admitted({name: FILES["rules/trust.yaml"], "rules/workshop.yaml": FILES["rules/workshop.yaml"]})
