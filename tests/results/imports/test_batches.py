from datetime import timedelta

import pytest
from django.conf import settings
from django.db import DataError, OperationalError, transaction
from django.db.models import F
from django.db.models.functions import Now

from results.core.redis import key
from results.imports import batches
from results.imports.batches import (
    ATTEMPTS,
    FEWER,
    LEASE_MARGIN,
    Lease,
    Text,
    enqueue_reading,
    is_waiting,
    lease_batch,
    read_batch,
    read_texts,
    store_texts,
)
from results.models import Device, ImportBatch, Result, Submission
from results.models.choices import State
from results.ranking.boards import dirty_boards
from results.ranking.standing import main_rows
from results.submissions.deferred import rank_dirty_devices
from results.submissions.edit import erase_submission
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


def test_a_waiting_text_is_masked_and_not_public(batch, client):
    assert store_texts(texts(1, forum_handle="ann"), batch) == 1
    kept = Submission.objects.get()
    assert (kept.state, kept.forum_handle, kept.batch) == (State.WAITING, "ann", batch)
    assert "SERIAL000000" not in kept.text
    assert not Result.objects.exists()
    assert client.get(f"/results/{kept.public_id}/").status_code == 404


def test_workers_read_and_rank_waiting_texts(batch):
    store_texts(texts(5), batch)
    assert read_batch() == 5
    assert dirty_boards()
    assert set(Submission.objects.values_list("state", flat=True)) == {State.PUBLISHED}
    assert main_rows().get().unit_count == 5
    assert not is_waiting()
    assert read_batch() == 0


def test_a_batch_gives_the_same_results_as_single_submissions(batch):
    both = [pastes.FIRST_PASTE + pastes.smartctl(), pastes.diskinfo([30.0] * 9, ident="CUT")]
    store_texts([Text(text=one) for one in both], batch)
    read_batch()
    together = list(Result.objects.order_by("submission_id", "position").values(*SAME))
    Submission.objects.update(state=State.WAITING)
    Result.objects.all().delete()
    while read_batch(limit=1):
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


def test_repeating_an_import_adds_nothing(batch):
    assert [store_texts(texts(3), batch), store_texts(texts(4), batch)] == [3, 1]


def test_binary_and_overlong_texts_are_skipped(batch, settings):
    hostile = [Text(text=b"\x00\x01\xff\xfe\x00"), Text(text="x" * (settings.PASTE_LIMIT_BYTES + 1))]
    assert store_texts([*hostile, *texts(1)], batch) <= 2
    assert Submission.objects.filter(text__startswith="x").count() == 0


