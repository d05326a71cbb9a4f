"""What a site holds, asked of its database, and the work that goes on while parts of it are taken away."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from itertools import count
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import psycopg

from tests.pastes import FIRST_CURVE, diskinfo
from tests.plugins.site import PATIENCE_S, Run, settings_of

AT_ONCE = 5  # texts of an import that are stored in a transaction
# A drive of the catalogue that nobody vouches for a result of, so that anybody's changes its place
UNMEASURED = {"description": "INTEL SSDSA2BZ200G3", "media_size": 200_049_647_616}
HANGING = diskinfo(description="HANGS SSD")  # is never read to its end
# The ranked results that count: of a device and method those that someone is accountable for, else all
RANKED = """
    SELECT count(*) FROM (
        SELECT is_accountable, bool_or(is_accountable) OVER (PARTITION BY device_id, measured_by) AS is_any
        FROM results_result JOIN results_submission AS submission ON submission.id = submission_id
        CROSS JOIN LATERAL (
            SELECT submission.survey_id IS NOT NULL OR submission.batch_id IS NOT NULL OR submission.is_approved
        ) AS of_it (is_accountable)
        WHERE is_ranked
    ) AS ranked WHERE is_accountable = is_any
"""
IN_RANKING = "SELECT coalesce(sum(result_count), 0) FROM results_deviceranking WHERE board = 'sync_write'"
RESULTS = "SELECT count(*) FROM results_result"
KEPT = "SELECT count(*) FROM results_result WHERE public_id = ANY(%s)"
UNPLACED = """
    SELECT (SELECT count(*) FROM results_classranking WHERE changes > ranked_changes)
        + (SELECT count(*) FROM results_device WHERE dirty_since IS NOT NULL)
"""
PAGES = ("/", "/api/v1/leaderboard/?class=sata_ssd", "/leaderboard/?class=sata_ssd")
PAUSE_S = 0.2
_numbers = count()


def new_paste(**for_drive: Any) -> str:
    """A run of its own: no two are the same text."""
    number = next(_numbers)
    curve = tuple(latency + number / 2 for latency in FIRST_CURVE)
    return diskinfo(curve, ident=f"FAULT{number:08d}", **for_drive)


def fetch(checkout: Path, query: str, *values: Any) -> Any:
    """The first value of a query's first row."""
    with psycopg.connect(settings_of(checkout)["DATABASE_URL"]) as connection:
        return connection.execute(query, values or None).fetchone()[0]


def wait_until_placed(site: Run, checkout: Path) -> None:
    """Wait until nothing is to be placed; then what is ranked and what the ranking counts are the same."""
    site.wait_until(lambda: fetch(checkout, UNPLACED) == 0)
    assert fetch(checkout, RANKED) == fetch(checkout, IN_RANKING)


class Crowd:
    """People who send pastes, each until it is answered, and somebody who reads meanwhile."""

    def __init__(self, run: Run) -> None:
        self.answered: list[str] = []  # public ids
        self.statuses: set[int] = set()
        # What was no answer at all: nobody listened, it broke off, or it took too long.
        self.broken: list[str] = []
        self.pages_read = 0
        self._run, self._is_over, self._is_given_up = run, False, False

    def wait_for_answers(self, number: int = 6) -> None:
        """Wait until so many more pastes are answered."""
        enough = len(self.answered) + number
        self._run.wait_until(lambda: len(self.answered) >= enough)

    def _send_all(self) -> None:
        while not self._is_over:
            paste = new_paste()
            while not (self._is_sent(paste) or self._is_given_up):
                time.sleep(PAUSE_S)
            time.sleep(PAUSE_S)

    def _is_sent(self, paste: str) -> bool:
        try:
            self.answered.append(self._run.submit(paste)["id"])
        except HTTPError as refused:
            self.statuses.add(refused.code)
            return False
        except (OSError, HTTPException, ValueError) as fault:
            self.broken.append(repr(fault))
            return False
        return True

    def _read(self) -> None:
        while not self._is_over:
            for path in PAGES:
                try:
                    self._run.get(path)
                    self.pages_read += 1
                except HTTPError as refused:
                    self.statuses.add(refused.code)
                except (OSError, HTTPException) as fault:
                    self.broken.append(f"{path}: {fault!r}")
            time.sleep(PAUSE_S)

    @contextmanager
    def at_work(self, senders: int = 3) -> Iterator[None]:
        """Leaves when all that was sent is answered."""
        work = [self._send_all] * senders + [self._read]
        working = [threading.Thread(target=target, daemon=True) for target in work]
        for thread in working:
            thread.start()
        try:
            yield
        except BaseException:
            self._is_given_up = True
            raise
        finally:
            self._is_over = True
            for thread in working:
                thread.join(PATIENCE_S)
        assert not any(thread.is_alive() for thread in working)
        assert self.pages_read > 0
