"""The log tells where a fault happened, and nothing of what the exception says."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from defenseclaw.gateway.locallog import FaultLog, take_over_logging

SECRET = "s3cret-of-a-payload"


@pytest.fixture
def entries() -> Iterator[list[str]]:
    """What is written while this log has taken over; afterwards the old handlers are back."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    written: list[str] = []
    take_over_logging(FaultLog(written.append))
    try:
        yield written
    finally:
        root.handlers[:] = before
        root.setLevel(level)


def fail() -> None:
    raise ValueError(SECRET)


def test_exception_is_named_by_class_and_place_only() -> None:
    written: list[str] = []
    try:
        fail()
    except ValueError:
        FaultLog(written.append).exception("encoder")
    [entry] = written
    assert "encoder" in entry
    assert "ValueError" in entry
    assert "raise ValueError(SECRET)" in entry
    assert SECRET not in entry
    assert entry.endswith("\n")


def test_what_libraries_log_keeps_its_fixed_part_only(entries: list[str]) -> None:
    logger = logging.getLogger("a.library")
    try:
        fail()
    except ValueError as error:
        logger.exception("Exception in application\nvalue: %s", SECRET)
        logger.error("Refused: %s", SECRET)
        logger.error(error)
    assert len(entries) == 3
    assert "Exception in application: ValueError" in entries[0]
    assert all(SECRET not in entry for entry in entries)


def test_warnings_of_libraries_are_dropped(entries: list[str]) -> None:
    logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
    assert not entries