def test_a_text_without_a_run_is_rejected_with_the_reason(batch):
    assert store_texts([Text(text="hello"), Text(text=pastes.smartctl())], batch) == 1
    read_batch()
    assert Submission.objects.values_list("state", "state_reason").get() == (
        State.REJECTED,
        "It contains no run.",
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
    read = batches.parse_stored

    def fragile(submission, catalogue):
        if submission.text == bad.text:
            raise fault("the reader trips")
        return read(submission, catalogue)

    monkeypatch.setattr(batches, "parse_stored", fragile)
    return bad


def test_one_bad_text_does_not_block_the_others(poison):
    read_batch()
    states = Submission.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == [State.PUBLISHED, State.WAITING, State.PUBLISHED]


def test_a_repeatedly_failing_text_is_held_with_the_reason(poison, fault):
    while read_batch():
        pass
    poison.refresh_from_db()
    assert (poison.state, poison.read_attempts) == (State.HELD, ATTEMPTS)
    assert poison.state_reason.startswith("Reading it failed 3 times")
    assert poison.state_reason.endswith(f"The last fault was a {fault.__name__}.")


def test_a_text_whose_readers_died_is_held_with_the_reason(batch):
    store_texts(texts(1), batch)
    for _ in range(ATTEMPTS):
        assert lease_batch(10)
        move_leases(-LEASE)
    assert read_batch() == 0
    kept = Submission.objects.get()
    assert (kept.state, kept.read_attempts) == (State.HELD, ATTEMPTS)
    assert kept.state_reason.startswith("Reading it failed 3 times")
    assert kept.state_reason.endswith("Its reader died or ran out of time.")


def test_a_text_that_fails_to_be_stored_does_not_block_the_others(batch, monkeypatch):
    store_texts(texts(3), batch)
    bad = Submission.objects.order_by("pk")[1]
    store = batches.store_readings

    def fragile(readings, **options):
        if bad in [reading.submission for reading in readings]:
            raise DataError("a value that no column holds")
        return store(readings, **options)

    monkeypatch.setattr(batches, "store_readings", fragile)
    while read_batch():
        pass
    states = Submission.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == [State.PUBLISHED, State.HELD, State.PUBLISHED]
    rank_dirty_devices()
    assert main_rows().get().unit_count == 2


def test_operational_database_errors_do_not_count_as_attempts(batch, monkeypatch):
    store_texts(texts(2), batch)

    def refuse(*_, **__):
        raise OperationalError("deadlock detected")

    store = batches.store_readings
    monkeypatch.setattr(batches, "store_readings", refuse)
    with pytest.raises(OperationalError):
        read_batch()
    monkeypatch.setattr(batches, "store_readings", store)
    assert set(Submission.objects.values_list("read_attempts", flat=True)) == {0}
    assert read_batch() == 2


LEASE = timedelta(seconds=settings.READ_TIME_LIMIT_S) + LEASE_MARGIN


def move_leases(by):
    """As if all leases had been given at another time."""
    Submission.objects.update(leased_until=F("leased_until") + by * 1.01)


@pytest.mark.parametrize("jump", [-LEASE, LEASE], ids=["forward", "back"])
def test_the_lease_of_a_dead_worker_expires_despite_clock_jumps(batch, jump):
    store_texts(texts(2), batch)
    lease_batch(10)
    assert read_batch() == 0
    assert not is_waiting()
    move_leases(jump)
    assert is_waiting()
    assert read_batch() == 2
    assert Result.objects.count() == 2
    assert set(Submission.objects.values_list("read_attempts", "leased_until")) == {(1, None)}
    assert not is_waiting()


def test_two_holders_of_the_same_lease_store_it_once(batch):
    store_texts(texts(3), batch)
    first = lease_batch(10)
    second = Lease(first.until, list(Submission.objects.order_by("pk")))
    batches._read(first)
    before = list(Result.objects.values_list("pk", flat=True))
    assert len(before) == 3
    batches._read(second)
    assert list(Result.objects.values_list("pk", flat=True)) == before


def test_a_reader_that_lost_its_lease_stores_nothing(batch):
    store_texts(texts(3), batch)
    slow = lease_batch(10)
    move_leases(-LEASE)
    quick = lease_batch(10 * FEWER)
    batches._read(slow)
    assert set(Submission.objects.values_list("state", "read_attempts")) == {(State.WAITING, 1)}
    batches._read(quick)
    assert Result.objects.count() == 3


def test_a_failure_under_a_lost_lease_does_not_count_for_the_next_reader(poison):
    slow = lease_batch(10)
    move_leases(-LEASE)
    quick = lease_batch(10 * FEWER)
    batches._read(slow)
    assert set(Submission.objects.values_list("read_attempts", "leased_until")) == {(1, quick.until)}


def test_a_text_erased_while_being_read_stays_erased(batch):
    store_texts(texts(2), batch)
    lease = lease_batch(10)
    erase_submission(Submission.objects.order_by("pk")[0], reason="asked")
    batches._read(lease)
    states = Submission.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == [State.ERASED, State.PUBLISHED]


@pytest.mark.parametrize(("attempts", "read"), [(1, [2, 1, 0]), (2, [1, 1, 1, 0])])
def test_a_text_that_killed_its_reader_is_isolated_step_by_step(batch, attempts, read):
    store_texts(texts(3), batch)
    Submission.objects.update(read_attempts=attempts)
    assert [read_batch(limit=2 * FEWER) for _ in read] == read


@pytest.mark.django_db(transaction=True)
def test_two_workers_never_read_the_same_text(batch):
    store_texts(texts(40), batch)
    with threads() as start:
        read = [one.result() for one in [start(lambda: read_batch(limit=20)) for _ in range(2)]]
    assert read == [20, 20]
    assert Result.objects.count() == 40
    assert set(Submission.objects.values_list("read_attempts", flat=True)) == {0}


@pytest.mark.django_db(transaction=True)
def test_a_worker_leases_the_next_texts_while_another_leases_the_first(batch):
    store_texts(texts(5), batch)
    first, *_, last = Submission.objects.order_by("pk")
    with threads() as start, transaction.atomic():
        mine = lease_batch(3)
        theirs = start(lambda: lease_batch(3)).result(10)
    assert [mine.texts[0], theirs.texts[-1]] == [first, last]
    assert not {one.pk for one in mine.texts} & {one.pk for one in theirs.texts}
    assert lease_batch(3) is None


def test_failed_texts_are_leased_after_fresh_ones(batch):
    store_texts(texts(3), batch)
    failed = Submission.objects.order_by("pk")[0]
    Submission.objects.filter(pk=failed.pk).update(read_attempts=1)
    assert len(lease_batch(10).texts) == 2
    assert lease_batch(10).texts == [failed]


def test_a_batch_is_leased_by_two_queries(batch, django_assert_num_queries):
    store_texts(texts(3), batch)
    with django_assert_num_queries(4):  # one for leases that ran out, between savepoints
        assert len(lease_batch(10).texts) == 3


@pytest.fixture
def queued(redis):
    """How many tasks are in the queue, when called."""
    return lambda: redis.llen(key("celery"))


def test_deferred_devices_are_ranked_once_no_text_is_waiting(batch, queued):
    store_texts(texts(1), batch)
    read_texts()
    assert queued() == 0
    Device.objects.update(dirty_since=Now())
    read_texts()
    assert queued() == 1


def test_readers_are_enqueued(queued):
    enqueue_reading()
    assert queued() == batches.READERS
