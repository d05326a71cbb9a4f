"""bin/serve as a person runs it: the whole site as real processes, in a copy of the checkout."""

import re
import signal
import socket
from functools import partial

import psutil
import psycopg
import pytest
import redis

from tests.plugins.site import PATIENCE_S, Run, settings_of


@pytest.fixture(scope="module")
def checkout(bare_checkout):
    """As it comes from a clone: the first of these runs makes everything."""
    return bare_checkout


def readable_by_others(folder):
    """What is in the folder that everybody on the machine can read; servers' users may pass through it."""
    found = [path for path in folder.iterdir() if not path.is_symlink()]
    modes = {path: path.stat().st_mode for path in found}
    readable = [path for path in found if modes[path] & 0o066]
    inside = [path for path in found if path.is_dir() and modes[path] & 0o011]
    return [*readable, *(one for path in inside for one in readable_by_others(path))]


def works(program: psutil.Process) -> bool:
    """Whether it has not ended; one that has, and that nobody has asked about yet, is a zombie."""
    try:
        return program.is_running() and program.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_the_first_start_serves_a_page_with_all_its_parts_and_the_next_finds_the_data(serve, checkout):
    mail = checkout / "var" / "mail"
    mail.mkdir(parents=True, exist_ok=True)
    mail.chmod(0o755)  # as the previous release made it
    first = serve()
    page = first.get("/").decode()
    parts = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert parts
    assert all(re.search(r"\.[0-9a-f]{12}\.", part) for part in parts)
    assert all(first.get(part) for part in parts)
    assert readable_by_others(checkout / "var") == []
    settings = settings_of(checkout)
    assert settings["SLOGDB_SITE_URL"] == f"http://127.0.0.1:{first.port}"  # for links in mail
    with psycopg.connect(settings["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS number")
    with redis.Redis.from_url(settings["REDIS_URL"]) as client:
        client.set("kept", "42")
    check_that_it_stops(first, signal.SIGINT)
    assert not (checkout / "var" / "serve.env").exists()

    next_one = serve(GRANIAN_WORKERS="1")
    again = settings_of(checkout)
    with psycopg.connect(again["DATABASE_URL"]) as connection:
        assert connection.execute("SELECT number FROM kept").fetchall() == [(42,)]
    with redis.Redis.from_url(again["REDIS_URL"]) as client:
        assert client.get("kept") == b"42"
    assert again["SLOGDB_UNIT_KEY"] == settings["SLOGDB_UNIT_KEY"]
    check_that_it_refuses(f"already running in this checkout (process {next_one.process.pid})\n", checkout)
    for name, part in {"web server": "granian", "PostgreSQL": "postgres", "Valkey": "valkey-server"}.items():
        next_one.program(part).kill()
        next_one.wait_until(lambda name=name: f"{name} ended (SIGKILL), starting it again" in next_one.output)
        next_one.wait_until(next_one.answers)
    programs = next_one.programs()
    next_one.process.kill()
    gone, alive = psutil.wait_procs(programs, timeout=PATIENCE_S)
    assert (len(gone), alive) == (len(programs), [])


def check_that_it_stops(run, number):
    """And that no process of it is left."""
    programs = run.programs()
    assert run.stop(number) == 0
    assert [program for program in programs if works(program)] == []
    assert run.output.splitlines()[-1] == "Stopped."


def check_that_it_refuses(reason, checkout, *arguments, **environment):
    """In one line."""
    run = Run(checkout, *arguments, **environment)
    assert run.process.wait(PATIENCE_S) == 1
    assert run.output.startswith(f"bin/serve: {reason}")
    assert run.output.count("\n") == 1


def test_what_is_impossible_is_refused_in_one_line(checkout):
    refuses = partial(check_that_it_refuses, checkout=checkout)
    refuses("PORT must be a number from 1 to 65535, not '65536'", PORT="65536")
    refuses("cannot listen on 192.0.2.1 port 8999: Cannot assign requested", HOST="192.0.2.1", PORT="8999")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        refuses(f"cannot listen on 127.0.0.1 port {port}: Address already in use", PORT=port)


def test_the_demo_never_uses_a_configured_database(checkout):
    run = Run(checkout, "--demo", DATABASE_URL="postgresql://db.example/real")
    assert run.process.wait(PATIENCE_S) == 1
    assert "unset DATABASE_URL" in run.output
