"""A merge during ingest of the same spelling loses no result and no alias."""

import threading

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now

from parsers.base.device_class import DeviceClass
from results.catalogue.matching.devices import match_devices
from results.catalogue.matching.merge import merge_devices
from results.models import ClassRanking, Device, Result
from results.ranking.medians import refresh_devices, rerank_devices
from results.ranking.standing import main_rows
from results.submissions.edit import erase_submission
from results.submissions.intake.deferred import rank_dirty
from results.submissions.intake.read import Reading, store_readings
from tests.concurrency import queueing, threads, wait_until, wait_until_queueing
from tests.factories import make_device, make_product, make_result, make_submission
from tests.results.catalogue.matching.test_match_catalogue import run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("everyone_is_trusted")]
PATIENCE_S = 240


def in_thread(work):
    def and_hang_up():
        try:
            work()
        finally:
            connection.close()

    thread = threading.Thread(target=and_hang_up)
    thread.start()
    return thread


def wait_until_somebody_waits():
    """Return once another connection waits for a lock that only this test can hold."""
    wait_until(queueing, within_s=PATIENCE_S)


@pytest.fixture
def devices():
    return make_device(model_name="PX 04"), make_device(model_name="PX04")


def rank(*devices):
    """Merge in a transaction: servers before 18 need one to lock a table in a pipeline."""
    with transaction.atomic():
        refresh_devices([device.pk for device in devices])


def test_results_of_running_ingest_are_moved(devices):
    stored = threading.Event()

    def ingest():
        with transaction.atomic():
            store_readings([Reading(make_submission(), [run("PX 04", device_class=DeviceClass.NVME)])])
            stored.set()
            wait_until_somebody_waits()

    def merge():
        stored.wait(PATIENCE_S)
        merge_devices(devices[:1], devices[1], reason="the same")

    for thread in [in_thread(ingest), in_thread(merge)]:
        thread.join(PATIENCE_S)
    assert Result.objects.get().device == devices[1]
    assert Device.objects.count() == 1


def test_ingest_during_a_merge_finds_the_device(devices):
    merged = threading.Event()

    def merge():
        with transaction.atomic():
            merge_devices(devices[:1], devices[1], reason="the same")
            merged.set()
            wait_until_somebody_waits()

    def ingest():
        merged.wait(PATIENCE_S)
        store_readings([Reading(make_submission(), [run("PX 04", device_class=DeviceClass.NVME)])])

    for thread in [in_thread(merge), in_thread(ingest)]:
        thread.join(PATIENCE_S)
    assert Result.objects.get().device == devices[1]
    assert Device.objects.count() == 1


@pytest.mark.usefixtures("everyone_is_trusted")
def test_result_erased_during_a_merge_leaves_the_ranking(devices):
    remaining, erased = (make_result(device=device) for device in reversed(devices))
    rank(*devices)
    merged = threading.Event()

    def merge():
        with transaction.atomic():
            merge_devices(devices[:1], devices[1], reason="the same")
            merged.set()
            wait_until_somebody_waits()

    def erase():
        merged.wait(PATIENCE_S)
        erase_submission(erased.submission, reason="asked for")

    for thread in [in_thread(merge), in_thread(erase)]:
        thread.join(PATIENCE_S)
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
        merging.append(in_thread(lambda: merge_devices([spelling], device, reason="the same")))
        wait_until(lambda: not merging[0].is_alive() or queueing())
        return match_devices(*runs, **losing)

    monkeypatch.setattr("results.submissions.intake.read.match_devices", match_beside_a_merge)
    store_readings([Reading(submission, [run("PX05", device_class=DeviceClass.NVME)])])
    merging[0].join(PATIENCE_S)
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
        wait_until_somebody_waits()
        return rerank_devices(device_ids)

    monkeypatch.setattr("results.catalogue.matching.merge.rerank_devices", rerank_beside_others)
    with threads() as start:
        merge_devices(devices[:1], devices[1], reason="the same")
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
