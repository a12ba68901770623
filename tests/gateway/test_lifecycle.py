"""One gateway for a data home, findable while it serves, and obedient to a stop."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from defenseclaw.gateway.lifecycle import (
    Announcement,
    StoppedError,
    remember_failure,
    serving,
    sole_gateway,
)
from defenseclaw.gateway.server import bind
from defenseclaw.platform import (
    DataHome,
    LockTimeoutError,
    file_lock,
    free_port,
    read_running,
    write_running,
)


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    made = DataHome(tmp_path / "home")
    made.create()
    return made


def test_record_exists_while_the_gateway_serves(home: DataHome) -> None:
    home.gateway_failed.touch()
    with Announcement(home, 18970):
        found = read_running(home.gateway_pid)
        assert found is not None
        assert found.port == 18970
        assert not home.gateway_failed.exists()
    assert not home.gateway_pid.exists()


def test_stop_that_was_ordered_meanwhile_is_obeyed(home: DataHome) -> None:
    home.gateway_stopped.touch()
    with pytest.raises(StoppedError), Announcement(home, 18970):
        pytest.fail("a stopped gateway must not serve")
    assert not home.gateway_pid.exists()
    assert home.gateway_stopped.exists()


@pytest.mark.parametrize("content", [None, b"", b"{", b"\0" * 5000, b'{"pid":1}'])
def test_record_that_was_removed_or_damaged_is_written_again(
    home: DataHome, content: bytes | None
) -> None:
    with Announcement(home, 18970) as announcement:
        if content is None:
            home.gateway_pid.unlink()
        else:
            home.gateway_pid.write_bytes(content)
        announcement.renew()
        assert read_running(home.gateway_pid) is not None


def test_record_that_cannot_be_written_ends_nothing(home: DataHome) -> None:
    with Announcement(home, 18970) as announcement:
        home.gateway_pid.unlink()
        home.gateway_pid.mkdir()
        announcement.renew()


@contextmanager
def predecessor(home: DataHome, *, listens: bool) -> Iterator[None]:
    """Another gateway that has the data home; this process stands for it."""
    port = free_port()
    with file_lock(home.gateway_lock, 0.0):
        write_running(home.gateway_pid, port)
        if not listens:
            yield
            return
        with bind(port, 1.0):
            yield


def test_second_gateway_is_refused_while_the_first_one_listens(home: DataHome) -> None:
    """188: so no second process opens the ledger."""
    with predecessor(home, listens=True):
        assert serving(home) is not None
        with pytest.raises(LockTimeoutError), sole_gateway(home):
            pytest.fail("two gateways for one data home")


def test_successor_waits_for_one_that_answers_its_last_calls(home: DataHome) -> None:
    over, entered = threading.Event(), threading.Event()

    def end() -> None:
        with predecessor(home, listens=False):
            entered.set()
            over.wait(5)

    thread = threading.Thread(target=end)
    thread.start()
    entered.wait(5)
    assert serving(home) is None
    threading.Timer(0.3, over.set).start()
    with sole_gateway(home):
        assert over.is_set()
    thread.join()


def test_failure_is_remembered_for_hooks_if_that_is_possible(home: DataHome) -> None:
    remember_failure(home, "no port")
    assert home.gateway_failed.read_text() == "no port\n"
    remember_failure(DataHome(home.root / "missing"), "no port")
