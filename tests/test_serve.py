"""bin/serve as a person runs it: the whole site as real processes, in a copy of the checkout."""

import http.client
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
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


LOADING = "Loading the initial data"


def readable_by_others(folder):
    """What is in the folder that everybody on the machine can read; servers' users may pass through it."""
    found = [path for path in folder.iterdir() if not path.is_symlink()]
    modes = {path: path.stat().st_mode for path in found}
    readable = [path for path in found if modes[path] & 0o066]
    inside = [path for path in found if path.is_dir() and modes[path] & 0o011]
    return [*readable, *(child for path in inside for child in readable_by_others(path))]


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
    assert (checkout / "var" / "memory").resolve().parent != checkout / "var"  # not on its disk
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
    assert LOADING not in next_one.output
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


SIGNED_IN = """
from allauth.mfa.models import Authenticator
from django.test import Client
from results.accounts.mfa import seal
from results.models import Member
member = Member.objects.create_user("ann@example.org")
Authenticator.objects.create(user=member, type="totp", data={"secret": seal("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")})
browser = Client()
browser.force_login(member)
print(browser.cookies["sessionid"].value)
"""


def manage(checkout, *command):
    """What a command of manage.py prints in another terminal, while the servers run."""
    done = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=checkout,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def account_of(run, session):
    """The status of the page that only members see."""
    connection = http.client.HTTPConnection("127.0.0.1", run.port, timeout=PATIENCE_S)
    connection.request("GET", "/account/", headers={"Cookie": f"sessionid={session}"})
    status = connection.getresponse().status
    connection.close()
    return status


def test_keys_are_changed_as_documented_and_a_lost_one_is_replaced_while_the_site_does_not_start(
    serve, checkout
):
    first = serve()
    session = manage(checkout, "shell", "--no-imports", "-c", SIGNED_IN)
    assert account_of(first, session) == 200
    first.stop()
    path = checkout / "var" / "keys.env"
    keys = dict(line.split("=", 1) for line in path.read_text().splitlines())
    changed = {
        "SLOGDB_SECRET_KEY": secrets.token_urlsafe(48),
        "SLOGDB_SECRET_KEY_FALLBACKS": keys["SLOGDB_SECRET_KEY"],
        "SLOGDB_UNIT_KEY": secrets.token_urlsafe(48),  # the old one is lost
    }
    path.write_text("".join(f"{name}={value}\n" for name, value in changed.items()))

    refused = Run(checkout)
    assert refused.process.wait(PATIENCE_S) == 1
    for said in ("SLOGDB_UNIT_KEY isn't this database's key", "accept_unit_key", "bin/serve --only-servers"):
        assert said in refused.output
    only_servers = Run(checkout, "--only-servers")
    only_servers.wait_until(lambda: "The site is not served." in only_servers.output)
    assert {program.name() for program in only_servers.programs()} >= {"postgres", "valkey-server"}
    assert not any(
        part in str(program.cmdline())
        for program in only_servers.programs()
        for part in ("granian", "celery")
    )
    assert "uses the current key" in manage(checkout, "accept_unit_key", "--yes")
    check_that_it_stops(only_servers, signal.SIGINT)
    assert not (checkout / "var" / "serve.env").exists()

    again = serve()
    assert account_of(again, session) == 200
    assert manage(checkout, "seal_second_factors") == "1 second factors encrypted with the current key"
    again.stop()
    keys = {**changed, "SLOGDB_SECRET_KEY_FALLBACKS": ""}
    path.write_text("".join(f"{name}={value}\n" for name, value in keys.items()) + "SLOGDB_DEBUG=1\n")
    check_that_it_refuses(f"{path}, line 4: not one of", checkout)
    path.write_text("".join(f"{name}={value}\n" for name, value in keys.items()))


def test_a_start_that_is_killed_at_any_step_is_completed_by_the_next(serve, checkout):
    """Each gets one step further on the same data."""
    shutil.rmtree(checkout / "var", ignore_errors=True)
    for step in ("Collecting", "Starting Valkey", "Migrating", "Loading", "Starting a worker"):
        run = Run(checkout)
        run.wait_until(lambda run=run, step=step: step in run.output)
        programs = run.programs()
        run.process.kill()
        assert psutil.wait_procs(programs, timeout=PATIENCE_S)[1] == []
        run.process.wait()
    link = checkout / "var" / "memory"
    left = link.resolve()
    serve()
    assert left != link.resolve()
    assert not left.exists()
    with psycopg.connect(settings_of(checkout)["DATABASE_URL"]) as connection:
        assert connection.execute("SELECT count(*) > 200 FROM results_result").fetchone() == (True,)
        waiting = "SELECT count(*) FROM results_submission WHERE needs_review OR state = 'held'"
        assert connection.execute(waiting).fetchone() == (0,)  # for a moderator


def test_a_start_loads_what_has_changed(serve, checkout):
    again = serve()
    database = settings_of(checkout)["DATABASE_URL"]
    with psycopg.connect(database.replace("/slogdb?", "/postgres?"), autocommit=True) as connection:
        # as a restore leaves it: a database with the same rows in place of this one
        connection.execute("ALTER DATABASE slogdb WITH ALLOW_CONNECTIONS false")
        connection.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = 'slogdb'"
        )
        connection.execute("ALTER DATABASE slogdb RENAME TO replaced")
        connection.execute("CREATE DATABASE slogdb TEMPLATE replaced")
    again.stop()
    restored = serve()
    assert LOADING in restored.output
    restored.stop()
    (checkout / "results" / "data" / "catalogue.csv").touch()
    changed = serve()
    assert LOADING in changed.output
    with psycopg.connect(settings_of(checkout)["DATABASE_URL"], autocommit=True) as connection:
        connection.execute("UPDATE results_dataversion SET value = value + 1")  # as the previous release does
    changed.stop()
    returned = serve()
    assert LOADING in returned.output
    returned.stop()


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
