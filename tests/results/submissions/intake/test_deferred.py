import json

import pytest
from django.db import transaction
from django.db.models.functions import Now

from results.core.redis import key
from results.imports.bulk import Text, import_texts
from results.models import Device, ImportBatch, Submission
from results.models.choices import State
from results.ranking.boards import dirty_boards
from results.ranking.medians import rerank_devices
from results.ranking.standing import main_rows
from results.submissions.edit import change_state, erase_submission
from results.submissions.intake.deferred import (
    AT_ONCE,
    MANY_RESULTS,
    RESULTS_AT_ONCE,
    defer_devices,
    dirty_steps,
    rank_dirty,
    rank_dirty_devices,
)
from results.submissions.intake.reread import reread_all
from tests import pastes
from tests.concurrency import threads, wait_until_queueing
from tests.factories import make_device, make_result, rank_everything
from tests.results.api.holders import bearer

pytestmark = pytest.mark.usefixtures("everyone_is_trusted")
MODEL = "ATA SAMSUNG SSD PM88"


def bring_in(numbers):
    """Import texts of one device, with a unit and an author each."""
    texts = [
        Text(
            text=pastes.diskinfo(description=MODEL, ident=f"MANY{number:06d}"),
            sender_digest=f"author {number}",
        )
        for number in numbers
    ]
    (imported,) = import_texts(texts, ImportBatch.objects.create(title="Many"))
    assert imported.new_count == len(texts)


def counted():
    """How many results the ranking has of the device."""
    return main_rows().values_list("result_count", flat=True).get()


def is_dirty():
    return Device.objects.dirty().exists()


def test_a_ranked_device_is_deferred_and_ranked_once_for_all_results(db):
    bring_in(range(2))
    assert (counted(), is_dirty()) == (2, False)
    bring_in(range(2, 4))
    bring_in(range(4, 6))
    assert (counted(), Device.objects.dirty().count()) == (2, 1)
    rank_everything()
    assert dirty_boards() == []
    bring_in(range(6, 8))
    rank_dirty_devices()
    assert [board.board for board in dirty_boards()] == ["sync_write", "zil"] * 2
    assert (counted(), is_dirty()) == (8, False)
    assert dirty_steps() == []


def send(client, text):
    """Send a text as a member, whose result counts if it agrees with the imported ones."""
    answer = client.post("/api/v1/submissions/", text, content_type="text/plain", **bearer())
    assert (answer.status_code, len(answer.json()["results"])) == (201, 1)
    return Submission.objects.latest("pk")


def test_a_submission_of_its_own_ranks_its_device_at_once(db, client):
    bring_in(range(2))
    send(client, pastes.diskinfo(description=MODEL))
    assert (counted(), is_dirty()) == (3, False)


def bring_in_popular(numbers):
    """As bring_in, of a device that is said to have very many results."""
    bring_in(numbers)
    for counted_in in (main_rows(), Device.objects):
        counted_in.update(result_count=MANY_RESULTS)


def test_a_device_of_many_results_is_deferred_though_the_submission_is_one(db, client):
    bring_in_popular(range(2))
    send(client, pastes.diskinfo(description=MODEL))
    assert (counted(), is_dirty()) == (MANY_RESULTS, True)
    rank_dirty_devices()
    assert (counted(), is_dirty()) == (3, False)


def test_deferring_enqueues_one_task(db, client, redis, django_capture_on_commit_callbacks):
    bring_in_popular(range(2))
    for number in range(3):
        with django_capture_on_commit_callbacks(execute=True):
            send(client, pastes.diskinfo(description=MODEL, ident=f"MANY-SENT{number}"))
    tasks = [json.loads(message)["headers"]["task"] for message in redis.lrange(key("celery"), 0, -1)]
    assert tasks == ["results.submissions.intake.deferred.rank_dirty_devices"]


