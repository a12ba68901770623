"""The loopback HTTP server that plays a script in the wire format the agent asks for."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.live.model_server import chat, gemini, messages, responses
from tests.live.model_server.reading import offered_tools, tool_results
from tests.live.model_server.script import IDLE_TEXT, Script, Step, say

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire format: a whole answer, the events that stream it, and what ends the stream.

    ``streams`` is what the path alone says; otherwise the request says it.
    """

    answer: Callable[[Step, str, str], Json]
    events: Callable[[Json], list[Json]]
    end: str = ""
    streams: bool | None = None

    def is_stream(self, body: Json) -> bool:
        """Whether a request wants events."""
        return bool(body.get("stream")) if self.streams is None else self.streams


WIRES: Mapping[str, Wire] = {
    "/messages": Wire(messages.render_answer, messages.render_events),
    "/responses": Wire(responses.render_answer, responses.render_events),
    "/chat/completions": Wire(chat.render_answer, chat.render_events, "data: [DONE]\n\n"),
    ":generateContent": Wire(gemini.render_answer, gemini.render_events, streams=False),
    ":streamGenerateContent": Wire(gemini.render_answer, gemini.render_events, streams=True),
}


def event_text(event: Json) -> str:
    """One server-sent event; its name is its type, in the formats that have types."""
    name = f"event: {event['type']}\n" if "type" in event else ""
    return f"{name}data: {json.dumps(event)}\n\n"


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request that an agent made. ``main`` says that it offered tools."""

    path: str
    body: Json
    main: bool

    @property
    def results(self) -> list[str]:
        """Tool results in it, oldest first."""
        return list(tool_results(self.body))


class ModelServer(ThreadingHTTPServer):
    """Serves one script; ``requests`` holds every request seen, oldest first."""

    daemon_threads = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = script
        self.requests: list[ModelRequest] = []
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """Where the agent finds the model."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def record(self, request: ModelRequest) -> str:
        """Keep a request; its number is the identifier of the answer."""
        with self._lock:
            self.requests.append(request)
            return f"{len(self.requests):04d}"

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    """Routes a request to its wire format."""

    protocol_version = "HTTP/1.1"
    server: ModelServer

    def log_message(self, *_: Any) -> None:
        """Keep the test output quiet."""

    def do_GET(self) -> None:
        """Answer lists of models and liveness probes."""
        self.send_json({"object": "list", "data": [], "models": []})

    do_HEAD = do_GET

    def do_POST(self) -> None:
        """Answer a model request with the next step."""
        body = self.read_json()
        path = self.path.split("?")[0]
        wire = next((w for suffix, w in WIRES.items() if path.endswith(suffix)), None)
        if wire is None:  # token counting and telemetry
            return self.send_json({"input_tokens": 10, "totalTokens": 10})
        main = bool(offered_tools(body))
        ident = self.server.record(ModelRequest(path, body, main))
        step = self.server.script.take(json.dumps(body)) if main else say(IDLE_TEXT)
        answer = wire.answer(step, str(body.get("model")), ident)
        if wire.is_stream(body):
            return self.send_events(wire.events(answer), wire.end)
        return self.send_json(answer)

    def read_json(self) -> Json:
        """The request's JSON object, or an empty one."""
        try:
            value = json.loads(self.read_body() or b"{}")
        except ValueError:
            value = {}
        return value if isinstance(value, dict) else {}

    def read_body(self) -> bytes:
        """Read a sized or chunked body."""
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        body = b""
        while size := int(self.rfile.readline().strip() or b"0", 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def send_events(self, events: list[Json], end: str) -> None:
        """Send server-sent events in one piece."""
        text = "".join(map(event_text, events)) + end
        self.send_bytes(text.encode(), "text/event-stream")

    def send_json(self, value: Any) -> None:
        """Send one JSON document."""
        self.send_bytes(json.dumps(value).encode(), "application/json")

    def send_bytes(self, data: bytes, kind: str) -> None:
        """Send a body; an agent that went away is no error of the test."""
        try:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data if self.command != "HEAD" else b"")
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
