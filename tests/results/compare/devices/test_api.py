import pytest

from results.models import DeviceAlias
from tests.factories import make_device, make_facts, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _devices():
    for slug, latency_us, cache in (("fast", 10, True), ("slow", 1000, False)):
        device = make_device(slug=slug, model_name=f"Sample {slug}")
        make_result(latency_us, device=device, write_cache_enabled=cache, firmware__version="1.0")
    DeviceAlias.objects.create(slug="old", model_name="old", device=device, reason="same")
    make_result(device__slug="bare", device__model_name="Sample bare", not_ranked_reason="cached")
    rank_everything()


def test_comparison_has_devices_figures_and_differences(client):
    record = client.get("/api/v1/compare/?devices=fast,slow&baseline=fast").json()
    assert [device["slug"] for device in record["devices"]] == ["fast", "slow"]
    assert record["devices"][0]["ranking"]["zil_latency_us"] == 10
    conditions = record["devices"][0]["conditions"]
    stated = {name: values for name, values in conditions.items() if values}
    assert stated == {"write_cache": ["enabled"], "firmware_versions": ["1.0"]}
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
        "marks": ["best", None],
        "times": [1, 100],
    }


def test_invalid_comparison_is_a_problem_that_names_the_parameter(client, subtests):
    for query, status, name, message in [
        ("", 400, "devices", "Name 2 to 6 different devices"),
        ("devices=fast", 400, "devices", "Name 2 to 6 different devices"),
        ("devices=fast,slow,fast", 400, "devices", "Give each value once."),
        ("devices=a,b,c,d,e,f,g", 400, "devices", "Name 2 to 6 different devices"),
        ("devices=fast,nowhere", 404, "devices", "There is no device or product “nowhere”."),
        ("devices=fast,slow&baseline=bare", 404, "baseline", "not among the devices"),
    ]:
        with subtests.test(query=query):
            response = client.get(f"/api/v1/compare/?{query}")
            assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
            assert message in response.json()["errors"][name][0]


def test_a_product_has_an_entry_with_its_claims(client):
    make_facts(make_product(slug="birch-p1600x", vendor="Birch", name="SSD P1600X"))
    record = client.get("/api/v1/compare/?devices=fast,P1600X").json()
    device, product = record["devices"]
    assert (device["type"], device["claims"], device["unranked"]) == ("device", [], [])
    assert product.keys() == device.keys()
    assert (product["type"], product["slug"]) == ("product", "birch-p1600x")
    assert product["model_name"] == "Birch SSD P1600X"
    assert product["url"].endswith("/products/birch-p1600x/")
    assert (product["product"], product["capacity_bytes"], product["ranking"]) == ("birch-p1600x", None, None)
    (claim,) = product["claims"]
    assert (claim["quantity"], claim["value"], claim["is_below"]) == ("write_latency_us", 10, True)
    assert claim["source_url"] == "https://claims.example/s1"


def test_what_isnt_ranked_has_its_reason(client):
    record = client.get("/api/v1/compare/?devices=fast,bare").json()
    assert (record["devices"][1]["ranking"], record["figures"][0]["values"]) == (None, [10, None])
    (unranked,) = record["devices"][1]["unranked"]
    assert (unranked["method"], unranked["layer"], unranked["reason"]) == ("diskinfo", None, "cached")
    assert (unranked["latency_us"], unranked["result_count"]) == (21, 1)


def test_unknown_names_have_suggestions(client):
    make_product(slug="birch-p1600x", vendor="Birch", name="SSD P1600X")
    errors = client.get("/api/v1/compare/?devices=P160X,sampl").json()["errors"]["devices"]
    assert errors == [
        "There is no device or product “P160X”. Similar: birch-p1600x (Birch P1600X).",
        "“sampl” may be: bare (Sample bare 480 GB), fast (Sample fast 480 GB), slow (Sample slow 480 GB).",
    ]


def test_devices_can_be_repeated_parameters(client):
    record = client.get("/api/v1/compare/?devices=fast&devices=slow").json()
    assert [device["slug"] for device in record["devices"]] == ["fast", "slow"]


def test_more_devices_take_no_more_queries(client, django_assert_num_queries):
    with django_assert_num_queries(6):
        client.get("/api/v1/compare/?devices=fast,slow")
    with django_assert_num_queries(6):
        client.get("/api/v1/compare/?devices=fast,slow,bare")
