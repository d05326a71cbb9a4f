from datetime import timedelta

import pytest
from django.conf import settings
from django.db import DataError, OperationalError
from django.db.models import F

from results.ingest import taken, waiting
from results.ingest.late import late_steps, rank_late
from results.ingest.states import erase_submission
from results.ingest.taken import ATTEMPTS, FEWER, LEASE_MARGIN, Batch, is_waiting, take_batch
from results.ingest.waiting import Text, read_waiting, store_texts
from results.models import DeviceRanking, ImportBatch, Result, Submission, TakenBatch
from results.models.choices import State
from tests import pastes
from tests.concurrency import threads

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]


@pytest.fixture
def batch():
    return ImportBatch.objects.create(title="A decade of threads")


def texts(count, **values):
    return [
        Text(
            text=pastes.diskinfo([one + number for one in pastes.FIRST_CURVE], ident=f"SERIAL{number:06}"),
            **{"sender_digest": f"{number:032x}", **values},
        )
        for number in range(count)
    ]


def test_a_waiting_text_is_masked_and_shows_nowhere(batch, client):
    assert store_texts(texts(1, forum_handle="ann"), batch) == 1
    kept = Submission.objects.get()
    assert (kept.state, kept.forum_handle, kept.batch) == (State.WAITING, "ann", batch)
    assert "SERIAL000000" not in kept.text
    assert not Result.objects.exists()
    assert client.get(f"/results/{kept.public_id}/").status_code == 404


def test_workers_read_what_waits_and_rank_it(batch):
    store_texts(texts(5), batch)
    worked = read_waiting()
    assert worked.taken == 5
    assert worked.boards
    assert set(Submission.objects.values_list("state", flat=True)) == {State.PUBLISHED}
    assert DeviceRanking.objects.get().unit_count == 5
    assert not is_waiting()
    assert read_waiting().taken == 0


def test_a_batch_says_the_same_as_one_by_one(batch):
    both = [pastes.FIRST_PASTE + pastes.smartctl(), pastes.diskinfo([30.0] * 9, ident="CUT")]
    store_texts([Text(text=one) for one in both], batch)
    read_waiting()
    together = list(Result.objects.order_by("submission_id", "position").values(*SAME))
    Submission.objects.update(state=State.WAITING)
    Result.objects.all().delete()
    while read_waiting(limit=1).taken:
        pass
    assert list(Result.objects.order_by("submission_id", "position").values(*SAME)) == together


SAME = (
    "public_id",
    "device_id",
    "firmware_id",
    "has_unit",
    "ranking_unit",
    "latency_us",
    "is_ranked",
    "flags",
    "measured_on",
)


def test_the_same_import_again_brings_nothing_new(batch):
    assert [store_texts(texts(3), batch), store_texts(texts(4), batch)] == [3, 1]


def test_what_is_no_text_or_too_long_is_passed_over(batch, settings):
    hostile = [Text(text=b"\x00\x01\xff\xfe\x00"), Text(text="x" * (settings.PASTE_LIMIT_BYTES + 1))]
    assert store_texts([*hostile, *texts(1)], batch) <= 2
    assert Submission.objects.filter(text__startswith="x").count() == 0


def test_a_text_without_a_run_says_so(batch):
    store_texts([Text(text="hello")], batch)
    read_waiting()
    assert Submission.objects.values_list("state", "state_reason").get() == (
        State.REJECTED,
        "There is no run in it.",
    )


@pytest.fixture(params=[ValueError, AttributeError, AssertionError, MemoryError])
def fault(request):
    """What a fault of the reader's own code may be."""
    return request.param


@pytest.fixture
def poison(batch, monkeypatch, fault):
    """Three texts, the second of which makes its reader fail."""
    store_texts(texts(3), batch)
    bad = Submission.objects.order_by("pk")[1]
    read = waiting.read_masked

    def fragile(text, **options):
        if text == bad.text:
            raise fault("the reader trips")
        return read(text, **options)

    monkeypatch.setattr(waiting, "read_masked", fragile)
    return bad


def test_one_bad_text_does_not_keep_the_others_waiting(poison):
    read_waiting()
    states = Submission.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == [State.PUBLISHED, State.WAITING, State.PUBLISHED]


def test_a_text_that_fails_again_and_again_is_held_with_the_reason(poison, fault):
    while read_waiting().taken:
        pass
    poison.refresh_from_db()
    assert (poison.state, poison.read_attempts) == (State.HELD, ATTEMPTS)
    assert poison.state_reason.startswith("Reading it failed 3 times")
    assert poison.state_reason.endswith(f"The last fault was a {fault.__name__}.")


def test_a_text_whose_readers_died_is_held_with_the_reason(batch):
    store_texts(texts(1), batch)
    for _ in range(ATTEMPTS):
        assert take_batch(10)
        TakenBatch.objects.update(taken_at=F("taken_at") - LEASE * 1.01)
    assert read_waiting().taken == 0
    kept = Submission.objects.get()
    assert (kept.state, kept.read_attempts) == (State.HELD, ATTEMPTS)
    assert kept.state_reason.startswith("Reading it failed 3 times")
    assert kept.state_reason.endswith("Its reader died or ran out of time.")


