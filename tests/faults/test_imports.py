"""A bulk import while its readers are killed, hang or read the same: every text is read, exactly once."""

import json
import resource

import psycopg
import pytest

from tests.faults.counting import IN_RANKING, RANKED, RESULTS, UNPLACED, WAITING, Crowd, fetch_number, manage
from tests.pastes import diskinfo
from tests.plugins.site import settings_of

IMPORT = """
from results.imports.batches import enqueue_reading, store_texts
from results.models import ImportBatch
from bench.imports import made_up_texts
from itertools import islice
batch = ImportBatch.objects.create(title={title!r})
print(store_texts(islice(made_up_texts({most}), {first}, {first} + {count}), batch))
enqueue_reading()
"""
MOST = 6000
ONE_MORE = """
import sys
from results.imports.batches import Text
store_texts([Text(text=sys.stdin.read())], batch)
enqueue_reading()
"""
# The end of our copy's results/imports/batches.py: no text is known on which the reader itself would hang.
HANGING = """

_parse_stored = parse_stored

def parse_stored(submission, catalogue):
    while "HANGS SSD" in submission.text:
        pass
    return _parse_stored(submission, catalogue)
"""
JUMP = """
from datetime import timedelta
from django.db.models import F
from django.db.models.functions import Now
from results.models import DataVersion, Submission
texts = list(Submission.objects.filter(batch=batch).values_list("pk", flat=True))
for half, when in ((texts[::2], Now() + timedelta(days=1)), (texts[1::2], Now() - timedelta(days=1))):
    Submission.objects.filter(pk__in=half).update(leased_until=when)
DataVersion.objects.update(value=F("value") + 86_400_000)
transaction.commit()
"""
NEWEST = "/api/v1/results/"
DIED_OF_IT = (
    "SELECT count(*) FROM results_submission WHERE state = 'held' AND read_attempts = 3"
    " AND state_reason LIKE '%ran out of time.'"
)
# Waits until a worker has leased the texts, frees them, and waits until another has leased them, too.
LEASED_TWICE = """
from time import sleep
from results.models import Submission
texts = Submission.objects.filter(batch=batch)
for is_freed in (False, True):
    while not texts.filter(leased_until__isnull=False).exists():
        sleep(0.01)
    if not is_freed:
        texts.update(leased_until=None)
        enqueue_reading()
"""
# Whoever has leased a batch asks for the catalogue next.
HOLD_READERS = "LOCK TABLE results_product"
STATES = (
    "SELECT state, count(*) FROM results_submission JOIN results_importbatch AS batch ON batch.id = batch_id"
    " WHERE title = %s GROUP BY 1"
)


@pytest.fixture(scope="module")
def checkout(checkout):
    with (checkout / "results" / "imports" / "batches.py").open("a") as reader:
        reader.write(HANGING)
    return checkout


@pytest.fixture
def readers(site):
    """Somebody who reads pages meanwhile, and is always answered."""
    crowd = Crowd(site, first=0, count=0)
    with crowd.at_work():
        yield
    assert crowd.pages_read > 0
    assert (crowd.statuses, crowd.broken) == (set(), [])


def bring_in(checkout, title, *, first, count, then=""):
    """How many texts are stored, and wait; `then` is done by the same process."""
    code = IMPORT.format(title=title, first=first, count=count, most=MOST) + then
    done = manage(checkout, "shell", "--no-imports", "-c", code)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def states(checkout, title):
    with psycopg.connect(settings_of(checkout)["DATABASE_URL"]) as connection:
        return dict(connection.execute(STATES, [title]).fetchall())


def all_is_in_place(site, checkout):
    """Wait until nothing is to be read or placed; then what is ranked and what the ranking counts are the same."""
    for what in (WAITING, UNPLACED):
        site.wait_until(lambda what=what: fetch_number(checkout, what) == 0)
    return fetch_number(checkout, RANKED) == fetch_number(checkout, IN_RANKING)


@pytest.mark.usefixtures("readers")
def test_texts_of_a_killed_worker_are_read_exactly_once(site, checkout):
    before = fetch_number(checkout, RESULTS)
    assert bring_in(checkout, "killed", first=0, count=1200) == 1200
    site.wait_until(lambda: fetch_number(checkout, RESULTS) > before)
    assert fetch_number(checkout, WAITING) > 0
    worker = site.program("celery --app slogdb worker")
    for process in (worker, *worker.children(recursive=True)):
        process.kill()
    assert all_is_in_place(site, checkout)
    assert states(checkout, "killed") == {"published": 1200}
    assert fetch_number(checkout, RESULTS) == before + 1200


def test_a_batch_delivered_to_two_workers_is_stored_once(site, checkout):
    before = fetch_number(checkout, RESULTS)
    with psycopg.connect(settings_of(checkout)["DATABASE_URL"]) as connection:
        connection.execute(HOLD_READERS)
        assert bring_in(checkout, "twice", first=5000, count=60, then=LEASED_TWICE) == 60
    assert all_is_in_place(site, checkout)
    assert states(checkout, "twice") == {"published": 60}
    assert fetch_number(checkout, RESULTS) == before + 60


@pytest.mark.usefixtures("readers")
def test_only_the_text_that_exceeds_the_time_limit_is_held(site, checkout):
    code = IMPORT.format(title="hangs", first=5800, count=40, most=MOST) + ONE_MORE
    done = manage(checkout, "shell", "--no-imports", "-c", code, input=diskinfo(description="HANGS SSD"))
    assert done.returncode == 0, done.stderr
    assert all_is_in_place(site, checkout)
    assert states(checkout, "hangs") == {"published": 40, "held": 1}
    assert fetch_number(checkout, DIED_OF_IT) == 1
    assert json.loads(site.get("/healthz"))["worker"] == "ok"


@pytest.mark.usefixtures("readers")
def test_leased_texts_are_read_and_pages_change_after_a_clock_jump(site, checkout):
    """As a jump leaves them: leases until tomorrow and until yesterday, and a data version of tomorrow."""
    code = IMPORT.format(title="jumps", first=5850, count=60, most=MOST).replace("enqueue_reading()\n", "")
    code = (
        code.replace("print(", "from django.db import transaction\ntransaction.set_autocommit(False)\nprint(")
        + JUMP
    )
    done = manage(checkout, "shell", "--no-imports", "-c", code)
    assert done.returncode == 0, done.stderr
    assert all_is_in_place(site, checkout)
    assert states(checkout, "jumps") == {"published": 60}
    site.get(NEWEST)
    sent = site.submit(diskinfo(description="ATA AFTER THE JUMP"))["id"]
    site.wait_until(lambda: sent.encode() in site.get(NEWEST))


@pytest.mark.usefixtures("readers")
def test_a_full_disk_leaves_the_last_export_in_place(site, checkout):
    assert manage(checkout, "export").returncode == 0
    before = site.get("/exports/manifest.json")
    full = manage(
        checkout, "export", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
    )
    assert full.returncode != 0
    assert "File too large" in full.stderr
    assert site.get("/exports/manifest.json") == before
    assert len(list((checkout / "var" / "exports").glob("build-*"))) == 1
