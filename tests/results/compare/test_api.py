import pytest

from results.models import DeviceAlias
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _devices():
    for slug, latency_us, cache in (("fast", 10, True), ("slow", 1000, False)):
        device = make_device(slug=slug, model_name=f"Sample {slug}")
        make_result(latency_us, device=device, write_cache_enabled=cache, firmware__version="1.0")
    DeviceAlias.objects.create(slug="old", model_name="old", device=device, reason="same")
    make_result(device__slug="bare", not_ranked_reason="cached")
    rank_everything()


def test_comparison_has_devices_figures_and_differences(client):
    record = client.get("/api/v1/compare/?devices=fast,slow&baseline=fast").json()
    assert [device["slug"] for device in record["devices"]] == ["fast", "slow"]
    assert record["devices"][0]["ranking"]["zil_latency_us"] == 10
    assert record["devices"][0]["conditions"] == {
        "systems": [],
        "write_cache": ["enabled"],
        "controllers": [],
        "hbas": [],
        "firmware_versions": ["1.0"],
        "sync_methods": [],
        "data_contents": [],
        "patterns": [],
        "page_caches": [],
    }
    assert (record["baseline"], record["is_one_method"]) == ("fast", True)
    assert record["differences"] == [
        {"condition": "write cache", "stated": {"fast": "enabled", "slow": "disabled"}}
    ]
    figures = {figure["key"]: figure for figure in record["figures"]}
    assert figures["latency_4096"] == {
        "key": "latency_4096",
        "unit": "µs",
        "block_size": 4096,
        "is_lower_better": True,
        "values": [10, 1000],
        "marks": ["best", ""],
        "times": [1, 100],
    }


def test_unranked_device_has_no_ranking(client):
    record = client.get("/api/v1/compare/?devices=fast,bare").json()
    assert record["devices"][1]["ranking"] is None
    assert record["figures"][0]["values"] == [10, None]


def test_a_merged_spelling_is_its_device(client):
    record = client.get("/api/v1/compare/?devices=fast,old").json()
    assert [device["slug"] for device in record["devices"]] == ["fast", "slow"]


@pytest.mark.parametrize(
    ("query", "status", "name", "message"),
    [
        ("", 400, "devices", "Name 2 to 6 different devices"),
        ("devices=fast", 400, "devices", "Name 2 to 6 different devices"),
        ("devices=fast,slow,fast", 400, "devices", "Name 2 to 6 different devices"),
        ("devices=a,b,c,d,e,f,g", 400, "devices", "Name 2 to 6 different devices"),
        ("devices=fast,nowhere", 404, "devices", "There is no device “nowhere”."),
        ("devices=fast,slow&method=guess", 400, "method", "“guess” is not one of"),
        ("devices=fast,slow&baseline=bare", 404, "baseline", "not among the devices"),
    ],
)
def test_invalid_comparison_is_a_problem_that_names_the_parameter(client, query, status, name, message):
    response = client.get(f"/api/v1/compare/?{query}")
    assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
    assert message in response.json()["errors"][name][0]


def test_devices_can_be_repeated_parameters(client):
    record = client.get("/api/v1/compare/?devices=fast&devices=slow").json()
    assert [device["slug"] for device in record["devices"]] == ["fast", "slow"]


def test_more_devices_take_no_more_queries(client, django_assert_num_queries):
    with django_assert_num_queries(5):
        client.get("/api/v1/compare/?devices=fast,slow")
    with django_assert_num_queries(5):
        client.get("/api/v1/compare/?devices=fast,slow,bare")
