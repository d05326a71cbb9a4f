"""Parts of the site are killed while people send: what was answered with 2xx is there once, and nobody sees a 500."""

import json
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from urllib.error import HTTPError

import psutil

from tests.faults.counting import IN_RANKING, RANKED, RESULTS, UNPLACED, Crowd, fetch_number, paste

ALLOWED_WITHOUT_DATABASE = {HTTPStatus.SERVICE_UNAVAILABLE}
STANDSTILL_S = 20
PAUSED_COUNT = 80
WORKER_IS_SEEN = b'"worker": "ok"'
ANSWERED_WITHIN_S = 30  # of its end


def kept(checkout, crowd):
    """How many of the submissions that were answered are there."""
    ids = list(crowd.answered.values())
    return fetch_number(checkout, "SELECT count(*) FROM results_result WHERE public_id = ANY(%s)", ids)


def assert_nothing_is_lost(site, checkout, crowd, *, count, before):
    assert len(set(crowd.answered.values())) == count
    assert kept(checkout, crowd) == count
    assert fetch_number(checkout, RESULTS) == before + count
    site.wait_until(lambda: fetch_number(checkout, UNPLACED) == 0)
    assert fetch_number(checkout, RANKED) == fetch_number(checkout, IN_RANKING)


def is_half_done(crowd, *, above, of):
    """Wait until some are answered; whether others are still to come, so that what is done now meets them."""
    crowd.run.wait_until(lambda: len(crowd.answered) > above)
    return len(crowd.answered) < of


def kill(process: psutil.Process) -> None:
    for one in (*process.children(recursive=True), process):
        one.kill()


def test_the_web_server_is_killed_in_the_middle_of_100_submissions(site, checkout):
    before = fetch_number(checkout, RESULTS)
    crowd = Crowd(site, first=1000, count=100)
    with crowd.at_work():
        for share in (20, 50):
            assert is_half_done(crowd, above=share, of=100)
            kill(site.program("granian"))
    assert_nothing_is_lost(site, checkout, crowd, count=100, before=before)
    assert crowd.statuses == set()
    assert crowd.broken  # else nobody was there when it was killed


def test_valkey_is_killed_and_comes_back_empty(site, checkout):
    before = fetch_number(checkout, RESULTS)
    crowd = Crowd(site, first=2000, count=60)
    with crowd.at_work():
        assert is_half_done(crowd, above=20, of=60)
        valkey = site.program("valkey-server")
        valkey.send_signal(signal.SIGSTOP)  # it writes nothing from here on
        shutil.rmtree(checkout / "var" / "valkey")
        valkey.kill()
    site.wait_until(lambda: WORKER_IS_SEEN in site.get("/healthz"))
    assert_nothing_is_lost(site, checkout, crowd, count=60, before=before)
    assert (crowd.statuses, crowd.broken) == (set(), [])


def test_postgresql_is_restarted_under_load(site, checkout):
    before = fetch_number(checkout, RESULTS)
    crowd = Crowd(site, first=3000, count=60)
    with crowd.at_work():
        assert is_half_done(crowd, above=20, of=60)
        site.program("bin/postgres").send_signal(signal.SIGINT)  # "fast": it ends every connection
    assert_nothing_is_lost(site, checkout, crowd, count=60, before=before)
    assert crowd.statuses == ALLOWED_WITHOUT_DATABASE
    assert crowd.broken == []


@contextmanager
def hanging(postgresql: psutil.Process) -> Iterator[None]:
    """It and all that it started are stopped, as by a disk that stands still: its connections stay open."""
    stopped = [postgresql]
    postgresql.suspend()
    stopped += postgresql.children()
    try:
        for one in stopped:
            with suppress(psutil.NoSuchProcess):  # a connection's that ended meanwhile
                one.suspend()
        yield
    finally:
        for one in stopped:
            with suppress(psutil.NoSuchProcess):
                one.resume()


