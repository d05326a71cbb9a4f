"""Removing a device during other transactions loses no result and can't deadlock."""

import pytest
from django.db import transaction
from django.db.models.functions import Now

from results.models import Device, Result
from results.ranking.medians import refresh_all
from results.ranking.standing import main_rows
from results.submissions.edit import erase_submission
from results.submissions.intake.deferred import rank_dirty
from results.submissions.intake.receive import Sender, receive_submission
from results.submissions.intake.store import Reading, store_readings
from tests import pastes
from tests.concurrency import threads, wait_until_queueing
from tests.factories import make_device, make_result, make_submission
from tests.results.catalogue.matching.test_devices import run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("everyone_is_trusted")]
TEXT = pastes.diskinfo(description="ATA PX04")


def send():
    """Another unit of the same device."""
    text = pastes.diskinfo(description="ATA PX04", ident="PX04000002")
    return receive_submission(text, Sender(sender_digest="another")).submission


def store(*names):
    with transaction.atomic():
        submission = make_submission()
        store_readings([Reading(submission, [run(name) for name in names])])
        return submission


def erase(submission):
    return erase_submission(submission, reason="mine")


@pytest.fixture
def first():
    return receive_submission(TEXT, Sender(sender_digest="net")).submission


def test_submission_during_removal_creates_the_device_again(client, first):
    with threads() as start:
        with transaction.atomic():
            erase(first)
            sending = start(send)
            wait_until_queueing(1)
        device = sending.result(10).results.get().device
    assert Device.objects.get() == device
    assert client.get(device.get_absolute_url()).status_code == 200


def test_paste_of_several_devices_creates_removed_ones_again():
    going, *_ = (make_result(device=make_device(model_name=name)) for name in ("PX04", "PX05"))
    with threads() as start:
        with transaction.atomic():
            erase(going.submission)
            storing = start(store, "PX05", "PX04")
            wait_until_queueing(1)
        submission = storing.result(10)
    assert sorted(submission.results.values_list("device__model_name", flat=True)) == ["PX04", "PX05"]
    assert Device.objects.count() == 2


def test_device_stays_if_a_result_arrives_during_the_erasure(first):
    with threads() as start:
        with transaction.atomic():
            sent = send()
            erasing = start(erase, first)
            wait_until_queueing(1)
        erasing.result(10)
    assert Result.objects.get().submission == sent
    assert Device.objects.count() == 1


def test_concurrent_erasures_of_the_last_results_remove_the_device(first):
    second = send()
    with threads() as start:
        with transaction.atomic():
            erase(first)
            erasing = start(erase, second)
            wait_until_queueing(1)
        erasing.result(10)
    assert not Device.objects.exists()


def test_dirty_device_is_removed_while_a_ranking_waits(first):
    device = Device.objects.get()
    Device.objects.update(dirty_since=Now())
    with threads() as start:
        with transaction.atomic():
            Device.objects.select_for_update(no_key=True).get()
            ranking = start(rank_dirty, [device.pk])
            wait_until_queueing(1)
            erase(first)
        assert ranking.result(10) == set()
    assert not Device.objects.exists()


def test_dirty_device_is_removed_after_a_ranking(first):
    device = Device.objects.get()
    Device.objects.update(dirty_since=Now())
    with threads() as start:
        with transaction.atomic():
            assert rank_dirty([device.pk]) == {device.pk}
            erasing = start(erase, first)
            wait_until_queueing(1)
        erasing.result(10)
    assert not Device.objects.exists()


def test_device_is_removed_during_a_full_ranking(first):
    """A ranking that locks its table, and then references devices without a row."""
    main_rows().all().delete()
    ranking = refresh_all()
    with threads() as start:
        assert next(ranking)[0] == 1
        erasing = start(erase, first)
        wait_until_queueing(1)
        assert list(ranking) == []
        erasing.result(10)
    assert not Device.objects.exists()
    assert not main_rows().exists()
