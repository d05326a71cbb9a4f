import pytest
from django.db import transaction

from results.ingest import late, read
from results.ingest.late import is_late, put_off, rank_late
from results.ingest.waiting import Text, read_waiting, store_texts
from results.models import DeviceRanking, ImportBatch, LateDevice
from results.ranking.places import waiting_boards
from results.ranking.rerank import rerank_devices
from tests import pastes
from tests.concurrency import threads
from tests.factories import make_device, make_result, rank_everything

MODEL = "ATA SAMSUNG SSD PM88"


def bring_in(numbers):
    """Texts of one device, a unit each, read by a worker."""
    texts = [Text(text=pastes.diskinfo(description=MODEL, ident=f"LATE{number:06d}")) for number in numbers]
    assert store_texts(texts, ImportBatch.objects.create(title="Late")) == len(texts)
    assert read_waiting().taken == len(texts)


def counted():
    """How many results the ranking has of the device."""
    return DeviceRanking.objects.values_list("result_count", flat=True).get()


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
    taken, boards = rank_late()
    assert (taken, counted(), is_late()) == (1, 8, False)
    assert [board.method for board in boards] == ["diskinfo"]
    assert rank_late() == (0, [])


def test_a_submission_of_its_own_ranks_its_device_at_once(db, client):
    bring_in(range(2))
    client.post("/api/v1/submissions/", pastes.diskinfo(description=MODEL), content_type="text/plain")
    assert (counted(), is_late()) == (3, False)


def test_a_device_of_many_results_waits_though_the_submission_is_one(db, client, monkeypatch):
    monkeypatch.setattr(read, "MANY_RESULTS", 2)
    bring_in(range(2))
    answer = client.post(
        "/api/v1/submissions/", pastes.diskinfo(description=MODEL), content_type="text/plain"
    )
    assert (answer.status_code, len(answer.json()["results"])) == (201, 1)
    assert (counted(), is_late()) == (2, True)
    rank_late()
    assert (counted(), is_late()) == (3, False)


@pytest.mark.django_db(transaction=True)
def test_two_rank_what_is_late_side_by_side(monkeypatch):
    monkeypatch.setattr(late, "AT_ONCE", 1)
    devices = [make_device(model_name=name) for name in ("one", "two")]
    for device in devices:
        make_result(30, device=device)
    keys = {device.pk for device in devices}
    rerank_devices(keys)
    for device in devices:
        make_result(40, device=device)
    with transaction.atomic():
        assert put_off(keys) == keys
    with threads() as start, transaction.atomic():
        assert LateDevice.objects.select_for_update().get(pk=min(keys))
        assert start(rank_late).result(10)[0] == 1
        assert LateDevice.objects.get().pk == min(keys)
    assert rank_late()[0] == 1
    assert set(DeviceRanking.objects.values_list("result_count", flat=True)) == {2}
    assert not is_late()
