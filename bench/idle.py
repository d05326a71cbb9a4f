"""Memory of the idle local site: all processes of bin/serve, with shared pages divided among them.

Linux only: memory is read from /proc.
"""

import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import packages_distributions
from pathlib import Path

from bench.bars import BenchmarkError, Row
from bench.site import command_line, descendants, fetch, free_port, memory_mib
from slogdb.local.stack import THROWAWAY_ROOT, plain_environment

MAX_MB = 450.0
MIB = 2**20 / 10**6  # in MB
PATHS = ("/", "/leaderboard/", "/survey/", "/guide/", "/submit/", "/api/v1/leaderboard/", "/api/v1/results/")
REQUIREMENTS = Path(__file__).parents[1] / "requirements.txt"
ROUNDS = 8  # of all pages, each over its own connection, so that both web processes serve them
REST_S = 20
ROLES = {"web": "granian", "worker and scheduler": "celery", "PostgreSQL": "postgres", "Valkey": "valkey"}
STARTS_WITHIN_S = 300
# bin/serve without `prepare`, with its data in a given folder.
SERVE = """
import sys
from pathlib import Path
from slogdb.local import options, serve
options.VAR = Path(sys.argv[1])
sys.exit(serve.main([]))
"""
TELEMETRY = ("OTEL_EXPORTER_OTLP_ENDPOINT", "SLOGDB_SENTRY_DSN")
REQUIRED = re.compile(r"^([\w.-]+).*==", re.MULTILINE)  # as in requirements.txt
GIVEN = ("DATABASE_URL", "REDIS_URL")


def measure(rest_s: int = REST_S) -> list[Row]:
    """PSS by role of a new site with the published results, idle after requests for its pages."""
    with _serving() as (process, port):
        for _ in range(ROUNDS):
            for path in PATHS:
                fetch(f"http://127.0.0.1:{port}{path}")
        time.sleep(rest_s)
        samples = []
        for _ in range(3):
            samples.append(pss_by_role(process))
            time.sleep(1)
    return rows({role: statistics.median(sample[role] for sample in samples) for role in samples[0]})


def rows(megabytes: dict[str, float]) -> list[Row]:
    """A row per role and their sum; BenchmarkError if a role has no process."""
    if missing := [role for role in ROLES if not megabytes.get(role)]:
        raise BenchmarkError(f"no memory was found for {', '.join(missing)}")
    return [
        *(Row(f"idle: {role}, PSS", used, "MB") for role, used in megabytes.items()),
        Row("idle local site, PSS, telemetry off", sum(megabytes.values()), "MB", MAX_MB),
    ]


def pss_by_role(process: int) -> dict[str, float]:
    """MB of the descendants of `process` by role, and of itself as "bin/serve"."""
    found = dict.fromkeys([*ROLES, "bin/serve"], 0.0)
    for path in [Path(f"/proc/{process}"), *descendants(process)]:
        role = next((role for role, word in ROLES.items() if word in command_line(path)), "bin/serve")
        found[role] += memory_mib(path, "Pss") * MIB
    return found


@contextmanager
def _serving() -> Iterator[tuple[int, int]]:
    """Run the site of bin/serve on new data; yield its process and port."""
    THROWAWAY_ROOT.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="run-", dir=THROWAWAY_ROOT))
    port = free_port()
    left_out = {*TELEMETRY, *GIVEN}
    environment = {name: value for name, value in plain_environment().items() if name not in left_out}
    environment |= {
        "PORT": str(port),
        "PYTHONPATH": str(folder / "hidden"),
        "SLOGDB_STATIC_ROOT": str(folder / "static"),
    }
    try:
        hide_others(folder / "hidden")
        with (folder / "serve.log").open("wb") as log:
            serving = subprocess.Popen(  # noqa: S603 - the project's own server
                [sys.executable, "-c", SERVE, str(folder)], env=environment, stdout=log, stderr=log
            )
        try:
            _wait_until_ready(serving, port, folder / "serve.log")
            yield serving.pid, port
        finally:
            serving.terminate()
            serving.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def hide_others(folder: Path) -> None:
    """Fill a folder for PYTHONPATH that hides all packages but the site's own: some import others if they can."""
    folder.mkdir()
    required = {canonical(name) for name in REQUIRED.findall(REQUIREMENTS.read_text(encoding="utf-8"))}
    for module, distributions in packages_distributions().items():
        if module.isidentifier() and required.isdisjoint(map(canonical, distributions)):
            (folder / f"{module}.py").write_text(
                f'raise ModuleNotFoundError("{module} is hidden")\n', encoding="utf-8"
            )


def canonical(name: str) -> str:
    """The name of a distribution as package indexes compare names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _wait_until_ready(serving: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    deadline = time.monotonic() + STARTS_WITHIN_S
    while True:
        try:
            fetch(f"http://127.0.0.1:{port}/healthz")
        except BenchmarkError as error:
            if serving.poll() is not None or time.monotonic() > deadline:
                raise BenchmarkError(f"bin/serve did not start:\n{log.read_text()[-1000:]}") from error
            time.sleep(0.5)
        else:
            return
