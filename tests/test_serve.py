"""bin/serve as a person runs it: the whole site as real processes, in a copy of the checkout."""

import os
import re
import signal
import socket

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


def test_a_page_comes_with_all_its_parts_and_sigterm_leaves_no_process(serve, checkout):
    mail = checkout / "var" / "mail"
    mail.mkdir(parents=True, exist_ok=True)
    mail.chmod(0o755)  # as the previous release made it
    run = serve()
    page = run.get("/").decode()
    parts = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert parts
    assert all(re.search(r"\.[0-9a-f]{12}\.", part) for part in parts)
    assert all(run.get(part) for part in parts)
    assert readable_by_others(checkout / "var") == []
    programs = run.programs()
    assert run.stop() == 0
    assert [program for program in programs if works(program)] == []
    assert run.output.splitlines()[-1] == "Stopped."


def test_ctrl_c_stops_it_and_the_next_start_finds_the_data_and_refuses_another(serve, checkout):
    first = serve()
    settings = settings_of(checkout)
    assert settings["SLOGDB_SITE_URL"] == f"http://127.0.0.1:{first.port}"  # for links in mail
    with psycopg.connect(settings["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS number")
    with redis.Redis.from_url(settings["REDIS_URL"]) as client:
        client.set("kept", "42")
    assert first.stop(signal.SIGINT) == 0
    assert not (checkout / "var" / "serve.env").exists()

    next_one = serve()
    again = settings_of(checkout)
    with psycopg.connect(again["DATABASE_URL"], autocommit=True) as connection:
        assert connection.execute("SELECT number FROM kept").fetchall() == [(42,)]
        connection.execute("DROP TABLE kept")
    with redis.Redis.from_url(again["REDIS_URL"]) as client:
        assert client.get("kept") == b"42"
    assert again["SLOGDB_UNIT_KEY"] == settings["SLOGDB_UNIT_KEY"]

    another = Run(checkout)
    assert another.process.wait(PATIENCE_S) == 1
    running = f"already running in this checkout (process {next_one.process.pid})"
    assert another.output == f"bin/serve: {running}\n"
    assert next_one.answers()


def test_killed_processes_are_restarted_and_none_outlives_the_supervisor(serve):
    run = serve()
    for name, part in {"web server": "granian", "PostgreSQL": "postgres", "Valkey": "valkey-server"}.items():
        run.program(part).kill()
        run.wait_until(lambda name=name: f"{name} ended (SIGKILL), starting it again" in run.output)
        run.wait_until(run.answers)
    programs = run.programs()
    run.process.kill()
    gone, alive = psutil.wait_procs(programs, timeout=PATIENCE_S)
    assert (len(gone), alive) == (len(programs), [])


def test_configured_servers_are_used_instead_of_local_ones(serve):
    # The key of all that is tested on this database, which stores its fingerprint.
    given = {name: os.environ[name] for name in ("DATABASE_URL", "REDIS_URL", "SLOGDB_UNIT_KEY")}
    run = serve(**given)
    assert "PostgreSQL" not in run.output
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
def test_impossible_options_are_refused_in_one_line(checkout, environment, reason):
    run = Run(checkout, **environment)
    assert run.process.wait(PATIENCE_S) == 1
    assert run.output.startswith(f"bin/serve: {reason.format(port=run.port)}")
    assert run.output.count("\n") == 1


def test_a_port_in_use_is_named(checkout):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        run = Run(checkout, PORT=str(port))
        assert run.process.wait(PATIENCE_S) == 1
    assert run.output.startswith(f"bin/serve: cannot listen on 127.0.0.1 port {port}: Address already in use")


def test_the_demo_never_uses_a_configured_database(checkout):
    run = Run(checkout, "--demo", DATABASE_URL="postgresql://db.example/real")
    assert run.process.wait(PATIENCE_S) == 1
    assert "unset DATABASE_URL" in run.output
