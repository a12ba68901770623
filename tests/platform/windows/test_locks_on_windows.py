"""The named lock: one name for a home, one holder, and nobody else's object."""

from __future__ import annotations

from pathlib import Path

import pytest

from defenseclaw.platform.trust import UnsafeFileError
from defenseclaw.platform.windows.descriptor import (
    Descriptor,
    pack_descriptor,
    parse_descriptor,
    private_descriptor,
)
from defenseclaw.platform.windows.locks import mutex_name, named_lock
from tests.harness.windows import ME, STRANGER, FakeWindows, Mutex

HOME = Path("C:\\Users\\Zoë\\.defenseclaw")


def test_the_name_is_the_same_in_any_case_and_another_for_another_home() -> None:
    assert mutex_name(HOME) == mutex_name(Path(str(HOME).upper()))
    assert mutex_name(HOME) != mutex_name(Path("C:\\Users\\zoe\\.defenseclaw"))
    prefix, _, digest = mutex_name(HOME).rpartition("-")
    assert prefix == "Local\\DefenseClawGateway"
    assert len(digest) == 32


def test_a_second_holder_is_told_and_the_first_lets_go() -> None:
    fake = FakeWindows()
    with named_lock(fake, HOME, 1.0) as first, named_lock(fake, HOME, 0.0) as second:
        assert first
        assert not second
    with named_lock(fake, HOME, 0.0) as again:
        assert again
    assert not fake.handles


def test_the_lock_is_made_for_the_user_and_the_system_only() -> None:
    fake = FakeWindows()
    with named_lock(fake, HOME, 0.0):
        made = parse_descriptor(fake.mutexes[mutex_name(HOME)].security)
    assert made == private_descriptor(ME, folder=False)


@pytest.mark.parametrize(
    "security", [pack_descriptor(Descriptor(STRANGER, None)), b"", b"\x01\x00"]
)
def test_an_object_that_somebody_else_made_first_is_refused(security: bytes) -> None:
    fake = FakeWindows(mutexes={mutex_name(HOME): Mutex(security)})
    with (
        pytest.raises(UnsafeFileError, match=r"another user|cannot be examined"),
        named_lock(fake, HOME, 0.0),
    ):
        pass
    assert not fake.handles


def test_an_object_that_may_not_be_opened_is_refused() -> None:
    fake = FakeWindows()
    fake.plant("open_mutex", "*", [5])
    with pytest.raises(UnsafeFileError, match="cannot be opened"), named_lock(fake, HOME, 0.0):
        pass
