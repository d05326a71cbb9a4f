"""Parts of the site are killed while people send: what was answered with 2xx is there once, and nobody sees a 500."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http import HTTPStatus
from urllib.error import HTTPError
from urllib.request import urlopen

import psutil
import psycopg
import pytest

from slogdb.env import CONNECT_TIMEOUT_S
from tests.faults.counting import (
    AT_ONCE,
    HANGING,
    KEPT,
    RESULTS,
    UNMEASURED,
    UNPLACED,
    Crowd,
    fetch,
    new_paste,
    wait_until_placed,
)
from tests.plugins.site import settings_of

ALLOWED_WITHOUT_DATABASE = {HTTPStatus.SERVICE_UNAVAILABLE}
STANDSTILL_S = 20  # in less, a worker with a short timeout does not come to its end
WORKER_IS_SEEN = b'"worker": "ok"'
IMPORT = """
import json, sys
from results.imports.bulk import Text, import_kept, import_texts
from results.models import ImportBatch
killed, again = (ImportBatch.objects.create(title=title) for title in ("killed", "again"))
texts = [{"text": text, "place": str(number), "posted_on": None} for number, text in enumerate(json.load(sys.stdin))]
for _ in import_texts([Text(**text) for text in texts], killed):
    import_kept.delay(again.pk, texts[::-1])
    print(flush=True)
