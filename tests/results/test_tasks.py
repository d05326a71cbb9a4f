import pytest
from celery import current_app
from kombu.exceptions import OperationalError as BrokerError

from results import tasks
from results.data_version import stored_version
from results.ranking.places import Board, ends_of, waiting_boards
from results.ranking.rerank import rerank_devices
from results.tasks import WORKER_SEEN_KEY, hurry_ranking, rank_board, sweep
from slogdb.redis_link import key
from tests.factories import make_result, rank_everything

NVME = Board("nvme", "diskinfo")
HDD = Board("hdd", "diskinfo")


@pytest.fixture
def queued(redis):
    """How many tasks wait in the queue, when called."""
    return lambda: redis.llen(key("celery"))


def make_waiting_boards():
    rerank_devices([make_result(20).device_id])


def test_many_changes_in_a_row_make_one_task(queued):
    for _ in range(20):
        hurry_ranking([NVME])
    assert queued() == 1


def test_each_board_has_a_task_of_its_own(queued):
    hurry_ranking([NVME, HDD])
    assert queued() == 2


def test_a_change_after_the_mark_is_gone_makes_another_task(queued, redis):
    hurry_ranking([NVME])
    (mark,) = redis.scan_iter(key("ranking-due:*"))
    assert 0 < redis.pttl(mark) < tasks.DEBOUNCE_S * 1000  # it goes before the task comes
    redis.delete(mark)
    hurry_ranking([NVME])
    assert queued() == 2


@pytest.mark.usefixtures("redis_away")
def test_with_redis_away_nothing_is_hurried_and_nothing_fails(queued):
    hurry_ranking([NVME])
    assert queued() == 0


def test_a_broker_that_fails_is_no_reason_to_fail(monkeypatch):
    def refuse(*_, **__):
        raise BrokerError

    monkeypatch.setattr(rank_board, "apply_async", refuse)
    hurry_ranking([NVME])


def test_a_broker_that_nobody_listens_on_is_no_reason_to_fail(monkeypatch):
    with current_app.connection_for_write("redis+socket:///nonexistent/valkey.sock") as dead:
        asked = rank_board.apply_async
        monkeypatch.setattr(
            rank_board, "apply_async", lambda *args, **options: asked(*args, connection=dead, **options)
        )
        hurry_ranking([NVME])


@pytest.mark.django_db
def test_the_task_makes_the_pass_and_that_of_all_classes():
    make_waiting_boards()
    rank_board(*NVME)
    assert (len(ends_of(NVME).highs), len(ends_of(Board("", "diskinfo")).highs)) == (1, 1)
    assert waiting_boards() == []


@pytest.mark.django_db
def test_the_sweep_asks_for_the_boards_that_wait(queued):
    make_waiting_boards()
    sweep()
    assert queued() == 2  # of the class and of all classes


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
