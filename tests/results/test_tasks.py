import threading

import pytest
from celery import current_app
from django.db.models.functions import Now

from results import tasks
from results.core.data_version import stored_version
from results.core.queue import SEEN_LIFETIME_S, WORKER_SEEN_KEY
from results.core.redis import key
from results.exports.build import current_manifest
from results.models import Device
from results.moderation.mail import enqueue_decision_mail
from results.operations.erasures import copied_lists, lineage
from results.ranking.boards import dirty_boards, rank_board
from results.ranking.medians import rerank_devices
from results.submissions.edit import erase
from results.submissions.intake.deferred import rank_dirty_devices
from results.submissions.intake.rejudge import enqueue_judging
from results.tasks import sweep
from tests.concurrency import threads
from tests.factories import make_result, make_submission, rank_everything

pytestmark = pytest.mark.django_db


@pytest.fixture
def queued(redis, monkeypatch):
    """How many tasks are in the queue, when called; no export is due."""
    monkeypatch.setattr(tasks, "is_due", lambda: False)
    return lambda: redis.llen(key("celery"))


def make_dirty_boards():
    rerank_devices([make_result(20).device_id])


def test_the_sweep_enqueues_the_passes_of_dirty_boards(queued):
    make_dirty_boards()
    sweep()
    assert queued() == 4  # of the class and of all classes, for each board


def test_the_sweep_enqueues_once_that_dirty_devices_are_ranked(queued):
    make_result(20)
    rank_everything()
    Device.objects.update(dirty_since=Now())
    sweep()
    sweep()
    assert queued() == 1
    rank_dirty_devices()
    assert not Device.objects.dirty().exists()


def test_the_sweep_enqueues_nothing_when_all_is_done(queued):
    make_result(20)
    rank_everything()
    sweep()
    assert queued() == 0


def test_the_sweep_shows_that_a_worker_is_alive_and_which_version_counts(redis):
    sweep()
    assert 0 < redis.ttl(key(WORKER_SEEN_KEY)) <= SEEN_LIFETIME_S
    assert int(redis.get(key("data-version"))) == stored_version()


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


def test_every_task_is_registered():
    registered = {name for name in current_app.tasks if name.startswith("results.")}
    assert registered == {
        "results.accounts.expiry.forget_expired",
        "results.api.idempotency.forget_answers",
        "results.exports.build.export",
        "results.imports.bulk.import_kept",
        "results.moderation.imports.reject_imported",
        "results.moderation.mail.mail_decision",
        "results.moderation.mail.mail_report",
        "results.operations.erasures.copy_erasures",
        "results.operations.reread_run.reread_in_worker",
        "results.ranking.boards.rank_board",
        "results.submissions.intake.deferred.rank_dirty_devices",
        "results.submissions.intake.rejudge.judge_devices",
        "results.tasks.begin_day",
        "results.tasks.sweep",
    }


def test_the_clock_names_tasks_that_there_are(settings):
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert "results.accounts.expiry.forget_expired" in scheduled
    assert scheduled <= set(current_app.tasks)


@pytest.mark.django_db(transaction=True)
def test_two_schedulers_at_the_same_moment_do_what_one_does(settings, tmp_path, queued):
    settings.EXPORT_FOLDER, settings.BACKUP_FOLDER = str(tmp_path / "exports"), str(tmp_path)
    make_dirty_boards()
    erased = make_submission()
    erase(erased, None)
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    both = threading.Barrier(2)

    def run(name):
        both.wait()
        current_app.tasks[name]()

    with threads() as start:
        for name in sorted(scheduled):
            for call in [start(run, name), start(run, name)]:
                call.result()
        for board in dirty_boards():
            for call in [start(rank_board, *board), start(rank_board, *board)]:
                call.result()
    assert dirty_boards() == []
    assert current_manifest().files
    (copied,) = copied_lists(tmp_path, lineage())
    assert copied.lines == {erased.public_id}
    assert [path.name for path in tmp_path.glob(".*")] == []
