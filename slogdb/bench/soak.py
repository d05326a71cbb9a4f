"""The running site under mixed load for some minutes: what it answered, how fast, and whether its memory stays flat.

Web server and worker are those of bin/serve. Linux only: memory is read from /proc.
"""

import itertools
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from slogdb.bench import pages
from slogdb.bench.soak_load import Load
from slogdb.bench.soak_memory import Memory
from slogdb.local_stack import throwaway_stack
from slogdb.serving.local_site import LocalSite
from slogdb.serving.site_programs import web_program, worker_program

MINUTES = 10.0  # of which memory is judged, after the warm-up
WARM_UP_MINUTES = 12.0  # what is kept fills its room in three, and its mixture changes for ten more
RESULTS = 2000
SAMPLE_S = 2.0
FAR_AWAY = "1000000/60"
LIMITS = {
    "SLOGDB_LIMIT_ANONYMOUS_READ": FAR_AWAY,
    "SLOGDB_LIMIT_ANONYMOUS_WRITE": FAR_AWAY,
}
BACKGROUND = (["reread", "--all"], ["export"])  # one after the other, again and again


@dataclass(frozen=True, slots=True)
class ScratchSite(LocalSite):
    """A site whose data lie in a folder of their own."""

    folder: Path

    @property
    def directory(self) -> Path:
        return self.folder


def main(arguments: Sequence[str]) -> int:
    """`arguments`: MINUTES and WARM_UP_MINUTES, if others.

    Fails when a request or a command did, when a process ended, and when memory grew.
    """
    minutes, warm_up = (*map(float, arguments), *(MINUTES, WARM_UP_MINUTES)[len(arguments) :])
    with ExitStack() as ending:
        folder = Path(ending.enter_context(TemporaryDirectory(prefix="slogdb-soak-")))
        site = ScratchSite("127.0.0.1", pages._free_port(), is_demo=False, folder=folder)
        environment = {
            **ending.enter_context(throwaway_stack()),
            **site.settings(),
            **LIMITS,
            "SLOGDB_STATIC_ROOT": str(folder / "static"),
            "SLOGDB_LOG_LEVEL": "WARNING",
        }
        _prepare(environment)
        for program in (web_program, worker_program):
            ending.enter_context(pages._running(program(site, environment)))
        load, memory = Load(site.port), Memory(warm_up_s=warm_up * 60)
        with load.at_work(), _background(environment) as commands:
            _watch(memory, warm_up + minutes)
        sys.stdout.write(
            f"{warm_up:g} minutes of warm-up and {minutes:g} more; "
            f"{commands.total()} times {' or '.join(each[0] for each in BACKGROUND)} meanwhile, "
            f"{commands[False]} of them failed; "
            f"load of the machine {os.getloadavg()[0]:.1f}\n\n"
            f"{load.table()}\n{memory.table()}"
        )
        return 0 if load.is_well and memory.is_flat and not commands[False] else 1


def _prepare(environment: Mapping[str, str]) -> None:
    for command in (
        ["migrate", "-v0"],
        ["make_results", str(RESULTS)],
        ["collectstatic", "--noinput", "-v0"],
        ["export"],
    ):
        _manage(command, environment)


def _manage(command: Sequence[str], environment: Mapping[str, str]) -> None:
    subprocess.run(  # noqa: S603 - the project's own commands
        [sys.executable, "manage.py", *command], env=environment, check=True, stdout=subprocess.DEVNULL
    )


def _watch(memory: Memory, minutes: float) -> None:
    end = time.monotonic() + minutes * 60
    while time.monotonic() < end:
        memory.sample()
        time.sleep(SAMPLE_S)
    memory.sample()


@contextmanager
def _background(environment: Mapping[str, str]) -> Iterator[Counter[bool]]:
    """Runs BACKGROUND until the end; gives how many of its commands came to theirs well, and how many not."""
    ended, is_over = Counter[bool](), threading.Event()

    def work() -> None:
        for command in itertools.cycle(BACKGROUND):
            with subprocess.Popen(  # noqa: S603 - as above
                [sys.executable, "manage.py", *command], env=environment, stdout=subprocess.DEVNULL
            ) as running:
                while running.poll() is None and not is_over.wait(0.1):
                    pass
                running.terminate()
            if is_over.is_set():
                return
            ended[running.returncode == 0] += 1

    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield ended
    finally:
        is_over.set()
        worker.join()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
