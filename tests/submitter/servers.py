"""A server of a few lines that keeps what it was sent and answers what a test wants."""

import json
import ssl
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any, Self

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
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                server.requests.append((self.path, dict(self.headers), body))
                answer = server.answer
                content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(server.first.pop(0) if server.first else server.status)
                for name, value in {"Content-Type": "application/json", **server.header}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_arguments: Any) -> None:
                """Say nothing."""

        self._http = HTTPServer(("127.0.0.1", 0), Handler)
        self._scheme = "http"
        if context is not None:
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True)
            self._scheme = "https"

    @property
    def url(self) -> str:
        host = "127.0.0.1" if self._scheme == "http" else "localhost"
        return f"{self._scheme}://{host}:{self._http.server_port}"

    @property
    def text(self) -> str:
        """The one text that was sent."""
        ((_path, _headers, text),) = self.requests
        return text

    def __enter__(self) -> Self:
        self._thread = Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()
