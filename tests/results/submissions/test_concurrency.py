"""Several people at once, each on a connection of their own."""

import math
from zlib import crc32

import pytest
from django.conf import settings
from django.db import IntegrityError, connection, transaction

from parsers.paste import parse_paste
from results.accounts.data import close_account
from results.api.keys import KeyRefusedError, find_key, make_key
from results.core.data_version import bump_data_version
from results.kinds.curve.metrics import zil_latency_us
from results.models import Device, Firmware, Member, Product, Result, Submission
from results.models.choices import State
from results.moderation.decide import ban
from results.ranking.boards import ClassBoard, ends_of, place_board
from results.ranking.standing import main_rows
from results.submissions.edit import change_state, forget_unit, set_forum_name
from results.submissions.intake.receive import Sender, receive_submission
from results.submissions.intake.reread import reread_submission
from results.submissions.intake.store import read_submission
from tests import pastes
from tests.concurrency import threads, wait_until_queueing
from tests.factories import make_member, make_product

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("everyone_is_trusted")]
CROWD = 6


def receive(text):
    """Each text is sent from a network of its own."""
    return receive_submission(text, Sender(sender_digest=f"{crc32(text.encode()):032x}"))


def sample(number, **values):
    """A run of one more unit of the same device, with a description of it."""
    ident = f"SAMPLE{number:04}"
    described = pastes.smartctl(model="SAMPLE SSD", serial=ident)
    return pastes.diskinfo(curve(number), description="SAMPLE SSD", ident=ident, **values) + described


def curve(number):
    return [latency_us + number for latency_us in pastes.FIRST_CURVE]


def at_once(function, arguments):
    """Call it with each argument in a thread of its own; gives what they return."""
    with threads(CROWD) as start:
        calls = [start(function, argument) for argument in arguments]
        return [call.result() for call in calls]


def test_the_same_text_at_the_same_time_is_one_submission():
    received = at_once(receive, [pastes.FIRST_PASTE] * CROWD)
    assert sorted(outcome.is_new for outcome in received) == [False] * (CROWD - 1) + [True]
    assert {outcome.submission for outcome in received} == {Submission.objects.get()}
    assert Result.objects.count() == 1


def test_the_second_of_two_waits_for_the_first_and_finds_it():
    """The first has stored and not yet committed when the second comes."""
    with threads() as start:
        with transaction.atomic():
            first = receive(pastes.FIRST_PASTE)
            second = start(receive, pastes.FIRST_PASTE)
            wait_until_queueing(1)
        assert (second.result().submission, second.result().is_new) == (first.submission, False)


def test_every_unit_of_a_device_counts_when_all_come_at_once():
    at_once(receive, [sample(number) for number in range(CROWD)])
    row = main_rows().get()
    assert (row.unit_count, row.result_count) == (CROWD, CROWD)
    assert row.metrics["zil_latency_us"] == pytest.approx(
        math.sqrt(zil_latency_us(curve(2)) * zil_latency_us(curve(3))), rel=1e-4
    )
    assert (Device.objects.count(), Firmware.objects.count()) == (1, 1)


def run_of(description, ident):
    return pastes.diskinfo(description=description, ident=ident)


def test_concurrent_results_of_a_device_are_both_counted():
    receive(run_of("SAMPLE A", "SAMPLE0000"))
    with threads() as start:
        with transaction.atomic():
            receive(run_of("SAMPLE A", "SAMPLE0001"))
            second = start(receive, run_of("SAMPLE A", "SAMPLE0002"))
            wait_until_queueing(1)
        second.result()
    assert main_rows().get().unit_count == 3


def test_a_device_that_loses_its_first_result_survives_a_concurrent_one():
    submission = receive(run_of("SAMPLE A", "SAMPLE0000")).submission
    corrected = parse_paste(run_of("SAMPLE B", "SAMPLE0000"), unit_key=settings.UNIT_KEY.encode())
    with threads() as start:
        with transaction.atomic():
            receive(run_of("SAMPLE A", "SAMPLE0001"))
            reading = start(read_submission, submission, corrected)
            wait_until_queueing(1)
        reading.result()
    assert dict(main_rows().values_list("device__model_name", "unit_count")) == {"SAMPLE A": 1, "SAMPLE B": 1}


def test_pastes_with_the_same_devices_in_another_order_do_not_deadlock():
    def both(number, names):
        return "".join(run_of(name, f"{name[-1]}{number:06}") for name in names)

    names = ["SAMPLE A", "SAMPLE B", "SAMPLE C"]
    at_once(receive, [both(number, names[:: -1 if number % 2 else 1]) for number in range(CROWD)])
    assert set(main_rows().values_list("unit_count", flat=True)) == {CROWD}
    assert Device.objects.count() == 3


@pytest.mark.parametrize(
    "change",
    [
        lambda submission: change_state(submission, State.HELD, reason="Odd."),
        lambda submission: set_forum_name(submission, "somebody"),
        lambda submission: forget_unit(submission),
    ],
)
def test_a_change_of_a_submission_waits_for_its_device_before_it_locks_a_result(change):
    submission = receive(sample(1)).submission
    with threads(1) as start, transaction.atomic():
        Device.objects.select_for_update().get()
        changing = start(change, submission)
        wait_until_queueing(1)
        Result.objects.update(notes="by who has the device")
    changing.result()


