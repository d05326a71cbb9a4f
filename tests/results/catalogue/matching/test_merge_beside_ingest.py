"""A merge during ingest of the same spelling loses no result and no alias."""

import pytest
from django.db import transaction
from django.db.models.functions import Now

from results.catalogue.matching.devices import match_devices
from results.catalogue.matching.merge import merge_devices
from results.models import ClassRanking, Device, Result
from results.ranking.medians import refresh_devices, rerank_devices
from results.ranking.standing import main_rows
from results.submissions.edit import erase_submission
from results.submissions.intake.deferred import rank_dirty
from results.submissions.intake.store import Reading, store_readings
from tests.concurrency import queueing, threads, wait_until, wait_until_queueing
from tests.factories import make_device, make_product, make_result, make_submission
from tests.results.catalogue.matching.test_devices import run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("everyone_is_trusted")]


def merge(devices):
    merge_devices(devices[:1], devices[1], reason="the same")


def ingest():
    store_readings([Reading(make_submission(), [run("PX 04")])])


def run_beside(first, second):
    """Both at once: `first` ends its transaction when `second` waits for its locks."""
    with threads() as start:
        with transaction.atomic():
            first()
            waiting = start(second)
            wait_until(queueing)
        waiting.result()


@pytest.fixture
def devices():
    return make_device(model_name="PX 04"), make_device(model_name="PX04")


def rank(*devices):
    """Merge in a transaction: servers before 18 need one to lock a table in a pipeline."""
    with transaction.atomic():
        refresh_devices([device.pk for device in devices])


def test_results_of_running_ingest_are_moved(devices):
    run_beside(ingest, lambda: merge(devices))
    assert Result.objects.get().device == devices[1]
    assert Device.objects.count() == 1


def test_ingest_during_a_merge_finds_the_device(devices):
    run_beside(lambda: merge(devices), ingest)
    assert Result.objects.get().device == devices[1]
    assert Device.objects.count() == 1


def test_result_erased_during_a_merge_leaves_the_ranking(devices):
    remaining, erased = (make_result(device=device) for device in reversed(devices))
    rank(*devices)
    run_beside(lambda: merge(devices), lambda: erase_submission(erased.submission, reason="asked for"))
    assert Result.objects.get() == remaining
    assert main_rows().get().unit_count == 1


def test_result_reread_during_a_merge_leaves_both_rankings(devices, monkeypatch):
    spelling, device = devices
    Device.objects.filter(pk=spelling.pk).update(product=make_product())  # so it stays without a result
    make_result(device=device)
    submission = make_submission()
    make_result(device=make_device(model_name="PX05"), submission=submission)
    make_result(device=spelling, submission=submission, public_id="second", position=2)
    rank(*Device.objects.all())
    merging = []

    def match_beside_a_merge(*runs, **losing):
        merging.append(start(merge, devices))
        wait_until(lambda: merging[0].done() or queueing())
        return match_devices(*runs, **losing)

    monkeypatch.setattr("results.submissions.intake.store.match_devices", match_beside_a_merge)
    with threads() as start:
        store_readings([Reading(submission, [run("PX05")])])
        merging[0].result()
    assert Device.objects.count() == 2
    assert main_rows().get(device=device).unit_count == 1


def test_dirty_spelling_merged_meanwhile_is_not_ranked(devices, monkeypatch):
    for device in devices:
        make_result(device=device)
    rank(*devices)
    Device.objects.filter(pk=devices[0].pk).update(dirty_since=Now())
    ranking = []

    def rerank_beside_others(device_ids):
        ranking.append(start(rank_dirty, [device.pk for device in devices]))
        wait_until(queueing)
        return rerank_devices(device_ids)

    monkeypatch.setattr("results.catalogue.matching.merge.rerank_devices", rerank_beside_others)
    with threads() as start:
        merge(devices)
        assert ranking[0].result() == set()
    assert main_rows().get().unit_count == 2


def test_concurrent_merges_wait_for_their_board_without_a_deadlock():
    """A pass locks rows of devices, and writes the row of the board last."""
    *spellings, device = (make_result().device for _ in range(3))
    rerank_devices(list(Device.objects.values_list("pk", flat=True)))
    with threads() as start:
        with transaction.atomic():
            main_rows().select_for_update().get(device=spellings[1])
            merging = start(lambda: merge_devices(spellings, device, reason="the same"))
            wait_until_queueing(1)
            ClassRanking.objects.update(ranked_changes=1)
        merging.result()
    assert main_rows().get().unit_count == 3
