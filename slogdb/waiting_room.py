"""How long a thread of the web server may wait for what another is at, so that some are left for what is ready."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

LONG_S = 30.0
SHORT_S = 1.0  # of who comes when too many wait already: many times what a page takes


class BusyError(Exception):
    """Django has been at one thing for as long as somebody may wait for it."""


def _nobody() -> int:
    return 0


class WaitingRoom:
    """Up to `most` wait LONG_S, those of `others`, who hold threads as well, counted in; who comes then SHORT_S."""

    def __init__(self, *, most: int, others: Callable[[], int] = _nobody) -> None:
        self._most = most
        self._others = others
        self._lock = Lock()
        self._count = 0

    @contextmanager
    def wait(self) -> Iterator[float]:
        """While a thread waits: gives the seconds that it may."""
        with self._lock:
            self._count += 1
            is_full = self._count + self._others() > self._most
        try:
            yield SHORT_S if is_full else LONG_S
        finally:
            with self._lock:
                self._count -= 1