def test_a_change_of_a_product_waits_for_a_reread_of_its_results():
    submission, product = receive(sample(1)).submission, make_product()
    Device.objects.update(product=product)
    with threads(1) as start, transaction.atomic():
        Submission.objects.select_for_update().get(pk=submission.pk)
        changing = start(lambda: Product.objects.filter(pk=product.pk).update(name="Other"))
        wait_until_queueing(1)
        reread_submission(submission)
    assert changing.result() == 1


def test_devices_with_colliding_slugs_get_distinct_ones():
    names = ["SAMPLE/1", "SAMPLE.1", "SAMPLE-1", "SAMPLE 1", "SAMPLE_1/", "SAMPLE+1"][:CROWD]
    at_once(receive, [pastes.diskinfo(description=name) for name in names])
    assert len(set(Device.objects.values_list("slug", flat=True))) == len(names)


def test_passes_and_submissions_do_not_deadlock():
    receive(sample(0))
    board = ClassBoard("sync_write", "sata_ssd")
    with threads(CROWD) as start:
        calls = [start(receive, sample(number)) for number in range(1, 10)]
        calls += [start(place_board, board) for _ in range(10)]
        for call in calls:
            call.result()
    place_board(board)
    row = main_rows().get()
    assert row.unit_count == 10
    assert list(ends_of(board).by_method["diskinfo"].highs) == [pytest.approx(row.high)]


def test_submissions_held_during_account_closure_are_erased():
    owner = make_member()
    submission = receive_submission(pastes.FIRST_PASTE, Sender(owner=owner)).submission
    with threads() as start:
        with transaction.atomic():
            change_state(submission, State.HELD, reason="looked at")
            leaving = start(lambda: close_account(owner, keeps_results=True))
            wait_until_queueing(1)
        leaving.result()
    submission.refresh_from_db()
    assert submission.state == State.ERASED
    assert not Result.objects.exists()


@pytest.mark.parametrize(
    "part",
    [
        lambda owner: close_account(owner, keeps_results=True),
        lambda owner: close_account(owner, keeps_results=False),
        lambda owner: ban(owner, moderator=make_member(), reason="made up", rejects_results=True),
    ],
    ids=["results stay", "results go", "banned"],
)
def test_account_closure_waiting_for_a_device_blocks_nobody(part):
    """Another holds the device of the second and is about to move the data version: neither waits for the other."""
    owner = make_member()
    for text in (pastes.FIRST_PASTE, sample(1)):
        receive_submission(text, Sender(owner=owner))
    with threads() as start:
        with transaction.atomic():
            Device.objects.select_for_update(no_key=True).get(model_name="SAMPLE SSD")
            going = start(part, owner)
            wait_until_queueing(1)
            bump_data_version()
        going.result()
    assert not Submission.objects.filter(owner__isnull=False, state=State.PUBLISHED).exists()


@pytest.mark.parametrize("keeps_results", [True, False])
def test_submissions_during_account_closure_are_processed_too(keeps_results):
    owner = make_member()
    sender = Sender(owner=owner, forum_handle="ann_o", source_url="https://forum.example.org/ann_o")
    first = receive_submission(sample(1), sender).submission
    with threads() as start:
        with transaction.atomic():
            Submission.objects.select_for_update().get(pk=first.pk)
            closing = start(lambda: close_account(owner, keeps_results=keeps_results))
            wait_until_queueing(1)
            receive_submission(sample(2), sender)
        closing.result()
    assert not Member.objects.exists()
    state = State.PUBLISHED if keeps_results else State.ERASED
    kept = Submission.objects.values_list("state", "owner", "forum_handle", "source_url")
    assert list(kept) == [(state, None, "", "")] * 2


def test_account_closure_waits_for_a_submission_that_locked_the_member():
    owner = make_member()
    with threads() as start:
        with transaction.atomic():
            receive_submission(sample(1), Sender(owner=owner, forum_handle="ann_o"))
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # as at the end of a transaction
            closing = start(lambda: close_account(owner, keeps_results=True))
            wait_until_queueing(1)
        closing.result()
    assert not Member.objects.exists()
    assert Submission.objects.values_list("owner", "forum_handle").get() == (None, "")


def test_a_submission_is_refused_after_account_closure():
    owner = make_member()

    @transaction.atomic
    def send_beside_the_closing(start):
        receive_submission(sample(1), Sender(owner=owner))
        start(lambda: close_account(owner, keeps_results=True)).result()

    with threads() as start, pytest.raises(IntegrityError):
        send_beside_the_closing(start)
    assert not Submission.objects.exists()


def test_keys_are_refused_during_account_closure():
    owner = make_member()
    key = make_key(owner, name="script", scopes=["submit"])
    submission = receive_submission(sample(1), Sender(owner=owner)).submission
    with threads() as start:
        with transaction.atomic():
            Submission.objects.select_for_update().get(pk=submission.pk)
            closing = start(lambda: close_account(owner, keeps_results=True))
            wait_until_queueing(1)
            with pytest.raises(KeyRefusedError, match="revoked"):
                find_key(key.text)
        closing.result()
