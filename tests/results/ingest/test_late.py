import pytest
from django.db import transaction

from results.ingest import late, receive, reread
from results.ingest.late import is_late, late_steps, put_off, rank_late
from results.ingest.receive import Sender, receive_submission
from results.ingest.reread import reread_all
from results.ingest.states import change_state, erase_submission
from results.ingest.waiting import Text, read_waiting, store_texts
from results.models import Device, DeviceRanking, ImportBatch, LateDevice, Submission
from results.models.choices import State
from results.ranking.places import waiting_boards
from results.ranking.rerank import rerank_devices
from tests import pastes
from tests.concurrency import threads
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.usefixtures("everyone_is_trusted")
MODEL = "ATA SAMSUNG SSD PM88"


def bring_in(numbers):
    """Texts of one device, a unit and an author each, read by a worker."""
    texts = [
        Text(
            text=pastes.diskinfo(description=MODEL, ident=f"LATE{number:06d}"),
            sender_digest=f"author {number}",
        )
        for number in numbers
    ]
    assert store_texts(texts, ImportBatch.objects.create(title="Late")) == len(texts)
    assert read_waiting().taken == len(texts)


def counted():
    """How many results the ranking has of the device."""
    return DeviceRanking.objects.values_list("result_count", flat=True).get()


def rank_all_late():
    """The boards that changed."""
    return [board for step in late_steps() for board in rank_late(step)]


def test_a_device_of_the_ranking_waits_and_is_ranked_once_with_all_that_came(db):
    bring_in(range(2))
    assert (counted(), is_late()) == (2, False)
    bring_in(range(2, 4))
    bring_in(range(4, 6))
    assert (counted(), LateDevice.objects.count()) == (2, 1)
    rank_everything()
    assert waiting_boards() == []
    LateDevice.objects.all().delete()
    bring_in(range(6, 8))
    assert [board.method for board in rank_all_late()] == ["diskinfo"]
    assert (counted(), is_late()) == (8, False)
    assert rank_all_late() == []


def send(client, text):
    answer = client.post("/api/v1/submissions/", text, content_type="text/plain")
    assert (answer.status_code, len(answer.json()["results"])) == (201, 1)
    return Submission.objects.latest("pk")


def test_a_submission_of_its_own_ranks_its_device_at_once(db, client):
    bring_in(range(2))
    send(client, pastes.diskinfo(description=MODEL))
    assert (counted(), is_late()) == (3, False)


@pytest.fixture
def _two_are_many(monkeypatch):
    for module in (receive, reread):
        monkeypatch.setattr(module, "MANY_RESULTS", 2)


@pytest.mark.usefixtures("_two_are_many")
def test_a_device_of_many_results_waits_though_the_submission_is_one(db, client):
    bring_in(range(2))
    send(client, pastes.diskinfo(description=MODEL))
    assert (counted(), is_late()) == (2, True)
    rank_all_late()
    assert (counted(), is_late()) == (3, False)


@pytest.mark.usefixtures("_two_are_many")
def test_who_sends_is_told_that_a_device_is_late(db):
    bring_in(range(1))
    told = [
        receive_submission(pastes.diskinfo(description=MODEL, ident=f"TOLD{number}"), Sender()).is_late
        for number in range(3)
    ]
    assert told == [False, True, True]


@pytest.mark.usefixtures("_two_are_many")
def test_all_texts_of_such_a_device_are_read_anew_and_it_is_ranked_once(db):
    bring_in(range(3))
    DeviceRanking.objects.update(zil_latency_us=7)
    assert len(list(reread_all(only_outdated=False))) == 3
    assert (DeviceRanking.objects.get().zil_latency_us, LateDevice.objects.count()) == (7, 1)
    rank_all_late()
    assert DeviceRanking.objects.get().zil_latency_us != 7


@pytest.mark.parametrize(
    ("stored", "waits"),
    [([], True), (["diskinfo"], True), (["fio"], False), (["diskinfo", "fio"], False)],
)
def test_the_first_result_by_another_method_is_ranked_at_once(db, stored, *, waits):
    bring_in(range(2))
    device_id = Device.objects.get().pk
    left = put_off({device_id}, [(device_id, method) for method in stored], at_least=2)
    assert left == ({device_id} if waits else set())
    assert is_late() == waits


@pytest.mark.usefixtures("_two_are_many")
@pytest.mark.parametrize(
    "leave",
    [
        lambda submission: change_state(submission, State.WITHDRAWN, reason="mine"),
        lambda submission: change_state(submission, State.REJECTED, reason="invented"),
        lambda submission: erase_submission(submission, reason="mine"),
    ],
    ids=["withdrawn", "rejected", "erased"],
)
def test_what_leaves_the_ranking_leaves_it_at_once(db, leave):
    bring_in(range(3))
    leave(Submission.objects.latest("pk"))
    assert (counted(), is_late()) == (2, False)


def make_late(*counts):
    """Devices that wait, each with a row that says it has so many results."""
    devices = [make_result().device for _ in counts]
    rerank_devices([device.pk for device in devices])
    for device, count in zip(devices, counts, strict=True):
        DeviceRanking.objects.filter(device=device).update(result_count=count)
        LateDevice.objects.create(device=device)
    return [device.pk for device in devices]


def test_a_step_holds_no_more_results_than_are_ranked_at_once(db, monkeypatch):
    monkeypatch.setattr(late, "RESULTS_AT_ONCE", 100)
    a, b, c, d, e = make_late(60, 40, 1, 500, 20)
    assert late_steps() == [[a, b], [c], [d], [e]]


def test_a_step_holds_no_more_devices_than_are_locked_at_once(db, monkeypatch):
    monkeypatch.setattr(late, "AT_ONCE", 2)
    a, b, c = make_late(1, 1, 1)
    assert late_steps() == [[a, b], [c]]


@pytest.mark.django_db(transaction=True)
def test_two_rank_what_is_late_side_by_side():
    devices = [make_device(model_name=name) for name in ("one", "two")]
    for device in devices:
        make_result(30, device=device)
    keys = {device.pk for device in devices}
    rerank_devices(keys)
    for device in devices:
        make_result(40, device=device)
    with transaction.atomic():
        assert put_off(keys, [], at_least=1) == keys
    with threads() as start, transaction.atomic():
        assert LateDevice.objects.select_for_update().get(pk=min(keys))
        assert len(start(rank_late, keys).result(10)) == 1
        assert LateDevice.objects.get().pk == min(keys)
    assert len(rank_all_late()) == 1
    assert set(DeviceRanking.objects.values_list("result_count", flat=True)) == {2}
    assert not is_late()
