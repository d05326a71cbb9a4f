"""Requests as no client writes them, byte by byte, to a real web server."""

import re
import socket
from dataclasses import dataclass

import psutil

PATHS = ("/api/v1/submissions/", "/api/v1/parse/", "/submit/")
_STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
CUT = 0  # the connection ended without an answer


@dataclass(frozen=True, slots=True)
class Raw:
    """Who writes to a site by hand; `headers` prove that the form was read before it is sent."""

    port: int
    server: psutil.Process
    headers: dict[str, str]

    def open(self, source: str = "127.0.0.1") -> socket.socket:
        address = ("127.0.0.1", self.port)
        return socket.create_connection(address, timeout=60, source_address=(source, 0))

    def answers(self) -> bool:
        return self.send(self.head("/healthz", method="GET")) == 200

    def head(self, path: str, *lines: str, kind: str = "text/plain", method: str = "POST") -> bytes:
        """The beginning of a request, with these further header lines."""
        header_lines = [f"{name}: {value}" for name, value in {**self.headers, "Content-Type": kind}.items()]
        every = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", *header_lines, *lines]
        return "\r\n".join([*every, "", ""]).encode()

    def send(self, sent: bytes, *, source: str = "127.0.0.1", ends: bool = False) -> int:
        """The status of the answer, or CUT; `ends` says that nothing more will come."""
        with self.open(source) as connection:
            try:
                connection.sendall(sent)
                if ends:
                    connection.shutdown(socket.SHUT_WR)
                return status_of(connection)
            except (ConnectionResetError, BrokenPipeError):
                return CUT

    def post(self, path: str, body: bytes, *lines: str, kind: str) -> int:
        return self.send(self.head(path, f"Content-Length: {len(body)}", *lines, kind=kind) + body)

    def memory_mib(self) -> float:
        """What the largest process of the web server holds."""
        return max(process.memory_info().rss for process in self.server.children(recursive=True)) / 2**20


def status_of(connection: socket.socket) -> int:
    """Of what is answered, or CUT; raises TimeoutError where nothing comes."""
    try:
        found = _STATUS.match(connection.recv(4096))
    except ConnectionResetError:
        return CUT
    return int(found[1]) if found else CUT


def reader_of(port: int, server: psutil.Process) -> Raw:
    """Somebody who has read the form, and may send it."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(b"GET /submit/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        page = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
    cookie = re.search(r"csrftoken=(\w+)", page)
    assert cookie is not None
    return Raw(port, server, {"Cookie": f"csrftoken={cookie[1]}", "X-CSRFToken": cookie[1]})
