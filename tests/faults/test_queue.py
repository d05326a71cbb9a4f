"""The worker picks up tasks again after Valkey hangs and recovers. `--fault-rounds 5` repeats it five times."""

import signal
import time

from tests.faults.counting import IN_RANKING, RANKED, UNPLACED, Crowd, fetch_number, paste

STANDSTILL_S = 20
COUNT = 200
WORKER_IS_SEEN = b'"worker": "ok"'


def test_the_worker_resumes_after_valkey_was_paused_under_load(site, checkout, fault_round):
    first = 10_000 + 2 * COUNT * fault_round
    crowd = Crowd(site, first=first, count=COUNT)
    with crowd.at_work():
        site.wait_until(lambda: len(crowd.answered) > COUNT // 4)
        valkey = site.program("valkey-server")
        valkey.send_signal(signal.SIGSTOP)
        try:
            time.sleep(STANDSTILL_S)
            site.wait_until(lambda: len(crowd.answered) == COUNT)  # nobody waits for Valkey
        finally:
            valkey.send_signal(signal.SIGCONT)
    site.submit(paste(first + COUNT))

    def is_back():
        return WORKER_IS_SEEN in site.get("/healthz") and fetch_number(checkout, UNPLACED) == 0

    site.wait_until(is_back)
    assert len(set(crowd.answered.values())) == COUNT
    assert (crowd.statuses, crowd.broken) == (set(), [])
    assert fetch_number(checkout, RANKED) == fetch_number(checkout, IN_RANKING)