def test_what_fails_when_it_is_stored_does_not_keep_the_others_waiting(batch, monkeypatch):
    store_texts(texts(3), batch)
    bad = Submission.objects.order_by("pk")[1]
    store = waiting.store_readings

    def fragile(readings, **options):
        if bad in [reading.submission for reading in readings]:
            raise DataError("a value that no column holds")
        return store(readings, **options)

    monkeypatch.setattr(waiting, "store_readings", fragile)
    while read_waiting().taken:
        pass
    states = Submission.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == [State.PUBLISHED, State.HELD, State.PUBLISHED]
    (step,) = late_steps()
    rank_late(step)
    assert DeviceRanking.objects.get().unit_count == 2


def test_what_the_database_refuses_for_its_own_reasons_is_no_attempt(batch, monkeypatch):
    store_texts(texts(2), batch)

    def refuse(*_, **__):
        raise OperationalError("deadlock detected")

    store = waiting.store_readings
    monkeypatch.setattr(waiting, "store_readings", refuse)
    with pytest.raises(OperationalError):
        read_waiting()
    monkeypatch.setattr(waiting, "store_readings", store)
    assert set(Submission.objects.values_list("read_attempts", flat=True)) == {0}
    assert read_waiting().taken == 2


LEASE = timedelta(seconds=settings.READ_TIME_LIMIT_S) + LEASE_MARGIN


@pytest.mark.parametrize("jump", [LEASE, -LEASE], ids=["forward", "back"])
def test_what_a_dead_worker_had_taken_is_free_after_a_while_however_the_clock_jumps(batch, jump):
    store_texts(texts(2), batch)
    take_batch(10)
    assert read_waiting().taken == 0
    assert not is_waiting()
    TakenBatch.objects.update(taken_at=F("taken_at") - jump * 1.01)
    assert is_waiting()
    while read_waiting().taken:
        pass
    assert Result.objects.count() == 2
    assert not TakenBatch.objects.exists()


def test_two_that_hold_the_same_batch_store_it_once(batch):
    store_texts(texts(3), batch)
    first = take_batch(10)
    second = Batch(first.pk, list(Submission.objects.order_by("pk")))
    assert waiting._read(first)
    before = list(Result.objects.values_list("pk", flat=True))
    assert waiting._read(second) == []
    assert list(Result.objects.values_list("pk", flat=True)) == before


def test_who_was_slower_than_its_time_stores_nothing(batch):
    store_texts(texts(3), batch)
    slow = take_batch(10)
    TakenBatch.objects.update(taken_at=F("taken_at") - LEASE * 1.01)
    quick = take_batch(10)
    assert waiting._read(slow) == []
    assert set(Submission.objects.values_list("state", "read_attempts")) == {(State.WAITING, 1)}
    assert waiting._read(quick)


def test_what_was_taken_back_while_it_was_read_stays_away(batch):
    store_texts(texts(2), batch)
    taken = take_batch(10)
    erase_submission(Submission.objects.order_by("pk")[0], reason="asked")
    waiting._read(taken)
    states = Submission.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == [State.ERASED, State.PUBLISHED]


@pytest.mark.parametrize(("attempts", "taken"), [(1, [2, 1, 0]), (2, [1, 1, 1, 0])])
def test_what_killed_its_reader_is_read_with_few_others_and_then_alone(batch, attempts, taken):
    store_texts(texts(3), batch)
    Submission.objects.update(read_attempts=attempts)
    assert [read_waiting(limit=2 * FEWER).taken for _ in taken] == taken


@pytest.mark.django_db(transaction=True)
def test_two_workers_never_read_the_same_text(batch):
    store_texts(texts(40), batch)
    with threads() as start:
        taken = [one.result().taken for one in [start(lambda: read_waiting(limit=20)) for _ in range(2)]]
    while more := read_waiting().taken:
        taken.append(more)  # what both had looked at, and one of them had left to the other
    assert sum(taken) == 40
    assert Result.objects.count() == 40
    assert set(Submission.objects.values_list("read_attempts", flat=True)) == {0}


@pytest.mark.django_db(transaction=True)
def test_a_worker_takes_none_that_another_took_while_it_looked(batch, monkeypatch):
    store_texts(texts(6), batch)
    free = taken.free_texts
    others = []

    def found_late():
        """As if the look began before the other's transaction and locked its rows after it."""
        seen = free().values_list("pk", flat=True)[:3]
        found = Submission.objects.filter(pk__in=list(seen))
        if not others:
            monkeypatch.setattr(taken, "free_texts", free)
            others.append(take_batch(3))
        return found

    monkeypatch.setattr(taken, "free_texts", found_late)
    mine = take_batch(3)
    pks = [one.pk for batch in (*others, mine) for one in batch.texts]
    assert len(set(pks)) == len(pks) == 6
