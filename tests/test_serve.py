"""bin/serve as a person runs it: the whole site as real processes, in a copy of the checkout."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import URLError

import psutil
import psycopg
import pytest
import redis

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("manage.py", "parsers", "requirements.txt", "results", "slogdb", "static", "templates")
PATIENCE_S = 240


class Run:
    """One run of the site, and what it has said so far."""

    def __init__(self, checkout: Path, *arguments: str, **settings: str) -> None:
        self.port = free_port()
        self._log = checkout / f"said-{self.port}.txt"
        environment = {"PATH": os.environ["PATH"], "PORT": str(self.port), **settings}
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "slogdb.serve", *arguments],
                cwd=checkout,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                process_group=0,
            )

    @property
    def said(self) -> str:
        return self._log.read_text()

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as response:
            return response.read()

    def answers(self) -> bool:
        try:
            return b"ok" in self.get("/healthz")
        except (URLError, OSError):
            return False

    def wait_until(self, condition: Callable[[], object]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, self.said
            time.sleep(0.1)

    def wait_until_up(self) -> "Run":
        self.wait_until(lambda: " answers." in self.said or self.process.poll() is not None)
        assert self.process.poll() is None, self.said
        return self

    def programs(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_S)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def settings_of(checkout: Path) -> dict[str, str]:
    """What the running site lets manage.py know."""
    return dict(line.split("=", 1) for line in (checkout / "var" / "serve.env").read_text().splitlines())


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is served, with a var/ of its own."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in PARTS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / name)
    return copy


@pytest.fixture
def serve(checkout: Path) -> Iterator[Callable[..., Run]]:
    """Starts a run that is up, and stops it after the test if the test did not."""
    with contextlib.ExitStack() as ending:

        def start(*arguments: str, **settings: str) -> Run:
            run = Run(checkout, *arguments, **settings)
            ending.callback(run.stop)
            return run.wait_until_up()

        yield start


def test_a_page_comes_with_all_its_parts_and_sigterm_leaves_no_process(serve):
    run = serve()
    page = run.get("/").decode()
    parts = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert parts
    assert all(re.search(r"\.[0-9a-f]{12}\.", part) for part in parts)
    assert all(run.get(part) for part in parts)
    programs = run.programs()
    assert run.stop() == 0
    assert [program for program in programs if program.is_running()] == []
    assert run.said.splitlines()[-1] == "Stopped."


def test_ctrl_c_stops_it_and_the_next_start_finds_the_data(serve, checkout):
    run = serve()
    settings = settings_of(checkout)
    with psycopg.connect(settings["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS number")
    with redis.Redis.from_url(settings["REDIS_URL"]) as client:
        client.set("kept", "42")
    assert run.stop(signal.SIGINT) == 0
    assert not (checkout / "var" / "serve.env").exists()

    serve()
    again = settings_of(checkout)
    with psycopg.connect(again["DATABASE_URL"], autocommit=True) as connection:
        assert connection.execute("SELECT number FROM kept").fetchall() == [(42,)]
        connection.execute("DROP TABLE kept")
    with redis.Redis.from_url(again["REDIS_URL"]) as client:
        assert client.get("kept") == b"42"
    assert again["SLOGDB_UNIT_KEY"] == settings["SLOGDB_UNIT_KEY"]


def test_what_is_killed_is_started_again_and_nothing_outlives_a_killed_supervisor(serve):
    run = serve()
    for name, part in {"web server": "granian", "PostgreSQL": "postgres", "Valkey": "valkey-server"}.items():
        mine = [p for p in psutil.Process(run.process.pid).children() if part in " ".join(p.cmdline())]
        mine[0].kill()
        run.wait_until(lambda name=name: f"{name} ended (SIGKILL), starting it again" in run.said)
        run.wait_until(run.answers)
    programs = run.programs()
    run.process.kill()
    gone, alive = psutil.wait_procs(programs, timeout=20)
    assert (len(gone), alive) == (len(programs), [])


def test_a_second_start_in_the_same_checkout_is_refused(serve, checkout):
    first = serve()
    second = Run(checkout)
    assert second.process.wait(PATIENCE_S) == 1
    assert second.said == f"bin/serve: already running in this checkout (process {first.process.pid})\n"
    assert first.answers()


def test_servers_that_are_given_are_used_and_no_others_started(serve):
    given = {name: os.environ[name] for name in ("DATABASE_URL", "REDIS_URL")}
    run = serve(**given)
    assert "PostgreSQL" not in run.said
    assert not [program for program in run.programs() if program.name() in {"postgres", "valkey-server"}]
    assert run.answers()


@pytest.mark.parametrize(
    ("environment", "reason"),
    [
        ({"PORT": "eighty"}, "PORT must be a number from 1 to 65535, not 'eighty'"),
        ({"PORT": "65536"}, "PORT must be a number from 1 to 65535, not '65536'"),
        ({"HOST": "192.0.2.1"}, "cannot listen on 192.0.2.1 port {port}: Cannot assign requested address"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(checkout, environment, reason):
    run = Run(checkout, **environment)
    assert run.process.wait(PATIENCE_S) == 1
    assert run.said.startswith(f"bin/serve: {reason.format(port=run.port)}")
    assert run.said.count("\n") == 1


def test_a_port_in_use_is_named(checkout):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        run = Run(checkout, PORT=str(port))
        assert run.process.wait(PATIENCE_S) == 1
    assert run.said.startswith(f"bin/serve: cannot listen on 127.0.0.1 port {port}: Address already in use")


def test_made_up_figures_never_go_into_a_given_database(checkout):
    run = Run(checkout, "--demo", DATABASE_URL="postgresql://db.example/real")
    assert run.process.wait(PATIENCE_S) == 1
    assert "unset DATABASE_URL" in run.said
