"""A chat completions server on this machine for the tests: it gives scripted answers and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def completion(
    text: str | None = None, *calls: tuple[str, str], usage: Any = None, finish: str | None = None, **extra: Any
) -> dict[str, Any]:
    """One whole reply; each call is (name, arguments as text)."""
    asked = [
        {"id": f"c{index}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for index, (name, arguments) in enumerate(calls)
    ]
    message: dict[str, Any] = {"role": "assistant", "content": text, **extra}
    if asked:
        message["tool_calls"] = asked
    choice = {"index": 0, "message": message, "finish_reason": finish or ("tool_calls" if asked else "stop")}
    reply: dict[str, Any] = {
        "id": "r1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [choice],
    }
    return {**reply, "usage": usage} if usage is not None else reply


def usage(tokens_in: int = 10, tokens_out: int = 5, **extra: Any) -> dict[str, Any]:
    return {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
        **extra,
    }


def streamed(reply: dict[str, Any], piece: int = 3, cut: bool = False) -> Iterator[bytes]:
    """The same reply as server-sent events, its texts in pieces; `cut` leaves out the end."""
    choice = reply["choices"][0]
    message = choice["message"]

    def event(delta: Any, **rest: Any) -> bytes:
        chunk = {
            "id": "r1",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": "m",
            "choices": [{"index": 0, "delta": delta, "finish_reason": None, **rest}],
        }
        return f"data: {json.dumps(chunk)}\n\n".encode()

    yield event({"role": "assistant"})
    text = message["content"]
    for start in range(0, len(text or ""), piece):
        yield event({"content": text[start : start + piece]})
    if text == "":
        yield event({"content": ""})
    for index, call in enumerate(message.get("tool_calls", [])):
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        yield event(
            {"tool_calls": [{"index": index, "id": call["id"], "type": "function", "function": {"name": name}}]}
        )
        for start in range(0, len(arguments), piece):
            part = arguments[start : start + piece]
            yield event({"tool_calls": [{"index": index, "function": {"arguments": part}}]})
    if cut:
        return
    yield event({}, finish_reason=choice["finish_reason"])
    if "usage" in reply:
        last = {"id": "r1", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": []}
        yield f"data: {json.dumps({**last, 'usage': reply['usage']})}\n\n".encode()
    yield b"data: [DONE]\n\n"


@dataclass
class Answer:
    """What the server does next. body: whole, or pieces that are sent one by one. wait: called before anything."""

    body: bytes | Iterable[bytes]
    status: int = 200
    kind: str = "application/json"
    wait: Callable[[], object] = lambda: None


@dataclass
class ChatServer:
    url: str
    answers: list[Answer] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def reply(self, *replies: dict[str, Any]) -> None:
        """Queue whole replies. Each is given whole or streamed, as it is asked for."""
        self.answers += [Answer(json.dumps(reply).encode()) for reply in replies]

    def fail(self, status: int, message: str = "no") -> None:
        self.answers.append(Answer(json.dumps({"error": {"message": message}}).encode(), status))


@contextmanager
def chat_server() -> Iterator[ChatServer]:
    """Serve on a free port of the loopback until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.asked.append(request)
            state.headers.append({key.lower(): value for key, value in self.headers.items()})
            answer = state.answers.pop(0) if state.answers else Answer(b"{}", 500)
            answer.wait()
            body, kind = answer.body, answer.kind
            if request.get("stream") and answer.status == 200 and isinstance(body, bytes) and kind.endswith("json"):
                reply = json.loads(body)
                if not request.get("stream_options", {}).get("include_usage"):
                    reply.pop("usage", None)
                body, kind = streamed(reply), "text/event-stream"
            try:
                self.send_response(answer.status)
                self.send_header("Content-Type", kind)
                self.end_headers()
                for piece in [body] if isinstance(body, bytes) else body:
                    self.wfile.write(piece)
                    self.wfile.flush()
            except OSError:
                pass  # the client has gone: that is what a timeout looks like from here

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            pass  # a client that hangs up early is part of the tests

    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state = ChatServer(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
