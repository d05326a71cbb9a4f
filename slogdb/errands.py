"""What a request leaves to be done once its answer is out, as nobody waits for it.

Only for what may be lost: a process that is killed takes its errands along. Elsewhere than in the web server, and in
tests, an errand is done at once.
"""

import logging
import threading
import time
from collections.abc import Callable, Hashable, Iterable
from contextvars import ContextVar, copy_context
from functools import partial
from typing import Any

from slogdb.page_cache import Application, Environ, StartResponse

PAUSE_S = 0.05  # by then the answer is out; both need the one interpreter lock

logger = logging.getLogger(__name__)
_here: ContextVar["Errands | None"] = ContextVar("errands", default=None)


def run_errand(name: Hashable, work: Callable[[], object]) -> None:
    """Do `work` after the answer. While one of that name waits, the next is taken for the same."""
    errands = _here.get()
    if errands is None:
        work()
    else:
        errands.take(name, work)


class Errands:
    """WSGI middleware around Django: what its requests leave is done by a thread, in the order it came."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._waiting: dict[Hashable, Callable[[], Any]] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        token = _here.set(self)
        try:
            return self._application(environ, start_response)
        finally:
            _here.reset(token)

    def take(self, name: Hashable, work: Callable[[], object]) -> None:
        """Have `work` done soon, with the context of the request, by which logs name it."""
        with self._changed:
            self._waiting.setdefault(name, partial(copy_context().run, work))
            if self._thread is None:
                self._thread = threading.Thread(target=self._carry_out, name="slogdb-errands", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _carry_out(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting)
            time.sleep(PAUSE_S)
            with self._changed:
                due, self._waiting = self._waiting, {}
            for name, work in due.items():
                _carry(name, work)


def _carry(name: Hashable, work: Callable[[], object]) -> None:
    try:
        work()
    except Exception:
        logger.exception("an errand failed: %s", name)
