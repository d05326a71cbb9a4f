"""A new kind of results is found once it is registered; what all kinds promise is in test_every_kind.py."""

import pytest

from results.models import Pool, Result
from tests import pastes
from tests.page import Page
from tests.results.publishing import publish

pytestmark = pytest.mark.django_db
TEXT = pastes.FIRST_PASTE + pastes.smartctl()
NAME = "Pool: 2 mirrors of 2, with a log device"


def test_the_answer_to_its_question_is_checked_and_stored_with_its_pool(client, toy_pool_kind):
    asked = Page(client.post("/submit/", {"text": TEXT}), "body").fields["told-all-colour"]
    assert asked.choices == ("", "red", "blue")
    refused = client.post("/submit/", {"text": TEXT, "told-all-colour": "green", "action": "publish"})
    assert "None of red, blue." in Page(refused).text
    _, record = publish(client, TEXT, told={"all": {"colour": "red"}})
    curve, result = Result.objects.order_by("position")
    assert (record["id"], result.pool.properties, curve.pool) == (result.public_id, {"sync": "red"}, None)
    assert list(result.pool.logs.all()) == [curve.device]
    assert curve.device.result_count == 1


def test_a_pool_is_named_by_its_layout_wherever_it_is(client, toy_pool_kind):
    (_, record) = publish(client, TEXT)
    pool = Pool.objects.get()
    for path in (
        f"/results/{record['id']}/",
        "/results/?subject=pool",
        pool.get_absolute_url(),
        "/feeds/results.atom",
    ):
        assert NAME in client.get(path).text, path
    assert NAME not in client.get("/results/?subject=device").text
    assert pool.get_absolute_url() in client.get("/sitemap-pools-1.xml").text
    (listed,) = client.get("/api/v1/pools/").json()["results"]
    assert (listed["name"], listed["result_count"]) == (NAME, 1)


def test_its_templates_and_its_metrics_are_shown(client, toy_kind):
    assert "A toy called MARVELL SD88SA02" in Page(client.post("/submit/", {"text": TEXT})).text
    _, toy = publish(client, TEXT)
    assert (toy["metrics"], toy["toy_kind"]) == ({"toy_hours": 42.0}, {"is_toy": True})
    page = Page(client.get(f"/results/{toy['id']}/")).text
    assert ("A toy called MARVELL SD88SA02" in page, "Toy hours" in page) == (True, True)
    assert "How long the toy ran. In h." in client.get("/api/v1/schema/").text
