"""Programs started in order, started again when they end by themselves, stopped in the reverse order."""

import logging
import signal
import time
from dataclasses import dataclass
from typing import NoReturn, Self

from slogdb.local.process import Process, ProcessError, Program

FIRST_DELAY_S = 1.0
LONGEST_DELAY_S = 30.0
STEADY_AFTER_S = 60.0  # having run for this long, the next end counts as the first
WATCH_EVERY_S = 0.2
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Post:
    """A program and its present run, or when to try again."""

    program: Program
    process: Process | None
    first_delay_s: float
    delay_s: float
    retry_at: float = 0.0

    def watch(self) -> None:
        if self.process is None:
            if time.monotonic() >= self.retry_at:
                self._try_again()
        elif not self.process.is_running():
            self.process.clear()
            if time.monotonic() - self.process.started_at > STEADY_AFTER_S:
                self.delay_s = self.first_delay_s
            self._put_off(self.process.ending())

    def _try_again(self) -> None:
        try:
            self.process = Process(self.program)
        except (ProcessError, OSError) as error:
            self._put_off(str(error))

    def _put_off(self, cause: str) -> None:
        name, log = self.program.name, self.program.log
        logger.info("%s ended (%s), starting it again in %g s; log: %s", name, cause, self.delay_s, log)
        self.process = None
        self.retry_at = time.monotonic() + self.delay_s
        self.delay_s = min(self.delay_s * 2, LONGEST_DELAY_S)


class Supervisor:
    """Holds what was started, so that whatever happens it can be stopped."""

    def __init__(self, *, first_delay_s: float = FIRST_DELAY_S) -> None:
        self._first_delay_s = first_delay_s
        self._posts: list[_Post] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Stop everything, what was started last first; no signal breaks that off."""
        held = {number: signal.signal(number, signal.SIG_IGN) for number in STOP_SIGNALS}
        while self._posts:
            process = self._posts.pop().process
            if process is not None:
                logger.info("Stopping %s", process.program.name)
                process.stop()
        for number, handler in held.items():
            signal.signal(number, handler)

    def start(self, program: Program) -> None:
        """Start a program that stays, and wait until it is ready."""
        process = Process(program)
        self._posts.append(_Post(program, process, self._first_delay_s, self._first_delay_s))
        process.wait_until_ready()

    def watch(self) -> NoReturn:
        """Start again what ends, until an exception (a signal) says to stop."""
        while True:
            for post in self._posts:
                post.watch()
            time.sleep(WATCH_EVERY_S)


def run_to_its_end(program: Program) -> None:
    """Run a program that ends by itself; raise ProcessError when it fails."""
    process = Process(program)
    try:
        process.wait_until_done()
    finally:
        process.stop()
