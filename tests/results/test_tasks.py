import pytest
from celery import current_app
from kombu.exceptions import OperationalError as BrokerError

from results import tasks
from results.core.redis import key
from results.data_version import stored_version
from results.ingest.late import is_late
from results.ingest.receive import Received
from results.ingest.waiting import Text, store_texts
from results.models import ImportBatch, LateDevice, Submission
from results.ranking.places import Board, ends_of, waiting_boards
from results.ranking.rerank import rerank_devices
from results.tasks import (
    WORKER_SEEN_KEY,
    hurry_after,
    hurry_judging,
    hurry_ranking,
    hurry_reading,
    rank_board,
    rank_late_devices,
    read_texts,
    sweep,
    tell_owner,
)
from tests import pastes
from tests.factories import make_result, rank_everything

NVME = Board("nvme", "diskinfo")
HDD = Board("hdd", "diskinfo")
EVERYTHING = Board("", "diskinfo")


@pytest.fixture
def queued(redis, monkeypatch):
    """How many tasks wait in the queue, when called; no export is due."""
    monkeypatch.setattr(tasks, "is_due", lambda: False)
    return lambda: redis.llen(key("celery"))


@pytest.fixture
def lasting_marks(monkeypatch):
    """What has been asked for is remembered for as long as a slow machine takes."""
    monkeypatch.setattr(tasks, "_MARK_LIFETIME_MS", 60_000)


def make_waiting_boards():
    rerank_devices([make_result(20).device_id])


@pytest.mark.usefixtures("lasting_marks")
def test_many_changes_in_a_row_make_one_task(queued):
    for _ in range(20):
        hurry_ranking([NVME])
    assert queued() == 1


def test_each_board_has_a_task_of_its_own(queued):
    hurry_ranking([NVME, HDD])
    assert queued() == 2


def test_a_mark_goes_before_the_task_comes():
    assert tasks._MARK_LIFETIME_MS < tasks.DEBOUNCE_S * 1000


@pytest.mark.usefixtures("lasting_marks")
def test_a_change_after_the_mark_is_gone_makes_another_task(queued, redis):
    hurry_ranking([NVME])
    (mark,) = redis.scan_iter(key("ranking-due:*"))
    assert redis.pttl(mark) > 0
    redis.delete(mark)
    hurry_ranking([NVME])
    assert queued() == 2


@pytest.mark.usefixtures("redis_away")
def test_with_redis_away_nothing_is_hurried_and_nothing_fails(queued):
    hurry_ranking([NVME])
    assert queued() == 0


def test_a_broker_that_fails_is_no_reason_to_fail_and_left_alone_for_a_while(monkeypatch):
    attempts = []

    def refuse(*_, **__):
        attempts.append("refused")
        raise BrokerError

    monkeypatch.setattr(rank_board, "apply_async", refuse)
    monkeypatch.setattr("results.core.redis.PAUSE_AFTER_FAILURE_S", 60)
    hurry_ranking([NVME, HDD])
    assert attempts == ["refused"]


def test_a_broker_that_nobody_listens_on_is_no_reason_to_fail(monkeypatch):
    with current_app.connection_for_write("redis+socket:///nonexistent/valkey.sock") as dead:
        asked = rank_board.apply_async
        monkeypatch.setattr(
            rank_board, "apply_async", lambda *args, **options: asked(*args, connection=dead, **options)
        )
        hurry_ranking([NVME])


@pytest.mark.usefixtures("lasting_marks")
@pytest.mark.django_db
def test_the_task_makes_the_pass_and_asks_for_that_of_all_classes(queued):
    make_waiting_boards()
    rank_board(*NVME)
    assert len(ends_of(NVME).highs) == 1
    assert (waiting_boards(), queued()) == ([EVERYTHING], 1)
    rank_board(*EVERYTHING)
    assert len(ends_of(EVERYTHING).highs) == 1
    assert (waiting_boards(), queued()) == ([], 1)


@pytest.mark.usefixtures("lasting_marks")
@pytest.mark.django_db
def test_classes_that_change_together_share_the_pass_of_all(queued):
    make_waiting_boards()
    rerank_devices([make_result(9000, device__device_class="hdd").device_id])
    rank_board(*NVME)
    rank_board(*HDD)
    assert (waiting_boards(), queued()) == ([EVERYTHING], 1)


@pytest.mark.django_db
def test_the_sweep_asks_for_the_boards_that_wait(queued):
    make_waiting_boards()
    sweep()
    assert queued() == 2  # of the class and of all classes


@pytest.mark.django_db
def test_the_sweep_asks_once_for_the_devices_that_are_late(queued):
    device_id = make_result(20).device_id
    rank_everything()
    LateDevice.objects.create(device_id=device_id)
    sweep()
    sweep()
    assert queued() == 1
    rank_late_devices()
    assert not is_late()


@pytest.mark.django_db
def test_the_sweep_asks_for_nothing_when_all_is_done(queued):
    make_result(20)
    rank_everything()
    sweep()
    assert queued() == 0


@pytest.mark.django_db
def test_the_sweep_shows_that_a_worker_is_alive_and_which_version_counts(redis):
    sweep()
    assert 0 < redis.ttl(key(WORKER_SEEN_KEY)) <= tasks.WORKER_SEEN_LIFETIME_S
    assert int(redis.get(key("data-version"))) == stored_version()


def test_judging_again_is_asked_for_when_there_is_something(queued):
    hurry_judging([])
    assert queued() == 0
    hurry_judging([1, 2])
    assert queued() == 1


@pytest.mark.usefixtures("redis_away")
def test_with_redis_away_judging_again_is_left_to_reread():
    hurry_judging([1])


@pytest.mark.usefixtures("redis_away")
def test_with_redis_away_readers_and_mails_are_asked_for_in_vain():
    hurry_reading()
    tell_owner(1, public_id="abc", decision="held", reason="a reason")


@pytest.mark.django_db
def test_the_sweep_asks_for_readers_while_texts_wait(queued):
    store_texts([Text(text=pastes.FIRST_PASTE)], ImportBatch.objects.create(title="A thread"))
    sweep()
    assert queued() == tasks.READERS
    read_texts()
    assert Submission.objects.get().state == "published"


@pytest.mark.parametrize("is_late", [False, True])
def test_a_submission_of_a_device_of_many_results_asks_for_its_row(queued, *, is_late):
    received = Received(Submission(), is_new=True, boards=[], is_late=is_late)
    hurry_after(received)
    hurry_after(received)
    assert queued() == is_late


@pytest.mark.django_db
def test_devices_that_were_put_off_are_ranked_as_soon_as_no_text_waits(queued):
    device_id = make_result(20).device_id
    rank_everything()
    read_texts()
    assert queued() == 0
    LateDevice.objects.create(device_id=device_id)
    read_texts()
    assert queued() == 1
