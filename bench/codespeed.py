"""`bin/bench codespeed PYTHON`: a submission here and in tobami/codespeed, which has data of the same shape.

PYTHON has codespeed, gunicorn and psycopg2; docs/performance.md lists what to install. Both sites are filled with 50
devices by 15 block sizes, in one PostgreSQL.
"""

import http.client
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import psycopg

from bench import bars
from bench.bars import BenchmarkError, Row
from bench.site import SITE, DataSet, DataSets, answers, free_port, running
from bench.submissions import NEW_MODELS, submit_many
from slogdb.local.process import Program

DEVICES = 50
REVISIONS = 10
RESULTS = DEVICES * REVISIONS
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
SERVED = """\
from django.core.wsgi import get_wsgi_application
application = get_wsgi_application()
"""


def main(arguments: Sequence[str]) -> int:
    """Run the comparison; `arguments` is the Python with codespeed installed."""
    if len(arguments) != 1 or not Path(arguments[0]).exists():
        sys.stderr.write("usage: bin/bench codespeed PYTHON (docs/performance.md lists its packages)\n")
        return 2
    with DataSets() as sets:
        data = sets.of(RESULTS)
        with _codespeed(Path(arguments[0]), data) as theirs, data.serve(SITE) as ours:
            rows = _rows(post_many(theirs), submit_many(ours, NEW_MODELS, SUBMISSIONS))
    sys.stdout.write(bars.table(rows))
    return 0


def _rows(theirs: Sequence[float], ours: Sequence[float]) -> list[Row]:
    there, here = statistics.median(theirs), statistics.median(ours)
    return [
        Row("codespeed: 15 values sent, answered and visible, median", there, "ms"),
        Row("slogdb: the same as the text of diskinfo, median", here, "ms"),
        Row("slogdb, times as fast", there / here),
    ]


@contextmanager
def _codespeed(python: Path, data: DataSet) -> Iterator[int]:
    """Serve codespeed as it is usually run, with two processes of four threads; yield its port."""
    port, url = free_port(), data.environment["DATABASE_URL"]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {DATABASE}")
    server = urlsplit(url)
    host = parse_qs(server.query).get("host", [server.hostname])[0]
    settings = SETTINGS.format(name=DATABASE, user=server.username, host=host)
    (data.folder / "codespeed_settings.py").write_text(settings, encoding="utf-8")
    (data.folder / "served.py").write_text(SERVED, encoding="utf-8")
    environment = {
        "DJANGO_SETTINGS_MODULE": "codespeed_settings",
        "PYTHONPATH": str(data.folder),
        "PATH": os.environ["PATH"],
    }
    fill = FILL.format(devices=DEVICES, revisions=REVISIONS)
    subprocess.run([str(python), "-c", fill], env=environment, cwd=data.folder, check=True)  # noqa: S603 - given
    options = ["--bind", f"127.0.0.1:{port}", "--workers", "2", "--threads", "4"]
    program = Program(
        name="codespeed",
        command=[str(python), "-m", "gunicorn", *options, "served:application"],
        log=data.folder / "codespeed.log",
        environment=environment,
        is_ready=answers(port),
    )
    with running(program):
        yield port


def post_many(port: int) -> list[float]:
    """Milliseconds to send 15 values, in sequential requests; the first tenth is discarded."""
    times = []
    for number in range(SUBMISSIONS):
        values = [
            {
                "commitid": f"new {number}", "branch": "default", "project": "slog", "environment": "bench",
                "executable": f"device {number % DEVICES}", "benchmark": str(512 << slot), "result_value": 20 + slot,
            }
            for slot in range(15)
        ]  # fmt: skip
        body, headers = (
            urlencode({"json": json.dumps(values)}),
            {"Content-Type": "application/x-www-form-urlencoded"},
        )
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        began = time.perf_counter()
        connection.request("POST", "/result/add/json/", body, headers)
        answer = connection.getresponse()
        content = answer.read()
        times.append((time.perf_counter() - began) * 1000)
        if answer.status != http.HTTPStatus.ACCEPTED:
            raise BenchmarkError(f"codespeed answered with {answer.status}: {content[:500]!r}")
    return times[SUBMISSIONS // 10 :]