"""
IMPORTED = """
SELECT count(*) FROM results_submission JOIN results_importbatch AS batch ON batch.id = batch_id
WHERE state = 'published' AND title = %s
"""
NEXT_DAY = "UPDATE results_dataversion SET value = value + 86400000 RETURNING value"
NEWEST = "/api/v1/results/"


@contextmanager
def nothing_is_lost(site, checkout) -> Iterator[Crowd]:
    """A crowd that is at work before, during and after what is done meanwhile."""
    before = fetch(checkout, RESULTS)
    crowd = Crowd(site)
    with crowd.at_work():
        crowd.wait_for_answers()
        yield crowd
        crowd.wait_for_answers()
    count = len(crowd.answered)
    assert len(set(crowd.answered)) == count
    assert fetch(checkout, KEPT, crowd.answered) == count
    assert fetch(checkout, RESULTS) == before + count
    wait_until_placed(site, checkout)


def kill(process: psutil.Process) -> None:
    for other in (*process.children(recursive=True), process):
        other.kill()


def test_the_web_server_is_killed_in_the_middle_of_submissions(site, checkout):
    with nothing_is_lost(site, checkout) as crowd:
        kill(site.program("granian"))
    assert crowd.statuses == set()
    assert crowd.broken  # else nobody was there when it was killed


def test_valkey_is_killed_and_comes_back_empty(site, checkout):
    with nothing_is_lost(site, checkout) as crowd:
        valkey = site.program("valkey-server")
        valkey.suspend()  # it writes nothing from here on
        shutil.rmtree(checkout / "var" / "valkey")
        valkey.kill()
    site.wait_until(lambda: WORKER_IS_SEEN in site.get("/healthz"))
    assert (crowd.statuses, crowd.broken) == (set(), [])


def test_postgresql_is_restarted_and_crashes_under_load(site, checkout):
    with nothing_is_lost(site, checkout) as crowd:
        site.program("bin/postgres").send_signal(signal.SIGINT)  # "fast": it ends every connection
        site.wait_until(lambda: crowd.statuses)
        crowd.wait_for_answers()
        site.program("bin/postgres").kill()
    assert crowd.statuses == ALLOWED_WITHOUT_DATABASE
    assert crowd.broken == []


@contextmanager
def hanging(postgresql: psutil.Process) -> Iterator[None]:
    """It and all that it started are stopped, as by a disk that stands still: its connections stay open."""
    stopped = [postgresql]
    postgresql.suspend()
    stopped += postgresql.children()
    try:
        for process in stopped:
            with suppress(psutil.NoSuchProcess):  # a connection's that ended meanwhile
                process.suspend()
        yield
    finally:
        for process in stopped:
            with suppress(psutil.NoSuchProcess):
                process.resume()


def test_requests_are_answered_after_postgresql_is_paused_and_resumed(site, checkout):
    """A request may wait for it. Longer than the patience of the crowd would be no answer, and listed as broken."""
    too_long = CONNECT_TIMEOUT_S["default"] + 1  # for any of the site's connections
    with (
        nothing_is_lost(site, checkout) as crowd,
        hanging(site.program("bin/postgres")),
        pytest.raises(psycopg.OperationalError, match="timeout expired"),
    ):
        psycopg.connect(settings_of(checkout)["DATABASE_URL"], connect_timeout=too_long)
    assert crowd.statuses <= ALLOWED_WITHOUT_DATABASE
    assert crowd.broken == []


def test_the_site_works_without_valkey_and_worker_and_catches_up_later(site, checkout):
    wait_until_placed(site, checkout)
    before = fetch(checkout, RESULTS)
    valkey = site.program("valkey-server")
    valkey.suspend()  # it hangs, which is worse than being gone
    kill(site.program("celery --app slogdb"))

    pastes = [new_paste(**UNMEASURED) for _ in range(3)]
    taken = [site.submit(paste) for paste in pastes]

    assert json.loads(site.get("/healthz"))["cache"] == "away"
    assert all(site.get(f"/results/{submission['id']}/") for submission in taken)
    assert taken[0]["results"][0]["device"].encode() in site.get("/api/v1/leaderboard/?class=sata_ssd")
    assert fetch(checkout, UNPLACED) > 0
    valkey.resume()
    wait_until_placed(site, checkout)
    assert [site.submit(paste)["is_new"] for paste in pastes] == [False] * 3
    assert fetch(checkout, RESULTS) == before + 3


def test_the_worker_resumes_after_valkey_was_paused_under_load(site, checkout, fault_round):
    """`--fault-rounds 5` repeats it five times."""
    with nothing_is_lost(site, checkout) as crowd:
        valkey = site.program("valkey-server")
        valkey.suspend()
        try:
            time.sleep(STANDSTILL_S)
            crowd.wait_for_answers()  # nobody waits for Valkey
        finally:
            valkey.resume()
    assert (crowd.statuses, crowd.broken) == (set(), [])


def test_a_killed_import_is_run_again_by_a_worker_that_is_killed_too(site, checkout):
    """Both are killed while they wait for the text in the middle, and every other text is stored exactly once."""
    texts = [new_paste() for _ in range(3 * AT_ONCE)]
    texts[AT_ONCE] = HANGING
    before = fetch(checkout, RESULTS)
    crowd = Crowd(site)
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", IMPORT]
    environment, pipe = {"PATH": os.environ["PATH"]}, subprocess.PIPE
    with (
        crowd.at_work(senders=0),
        subprocess.Popen(command, cwd=checkout, env=environment, stdin=pipe, stdout=pipe, text=True) as first,
    ):
        json.dump(texts, first.stdin)
        first.stdin.close()
        first.stdout.readline()
        first.kill()
        site.wait_until(lambda: fetch(checkout, IMPORTED, "again") == AT_ONCE)
        # those that run tasks, and their readers
        for process in site.program("celery --app slogdb").children(recursive=True):
            process.kill()
        site.wait_until(lambda: fetch(checkout, IMPORTED, "again") > AT_ONCE)
    assert (crowd.statuses, crowd.broken) == (set(), [])
    wait_until_placed(site, checkout)
    assert fetch(checkout, IMPORTED, "killed") == AT_ONCE
    assert fetch(checkout, RESULTS) == before + len(texts) - 1
    skipped = fetch(checkout, "SELECT reason FROM results_auditentry WHERE action = 'imported'")
    assert skipped.endswith(f"they couldn’t be read: {AT_ONCE}")


def refusal(site) -> tuple[int, str]:
    with pytest.raises(HTTPError) as refused:
        site.submit(HANGING)
    with refused.value as answer:
        return answer.code, json.load(answer)["code"]


def test_a_text_that_takes_too_long_is_refused_and_the_process_serves_the_next_request(site):
    processes = site.program("granian").children()
    with ThreadPoolExecutor(3) as pool:  # more than there are web processes
        refusals = [pool.submit(refusal, site) for _ in range(3)]
        assert b"Leaderboard" in site.get("/leaderboard/?class=nvme")
        assert [refusal.result() for refusal in refusals] == [
            (HTTPStatus.UNPROCESSABLE_ENTITY, "too_slow")
        ] * 3
    assert site.submit(new_paste())["results"]
    assert site.program("granian").children() == processes


def version(site) -> int:
    """Of the newest results, as their ETag names it."""
    with urlopen(f"http://127.0.0.1:{site.port}{NEWEST}") as page:
        return int(page.headers["ETag"].split("-")[1])


def test_pages_change_after_a_clock_jump(site, checkout):
    """As a jump back leaves it: a data version of tomorrow."""
    tomorrow = fetch(checkout, NEXT_DAY)
    site.wait_until(lambda: version(site) >= tomorrow)
    seen = version(site)
    sent = site.submit(new_paste())["id"]
    site.wait_until(lambda: version(site) > seen)
    site.wait_until(lambda: sent.encode() in site.get(NEWEST))
