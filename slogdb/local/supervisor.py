"""Starts programs in order, restarts those that end, and stops them in reverse order."""

import logging
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn, Self

from slogdb.local.process import STOP_SIGNALS, Process, ProcessError, Program, rotate_log

FIRST_DELAY_S = 1.0
LONGEST_DELAY_S = 30.0
STEADY_AFTER_S = 60.0  # after running for this long, the delay is reset
WATCH_EVERY_S = 0.2  # also how often the length of the logs is checked

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Supervised:
    """A program and its current run, or the time of the next attempt."""

    program: Program
    process: Process | None
    first_delay_s: float
    delay_s: float
    retry_at: float = 0.0

    def watch(self) -> None:
        rotate_log(self.program.log)
        if self.process is None:
            if time.monotonic() >= self.retry_at:
                self._try_again()
        elif not self.process.is_running():
            self.process.clear()
            if time.monotonic() - self.process.started_at > STEADY_AFTER_S:
                self.delay_s = self.first_delay_s
            self._schedule_retry(self.process.ending())

    def _try_again(self) -> None:
        try:
            self.process = Process(self.program)
        except (ProcessError, OSError) as error:
            self._schedule_retry(str(error))

    def _schedule_retry(self, cause: str) -> None:
        name, log = self.program.name, self.program.log
        logger.info("%s ended (%s), starting it again in %g s; log: %s", name, cause, self.delay_s, log)
        self.process = None
        self.retry_at = time.monotonic() + self.delay_s
        self.delay_s = min(self.delay_s * 2, LONGEST_DELAY_S)


class Supervisor:
    """Restarts the programs that it has started, and stops them at the end of the `with` block."""

    def __init__(self, *, first_delay_s: float = FIRST_DELAY_S) -> None:
        self._first_delay_s = first_delay_s
        self._programs: list[_Supervised] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Stop all programs, the last started first; signals are ignored meanwhile."""
        handlers = {number: signal.signal(number, signal.SIG_IGN) for number in STOP_SIGNALS}
        while self._programs:
            process = self._programs.pop().process
            if process is not None:
                logger.info("Stopping %s", process.program.name)
                process.stop()
        for number, handler in handlers.items():
            signal.signal(number, handler)

    def start(self, program: Program) -> None:
        """Start a long-running program, and wait until it is ready."""
        self.launch(program).wait_until_ready()

    def launch(self, program: Program) -> Process:
        """Start a long-running program, which may not be ready yet."""
        process = Process(program)
        self._programs.append(_Supervised(program, process, self._first_delay_s, self._first_delay_s))
        return process

    def forget(self) -> None:
        """Don't restart or stop the program that was launched last: it has ended."""
        self._programs.pop()

    def watch(self) -> NoReturn:
        """Restart programs that end, until an exception (a signal) is raised."""
        while True:
            for program in self._programs:
                program.watch()
            time.sleep(WATCH_EVERY_S)


@contextmanager
def running(program: Program) -> Iterator[Process]:
    """Run a program that ends by itself; the end of the block stops it if it hasn't."""
    process = Process(program)
    try:
        yield process
    finally:
        process.stop()
