"""Sites to measure: made-up data sets, each created once and shared, and servers of the site or an empty one."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self
from urllib.error import URLError
from urllib.request import Request, urlopen

from bench.bars import BenchmarkError
from slogdb.local.process import Process, Program
from slogdb.local.stack import throwaway_stack

# As in docker-compose.yml and PostgreSQL's defaults: the servers of tests don't sync to disk.
POSTGRES_SETTINGS = {
    "shared_buffers": "512MB",
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
}
UNLIMITED = "1000000/60"
SETTINGS = {
    "SLOGDB_LIMIT_ANONYMOUS_READ": UNLIMITED,
    "SLOGDB_LIMIT_ANONYMOUS_WRITE": UNLIMITED,
    "SLOGDB_LOG_LEVEL": "ERROR",
}
RESULTS_PER_DEVICE = 25
MAX_DEVICES = 20_000
SITE = ("slogdb.wsgi:application", "slogdb.settings")
DJANGO = ("slogdb.wsgi:django_application", "slogdb.settings")  # without the page cache
EMPTY = ("bench.empty_site.wsgi:application", "bench.empty_site.settings")


@dataclass(frozen=True, slots=True)
class DataSet:
    """A PostgreSQL and a Valkey with a number of made-up, ranked results, and a folder for their servers."""

    results: int
    environment: Mapping[str, str]
    folder: Path

    def manage(self, *command: str) -> None:
        """Run a command of manage.py, discarding its output."""
        manage(self.environment, *command)

    @contextmanager
    def serve(self, application: tuple[str, str]) -> Iterator[int]:
        """Run one of SITE, DJANGO and EMPTY in two processes of granian; yield its port."""
        port, (target, settings) = free_port(), application
        options = ["--interface", "wsgi", "--port", str(port), "--workers", "2", "--blocking-threads", "1"]
        program = Program(
            name=target,
            command=[sys.executable, "-m", "granian", *options, "--log-level", "warning", target],
            log=self.folder / f"{port}.log",
            environment={**self.environment, "DJANGO_SETTINGS_MODULE": settings},
            is_ready=answers(port),
        )
        with running(program):
            yield port


class DataSets:
    """The data sets of one run, each created on first use, all removed at the end of the block."""

    def __init__(self) -> None:
        self._ending = ExitStack()
        self._made: dict[int, DataSet] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.close()

    def of(self, results: int) -> DataSet:
        """The data set with that many results; with 0 an empty one."""
        if results not in self._made:
            self._made[results] = self._make(results)
        return self._made[results]

    def _make(self, results: int) -> DataSet:
        began = time.monotonic()
        environment = self._ending.enter_context(throwaway_stack(**POSTGRES_SETTINGS))
        folder = Path(self._ending.enter_context(TemporaryDirectory(prefix="slogdb-bench-")))
        folder.chmod(0o755)  # nginx's workers run as another user
        environment |= {**SETTINGS, "SLOGDB_STATIC_ROOT": str(folder / "static")}
        made = DataSet(results, environment, folder)
        made.manage("migrate", "-v0")
        made.manage("collectstatic", "--noinput", "-v0")
        if results:
            made.manage("make_results", str(results), "--devices", str(devices_to_draw(results)))
            log(f"{results:,} results made and ranked in {time.monotonic() - began:.0f} s")
        return made


def devices_to_draw(results: int) -> int:
    """The number of devices: one per 25 results, up to 20,000, as for a million results."""
    return max(1, min(results // RESULTS_PER_DEVICE, MAX_DEVICES))


def manage(environment: Mapping[str, str], *command: str) -> None:
    """Run a command of manage.py; BenchmarkError, with the end of its output, if it fails."""
    done = subprocess.run(  # noqa: S603 - the project's own commands
        [sys.executable, "manage.py", *command], env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise BenchmarkError(f"manage.py {command[0]} failed: {done.stderr[-500:]}")


def log(line: str) -> None:
    """Print a line of progress immediately."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


@contextmanager
def running(program: Program) -> Iterator[Process]:
    """Run the program until the end of the block, from when it is ready."""
    process = Process(program)
    try:
        process.wait_until_ready()
        yield process
    finally:
        process.stop()


def answers(port: int) -> Callable[[], bool]:
    """A function that tells whether a server listens on the port."""

    def is_ready() -> bool:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return True
        except OSError:
            return False

    return is_ready


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def fetch(url: str, header: str = "") -> bytes:
    """The body of a response; BenchmarkError unless its status is 200 without a redirect."""
    headers = dict([header.split(": ")]) if header else {}
    try:
        with urlopen(Request(url, headers=headers), timeout=60) as response:  # noqa: S310 - our own address
            if response.status != 200 or response.url != url:
                raise BenchmarkError(f"{url} was answered with {response.status} from {response.url}")
            body: bytes = response.read()
            return body
    except URLError as error:
        raise BenchmarkError(f"{url} does not answer: {error}") from error


def descendants(process: int) -> list[Path]:
    """The descendants of a process, as folders of /proc (Linux); see proc(5)."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended
    family: Sequence[int] = [process]
    found: list[int] = []
    while family:
        family = [child for child, parent in parents.items() if parent in family]
        found += family
    return [Path("/proc") / str(other) for other in found]


def command_line(process: Path) -> str:
    """The command line of a process; empty if it has ended."""
    try:
        return (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def memory_mib(process: Path, field: str) -> float:
    """A field of smaps_rollup, "Pss" or "Pss_Anon"; zero if the process has ended."""
    try:
        rollup = (process / "smaps_rollup").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    found = re.search(rf"^{field}:\s+(\d+) kB", rollup, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0
