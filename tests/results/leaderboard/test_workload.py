"""Devices in the order of a reader's mix: hand-worked means, what can't be a mix, and the page beside the API."""

import pytest

from results.advice.mix import MixError, parse_mix, write_mix
from results.models import Device
from results.models.fields import BLOCK_SIZES
from tests.factories import make_device, make_protected_product, make_result, rank_everything
from tests.page import Page

pytestmark = pytest.mark.django_db

API = "/api/v1/workload/"


@pytest.fixture
def _devices():
    """`steady` takes 50 us at every size; `small` 10 us up to 8 KiB and 200 us above."""
    product = make_protected_product()
    steady = make_device(slug="steady", model_name="STEADY", device_class="nvme", product=product)
    small = make_device(slug="small", model_name="SMALL", device_class="optane", capacity_bytes=10**11)
    make_result(latency_us=[50.0] * len(BLOCK_SIZES), device=steady)
    make_result(latency_us=[10.0 if size <= 8192 else 200.0 for size in BLOCK_SIZES], device=small)
    rank_everything()


def order(client, mix, **parameters):
    rows = client.get(API, {"mix": mix, **parameters}).json()["results"]
    return [(row["device"]["slug"], row["mix_us"]) for row in rows]


@pytest.mark.usefixtures("_devices")
def test_devices_are_ordered_by_the_weighted_mean(client):
    assert order(client, "4k:3,8k:1") == [("small", 10.0), ("steady", 50.0)]
    assert order(client, "4k:1,128k:1") == [("steady", 50.0), ("small", 105.0)]
    assert order(client, "8k:3,64k:1") == [("steady", 50.0), ("small", 57.5)]
    assert order(client, "4k:1", plp="protected") == [("steady", 50.0)]
    assert order(client, "4k:1", **{"class": "optane"}) == [("small", 10.0)]


def test_a_mean_has_no_more_digits_than_what_was_measured(client):
    make_result(latency_us=113.1)  # stored as 113.0999984741211
    rank_everything()
    assert [mean for _, mean in order(client, "4k:1")] == [113.1]


@pytest.mark.usefixtures("_devices")
def test_the_page_shows_the_same_order_and_says_that_it_is_not_the_ranking(client):
    page = client.get("/workload/?mix=4k:1,128k:1")
    urls = [Device.objects.get(slug=slug).get_absolute_url() for slug in ("steady", "small")]
    assert [url for url in Page(page).links.values() if url in urls] == urls
    assert "not our ranking" in page.text
    assert "50 % of 4 KiB, 50 % of 128 KiB" in page.text
    assert [*Page(page).rows()[1].values()][2:5] == ["105", "10.0", "200"]


@pytest.mark.usefixtures("_devices")
def test_csv_is_that_of_the_api(client):
    query = "mix=4k%3A1&class=nvme"
    response = client.get(f"/workload.csv?{query}")
    assert len(response.getvalue().decode().splitlines()) == 2
    assert f"/api/v1/workload/?{query}&format=csv>" in response["Link"]
    assert client.get(f"/workload/?{query}").text.count(f"/workload.csv?{query.replace('&', '&amp;')}") == 1
    assert client.get("/workload.csv").status_code == 400


def test_a_mix_has_one_address(client):
    moved = client.get("/workload/", {"mix": "128K:1, 4k:2.50,8k:0"})
    assert moved["Location"] == "/workload/?mix=4k%3A2.5,128k%3A1"


def test_what_is_no_mix_is_refused_with_the_reason_on_page_and_api(client, subtests):
    for mix, reason in [
        ("4k:0,8k:0", "All weights are 0"),
        ("4k:-1", "isn’t a size with its weight"),
        (",".join(["4k:1"] * 400), "At most 200 characters"),
        ("4k:1,4k:2", "4k is there twice"),
        ("512k:1", "Allowed: 4k, 8k, 16k, 32k, 64k, 128k"),
        ("4k:1000001", "at most 1,000,000"),
        ("4k", "isn’t a size with its weight"),
        ("4k:nan", "isn’t a size with its weight"),
        ("4k:1e9", "isn’t a size with its weight"),
    ]:
        with subtests.test(mix[:20]):
            for url in ("/workload/", API):
                response = client.get(url, {"mix": mix})
                assert response.status_code == 400
                assert reason in response.text
    assert client.get(API).status_code == 400
    assert client.get("/workload/").status_code == 200


def test_a_mix_is_written_as_it_is_read():
    assert write_mix(parse_mix("128k:1,4k:5.250")) == "4k:5.25,128k:1"
    with pytest.raises(MixError):
        parse_mix("")


def test_an_error_is_not_saved_as_csv(client):
    answer = client.get("/workload.csv?mix=x")
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert not {"Content-Disposition", "Link"} & set(answer.headers)
