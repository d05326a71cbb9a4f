"""Reading text within a deadline, so that no text blocks a web process: `read_in_time`.

A regular expression can't be interrupted, and a web process runs Django outside of its main thread, where no signal
is handled. So a web process has a child that reads (`results.core.reader_process`). It is started by the first text,
killed at the deadline, and ends by itself after a minute without work.
"""

import atexit
import logging
import socket
import struct
import subprocess
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any, ParamSpec, TypeVar

from django.conf import settings

from parsers.base.readings import Notice

P = ParamSpec("P")
T = TypeVar("T")
logger = logging.getLogger(__name__)

STARTS_WITHIN_S = 30.0
TOO_SLOW = Notice(
    "too_slow", "This text takes too long to read, so nothing was stored. Shorten it, then send it again."
)
NOT_READ = Notice(
    "not_read", "We couldn’t read this text, so nothing was stored. Send it again, or send only part of it."
)


class ReadingError(Exception):
    """A text couldn't be read, for a reason that no parser reported; `notice` says what to do."""

    def __init__(self, notice: Notice) -> None:
        super().__init__(notice.message)
        self.notice = notice


def read_in_time(read: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Return what `read` returns, called in the child if settings.READ_DEADLINE_S isn't 0; else call it here.

    `read` is a function of the parsers, or a partial of one; it is sent to the child only if it differs from the last
    one called. Raises ReadingError if it takes longer than the deadline, raises an exception, or ends the child.
    """
    if not settings.READ_DEADLINE_S:
        return read(*arguments, **named)
    result: T = reader.call(read, arguments, named, deadline_s=settings.READ_DEADLINE_S)
    return result


class ReaderProcess:
    """A child process and the connection to it, both replaced after every failure."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._sent: Callable[..., Any] | None = None  # the function that the child remembers

    def call(
        self, read: Callable[..., Any], arguments: Any, named: dict[str, Any], *, deadline_s: float
    ) -> Any:
        """Return what `read` returns in the child; raises ReadingError."""
        with self._lock:
            try:
                answer, fault = self._exchange(read, arguments, named, deadline_s)
            except (TimeoutError, BlockingIOError, subprocess.TimeoutExpired) as error:
                self.stop()
                logger.warning("a text was not read within %s s", deadline_s)
                raise ReadingError(TOO_SLOW) from error
            except (EOFError, OSError) as error:
                logger.exception("a text was not read; the reader’s exit status is %s", self.stop())
                raise ReadingError(NOT_READ) from error
            except BaseException:
                self.stop()  # else the next call could get the answer to this one
                raise
        if fault:
            logger.error("a text was not read:\n%s", fault)
            raise ReadingError(NOT_READ)
        return answer

    def stop(self) -> int | None:
        """Kill the child, if there is one; return its exit status."""
        process, connection = self._process, self._connection
        self._process = self._connection = self._sent = None
        if connection is not None:
            connection.close()
        if process is None:
            return None
        process.kill()
        return process.wait()

    def _exchange(
        self, read: Callable[..., Any], arguments: Any, named: dict[str, Any], deadline_s: float
    ) -> Any:
        """Send a call and return its answer; raises TimeoutError, EOFError and OSError."""
        if self._process is not None and self._process.poll() is not None:
            self.stop()  # it had no work, or was killed without any
        try:
            return self._ask(read, arguments, named, deadline_s)
        except (EOFError, ConnectionError):
            if self._process is None or self._process.wait(deadline_s) != 0:
                raise
        self.stop()  # it ended for want of work in this very moment
        return self._ask(read, arguments, named, deadline_s)

    def _ask(self, read: Callable[..., Any], arguments: Any, named: dict[str, Any], deadline_s: float) -> Any:
        connection = self._connection or self._start(deadline_s)
        connection.send((None if read is self._sent else read, arguments, named, deadline_s))
        self._sent = read
        if not connection.poll(deadline_s):
            raise TimeoutError
        return connection.recv()

    def _start(self, deadline_s: float) -> Connection:
        """Start the child and wait until it is ready; raises OSError."""
        here, there = socket.socketpair()
        for option in (socket.SO_SNDTIMEO, socket.SO_RCVTIMEO):  # for a child that stands still
            here.setsockopt(
                socket.SOL_SOCKET, option, struct.pack("ll", *divmod(int(deadline_s * 1e6), 10**6))
            )
        self._connection = Connection(here.detach())
        with there:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                [sys.executable, "-m", "results.core.reader_process", str(there.fileno())],
                cwd=settings.BASE_DIR,
                env={},  # what reads hostile text needs no secrets
                pass_fds=[there.fileno()],
                process_group=0,  # Ctrl+C ends its parent, not it alone
                stdin=subprocess.DEVNULL,
            )
        if not self._connection.poll(STARTS_WITHIN_S):
            raise OSError(f"the reader didn't start within {STARTS_WITHIN_S} s")
        self._connection.recv()
        return self._connection


reader = ReaderProcess()
atexit.register(reader.stop)
