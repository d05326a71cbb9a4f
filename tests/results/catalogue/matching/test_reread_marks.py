"""A change of the catalogue during a reread of its devices can't deadlock."""

import pytest
from django.db import transaction

from results.catalogue.files.load import load_catalogue
from results.catalogue.matching.rematch import lock_devices, mark_for_reread, rematch_devices
from results.core.data_version import bump_data_version
from results.models import Device, Submission
from results.submissions.intake.receive import Sender, receive_submission
from results.submissions.intake.reread import reread_submission, texts_to_read
from tests import pastes
from tests.concurrency import threads, wait_until_queueing
from tests.factories import make_device, make_product, make_result, make_submission
from tests.results.catalogue.files.test_load import line

pytestmark = pytest.mark.django_db(transaction=True)
MODEL = "ALDERA S1-480G"


@pytest.fixture
def product():
    load_catalogue([line()])


def receive(number=0):
    text = pastes.diskinfo(description=MODEL, ident=f"SAMPLE{number:04}", media_size=480 * 10**9)
    return receive_submission(text, Sender()).submission


def outdated():
    return set(texts_to_read(only_outdated=True))


@pytest.mark.usefixtures("product")
def test_load_waits_for_rereads_without_a_deadlock():
    submission = receive()
    with threads() as start:
        with transaction.atomic():
            Submission.objects.select_for_update().get(pk=submission.pk)
            loading = start(load_catalogue, [line(media="MLC")])
            wait_until_queueing(1)
            lock_devices(Device.objects.values("pk"))
            bump_data_version()
        assert loading.result().changed == ["aldera-s1"]
    assert outdated() == {submission}


def test_device_that_changes_product_waits_for_rereads():
    submission = receive()
    make_product(patterns=["^ALDERA"])
    with threads() as start:
        with transaction.atomic():
            Submission.objects.select_for_update().get(pk=submission.pk)
            matching = start(rematch_devices)
            wait_until_queueing(1)
            lock_devices(Device.objects.values("pk"))
            bump_data_version()
        assert matching.result().device_ids == [Device.objects.get().pk]
    assert outdated() == {submission}


def test_result_stored_while_its_device_is_awaited_is_judged_again():
    first = receive()
    make_product(patterns=["^ALDERA"])
    with threads() as start:
        with transaction.atomic():
            second = receive(1)
            matching = start(rematch_devices)
            wait_until_queueing(1)
        matching.result()
    assert outdated() == {first, second}


@pytest.mark.usefixtures("product")
def test_text_being_reread_with_the_old_catalogue_is_marked_again():
    submission = receive()
    Submission.objects.update(parser_version="")
    with threads() as start:
        with transaction.atomic():
            reread_submission(Submission.objects.select_for_update().get())
            loading = start(load_catalogue, [line(media="MLC")])
            wait_until_queueing(1)
        loading.result()
    assert outdated() == {submission}


def test_texts_are_locked_in_one_order():
    device = make_device()
    first, second = (make_submission(text=text) for text in ("one run", "another"))
    for submission in (second, first):
        make_result(device=device, submission=submission)
    with threads() as start:
        with transaction.atomic():
            Submission.objects.select_for_update().get(pk=first.pk)
            forgetting = start(transaction.atomic(mark_for_reread), [device.pk])
            wait_until_queueing(1)
            Submission.objects.select_for_update().get(pk=second.pk)
        forgetting.result()
    assert outdated() == {first, second}
