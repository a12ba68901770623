"""The master token goes to the recorded gateway process only."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from defenseclaw.cli import control
from defenseclaw.errors import GatewayError
from defenseclaw.platform import DataHome, ensure_token, free_port, write_running


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    made = DataHome(tmp_path / "home")
    made.create()
    ensure_token(made.gateway_token)
    return made


def test_process_that_no_longer_listens_is_not_talked_to(home: DataHome) -> None:
    # This process is recorded and runs; whoever takes the port next is somebody else.
    port = free_port()
    write_running(home.gateway_pid, port)
    running = control.recorded(home)
    assert running is not None
    with pytest.raises(GatewayError, match="does not listen"):
        control.client(home, running)
    assert control.live_status(home) is None


def test_recorded_process_that_listens_gets_the_token(home: DataHome) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        write_running(home.gateway_pid, server.getsockname()[1])
        running = control.recorded(home)
        assert running is not None
        assert control.client(home, running).token
