"""The programs of a site: the web server, the worker, and manage.py's commands."""

import http.client
import math
import sys
from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus

from slogdb.local.options import LocalSite
from slogdb.local.process import Program

WEB_PROCESSES = "2"  # unless GRANIAN_WORKERS is set
TASK_PROCESSES = 2
HEALTH_TIMEOUT_S = 5
WEB_STARTS_WITHIN_S = 120  # on a small machine, with nothing compiled yet


def web_program(site: LocalSite, environment: Mapping[str, str]) -> Program:
    """Granian, which calls Django by WSGI."""
    listen = ["--host", site.host, "--port", str(site.port), "--backpressure", "128", "--no-ws"]
    processes = ["--blocking-threads", "1", "--respawn-failed-workers"]
    granian = ["slogdb.granian", "--interface", "wsgi", *listen, *processes, "--log-level", "warning"]
    return Program(
        name="web server",
        command=[sys.executable, "-m", *granian, "slogdb.wsgi:application"],
        log=site.directory / "log" / "web.log",
        environment={"GRANIAN_WORKERS": WEB_PROCESSES, **environment},
        is_ready=lambda: _is_healthy(site),
        ready_within_s=WEB_STARTS_WITHIN_S,
    )


def worker_program(site: LocalSite, environment: Mapping[str, str]) -> Program:
    """A Celery worker with the beat embedded, which is for sites with one worker."""
    node = ["--hostname", f"slogdb-{site.port}@%h", "--without-gossip", "--without-mingle"]
    beat = ["--beat", "--schedule", str(site.directory / "beat-schedule")]
    worker = [
        "celery",
        "--app",
        "slogdb",
        "--quiet",  # printing its banner into a log on a full disk would end it
        "worker",
        "--loglevel",
        "INFO",
        "--concurrency",
        str(TASK_PROCESSES),
    ]
    return Program(
        name="worker",
        command=[sys.executable, "-m", *worker, *node, *beat],
        log=site.directory / "log" / "worker.log",
        environment=environment,
    )


def collect_program(site: LocalSite, environment: Mapping[str, str]) -> Program:
    """collectstatic, which fills the folder of static files."""
    return _manage_program(site, environment, "collectstatic", "--noinput")


def load_program(site: LocalSite, environment: Mapping[str, str]) -> Program:
    """Migrates the database and loads the initial data; it is ready once the database is migrated."""
    migrated = site.metrics / "migrated"  # in memory, so that a full disk is not what it waits for
    program = _manage_program(
        site, environment, "load_initial_data", "--migrate", f"--when-migrated={migrated}"
    )
    return replace(
        program,
        prepare=lambda: migrated.unlink(missing_ok=True),
        is_ready=migrated.exists,
        ready_within_s=math.inf,
    )


def _manage_program(site: LocalSite, environment: Mapping[str, str], *arguments: str) -> Program:
    """A command of manage.py, which ends by itself."""
    return Program(
        name=f"manage.py {arguments[0]}",
        command=[sys.executable, "manage.py", *arguments],
        log=site.directory / "log" / f"{arguments[0]}.log",
        environment=environment,
    )


def _is_healthy(site: LocalSite) -> bool:
    connection = http.client.HTTPConnection(site.reachable_host, site.port, timeout=HEALTH_TIMEOUT_S)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
