"""What Celery does: work that is long or regular. Each task may run twice, late, or not at all until the sweep."""

from celery import shared_task
from django.db import OperationalError
from kombu.exceptions import OperationalError as BrokerError

from results.data_version import agree_on_version
from results.ranking.places import ALL_CLASSES, Board, place_board, waiting_boards
from slogdb.redis_link import RedisAwayError, key, link

DEBOUNCE_S = 0.4
_MARK_LIFETIME_MS = 250  # shorter than the debounce: a change that finds the mark is seen by the task to come
WORKER_SEEN_KEY = "worker-seen"
WORKER_SEEN_LIFETIME_S = 20


@shared_task(autoretry_for=(OperationalError,), retry_backoff=True, max_retries=5)
def rank_board(device_class: str, method: str) -> None:
    """Make the class-wide pass of one board, and then that of all classes, which rests on it."""
    place_board(Board(device_class, method))
    place_board(Board(ALL_CLASSES, method))


@shared_task
def sweep() -> None:
    """Do what a failing link or a dead worker left undone, and show that a worker is alive."""
    link.call(lambda redis: redis.set(key(WORKER_SEEN_KEY), 1, ex=WORKER_SEEN_LIFETIME_S))
    agree_on_version()
    for board in waiting_boards():
        rank_board.delay(*board)


def hurry_ranking(boards: list[Board]) -> None:
    """Ask for the class-wide pass of these boards soon; many calls in a row make one pass.

    With Redis away nothing is asked for and nothing is lost: the boards are marked in PostgreSQL, and the
    sweep finds them.
    """
    try:
        for board in boards:
            _ask_for(board)
    except (RedisAwayError, BrokerError):
        return


def _ask_for(board: Board) -> None:
    mark = key(f"ranking-due:{board.device_class}:{board.method}")
    if link.call(lambda redis: redis.set(mark, 1, nx=True, px=_MARK_LIFETIME_MS)):
        rank_board.apply_async(board, countdown=DEBOUNCE_S, retry=False)
