"""Tests start the whole site as real processes, as bin/serve does, in a copy of the checkout."""

import contextlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError

import psutil
import pytest

from tests.collected import put_static_files

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("bench", "manage.py", "parsers", "requirements.txt", "results", "slogdb", "static", "templates")
PATIENCE_S = 240
ANSWER_PATIENCE_S = 60  # for one answer of a site that is up
FIRST_PORT, FIRST_EPHEMERAL_PORT = 10_000, 32_768


class Run:
    """One run of the site, and its output so far."""

    def __init__(self, checkout: Path, *arguments: str, **settings: str) -> None:
        self.port = free_port()
        self._log = checkout / f"output-{self.port}.txt"
        environment = {"PATH": os.environ["PATH"], "PORT": str(self.port), **settings}
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "slogdb.local.serve", *arguments],
                cwd=checkout,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                process_group=0,
            )

    @property
    def output(self) -> str:
        return self._log.read_text()

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(
            f"http://127.0.0.1:{self.port}{path}", timeout=ANSWER_PATIENCE_S
        ) as response:
            return response.read()

    def submit(self, text: str, *, patience_s: float = ANSWER_PATIENCE_S) -> dict[str, Any]:
        """What the API answers to a paste; raises HTTPError for anything but success."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/api/v1/submissions/",
            data=text.encode(),
            headers={"Content-Type": "text/plain"},
        )
        with urllib.request.urlopen(request, timeout=patience_s) as response:  # noqa: S310 - our own address
            return json.load(response)

    def program(self, part: str) -> psutil.Process:
        """The child whose command line holds `part`."""
        children = psutil.Process(self.process.pid).children()
        return next(child for child in children if part in " ".join(child.cmdline()))

    def answers(self) -> bool:
        try:
            return b"ok" in self.get("/healthz")
        except (URLError, OSError):
            return False

    def wait_until(self, condition: Callable[[], object]) -> None:
        """Poll until the condition holds; the limit only ends a test that hangs."""
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, self.output
            time.sleep(0.05)

    def wait_until_up(self) -> "Run":
        self.wait_until(lambda: " answers." in self.output or self.process.poll() is not None)
        assert self.process.poll() is None, self.output
        return self

    def programs(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_S)


def free_port() -> int:
    """Nobody listens on it, and no connection gets it as its own end before its server is up.

    Drawn apart from the seed of the tests, which all workers of xdist have in common.
    """
    port = FIRST_PORT + secrets.randbelow(FIRST_EPHEMERAL_PORT - FIRST_PORT)
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return free_port()
    return port


def settings_of(checkout: Path) -> dict[str, str]:
    """What the running site lets manage.py know."""
    return dict(line.split("=", 1) for line in (checkout / "var" / "serve.env").read_text().splitlines())


@pytest.fixture(scope="module")
def checkout(bare_checkout: Path) -> Path:
    """A copy of what is served, with a var/ of its own that holds the static files already."""
    put_static_files(bare_checkout / "var" / "static")
    return bare_checkout


@pytest.fixture(scope="module")
def bare_checkout() -> Iterator[Path]:
    """The same as it comes from a clone.

    Not below pytest's own folder, which every session of pytest closes to others: as root PostgreSQL is one.
    """
    with tempfile.TemporaryDirectory(prefix="slogdb-site-") as folder:
        for name in PARTS:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, Path(folder) / name)
            else:
                shutil.copy(source, Path(folder) / name)
        yield Path(folder)


@pytest.fixture
def serve(checkout: Path) -> Iterator[Callable[..., Run]]:
    """Starts a run that is up, and stops it after the test if the test did not."""
    with contextlib.ExitStack() as ending:

        def start(*arguments: str, **settings: str) -> Run:
            run = Run(checkout, *arguments, **settings)
            ending.callback(run.stop)
            return run.wait_until_up()

        yield start


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fault-rounds", type=int, default=1, help="how often a fault that comes and goes is tried"
    )
