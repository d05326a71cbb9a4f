import pytest

from parsers.base.device_class import DeviceClass
from results.models.choices import Method
from tests.factories import make_device, make_protected_product, make_result, rank_everything

pytestmark = pytest.mark.django_db


def test_classes_come_with_their_boards(client):
    make_result(20)
    make_result([*[None] * 3, 30, *[None] * 11], method="fio")
    make_result(90, device__device_class="hdd")
    rank_everything()
    classes = client.get("/api/v1/classes/").json()["results"]
    boards = {device_class["device_class"]: device_class["boards"] for device_class in classes}
    assert list(boards) == list(DeviceClass)
    assert [(board["board"], board["device_count"]) for board in boards["nvme"]] == [
        ("sync_write", 2),
        ("zil", 1),
    ]
    assert boards["optane"] == []
    guessed = {"spread": 0.5, "spread_source": "guess"}
    assert boards["hdd"][0]["methods"] == [{"method": method, **guessed} for method in sorted(Method.values)]


def test_each_class_has_its_best_choice_or_unmeasured_products(client):
    make_protected_product(name="Untried", slug="untried", device_class="optane")
    product = make_protected_product()
    for slug, latency_us, approved in [("best", 20, True), ("second", 30, True), ("anonymous", 5, False)]:
        device = make_device(slug=slug, product=product)
        make_result(latency_us, device=device, submission__is_approved=approved)
    rank_everything()
    classes = {record["device_class"]: record for record in client.get("/api/v1/classes/").json()["results"]}
    assert classes["nvme"]["recommended_device"] == "best"
    assert (classes["nvme"]["recommended"]["method"], classes["nvme"]["recommended"]["score"]) == (
        "diskinfo",
        20,
    )
    assert classes["optane"]["recommended"] is None
    assert classes["nvme"]["unmeasured_products"] == []
    assert classes["optane"]["recommended_device"] is None
    (untried,) = classes["optane"]["unmeasured_products"]
    assert untried["url"] == "http://127.0.0.1:8000/products/untried/"
    assert (untried["plp"], untried["evidence"]) == ("yes", "data_sheet")
    assert untried["evidence_url"] == "https://maker.example/sheet.pdf"
