"""A loopback server that answers as it is told, and an installed hook to run against it."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import defenseclaw.hook
from defenseclaw.connectors import (
    HookSettings,
    launcher_name,
    launcher_text,
    settings_name,
    settings_text,
    token_name,
)
from defenseclaw.core.verdict import FailMode

HOOK = Path(defenseclaw.hook.__file__).parent
TOKEN = "0123456789abcdef" * 4
ALLOW = {"action": "allow", "stdout": "", "stderr": "", "exit": 0}


def http(body: bytes | dict[str, object], status: str = "200 OK", head: str = "") -> bytes:
    """A whole HTTP answer."""
    raw = json.dumps(body).encode() if isinstance(body, dict) else body
    lines = f"HTTP/1.1 {status}\r\nContent-Length: {len(raw)}\r\n{head}\r\n"
    return lines.encode() + raw


def authorization(request: bytes, token: str = TOKEN) -> str:
    """The Authorization field that a request with this head and body must have."""
    head, _, body = request.partition(b"\r\n\r\n")
    fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
    seconds, nonce = fields["Authorization"].split()[1:3]
    told = f"{seconds} {nonce} {hashlib.sha256(body).hexdigest()}"
    path, event_name = head.split()[1].decode(), fields.get("X-DefenseClaw-Event", "")
    text = f"request\n{path}\n{event_name}\n{told}"
    return f"HMAC {told} {hmac.new(token.encode(), text.encode(), 'sha256').hexdigest()}"


def proof(request: bytes, reply: bytes, token: str = TOKEN) -> str:
    """What shows the sender of a request that its receiver knows the token."""
    nonce = request.partition(b"Authorization: HMAC ")[2].split()[1].decode()
    digest = hashlib.sha256(reply.partition(b"\r\n\r\n")[2]).hexdigest()
    text = f"answer\n{nonce}\n{reply.split()[1].decode()}\n{digest}"
    return hmac.new(token.encode(), text.encode(), "sha256").hexdigest()


def proven(request: bytes, reply: bytes) -> bytes:
    """The reply with its proof, if it is HTTP at all and to a sender that asks for one."""
    line, end, rest = reply.partition(b"\r\n")
    if not line.startswith(b"HTTP/1.1 ") or not rest or b"Authorization: HMAC " not in request:
        return reply
    return line + end + b"X-DefenseClaw-Proof: " + proof(request, reply).encode() + end + rest


@dataclass
class Stub:
    """Requests that were read, and the bytes to answer each with; None keeps silent."""

    port: int
    reply: bytes | None
    sign: Callable[[bytes, bytes], bytes] = proven
    requests: list[bytes] = field(default_factory=list)
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def body(self) -> dict[str, object]:
        """The document of the last request."""
        parsed: dict[str, object] = json.loads(self.requests[-1].partition(b"\r\n\r\n")[2])
        return parsed


def read_request(connection: socket.socket) -> bytes:
    """One request, whole."""
    data = b""
    while b"\r\n\r\n" not in data:
        chunk = connection.recv(65536)
        if not chunk:
            return data
        data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


def _serve(listener: socket.socket, stub: Stub) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection:
            request = read_request(connection)
            if not request:
                continue
            stub.requests.append(request)
            if stub.reply is None:
                stub.done.wait()
            else:
                connection.sendall(stub.sign(request, stub.reply))


@contextmanager
def serving(
    reply: bytes | dict[str, object] | None = None,
    sign: Callable[[bytes, bytes], bytes] = proven,
) -> Iterator[Stub]:
    """A stub that answers every request with ``reply``; without one it never answers."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    answer = http(reply) if isinstance(reply, dict) else reply
    stub = Stub(listener.getsockname()[1], answer, sign)
    thread = threading.Thread(target=_serve, args=(listener, stub))
    thread.start()
    try:
        yield stub
    finally:
        stub.done.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def free_port() -> int:
    """A loopback port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@dataclass(frozen=True)
class Outcome:
    """What the hook process did."""

    stdout: str
    stderr: str
    exit: int


@dataclass(frozen=True)
class Install:
    """A data home with settings, token and launcher, written by the project's own texts."""

    home: Path
    settings: HookSettings

    @property
    def launcher(self) -> Path:
        return self.home / launcher_name(self.settings.connector)

    @property
    def conf(self) -> Path:
        return self.home / settings_name(self.settings.connector)

    @property
    def token(self) -> Path:
        return self.home / token_name(self.settings.connector)

    def with_settings(self, **changes: object) -> Install:
        """The same home with other settings, written out."""
        changed = replace(self, settings=replace(self.settings, **changes))  # type: ignore[arg-type]
        changed.write()
        return changed

    def write(self) -> None:
        """Write all files with the modes that setup gives them."""
        (self.home / "hooks").mkdir(mode=0o700, exist_ok=True)
        launcher = launcher_text(
            self.settings, boot=str(HOOK / "boot.py"), settings_file=str(self.conf)
        )
        for path, text, mode in (
            (self.conf, settings_text(self.settings), 0o600),
            (self.token, TOKEN + "\n", 0o600),
            (self.launcher, launcher, 0o700),
        ):
            path.write_text(text, encoding="utf-8")
            path.chmod(mode)

    def run(self, payload: bytes | dict[str, object], *arguments: str, **env: str) -> Outcome:
        """The launcher as an agent runs it."""
        return run([str(self.launcher), *arguments], payload, **env)

    def failures(self) -> list[dict[str, str]]:
        """The failure log."""
        log = self.home / "logs" / "hook-failures.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()]


def run(command: list[str], payload: bytes | dict[str, object], **env: str) -> Outcome:
    """A process with a payload on standard input and a small environment."""
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    base = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    done = subprocess.run(command, input=raw, capture_output=True, env=base | env, timeout=60)
    return Outcome(done.stdout.decode(), done.stderr.decode(), done.returncode)


def install(
    home: Path, connector: str = "codex", fail_mode: FailMode = FailMode.CLOSED, port: int = 0
) -> Install:
    """A fresh installation whose gateway is at this port, or at one that refuses."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    settings = HookSettings(
        connector=connector,
        home=str(home),
        address=f"127.0.0.1:{port or free_port()}",
        token_file=str(home / token_name(connector)),
        fail_mode=fail_mode,
        python=sys.executable,
    )
    made = Install(home, settings)
    made.write()
    return made


Maker = Callable[..., Install]


def event(name: str = "PreToolUse", **fields: object) -> dict[str, object]:
    """A payload with an event's name."""
    return {"session_id": "s-1", "cwd": "/home/dev/project", "hook_event_name": name, **fields}