def test_rereading_a_popular_device_ranks_it_once(db):
    """A reread counts its results again, so that it has to be popular by so few."""
    bring_in(range(3))
    main_rows().update(score=7)
    assert len(list(reread_all(only_outdated=False, defer_from=2))) == 3
    assert (main_rows().get().score, Device.objects.dirty().count()) == (7, 1)
    rank_dirty_devices()
    assert main_rows().get().score != 7


@pytest.mark.parametrize(
    ("stored", "is_deferred"),
    [([], True), (["diskinfo"], True), (["fio"], False), (["diskinfo", "fio"], False)],
)
def test_the_first_result_by_another_method_is_ranked_at_once(db, stored, *, is_deferred):
    bring_in(range(2))
    device_id = Device.objects.get().pk
    found = defer_devices({device_id}, [(device_id, method) for method in stored], at_least=2)
    assert found == ({device_id} if is_deferred else set())
    assert is_dirty() == is_deferred


@pytest.mark.parametrize(
    "leave",
    [
        lambda submission: change_state(submission, State.WITHDRAWN, reason="mine"),
        lambda submission: change_state(submission, State.REJECTED, reason="invented"),
        lambda submission: erase_submission(submission, reason="mine"),
    ],
    ids=["withdrawn", "rejected", "erased"],
)
def test_removed_results_leave_the_ranking_immediately(db, leave):
    bring_in_popular(range(3))
    leave(Submission.objects.latest("pk"))
    assert (counted(), is_dirty()) == (2, False)


def make_dirty(*counts):
    """Dirty devices, each with a row that says it has so many results."""
    devices = [make_result().device for _ in counts]
    rerank_devices([device.pk for device in devices])
    for device, count in zip(devices, counts, strict=True):
        main_rows().filter(device=device).update(result_count=count)
    Device.objects.update(dirty_since=Now())
    return [device.pk for device in devices]


def test_a_step_holds_no_more_results_than_are_ranked_at_once(db):
    most = RESULTS_AT_ONCE
    a, b, c, d, e = make_dirty(most - 40, 40, 1, 5 * most, 20)
    assert dirty_steps() == [[a, b], [c], [d], [e]]


def test_a_step_holds_no_more_devices_than_are_locked_at_once(db):
    *together, last = make_dirty(*[1] * (AT_ONCE + 1))
    assert dirty_steps() == [together, [last]]


@pytest.fixture
def two_dirty(transactional_db):
    """The ids of two devices with a second result that their rows do not count yet."""
    devices = [make_device(model_name=name) for name in ("one", "two")]
    for device in devices:
        make_result(30, device=device)
    keys = [device.pk for device in devices]
    rerank_devices(keys)
    for device in devices:
        make_result(40, device=device)
    with transaction.atomic():
        assert defer_devices(keys, [], at_least=1) == set(keys)
    return keys


def test_two_processes_rank_dirty_devices_in_parallel(two_dirty):
    first, second = two_dirty
    with threads() as start, transaction.atomic():
        Device.objects.select_for_update(no_key=True).get(pk=first)
        assert start(lambda: rank_dirty(two_dirty, skips_locked=True)).result(10) == {second}
        assert rank_dirty(two_dirty) == {first}
    assert set(main_rows().values_list("result_count", flat=True)) == {2}
    assert not is_dirty()


def test_a_device_that_others_have_locked_is_ranked_after_them(two_dirty):
    first = two_dirty[0]
    with threads() as start:
        with transaction.atomic():
            Device.objects.select_for_update(no_key=True).get(pk=first)
            ranking = start(rank_dirty_devices)
            wait_until_queueing(1)
            assert list(Device.objects.dirty().values_list("pk", flat=True)) == [first]
        ranking.result(10)
    assert set(main_rows().values_list("result_count", flat=True)) == {2}
    assert not is_dirty()


def test_a_device_ranked_while_waiting_for_its_lock_is_not_ranked_again(two_dirty):
    with threads() as start:
        with transaction.atomic():
            assert rank_dirty(two_dirty) == set(two_dirty)
            ranking = start(rank_dirty, two_dirty)
            wait_until_queueing(1)
        assert ranking.result(10) == set()
