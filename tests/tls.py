"""TLS in front of the suite's PostgreSQL, whose socket has none: it lets in who has the certificate of a client."""

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from urllib.parse import parse_qs, urlencode, urlsplit

CHUNK_BYTES = 64 * 1024


@contextmanager
def tls_in_front(url: str, folder: Path) -> Iterator[str]:
    """The address of `url` over TLS, without what it wants of a client; keys and certificates are in `folder`.

    libpq's "direct" negotiation, so that the first byte is TLS already: who speaks without it gets nothing.
    """
    for name in ("server", "client"):
        _make_certificate(folder, name)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.crt", folder / "server.key")
    context.load_verify_locations(folder / "client.crt")
    context.verify_mode = ssl.CERT_REQUIRED
    context.set_alpn_protocols(["postgresql"])
    socket = Path(parse_qs(urlsplit(url).query)["host"][0], ".s.PGSQL.5432")
    ports: Queue[int] = Queue()
    ending = Event()
    thread = Thread(target=lambda: asyncio.run(_serve(socket, context, ports, ending)))
    thread.start()
    try:
        parameters = {
            "sslmode": "verify-full",
            "sslrootcert": str(folder / "server.crt"),
            "sslnegotiation": "direct",
        }
        address = f"postgresql://postgres@localhost:{ports.get(timeout=60)}{urlsplit(url).path}"
        yield f"{address}?{urlencode(parameters)}"
    finally:
        ending.set()
        thread.join()


def client_certificate(folder: Path) -> str:
    """What an address has to say beside, so that it is let in."""
    return urlencode({"sslcert": str(folder / "client.crt"), "sslkey": str(folder / "client.key")})


def _make_certificate(folder: Path, name: str) -> None:
    """Signed by itself, for localhost."""
    files = ["-keyout", str(folder / f"{name}.key"), "-out", str(folder / f"{name}.crt")]
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"]
    command = [shutil.which("openssl") or "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes"]
    subprocess.run([*command, *subject, *files], check=True, capture_output=True)


async def _serve(socket: Path, context: ssl.SSLContext, ports: Queue[int], ending: Event) -> None:
    """Until `ending` is set; the port is put into `ports`."""

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_unix_connection(socket)
        await asyncio.gather(_copy(reader, inner_writer), _copy(inner_reader, writer))

    server = await asyncio.start_server(forward, "127.0.0.1", 0, ssl=context)
    ports.put(server.sockets[0].getsockname()[1])
    await asyncio.to_thread(ending.wait)
    server.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(CHUNK_BYTES):
            writer.write(data)
            await writer.drain()
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
