"""The catalogue changes while somebody reads a text of its devices again: neither waits for the other in a ring."""

import pytest
from django.db import transaction

from results.catalogue.load import load_catalogue
from results.catalogue.rejudge import forget_judgement
from results.catalogue.rematch import lock_devices, rematch_devices
from results.core.data_version import bump_data_version
from results.models import Device, Submission
from results.submissions.receive import Sender, receive_submission
from results.submissions.reread import reread_submission, texts_to_read
from tests import pastes
from tests.concurrency import threads, wait_until_queueing
from tests.factories import make_device, make_product, make_result, make_submission
from tests.results.catalogue.test_load import line

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
def test_a_load_waits_for_who_reads_a_text_again_and_holds_up_nobody():
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


def test_a_device_that_becomes_another_product_waits_for_who_reads_its_text_again():
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


def test_what_is_stored_while_its_device_is_waited_for_is_judged_again_too():
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
def test_what_is_read_just_now_by_what_was_known_before_is_read_again_though_it_was_noted_already():
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
            forgetting = start(transaction.atomic(forget_judgement), [device.pk])
            wait_until_queueing(1)
            Submission.objects.select_for_update().get(pk=second.pk)
        forgetting.result()
    assert outdated() == {first, second}
