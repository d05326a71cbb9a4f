"""A merge and a paste about the same spelling at the same time: no result is lost, no spelling comes back."""

import threading
import time

import pytest
from django.db import connection, transaction

from parsers.kinds import DeviceClass
from results.catalogue.merge import merge_devices
from results.ingest.read import Reading, store_readings
from results.ingest.states import erase_submission
from results.models import Device, DeviceRanking, Result
from results.ranking.aggregate import refresh_devices
from tests.factories import make_device, make_result, make_submission
from tests.results.ingest.test_match_catalogue import run

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE_S = 20


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
    """Returns when another connection waits for a lock, which only we can hold."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
        time.sleep(0.01)
    raise AssertionError("nobody waited")


@pytest.fixture
def devices():
    return make_device(model_name="PX 04"), make_device(model_name="PX04")


def test_what_ingest_had_begun_moves_along(devices):
    stored = threading.Event()

    def ingest():
        with transaction.atomic():
            store_readings([Reading(make_submission(), [run("PX 04", device_class=DeviceClass.NVME)])])
            stored.set()
            wait_until_somebody_waits()

    def merge():
        stored.wait(PATIENCE_S)
        merge_devices(*devices, reason="the same")

    for thread in [in_thread(ingest), in_thread(merge)]:
        thread.join(PATIENCE_S)
    assert Result.objects.get().device == devices[1]
    assert Device.objects.count() == 1


def test_what_ingest_begins_meanwhile_finds_the_device(devices):
    merged = threading.Event()

    def merge():
        with transaction.atomic():
            merge_devices(*devices, reason="the same")
            merged.set()
            wait_until_somebody_waits()

    def ingest():
        merged.wait(PATIENCE_S)
        store_readings([Reading(make_submission(), [run("PX 04", device_class=DeviceClass.NVME)])])

    for thread in [in_thread(merge), in_thread(ingest)]:
        thread.join(PATIENCE_S)
    assert Result.objects.get().device == devices[1]
    assert Device.objects.count() == 1


def test_what_is_erased_while_its_device_is_merged_leaves_the_ranking(devices):
    kept, erased = (make_result(device=device) for device in reversed(devices))
    refresh_devices([device.pk for device in devices])
    merged = threading.Event()

    def merge():
        with transaction.atomic():
            merge_devices(*devices, reason="the same")
            merged.set()
            wait_until_somebody_waits()

    def erase():
        merged.wait(PATIENCE_S)
        erase_submission(erased.submission, reason="asked for")

    for thread in [in_thread(merge), in_thread(erase)]:
        thread.join(PATIENCE_S)
    assert Result.objects.get() == kept
    assert DeviceRanking.objects.get().unit_count == 1
