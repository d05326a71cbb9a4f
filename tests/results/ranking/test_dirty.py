"""Boards are marked dirty in the transaction that changes them, and their pass is enqueued when it commits."""

import json

import pytest
from django.db import transaction

from results.core.queue import enqueue_debounced
from results.core.redis import key
from results.ranking import boards as places
from results.ranking.boards import ClassBoard, dirty_boards, ends_of, mark_dirty, rank_board
from results.ranking.medians import rerank_devices
from tests.factories import make_result

pytestmark = pytest.mark.django_db

NVME = ClassBoard("sync_write", "nvme")
HDD = ClassBoard("sync_write", "hdd")
EVERYTHING = ClassBoard("sync_write", "")
SMALL = [None, None, None, 20, *[None] * 11]  # on one board


@pytest.fixture
def queued(redis, monkeypatch):
    """The boards whose passes are in the queue, when called; debounced for as long as a slow machine takes."""

    def enqueue_patiently(*arguments, **named):
        enqueue_debounced(*arguments, **{**named, "quiet_s": 60})

    monkeypatch.setattr(places, "enqueue_debounced", enqueue_patiently)

    def boards():
        messages = [json.loads(raw) for raw in redis.lrange(key("celery"), 0, -1)]
        assert {message["headers"]["task"] for message in messages} <= {"results.ranking.boards.rank_board"}
        return sorted(message["headers"]["argsrepr"] for message in messages)

    return boards


def rerank(result):
    rerank_devices([result.device_id])


def test_a_pass_starts_after_its_debounce():
    assert places.QUIET_S < places.DEBOUNCE_S


def test_changes_in_a_row_enqueue_one_pass_of_each_board(queued, django_capture_on_commit_callbacks):
    for _ in range(3):
        with django_capture_on_commit_callbacks(execute=True):
            mark_dirty([NVME, HDD, NVME])
    assert dirty_boards() == [NVME, HDD, EVERYTHING]
    assert queued() == [repr(tuple(HDD)), repr(tuple(NVME))]


def test_unchanged_rows_enqueue_no_pass(django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks:
        mark_dirty([])
    assert (dirty_boards(), callbacks) == ([], [])


@pytest.mark.django_db(transaction=True)
def test_a_rolled_back_change_marks_and_enqueues_nothing(queued):
    with transaction.atomic():
        mark_dirty([NVME])
        assert queued() == []
        transaction.set_rollback(True)
    assert (dirty_boards(), queued()) == ([], [])
    with transaction.atomic():
        mark_dirty([NVME])
    assert (dirty_boards(), queued()) == ([NVME, EVERYTHING], [repr(tuple(NVME))])


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis_away")
def test_boards_are_marked_dirty_without_redis():
    with transaction.atomic():
        mark_dirty([NVME])
    assert dirty_boards() == [NVME, EVERYTHING]


@pytest.mark.django_db(transaction=True)
def test_an_error_after_the_commit_does_not_fail_the_request(monkeypatch, caplog):
    monkeypatch.setattr(places, "enqueue_debounced", lambda *_, **__: 1 / 0)
    with transaction.atomic():
        mark_dirty([NVME])
    assert dirty_boards() == [NVME, EVERYTHING]
    assert "ZeroDivisionError" in caplog.text


def test_the_task_runs_the_pass_and_enqueues_that_of_all_classes(queued):
    rerank(make_result(SMALL))
    rank_board(*NVME)
    assert len(ends_of(NVME)) == 1
    assert (dirty_boards(), queued()) == ([EVERYTHING], [repr(tuple(EVERYTHING))])
    rank_board(*EVERYTHING)
    assert len(ends_of(EVERYTHING)) == 1
    assert (dirty_boards(), len(queued())) == ([], 1)


def test_classes_that_change_together_share_the_pass_of_all(queued):
    rerank(make_result(SMALL))
    rerank(make_result(SMALL, device__device_class="hdd"))
    rank_board(*NVME)
    rank_board(*HDD)
    assert (dirty_boards(), queued()) == ([EVERYTHING], [repr(tuple(EVERYTHING))])
