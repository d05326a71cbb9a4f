"""A bulk import that is killed, hangs or meets another: run again, every text is stored, exactly once."""

import json
import os
import resource
import subprocess
import sys

import psycopg
import pytest

from tests.faults.counting import IN_RANKING, RANKED, RESULTS, UNPLACED, Crowd, fetch_number, manage
from tests.pastes import diskinfo
from tests.plugins.site import settings_of

MOST = 500
AT_ONCE = 100
IMPORT = """
from results.imports.bulk import Text, import_kept, import_texts
from results.models import ImportBatch
from bench.imports import made_up_texts
from itertools import islice
batch = ImportBatch.objects.create(title={title!r})
texts = [*islice(made_up_texts({most}), {first}, {first} + {count})]
"""
HERE = """
for one in import_texts(texts, batch):
    print(one.new_count, [(each.text.place, each.reason) for each in one.skipped], flush=True)
"""
BY_A_WORKER = """
from dataclasses import asdict
import_kept.delay(batch.pk, [{**asdict(one), "posted_on": str(one.posted_on)} for one in texts])
"""
# The end of our copy's parsers/paste.py: no text is known on which the parsers would hang.
HANGING = """

_parse_paste = parse_paste

def parse_paste(raw, **named):
    while "HANGS SSD" in str(raw):
        pass
    return _parse_paste(raw, **named)
"""
NEXT_DAY = """
from django.db.models import F
from results.models import DataVersion
DataVersion.objects.update(value=F("value") + 86_400_000)
"""
NEWEST = "/api/v1/results/"
STORED = (
    "SELECT state, count(*) FROM results_submission JOIN results_importbatch AS batch ON batch.id = batch_id"
    " WHERE title = %s GROUP BY 1"
)


@pytest.fixture(scope="module")
def checkout(checkout):
    with (checkout / "parsers" / "paste.py").open("a") as reader:
        reader.write(HANGING)
    with (checkout / "results" / "imports" / "bulk.py").open("a") as importer:
        importer.write(f"\nBATCH = {AT_ONCE}\n")  # of a thousand: fewer texts meet the same faults
    return checkout


@pytest.fixture
def readers(site):
    """Somebody who reads pages meanwhile, and is always answered."""
    crowd = Crowd(site, first=0, count=0)
    with crowd.at_work():
        yield
    assert crowd.pages_read > 0
    assert (crowd.statuses, crowd.broken) == (set(), [])


def code_of(title, *, first, count, then=HERE):
    return IMPORT.format(title=title, first=first, count=count, most=MOST) + then


def bring_in(checkout, title, **which):
    """Import made-up texts; what is printed."""
    done = manage(checkout, "shell", "--no-imports", "-c", code_of(title, **which))
    assert done.returncode == 0, done.stderr
    return done.stdout


def begin(checkout, title, **which):
    """The same in a process that can be killed."""
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", code_of(title, **which)]
    return subprocess.Popen(command, cwd=checkout, env={"PATH": os.environ["PATH"]}, stdout=subprocess.PIPE)


def states(checkout, title):
    with psycopg.connect(settings_of(checkout)["DATABASE_URL"]) as connection:
        return dict(connection.execute(STORED, [title]).fetchall())


def all_is_in_place(site, checkout):
    """Wait until nothing is to be placed; then what is ranked and what the ranking counts are the same."""
    site.wait_until(lambda: fetch_number(checkout, UNPLACED) == 0)
    return fetch_number(checkout, RANKED) == fetch_number(checkout, IN_RANKING)


@pytest.mark.usefixtures("readers")
def test_a_killed_import_is_run_again_and_stores_every_text_exactly_once(site, checkout):
    before = fetch_number(checkout, RESULTS)
    with begin(checkout, "killed", first=0, count=200) as killed:
        killed.stdout.readline()  # a hundred are stored, and the next are being read
        killed.kill()
    assert AT_ONCE <= fetch_number(checkout, RESULTS) - before < 200
    bring_in(checkout, "again", first=0, count=200)
    assert all_is_in_place(site, checkout)
    parts = [states(checkout, title)["published"] for title in ("killed", "again")]
    assert (sum(parts), min(parts) > 0) == (200, True)
    assert fetch_number(checkout, RESULTS) == before + 200


@pytest.mark.usefixtures("readers")
def test_the_import_of_a_killed_worker_is_delivered_again(site, checkout):
    before = fetch_number(checkout, RESULTS)
    bring_in(checkout, "worker", first=200, count=200, then=BY_A_WORKER)
    site.wait_until(lambda: fetch_number(checkout, RESULTS) > before)
    worker = site.program("celery --app slogdb worker")
    for process in worker.children(recursive=True):  # those that run tasks, and their readers
        process.kill()
    site.wait_until(lambda: fetch_number(checkout, RESULTS) == before + 200)
    assert all_is_in_place(site, checkout)
    assert states(checkout, "worker") == {"published": 200}


def test_two_imports_of_the_same_texts_store_them_once(site, checkout):
    before = fetch_number(checkout, RESULTS)
    with (
        begin(checkout, "twice", first=400, count=40) as one,
        begin(checkout, "twice", first=400, count=40) as other,
    ):
        assert (one.wait(), other.wait()) == (0, 0)
    assert all_is_in_place(site, checkout)
    assert states(checkout, "twice") == {"published": 40}
    assert fetch_number(checkout, RESULTS) == before + 40


@pytest.mark.usefixtures("readers")
def test_only_the_text_that_exceeds_the_time_limit_is_skipped(site, checkout):
    hanging = repr(diskinfo(description="HANGS SSD"))
    then = f"texts.insert(0, Text(text={hanging}, place='here'))\n" + HERE
    printed = bring_in(checkout, "hangs", first=440, count=40, then=then)
    assert printed == "40 [('here', 'It takes too long to read.')]\n"
    assert all_is_in_place(site, checkout)
    assert states(checkout, "hangs") == {"published": 40}
    site.wait_until(lambda: json.loads(site.get("/healthz"))["worker"] == "ok")


@pytest.mark.usefixtures("readers")
def test_pages_change_after_a_clock_jump(site, checkout):
    """As a jump back leaves it: a data version of tomorrow."""
    bring_in(checkout, "jumps", first=480, count=10, then=HERE + NEXT_DAY)
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
