"""Who is sending a body just now: how many may at once, and how long anybody may take.

The web server has no limit for the time that a body takes, and a thread that reads one can't be woken. So a thread of
its own looks after those that read, and ends the connections of senders that take too long: then the read ends, too.
"""

import logging
import os
import socket
import stat
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Lock, Thread

LOOKS_EVERY_S = 1.0
_FILES = Path("/proc/self/fd")  # where there is none (macOS), nobody is cut off
_TCP_INFO_BYTES = 104
_SENT_MS_AGO = slice(44, 48)  # tcpi_last_data_sent of struct tcp_info in linux/tcp.h

logger = logging.getLogger(__name__)


class SlowSenders:
    """At most `most` bodies at once, `most_of_one` from one address, each for about `patience_s` at most."""

    def __init__(self, *, patience_s: float, most: int, most_of_one: int) -> None:
        self._patience_s = patience_s
        self._most = most
        self._most_of_one = most_of_one
        self._lock = Lock()
        self._sending: dict[object, tuple[str, float]] = {}
        self._of_one: Counter[str] = Counter()
        self._somebody_sends = Event()
        self._watch: Thread | None = None

    @contextmanager
    def sending(self, address: str) -> Iterator[bool]:
        """While a body comes from `address`; False where too many do already."""
        token = object()
        with self._lock:
            is_let_in = len(self._sending) < self._most and self._of_one[address] < self._most_of_one
            if is_let_in:
                self._sending[token] = (address, time.monotonic())
                self._of_one[address] += 1
                self._start_watch()
        try:
            yield is_let_in
        finally:
            if is_let_in:
                self._forget(token, address)

    def count(self) -> int:
        """How many are sending just now."""
        return len(self._sending)

    def _forget(self, token: object, address: str) -> None:
        with self._lock:
            del self._sending[token]
            self._of_one[address] -= 1
            if not self._of_one[address]:
                del self._of_one[address]
            if not self._sending:
                self._somebody_sends.clear()

    def _start_watch(self) -> None:
        """In the process that serves: a thread does not outlive a fork."""
        self._somebody_sends.set()
        if self._watch is None:
            self._watch = Thread(target=self._keep_watch, name="slogdb-slow-senders", daemon=True)
            self._watch.start()

    def _keep_watch(self) -> None:
        while True:
            self._somebody_sends.wait()
            time.sleep(LOOKS_EVERY_S)
            addresses = self.too_slow()
            try:
                if addresses:
                    cut_off(addresses, silent_for_s=self._patience_s - LOOKS_EVERY_S)
            except OSError:  # no handle is left to look with, say: all the more somebody has to look again
                logger.exception("slow senders could not be looked for")

    def too_slow(self) -> set[str]:
        """The addresses of those who have been sending for too long."""
        since = time.monotonic() - self._patience_s
        with self._lock:
            return {address for address, began_at in self._sending.values() if began_at < since}


def cut_off(addresses: set[str], *, silent_for_s: float) -> int:
    """Take no more from connections of these addresses to which nothing was said for so long; how many those were.

    They can still be answered.
    """
    ended = 0
    for connection in _own_connections():
        with connection:
            try:
                peer = connection.getpeername()[0]
                told = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_BYTES)
                if peer in addresses and int.from_bytes(told[_SENT_MS_AGO], "little") >= silent_for_s * 1000:
                    connection.shutdown(socket.SHUT_RD)
                    ended += 1
            except OSError:  # it listens, or has just ended
                continue
    return ended


def _own_connections() -> Iterator[socket.socket]:
    """Each TCP socket of this process, as another handle of it."""
    for path in _FILES.iterdir() if _FILES.is_dir() else ():
        try:
            handle = os.dup(int(path.name))
        except OSError:  # closed meanwhile: that of the listing itself, for one
            continue
        if not stat.S_ISSOCK(os.fstat(handle).st_mode):
            os.close(handle)
            continue
        found = socket.socket(fileno=handle)
        if found.family in {socket.AF_INET, socket.AF_INET6} and found.type == socket.SOCK_STREAM:
            yield found
        else:
            found.close()
