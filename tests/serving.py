"""A web server that a test writes in a few lines, in a thread of its own."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


class Handler(BaseHTTPRequestHandler):
    """Calls `respond` with what was sent, and says nothing on the terminal."""

    def respond(self, sent: bytes) -> None:
        raise NotImplementedError

    def do_GET(self) -> None:
        self.respond(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def do_POST(self) -> None:
        self.do_GET()

    def answer(self, body: bytes = b"", status: int = 200, **headers: str) -> None:
        """Send it, with headers such as Content_Type."""
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def serving(handler: type[Handler], context: ssl.SSLContext | None = None) -> Iterator[int]:
    """The port at which the handler answers."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        if context is not None:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()
