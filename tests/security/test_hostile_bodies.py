"""Bodies that lie or swell, sent to a real web server: refused. Slow ones are the proxy's (tests/deploy)."""

import gzip
import io
import os
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import brotli
import psutil
import pytest
from backports import zstd

from slogdb.local.options import LocalSite
from slogdb.local.process import Process
from slogdb.local.programs import web_program
from tests import pastes
from tests.plugins.site import free_port
from tests.results.operations.site import Site
from tests.security.raw import CUT, PATHS, Raw, reader_of

SETTINGS = {
    **{f"SLOGDB_LIMIT_ANONYMOUS_{kind}": "1000000/60" for kind in ("READ", "WRITE")},
    "SLOGDB_STATIC_STORAGE": "django.contrib.staticfiles.storage.StaticFilesStorage",
    "GRANIAN_WORKERS": "1",
}
LIES = {
    "negative": ["Content-Length: -1"],
    "two": ["Content-Length: 5", "Content-Length: 6"],
    "two in one": ["Content-Length: 5, 6"],
    "signed": ["Content-Length: +5"],
    "no number": ["Content-Length: five"],
    "in hex": ["Content-Length: 0x5"],
    "beyond counting": [f"Content-Length: {'9' * 30}"],
    "chunked beside it": ["Content-Length: 5", "Transfer-Encoding: chunked"],
    "chunked in disguise": ["Content-Length: 5", "Transfer-Encoding: xchunked"],
    "chunked twice": ["Transfer-Encoding: chunked, chunked"],
}
BOMB = b"0" * 100_000_000
FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def raw(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Raw]:
    """The web server as bin/serve starts it, with an empty database and no one else beside it."""
    folder, port = tmp_path_factory.mktemp("site"), free_port()
    database = Site(folder, name=f"hostile_bodies_{os.getpid()}")
    environment = {**os.environ, **SETTINGS, "DATABASE_URL": database.address}
    program = web_program(LocalSite(host="127.0.0.1", port=port, is_demo=False), environment)
    server = Process(replace(program, log=folder / "web.log"))
    try:
        server.wait_until_ready()
        yield reader_of(port, psutil.Process(server.pid))
    finally:
        server.stop()
        database.end()


def is_refused(status: int) -> bool:
    return status == CUT or 400 <= status < 500


@cache
def packed() -> dict[str, bytes]:
    """A hundred million bytes, each time in a few thousand."""
    folder = io.BytesIO()
    with zipfile.ZipFile(folder, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", BOMB)
    once = zstd.compress(BOMB)
    return {
        "gzip": gzip.compress(BOMB, 6),
        "br": brotli.compress(BOMB, quality=1),
        "zstd": once,
        "zip": folder.getvalue(),
    }


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("lie", LIES)
def test_a_wrong_content_length_is_refused(raw, path, lie):
    assert is_refused(raw.send(raw.head(path, *LIES[lie]) + b"hello"))
    assert raw.answers()


@pytest.mark.parametrize("path", PATHS)
def test_a_truncated_body_is_refused(raw, path):
    text = pastes.FIRST_PASTE.encode()
    head = raw.head(path, f"Content-Length: {len(text) + 1}")
    assert raw.send(head + text, ends=True) == 400


def test_bytes_after_the_body_are_ignored(raw):
    text = pastes.diskinfo(description="ATA SHORT 1", ident="ABCD77").encode()
    sent = raw.head("/api/v1/parse/", f"Content-Length: {len(text)}") + text + b"GET / HTTP/1.1\r\n\r\n"
    assert raw.send(sent) == 200


@pytest.mark.parametrize("path", PATHS)
def test_a_body_that_is_too_long_is_refused_before_it_comes(raw, path):
    assert raw.send(raw.head(path, "Content-Length: 100000000")) == 413
    assert raw.send(raw.head(path, "Content-Length: 100000000", "Expect: 100-continue")) == 413


@pytest.mark.parametrize("path", PATHS)
def test_compressed_bodies_are_not_decompressed(raw, path):
    before = raw.memory_mib()
    for name, body in packed().items():
        if len(body) < 500_000:
            for kind in ("text/plain", "application/json", FORM, "application/zip"):
                headers = () if name == "zip" else (f"Content-Encoding: {name}",)
                assert is_refused(raw.post(path, body, *headers, kind=kind)), (name, kind)
        for file_kind in ("application/gzip", "text/plain", "application/vnd.ms-excel"):
            parts = b"\r\n".join(
                [
                    b"--zq", f'Content-Disposition: form-data; name="file"; filename="x.{name}"'.encode(),
                    f"Content-Type: {file_kind}".encode(), f"Content-Encoding: {name}".encode(), b"",
                    body, b"--zq--", b"",
                ]
            )  # fmt: skip
            assert is_refused(raw.post(path, parts, kind="multipart/form-data; boundary=zq")), (
                name,
                file_kind,
            )
    assert raw.memory_mib() - before < 50


@pytest.mark.parametrize("path", PATHS)
def test_deeply_nested_bodies_are_refused(raw, path):
    before = raw.memory_mib()
    for opening, closing in (("[", "]"), ('{"text":', "}"), ('{"readings":[', "]}"), ('[{"a":', "}]")):
        for depth in (500, 5_000, 150_000):
            inner = opening * depth + "1" + closing * depth
            for body in (inner, f'{{"text":{inner}}}', f'{{"text":"x","readings":{inner}}}'):
                if len(body) < 2_000_000:
                    assert is_refused(raw.post(path, body.encode(), kind="application/json"))
    assert raw.memory_mib() - before < 50


@pytest.mark.parametrize("path", PATHS)
def test_too_much_besides_the_text_is_refused_unparsed(raw, path):
    """As 330,000 answers of 11 MB were read, and 270,000 unknown ones answered with 140 MB."""
    before = raw.memory_mib()
    many = ",".join(f'"line-{number}":{{"sync":"always"}}' for number in range(330_000))
    for body in (
        f'{{"text":"x","told":{{{many}}}}}',
        '{"text":"x","told":{"all":{' + ",".join(f'"{number}":""' for number in range(500_000)) + "}}}",
        "{" + ",".join(f'"{number}":""' for number in range(200_000)) + "}",
        "[" + "1," * 5_000_000 + "1]",
        '"' * 11_000_000,
    ):
        assert raw.post(path, body.encode(), kind="application/json") == 413
    fields = "&".join(f"{number}={'x' * 1000}" for number in range(900))
    assert raw.post(path, fields.encode(), kind=FORM) == 413
    parts = "".join(
        f'--zq\r\nContent-Disposition: form-data; name="{number}"\r\n\r\n{"x" * 1000}\r\n'
        for number in range(900)
    )
    assert raw.post(path, f"{parts}--zq--\r\n".encode(), kind="multipart/form-data; boundary=zq") == 413
    assert raw.memory_mib() - before < 60
