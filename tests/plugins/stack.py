"""pytest starts PostgreSQL and Valkey for itself; loaded with `-p`, as Django's settings ask for them early.

The process that pytest is called with runs them; xdist's workers inherit its environment. While these collect the
tests, the database that they copy is migrated.
"""

import atexit
import os
import signal
import subprocess
import sys
from contextlib import ExitStack

import pytest

from slogdb.local.stack import throwaway_stack

WORKER = os.environ.get("PYTEST_XDIST_WORKER")

_ending = ExitStack()


def _start() -> None:
    environment = _ending.enter_context(throwaway_stack())
    atexit.register(_ending.close)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the end is reached then, too
    os.environ.clear()
    os.environ.update(environment)


if WORKER is None:
    _start()
# All workers share one Valkey, so each keeps to keys of its own; pytest-django gives each its own database.
os.environ["SLOGDB_REDIS_PREFIX"] = f"slogdb-{WORKER or 'main'}:"


def pytest_configure(config: pytest.Config) -> None:
    if WORKER is None and config.getoption("numprocesses", None) and not config.option.collectonly:
        migrating = subprocess.Popen([sys.executable, "-m", "tests.migrated"], cwd=config.rootpath)
        _ending.callback(migrating.wait)
        _ending.callback(migrating.terminate)
