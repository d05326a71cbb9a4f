"""What a site holds, asked of its database, and the work that goes on while parts of it are taken away."""

import os
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import psycopg

from tests.pastes import FIRST_CURVE, diskinfo
from tests.plugins.site import ANSWER_PATIENCE_S, Run, settings_of

RANKED = "SELECT count(*) FROM results_result WHERE is_ranked"
IN_RANKING = "SELECT coalesce(sum(result_count), 0) FROM results_deviceranking WHERE board = 'sync_write'"
RESULTS = "SELECT count(*) FROM results_result"
UNPLACED = """
    SELECT (SELECT count(*) FROM results_classranking WHERE changes > ranked_changes)
        + (SELECT count(*) FROM results_device WHERE dirty_since IS NOT NULL)
"""
PAGES = ("/", "/api/v1/leaderboard/?class=sata_ssd", "/leaderboard/?class=sata_ssd")


def paste(number: int) -> str:
    """A run of its own: no two are the same text."""
    return diskinfo(tuple(latency + number / 2 for latency in FIRST_CURVE), ident=f"FAULT{number:08d}")


def fetch_number(checkout: Path, query: str, *values: Any) -> int:
    with psycopg.connect(settings_of(checkout)["DATABASE_URL"]) as connection:
        return connection.execute(query, values or None).fetchone()[0]


def manage(checkout: Path, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """One command of the running site's manage.py."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=checkout,
        env={"PATH": os.environ["PATH"]},
        text=True,
        capture_output=True,
        check=False,
        **options,
    )


class Crowd:
    """People who send pastes, each until it is answered, and somebody who reads meanwhile.

    What takes longer than `patience_s` is no answer to any of them.
    """

    def __init__(self, run: Run, *, first: int, count: int, patience_s: float = ANSWER_PATIENCE_S) -> None:
        self.answered: dict[int, str] = {}  # by the number of the paste: the public id
        self.statuses: set[int] = set()
        # What was no answer at all: nobody listened, it broke off, or it took too long.
        self.broken: list[str] = []
        self.pages_read = 0
        self._patience_s = patience_s
        self.run, self._left = run, iter(range(first, first + count))
        self._lock, self._is_over = threading.Lock(), threading.Event()

    def _next(self) -> int | None:
        with self._lock:
            return next(self._left, None)

    def _send_all(self) -> None:
        while (number := self._next()) is not None:
            while not self._is_over.is_set() and number not in self.answered:
                self._send(number)

    def _send(self, number: int) -> None:
        try:
            self.answered[number] = self.run.submit(paste(number), patience_s=self._patience_s)["id"]
        except HTTPError as refused:
            self.statuses.add(refused.code)
            self._is_over.wait(0.1)
        except (OSError, HTTPException, ValueError) as fault:
            self.broken.append(f"paste {number}: {fault!r}")
            self._is_over.wait(0.1)

    def _read(self) -> None:
        while not self._is_over.is_set():
            for path in PAGES:
                try:
                    address = f"http://127.0.0.1:{self.run.port}{path}"
                    with urllib.request.urlopen(address, timeout=self._patience_s) as page:
                        page.read()
                    self.pages_read += 1
                except HTTPError as refused:
                    self.statuses.add(refused.code)
                except (OSError, HTTPException) as fault:
                    self.broken.append(f"{path}: {fault!r}")
            self._is_over.wait(0.05)

    @contextmanager
    def at_work(self, senders: int = 3) -> Iterator[None]:
        """Leaves when all is answered."""
        sending = [threading.Thread(target=self._send_all) for _ in range(senders)]
        reading = threading.Thread(target=self._read)
        for thread in (*sending, reading):
            thread.start()
        try:
            yield
            for thread in sending:
                thread.join(240)
        finally:
            self._is_over.set()
            reading.join(30)
