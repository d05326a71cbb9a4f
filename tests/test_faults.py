"""What the site promises when parts of it are away: real processes, stopped and killed."""

import json
import signal

import psycopg
import pytest

from tests.pastes import FIRST_CURVE, diskinfo
from tests.plugins.site import Run, settings_of

WAITING = "SELECT count(*) FROM results_classranking WHERE changes > ranked_changes"


def paste(number: int) -> str:
    """A run of its own: no two are the same text."""
    return diskinfo(tuple(latency + number for latency in FIRST_CURVE), ident=f"UNIT{number:08d}")


def count(settings: dict[str, str], query: str) -> int:
    with psycopg.connect(settings["DATABASE_URL"]) as connection:
        return connection.execute(query).fetchone()[0]


def test_a_paste_is_ranked_in_its_class_within_two_seconds(serve, checkout):
    run: Run = serve()
    settings = settings_of(checkout)
    run.wait_until(lambda: b'"worker": "ok"' in run.get("/healthz"))
    run.wait_until(lambda: count(settings, WAITING) == 0)
    run.submit(paste(1))
    assert run.becomes_true(lambda: count(settings, WAITING) == 0, within_s=2)


def test_without_valkey_and_worker_the_site_reads_takes_and_shows_and_catches_up_after(serve, checkout):
    run: Run = serve()
    settings = settings_of(checkout)
    before = count(settings, "SELECT count(*) FROM results_submission")
    valkey = run.program("valkey-server")
    valkey.send_signal(signal.SIGSTOP)  # it hangs, which is worse than being gone
    run.program("worker").kill()

    taken = [run.submit(paste(100 + number)) for number in range(5)]

    assert json.loads(run.get("/healthz"))["cache"] == "away"
    assert all(run.get(f"/results/{one['id']}/") for one in taken)
    assert taken[0]["results"][0]["device"].encode() in run.get("/api/v1/leaderboard/?class=sata_ssd")
    assert count(settings, WAITING) > 0
    valkey.send_signal(signal.SIGCONT)
    run.wait_until(lambda: count(settings, WAITING) == 0)
    assert count(settings, "SELECT count(*) FROM results_submission") == before + 5
    assert [run.submit(paste(100 + number))["is_new"] for number in range(5)] == [False] * 5


@pytest.mark.parametrize("part", ["granian", "postgres"])
def test_what_was_answered_is_there_after_a_kill(serve, part):
    run: Run = serve()
    taken = run.submit(paste(200 + len(part)))
    run.program(part).kill()
    run.wait_until(lambda: "starting it again" in run.said)
    run.wait_until(run.answers)
    assert run.get(f"/results/{taken['id']}/")
    assert run.submit(paste(200 + len(part)))["is_new"] is False
