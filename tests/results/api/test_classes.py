import pytest

from results.ranking.bands import read_bands
from tests.factories import make_result, rank_everything

pytestmark = pytest.mark.django_db


def test_classes_come_with_their_boards(client, django_assert_num_queries):
    make_result(20)
    make_result([*[None] * 3, 30, *[None] * 11], method="fio")
    make_result(90, device__device_class="hdd")
    rank_everything()
    with django_assert_num_queries(3):
        classes = client.get("/api/v1/classes/").json()["classes"]
    boards = {one["device_class"]: one["boards"] for one in classes}
    assert list(boards)[:4] == ["optane", "nvdimm", "nvram", "nvme"]
    assert [(one["method"], one["device_count"]) for one in boards["nvme"]] == [("diskinfo", 1), ("fio", 1)]
    assert (boards["optane"], boards["hdd"][0]["spread_source"]) == ([], "guess")
    assert boards["hdd"][0]["spread"] > 0


def test_bands_come_with_their_source(client):
    record = client.get("/api/v1/bands/").json()
    assert "SNIA" in record["source"]
    assert len(record["bands"]) == len(read_bands())
