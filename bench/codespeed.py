"""The site beside tobami/codespeed, which has the same engines and the same shape of data, on the same work.

`bin/bench codespeed PYTHON`, where PYTHON has codespeed, gunicorn and psycopg2; docs/performance.md says how to
install them. Both are filled with 50 devices by 15 block sizes in one PostgreSQL, and asked in turns.
"""

import http.client
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, urlencode, urlsplit

import psycopg

from bench import pages
from bench.submissions import LIMITS, NEW_MODELS, submit_many
from slogdb.local.process import Program
from slogdb.local.stack import throwaway_stack

DEVICES = 50
REVISIONS = 10
RESULTS = 500  # as many as DEVICES by REVISIONS
SUBMISSIONS = 30
DATABASE = "codespeed"
SETTINGS = """\
from codespeed.settings import *
DATABASES = {{"default": {{"ENGINE": "django.db.backends.postgresql", "NAME": "{name}", "USER": "{user}",
                         "HOST": "{host}"}}}}
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
                  "django.contrib.messages", "django.contrib.admin", "django.contrib.staticfiles", "codespeed"]
ALLOWED_HOSTS, ROOT_URLCONF, STATIC_URL, SECRET_KEY = ["*"], "codespeed.urls", "/static/", "bench"
TEMPLATES = [{{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}}]
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
"""
FILL = """\
import django
django.setup()
from datetime import datetime, timedelta
from django.core.management import call_command
from codespeed.models import *
call_command("migrate", verbosity=0)
project = Project.objects.create(name="slog", default_branch="default")
branch = Branch.objects.create(name="default", project=project)
environment = Environment.objects.create(name="bench")
sizes = [Benchmark.objects.create(name=str(512 << slot)) for slot in range(15)]
devices = [Executable.objects.create(name="device %d" % number, project=project) for number in range({devices})]
for number in range({revisions}):
    date = datetime(2026, 1, 1) + timedelta(days=number)
    revision = Revision.objects.create(commitid=str(number), project=project, branch=branch, date=date)
    Result.objects.bulk_create(Result(value=20 + slot, revision=revision, executable=device, benchmark=size,
                                      environment=environment, date=date)
                               for device in devices for slot, size in enumerate(sizes))
"""


def main(arguments: Sequence[str]) -> int:
    """`arguments`: the Python that codespeed is installed for."""
    if len(arguments) != 1 or not Path(arguments[0]).exists():
        sys.stderr.write("usage: bin/bench codespeed PYTHON (docs/performance.md says what it has to have)\n")
        return 2
    with ExitStack() as ending:
        environment = {**ending.enter_context(throwaway_stack()), **LIMITS, "SLOGDB_LOG_LEVEL": "ERROR"}
        folder = Path(ending.enter_context(TemporaryDirectory(prefix="slogdb-bench-")))
        environment["SLOGDB_STATIC_ROOT"] = str(folder / "static")
        pages._prepare(environment, RESULTS)
        theirs = ending.enter_context(_codespeed(Path(arguments[0]), environment, folder))
        cached, plain = ending.enter_context(_site(environment, folder))
        sys.stdout.write(_table(pages._measure(_items(theirs=theirs, cached=cached, plain=plain))))
        sys.stdout.write(_submission_table(_post_many(theirs), submit_many(cached, NEW_MODELS)))
    return 0


