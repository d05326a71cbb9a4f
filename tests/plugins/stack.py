"""pytest starts PostgreSQL and Valkey for itself; loaded with `-p`, as Django's settings ask for them early.

The process that pytest is called with runs them; xdist's workers inherit its environment.
"""

import atexit
import os
import signal
from contextlib import ExitStack

from slogdb.local.stack import throwaway_stack

WORKER = os.environ.get("PYTEST_XDIST_WORKER")


def _start() -> None:
    ending = ExitStack()
    environment = ending.enter_context(throwaway_stack())
    atexit.register(ending.close)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the end is reached then, too
    os.environ.clear()
    os.environ.update(environment)


if WORKER is None:
    _start()
# All workers share one Valkey, so each keeps to keys of its own; pytest-django gives each its own database.
os.environ["SLOGDB_REDIS_PREFIX"] = f"slogdb-{WORKER or 'main'}:"
