"""A reread by the worker: in slices, across kills, beside other workers, and what /operator/ says about it."""

import re
from datetime import timedelta

import pytest
from django.core.management.base import CommandError
from django.utils import timezone

from results.models import RereadRun, Result
from results.operations import reread_run
from results.operations.reread_run import LOST_AFTER, RereadStep, begin_run, reread_in_worker, reread_next
from results.submissions.intake.receive import Sender, receive_submission
from results.tasks import sweep
from tests import pastes
from tests.commands import printed_by
from tests.concurrency import threads
from tests.factories import make_product
from tests.results.operations.site import operator_rows

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def queued(settings, tmp_path, monkeypatch):
    """The names of the tasks that were queued; each task does one text."""
    settings.EXPORT_FOLDER = str(tmp_path / "exports")
    queued = []
    monkeypatch.setattr(reread_run, "enqueue", lambda task: queued.append(task.name.rpartition(".")[2]))
    return queued


@pytest.fixture(autouse=True)
def damaged():
    """Three texts; the results of the second and third aren't what their texts say."""
    make_product(patterns=["^MARVELL"], device_class="sata_ssd")
    submissions = [
        receive_submission(pastes.diskinfo(ident=f"ABC{number}"), Sender()).submission for number in range(3)
    ]
    Result.objects.filter(submission__in=submissions[1:]).update(
        flags=[{"code": "exceeds_link", "effect": "waits", "message": "Too fast."}],
        not_ranked_reason="waits",
        is_ranked=False,
    )
    return submissions


def reread(**options):
    return printed_by("reread", all=True, **options)


def test_the_worker_rereads_in_slices_and_counts_what_changed(client, queued):
    printed = reread(in_worker=True)
    assert re.match(r"3 texts to read again: about \d+ seconds? \(from a sample\)\n", printed)
    assert "/operator/" in printed
    assert operator_rows(client)["Texts"] == "0 of 3 read again"
    while queued:
        assert queued.pop() == "reread_in_worker"
        reread_in_worker(slice_s=0)
    run = RereadRun.objects.get()
    assert (run.done, run.failed) == (3, 0)
    assert run.changes == {"flag exceeds_link removed": 2, "ranked now": 2}
    assert run.finished_at is not None
    shown = operator_rows(client)
    assert shown["Texts"] == "3 of 3 read again, finished 0 s ago"
    assert shown["Results that changed"] == "flag exceeds_link removed: 2, ranked now: 2"
    reread_in_worker(
        slice_s=0
    )  # once more, as after a worker that was killed before it said that it had finished
    assert RereadRun.objects.get().done == 3


def test_a_killed_worker_loses_nothing_and_the_sweep_continues(queued, monkeypatch):
    begin_run(only_outdated=False)
    queued.clear()
    reread_in_worker(slice_s=0)
    queued.clear()  # with its message

    def die(*_):
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(reread_run, "kinds_of_change", die)
        with pytest.raises(SystemExit):
            reread_in_worker(slice_s=0)
    assert RereadRun.objects.get().done == 1
    sweep()
    assert queued == []  # it may just be slow
    RereadRun.objects.update(touched_at=timezone.now() - LOST_AFTER - timedelta(seconds=1))
    sweep()
    while queued:
        queued.pop()
        reread_in_worker(slice_s=0)
    run = RereadRun.objects.get()
    assert (run.done, run.changes, run.finished_at is None) == (
        3,
        {"flag exceeds_link removed": 2, "ranked now": 2},
        False,
    )


def test_two_workers_do_not_reread_the_same_text(monkeypatch):
    begin_run(only_outdated=False)
    usual, seen = reread_run.reread_submission, []

    def reread_slowly(*arguments, **named):
        seen.append(start(reread_next).result())
        usual(*arguments, **named)

    monkeypatch.setattr(reread_run, "reread_submission", reread_slowly)
    with threads() as start:
        assert reread_next() is RereadStep.REREAD
    assert seen == [RereadStep.BUSY]
    assert RereadRun.objects.get().done == 1


def test_a_text_that_fails_keeps_nobody_from_the_others(client, damaged, monkeypatch, caplog):
    usual = reread_run.reread_submission

    def fail_for_one(submission, **named):
        if submission.pk == damaged[1].pk:
            raise LookupError("a fault of ours")
        usual(submission, **named)

    monkeypatch.setattr(reread_run, "reread_submission", fail_for_one)
    begin_run(only_outdated=False)
    while reread_next() is RereadStep.REREAD:
        pass
    run = RereadRun.objects.get()
    assert (run.done, run.failed, run.changes["ranked now"]) == (3, 1, 1)
    assert f"submission {damaged[1].public_id} could not be read again" in caplog.text
    assert operator_rows(client)["Texts that failed, see the worker's log"] == "1"


def test_a_second_reread_is_refused_while_one_runs(queued):
    begin_run(only_outdated=False)
    reread_in_worker(slice_s=0)
    with pytest.raises(CommandError, match=r"rereading already: 1 of 3 texts are done\. See /operator/"):
        reread(in_worker=True)
    while queued:
        queued.pop()
        reread_in_worker(slice_s=0)
    reread(in_worker=True)
    assert RereadRun.objects.get().done == 0


def test_the_command_summarizes_and_shows_each_change_on_request(damaged):
    lines = reread().splitlines()
    assert lines[-3:] == [
        "3 texts read again, 2 results changed",
        "  flag exceeds_link removed: 2",
        "  ranked now: 2",
    ]
    assert not any(line.startswith(("+", "-")) for line in lines)
    for options in ({"diff": True}, {"verbosity": 2}):
        Result.objects.filter(submission=damaged[1]).update(not_ranked_reason="waits", is_ranked=False)
        assert "- not ranked: waits" in reread(**options).splitlines()
    assert reread().splitlines()[-1] == "3 texts read again, 0 results changed"


def test_the_estimate_changes_nothing(damaged):
    Result.objects.filter(submission=damaged[1]).update(not_ranked_reason="waits", is_ranked=False)
    reread(in_worker=True)
    assert Result.objects.get(submission=damaged[1]).not_ranked_reason == "waits"
