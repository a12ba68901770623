"""The numbered rows of the catalogue's contract: each is a test here or names its test."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from defenseclaw.core.finding import Finding
from defenseclaw.core.verdict import Profile
from defenseclaw.facts import GLOBAL_TOOLS, analyze, enforcement_projection
from defenseclaw.rules import Example, ExampleForm, build_generation
from defenseclaw.rules.proof import call_of
from tests.rules.checks.test_private_key import PKCS, block
from tests.rules.test_catalog import PACK

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LAST = 172
GENERATION = build_generation([PACK], Profile.DEFAULT)
_KEY = block("PRIVATE KEY", PKCS)
_BEGIN = "-----BEGIN " + "PRIVATE KEY-----"
# What may not stand in a file in one piece, or cannot be read in one.
PIECES = {
    "AWS": "AKIA" + "7G4N2K9Q6M8R3T5V",
    "AWSDOC": "AKIA" + "IOSFODNN7EXAMPLE",
    "BEARER": "q8Zp1Vx7Tm2R" + "b8Yc4Wd6Nf0L",
    "NINE": "abcdefghi".replace("", "\u200b")[1:],
    "TEN": "abcdefghij".replace("", "\u200b")[1:],
    "VISA": "4539 5787 " + "6362 1486",
    "VISABAD": "4539 5787 " + "6362 1487",
    "IBANLEN": "98 WEST 1234 5698 7654 3",
    "CSVNAMES1": "first_name,last_name,email\nAna,Lee,ana@corp.invalid",
    "CSVNAMES2": "first_name,last_name,email\nAna,Lee,ana@corp.invalid\nBo,Ray,bo@corp.invalid",
    "CSVSSN1": "last_name,ssn\nLee,219-09-9417",
    "PEMHEAD": _BEGIN,
    "PEM": _KEY,
    "PEMJUNK": f"{_BEGIN}\n!!\n{_KEY}",
}
# Rows about packs, expressions and the pipeline: file and test that prove them.
_CEL = "cel/test_compiler.py::test_expression_is_refused_with_its_code"
ELSEWHERE = {
    150: (_CEL,),
    151: (_CEL,),
    152: (_CEL,),
    153: (_CEL,),
    154: (_CEL,),
    155: (_CEL,),
    156: ("rules/test_pack.py::test_expressions_are_counted_also_where_their_rule_is_off",),
    157: ("rules/test_rule_reading.py::test_a_fault_in_one_rule_refuses_the_pack",),
    158: (
        "rules/test_pack.py::test_expressions_are_counted_also_where_their_rule_is_off",
        "rules/test_pack.py::test_the_worst_case_of_enabled_expressions_is_bounded",
    ),
    159: ("rules/test_generation.py::test_a_later_pack_replaces_a_category_and_adds_new_ones",),
    160: ("rules/test_generation.py::test_a_later_pack_replaces_a_category_and_adds_new_ones",),
    161: (
        "rules/test_pack.py::test_the_layout_is_closed",
        "platform/test_packfiles.py::test_a_link_below_refuses_the_pack",
        "platform/test_packfiles.py::test_a_named_pipe_is_refused_and_does_not_hold_the_reader_up",
        "rules/test_document.py::test_what_two_readers_could_read_differently_is_refused",
    ),
    162: ("rules/test_generation.py::test_a_later_packs_rule_takes_the_place_of_one_with_its_id",),
    163: (
        "rules/test_generation.py::test_an_expression_over_budget_leaves_its_rule_to_the_pattern",
    ),
    164: ("gateway/test_packs.py::test_no_answer_is_dropped_or_mixed_while_packs_switch",),
    165: ("engine/test_controls.py::test_blocked_server_blocks_its_tools_although_one_is_allowed",),
    # A look-up that fails is a degraded state and no verdict: the last rows stay in force.
    166: ("gateway/test_packs.py::test_a_refused_reload_leaves_everything_as_it_was",),
    167: ("policy/test_lists.py::test_an_allowed_tool_still_has_its_written_code_read",),
    168: (
        "policy/test_decide.py::test_raw_action_follows_the_profile_table",
        "policy/test_decide.py::test_confirm_on_an_event_that_cannot_ask_is_an_alert",
    ),
    169: ("policy/test_decide.py::test_observe_never_stops_anything",),
    170: (
        "cli/test_packs.py::test_a_valid_pack_as_json",
        "cli/test_packs.py::test_a_refused_pack_as_json",
        "cli/test_packs.py::test_wrong_usage_is_not_a_verdict_on_a_pack",
    ),
    # A chain's finding is HIGH, and goes through the same table as any other.
    171: ("policy/test_decide.py::test_raw_action_follows_the_profile_table",),
    172: ("rules/test_generation.py::test_a_preview_and_dead_code_are_no_action",),
}


@dataclass(frozen=True)
class Row:
    number: int
    form: str
    text: str
    words: tuple[str, ...]
    reason: str

    def __str__(self) -> str:
        return f"{self.number}-{self.form}-{self.text[:40]}"


def read_rows() -> list[Row]:
    found = []
    for line in (HERE / "contract_rows.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        fields = [f.replace("\0", "|").strip() for f in line.replace("\\|", "\0").split(" | ")]
        number, form, text, words, *reason = fields
        for name, piece in PIECES.items():
            text = text.replace(f"{{{name}}}", piece)
        found.append(Row(int(number), form, text, tuple(words.split()), "".join(reason)))
    return found


ROWS = read_rows()


def example_of(row: Row) -> Example:
    if row.form == "tool":
        name, *pairs = row.text.split(";")
        arguments = dict(pair.split("=", 1) for pair in pairs)
        return Example(True, ExampleForm.TOOL, {"name": name, "input": arguments})
    if row.form == "patch":
        head, _, added = row.text.partition(";")
        patch = f"*** Begin Patch\n*** {head}\n+{added}\n*** End Patch"
        return Example(True, ExampleForm.TOOL, {"name": "apply_patch", "input": {"patch": patch}})
    return Example(True, ExampleForm(row.form), row.text)


@cache
def judged(row: Row) -> dict[str, Finding]:
    if row.form in ("text", "result"):
        surface = "prompt" if row.form == "text" else "result"
        return {f.rule_id: f for f in GENERATION.evaluate_content(row.text, surface=surface)}
    result = analyze(call_of(example_of(row), GLOBAL_TOOLS))
    found = GENERATION.evaluate_call(result, enforcement_projection).findings
    return {finding.rule_id: finding for finding in found}


def holds(word: str, found: dict[str, Finding]) -> bool:
    """``-`` silent, ``!`` able to stop, ``?`` only told, ``/`` one of several rules."""
    if word == "nothing":
        return not found
    if word.startswith("-"):
        return not holds(word[1:], found)
    names = word.rstrip("!?").split("/")
    spoken = [found[name] for name in names if name in found]
    if word.endswith("!"):
        return any(finding.enforceable for finding in spoken)
    if word.endswith("?"):
        return bool(spoken) and not any(finding.enforceable for finding in spoken)
    return len(spoken) == 1


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_row_is_judged_as_the_contract_says(row: Row) -> None:
    found = judged(row)
    assert row.words
    for word in row.words:
        assert holds(word, found), (word, sorted(found))


def test_every_number_is_a_row_or_names_its_test() -> None:
    numbers = {row.number for row in ROWS} | set(ELSEWHERE)
    assert numbers == set(range(1, LAST + 1))
    assert not {row.number for row in ROWS} & set(ELSEWHERE)


@pytest.mark.parametrize("number", ELSEWHERE)
def test_named_tests_exist(number: int) -> None:
    for place in ELSEWHERE[number]:
        file, name = place.split("::")
        assert f"def {name}(" in (ROOT / file).read_text("utf-8"), place
