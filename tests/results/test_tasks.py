import pytest
from celery import current_app
from django.db import OperationalError
from django.db.models.functions import Now

from results import tasks
from results.core.data_version import stored_version
from results.core.queue import WORKER_SEEN_KEY
from results.core.redis import key
from results.imports import batches
from results.imports.batches import Text, read_texts, store_texts
from results.models import Device, ImportBatch, Submission
from results.moderation.mail import enqueue_decision_mail
from results.ranking.boards import ClassBoard, dirty_boards, rank_board
from results.ranking.medians import rerank_devices
from results.submissions.deferred import rank_dirty_devices
from results.submissions.rejudge import enqueue_judging
from results.tasks import sweep
from tests import pastes
from tests.factories import make_result, rank_everything

NVME = ClassBoard("sync_write", "nvme")


@pytest.fixture
def queued(redis, monkeypatch):
    """How many tasks are in the queue, when called; no export is due."""
    monkeypatch.setattr(tasks, "is_due", lambda: False)
    return lambda: redis.llen(key("celery"))


def make_dirty_boards():
    rerank_devices([make_result(20).device_id])


@pytest.mark.django_db
def test_the_sweep_enqueues_the_passes_of_dirty_boards(queued):
    make_dirty_boards()
    sweep()
    assert queued() == 4  # of the class and of all classes, for each board


@pytest.mark.django_db
def test_the_sweep_enqueues_once_that_dirty_devices_are_ranked(queued):
    make_result(20)
    rank_everything()
    Device.objects.update(dirty_since=Now())
    sweep()
    sweep()
    assert queued() == 1
    rank_dirty_devices()
    assert not Device.objects.dirty().exists()


@pytest.mark.django_db
def test_the_sweep_enqueues_nothing_when_all_is_done(queued):
    make_result(20)
    rank_everything()
    sweep()
    assert queued() == 0


@pytest.mark.django_db
def test_the_sweep_shows_that_a_worker_is_alive_and_which_version_counts(redis):
    sweep()
    assert 0 < redis.ttl(key(WORKER_SEEN_KEY)) <= tasks.WORKER_SEEN_LIFETIME_S
    assert int(redis.get(key("data-version"))) == stored_version()


@pytest.mark.django_db
def test_the_sweep_enqueues_readers_while_texts_wait(queued):
    store_texts([Text(text=pastes.FIRST_PASTE)], ImportBatch.objects.create(title="A thread"))
    sweep()
    assert queued() == batches.READERS
    read_texts()
    assert Submission.objects.get().state == "published"


@pytest.mark.django_db
def test_judging_again_is_enqueued_when_there_is_something(queued, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        enqueue_judging([])
    assert queued() == 0
    with django_capture_on_commit_callbacks(execute=True):
        enqueue_judging([1, 2])
    assert queued() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis_away")
def test_judging_and_mails_are_not_enqueued_without_redis():
    enqueue_judging([1])
    enqueue_decision_mail(1, public_id="abc", decision="held", reason="a reason")


def test_every_task_keeps_its_old_name():
    registered = {name for name in current_app.tasks if name.startswith("results.")}
    assert registered == {
        "results.accounts.expiry.forget_expired",
        "results.exports.build.export",
        "results.api.idempotency.forget_answers",
        "results.imports.batches.read_texts",
        "results.submissions.deferred.rank_dirty_devices",
        "results.moderation.mail.mail_decision",
        "results.moderation.mail.mail_report",
        "results.submissions.rejudge.judge_devices",
        "results.operations.erasures.copy_erasures",
        "results.ranking.boards.rank_board",
        "results.tasks.begin_day",
        "results.tasks.export",
        "results.tasks.forget_answers",
        "results.tasks.judge_devices",
        "results.tasks.mail_decision",
        "results.tasks.mail_report",
        "results.tasks.rank_board",
        "results.tasks.rank_late_devices",
        "results.tasks.read_texts",
        "results.tasks.sweep",
    }


def test_the_clock_names_tasks_that_there_are(settings):
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert "results.accounts.expiry.forget_expired" in scheduled
    assert scheduled <= set(current_app.tasks)


@pytest.mark.django_db
def test_a_task_by_its_old_name_does_what_it_did():
    make_dirty_boards()
    current_app.tasks["results.tasks.rank_board"].apply(NVME, throw=True)
    assert NVME not in dirty_boards()
    Device.objects.update(dirty_since=Now())
    current_app.tasks["results.tasks.rank_late_devices"].apply(throw=True)
    assert not Device.objects.dirty().exists()


def test_a_task_by_its_old_name_has_the_same_retries_and_limits(monkeypatch):
    by_old_name = current_app.tasks["results.tasks.read_texts"]
    assert by_old_name.time_limit == read_texts.time_limit > 0
    attempts = []

    def fail_once(*board):
        attempts.append(board)
        if len(attempts) == 1:
            raise OperationalError("deadlock detected")

    monkeypatch.setattr(rank_board, "run", fail_once)
    current_app.tasks["results.tasks.rank_board"].apply(NVME)
    assert attempts == [tuple(NVME)] * 2
