"""What the source says beside its values."""

from __future__ import annotations

from tools.pages.source import attributes, constants

from defenseclaw.core.event import Route
from defenseclaw.core.labels import PathLabel


def test_constants_carry_their_comment_and_group() -> None:
    found = {said.name: said for said in constants("core.limits")}
    assert found["TOKEN_HEX_CHARS"].comment == "32 random bytes"
    assert found["MAX_PATHS"].group.startswith("analysis")
    assert found["MAX_PATHS"].comment == ""


def test_block_above_a_constant_is_its_comment() -> None:
    found = {said.name: said for said in constants("cel.limits")}
    assert found["NOMINAL_STRING_BYTES"].comment.startswith("Run-time charging")
    assert "10 bytes" in found["NOMINAL_STRING_BYTES"].comment


def test_every_member_of_an_enum_is_found_in_order() -> None:
    assert [said.name for said in attributes(Route)] == list(Route.__members__)


def test_member_knows_the_heading_of_its_group() -> None:
    found = {said.name: said for said in attributes(PathLabel)}
    assert found["RAW_DISK"].group == "devices"
    assert found["SSH_DIR"].comment == "the .ssh folder or anything in it"
