"""A server of a few lines that keeps what it was sent and answers what a test wants."""

import json
import ssl
from contextlib import ExitStack
from typing import Any, Self

from tests.serving import Handler, serving

ANSWER = {
    "id": "abc",
    "url": "https://slogs.example/results/abc/",
    "is_new": True,
    "state": "published",
    "claim_token": "clm-1234",
    "results": [
        {"url": "https://slogs.example/api/v1/results/abc/", "device": {"url": "no"}, "not_ranked_reason": ""}
    ],
    "notices": [],
}


class Server:
    """Listens on a port of its own; `status`, `answer` and `header` are what it says, `first` the statuses before."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.status = 201
        self.answer: dict[str, Any] | bytes = ANSWER  # bytes: as they are
        self.first: list[int] = []
        self.header: dict[str, str] = {}
        self.requests: list[tuple[str, dict[str, str], str]] = []
        self._context, self._running = context, ExitStack()
        self.url = ""

    @property
    def text(self) -> str:
        """The one text that was sent."""
        ((_path, _headers, text),) = self.requests
        return text

    def __enter__(self) -> Self:
        server = self

        class Answers(Handler):
            def respond(self, sent: bytes) -> None:
                server.requests.append((self.path, dict(self.headers), sent.decode()))
                answer = server.answer
                content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                status = server.first.pop(0) if server.first else server.status
                self.answer(content, status, **{"Content-Type": "application/json", **server.header})

        port = self._running.enter_context(serving(Answers, self._context))
        self.url = f"https://localhost:{port}" if self._context else f"http://127.0.0.1:{port}"
        return self

    def __exit__(self, *_error: object) -> None:
        self._running.close()