def test_requests_are_answered_after_postgresql_is_paused_and_resumed(site, checkout):
    """A request may wait for it. Longer than the patience of the crowd would be no answer, and listed as broken."""
    before = fetch_number(checkout, RESULTS)
    crowd = Crowd(site, first=3500, count=60, patience_s=STANDSTILL_S + ANSWERED_WITHIN_S)
    with crowd.at_work():
        assert is_half_done(crowd, above=20, of=60)
        with hanging(site.program("bin/postgres")):
            time.sleep(STANDSTILL_S)
    assert_nothing_is_lost(site, checkout, crowd, count=60, before=before)
    assert crowd.statuses <= ALLOWED_WITHOUT_DATABASE
    assert crowd.broken == []


def test_acknowledged_submissions_survive_a_postgresql_crash(site):
    taken = site.submit(paste(4000))
    site.program("bin/postgres").kill()
    site.wait_until(site.answers)
    site.wait_until(lambda: is_taken_as_known(site, paste(4000)))
    assert site.get(f"/results/{taken['id']}/")


def is_taken_as_known(site, text):
    try:
        return site.submit(text)["is_new"] is False
    except HTTPError as refused:
        if refused.code not in ALLOWED_WITHOUT_DATABASE:
            raise
        return False


def test_a_paste_is_ranked_in_its_class_by_the_worker(site, checkout):
    site.wait_until(lambda: WORKER_IS_SEEN in site.get("/healthz"))
    site.wait_until(lambda: fetch_number(checkout, UNPLACED) == 0)
    site.submit(paste(4100))
    site.wait_until(lambda: fetch_number(checkout, UNPLACED) == 0)
    assert fetch_number(checkout, RANKED) == fetch_number(checkout, IN_RANKING)


def test_the_site_works_without_valkey_and_worker_and_catches_up_later(site, checkout):
    site.wait_until(lambda: fetch_number(checkout, UNPLACED) == 0)
    before = fetch_number(checkout, RESULTS)
    valkey = site.program("valkey-server")
    valkey.send_signal(signal.SIGSTOP)  # it hangs, which is worse than being gone
    kill(site.program("celery --app slogdb worker"))

    taken = [site.submit(paste(4200 + number)) for number in range(5)]

    assert json.loads(site.get("/healthz"))["cache"] == "away"
    assert all(site.get(f"/results/{one['id']}/") for one in taken)
    assert taken[0]["results"][0]["device"].encode() in site.get("/api/v1/leaderboard/?class=sata_ssd")
    assert fetch_number(checkout, UNPLACED) > 0
    valkey.send_signal(signal.SIGCONT)
    site.wait_until(lambda: fetch_number(checkout, UNPLACED) == 0)
    assert fetch_number(checkout, RESULTS) == before + 5
    assert [site.submit(paste(4200 + number))["is_new"] for number in range(5)] == [False] * 5


def test_the_worker_resumes_after_valkey_was_paused_under_load(site, checkout, fault_round):
    """`--fault-rounds 5` repeats it five times."""
    first = 10_000 + 2 * PAUSED_COUNT * fault_round
    crowd = Crowd(site, first=first, count=PAUSED_COUNT)
    with crowd.at_work():
        site.wait_until(lambda: len(crowd.answered) > PAUSED_COUNT // 4)
        valkey = site.program("valkey-server")
        valkey.send_signal(signal.SIGSTOP)
        try:
            time.sleep(STANDSTILL_S)
            site.wait_until(lambda: len(crowd.answered) == PAUSED_COUNT)  # nobody waits for Valkey
        finally:
            valkey.send_signal(signal.SIGCONT)
    site.submit(paste(first + PAUSED_COUNT))

    def is_back():
        return WORKER_IS_SEEN in site.get("/healthz") and fetch_number(checkout, UNPLACED) == 0

    site.wait_until(is_back)
    assert len(set(crowd.answered.values())) == PAUSED_COUNT
    assert (crowd.statuses, crowd.broken) == (set(), [])
    assert fetch_number(checkout, RANKED) == fetch_number(checkout, IN_RANKING)