@contextmanager
def _codespeed(python: Path, environment: Mapping[str, str], folder: Path) -> Iterator[int]:
    """codespeed as its users run it, two processes of four threads; its port."""
    port = pages._free_port()
    with psycopg.connect(environment["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {DATABASE}")
    server = urlsplit(environment["DATABASE_URL"])
    host = parse_qs(server.query).get("host", [server.hostname])[0]
    (folder / "codespeed_settings.py").write_text(
        SETTINGS.format(name=DATABASE, user=server.username, host=host), encoding="utf-8"
    )
    own = {
        "DJANGO_SETTINGS_MODULE": "codespeed_settings",
        "PYTHONPATH": str(folder),
        "PATH": os.environ["PATH"],
    }
    fill = FILL.format(devices=DEVICES, revisions=REVISIONS)
    subprocess.run([str(python), "-c", fill], env=own, cwd=folder, check=True)  # noqa: S603 - as was asked
    (folder / "served.py").write_text(
        "from django.core.wsgi import get_wsgi_application\napplication = get_wsgi_application()\n",
        encoding="utf-8",
    )
    program = Program(
        name="codespeed",
        command=[
            str(python),
            "-m",
            "gunicorn",
            "--bind",
            f"127.0.0.1:{port}",
            "--workers",
            "2",
            "--threads",
            "4",
            "served:application",
        ],
        log=folder / "codespeed.log",
        environment=own,
        is_ready=pages._answers(port),
    )
    with pages._running(program):
        yield port


@contextmanager
def _site(environment: Mapping[str, str], folder: Path) -> Iterator[tuple[int, int]]:
    """The site, and Django without its page cache: the port of each."""
    with ExitStack() as ending:
        ports = []
        for name, target in (
            ("site", "slogdb.wsgi:application"),
            ("plain", "slogdb.wsgi:django_application"),
        ):
            ports.append(pages._free_port())
            own = {**environment, "DJANGO_SETTINGS_MODULE": "slogdb.settings"}
            ending.enter_context(
                pages._running(pages._granian(name, ports[-1], target, environment=own, folder=folder))
            )
        yield ports[0], ports[1]


def _items(*, theirs: int, cached: int, plain: int) -> list[pages.Item]:
    board = "/api/v1/leaderboard/"
    return [
        pages.Item("codespeed: comparison as JSON", f"http://127.0.0.1:{theirs}/comparison/json/"),
        pages.Item("slogdb: leaderboard as JSON, made anew", f"http://127.0.0.1:{plain}{board}"),
        pages.Item("slogdb: leaderboard as JSON", f"http://127.0.0.1:{cached}{board}"),
        pages.Item("codespeed: comparison page, without its data", f"http://127.0.0.1:{theirs}/comparison/"),
        pages.Item("slogdb: leaderboard page, made anew", f"http://127.0.0.1:{plain}/leaderboard/"),
        pages.Item("slogdb: leaderboard page", f"http://127.0.0.1:{cached}/leaderboard/"),
    ]


def _post_many(port: int) -> list[float]:
    """Milliseconds to send 15 values, one request after the other."""
    times = []
    for number in range(SUBMISSIONS):
        values = [
            {
                "commitid": f"new {number}", "branch": "default", "project": "slog", "environment": "bench",
                "executable": f"device {number % DEVICES}", "benchmark": str(512 << slot), "result_value": 20 + slot,
            }
            for slot in range(15)
        ]  # fmt: skip
        body = urlencode({"json": json.dumps(values)})
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        begun = time.perf_counter()
        connection.request(
            "POST", "/result/add/json/", body, {"Content-Type": "application/x-www-form-urlencoded"}
        )
        answer = connection.getresponse()
        said = answer.read()
        times.append((time.perf_counter() - begun) * 1000)
        if answer.status != http.HTTPStatus.ACCEPTED:
            raise SystemExit(f"codespeed did not take its values: {said.decode()[:500]}")
    return times[SUBMISSIONS // 10 :]


def _table(measured: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Requests a second, each of ours beside codespeed's that stands before it."""
    lines = ["| what answers | requests/s, min / median / max | times codespeed |", "|---|---|---:|"]
    floor = 1.0
    for name, rounds in measured.items():
        rates = sorted(rate for rate, _ in rounds)
        median = statistics.median(rates)
        if name.startswith("codespeed"):
            floor = median
        shown = " / ".join(f"{rate:,.0f}" for rate in rates)
        lines.append(f"| {name} | {shown} | {median / floor:,.1f} |")
    return "\n".join(lines) + "\n"


def _submission_table(theirs: Sequence[float], ours: Sequence[float]) -> str:
    floor = statistics.median(theirs)
    lines = ["", "| 15 values sent, answered and visible | ms, median | times faster |", "|---|---:|---:|"]
    for name, times in (("codespeed", theirs), ("slogdb, from the text of diskinfo", ours)):
        median = statistics.median(times)
        lines.append(f"| {name} | {median:.1f} | {floor / median:.1f} |")
    return "\n".join(lines) + "\n"
