"""The shortlist in the API: its record, and refused parameters."""

import pytest

from tests.factories import make_device, make_price, make_protected_product, make_result, rank_everything

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("today")]
URL = "/api/v1/shortlist/"
CAPACITY = 480_000_000_000
STATED = {"link_gbit": "1", "gb_per_day": "100", "mirror": "1", "budget": "300", "form_factor": "u2"}


@pytest.fixture
def product():
    product = make_protected_product(
        slug="aldera-s1",
        name="S1",
        interface="PCIe 3.0 x4 NVMe",
        form_factors="U.2",
        endurance_tbw=[{"capacity_bytes": CAPACITY, "written_bytes": 10**15}],
        endurance_source_url="https://a.example/",
    )
    make_price(
        product, price="99.90", condition="used", capacity_bytes=CAPACITY, source_url="https://p.example/1"
    )
    return product


def test_measured_entry_has_all_facts_of_the_page(client, product):
    make_result([100] * 15, device=make_device(slug="sample", model_name="SAMPLE", product=product))
    rank_everything()
    found = client.get(URL, STATED).json()
    (entry,) = found["measured"]["entries"]
    findings = entry.pop("findings")
    assert [finding["criterion"] for finding in findings] == [
        "protection",
        "speed",
        "size",
        "life",
        "form_factor",
        "price",
    ]
    assert findings[-1]["sentence"] == "2 × $99.90 = $199.80 used, seen 1 month ago"
    assert {finding["fit"] for finding in findings} == {"yes"}
    assert (entry["throughput_mib_s"], entry["is_throughput_measured"]) == (80_000, True)
    assert (entry["written_bytes"], entry["total_price"]) == (10**15, 199.8)
    price = entry["price"]
    assert (price["offer"], price["age"], price["is_fresh"]) == ("used", "1 month ago", True)
    assert entry["uncertain"] == [
        "too few results to recommend it",
        "used: check how much life is left",
    ]
    assert (found["headline"], found["needed_mib_s"]) == ("1 measured device fits", 59.605)
    assert (found["log_bytes"], found["written_bytes"]) == (937_500_000, 100 * 10**9 * 365 * 5)
    assert found["on_paper"] == {"count": 0, "entries": [], "to_check_count": 0, "to_check": []}


def test_an_entry_on_paper_has_no_device(client, product):
    found = client.get(URL).json()
    (entry,) = found["on_paper"]["entries"]
    assert (entry["device"], entry["product"], entry["unit_count"]) == (None, "aldera-s1", 0)
    assert entry["url"] == "http://127.0.0.1:8000/products/aldera-s1/"
    assert entry["uncertain"][0] == "no ranked result at this capacity"


def test_device_outside_the_catalogue_is_listed_without_required_protection(client):
    make_result([100] * 15, device=make_device(slug="stranger", product=None))
    rank_everything()
    (entry,) = client.get(URL, {"plp": "any"}).json()["measured"]["entries"]
    assert (entry["device"], entry["product"], entry["plp"]) == ("stranger", None, "unknown")
    assert client.get(URL).json()["count"] == 0


def test_url_of_a_relaxation_applies_it(client, product):
    make_result([100] * 15, device=make_device(product=product))
    rank_everything()
    (first, second) = client.get(URL, {**STATED, "budget": "150"}).json()["relaxations"]
    assert first["url"].endswith("/api/v1/shortlist/?link_gbit=1&gb_per_day=100&budget=150&form_factor=u2")
    assert (second["criterion"], second["product"]) == ("price", "aldera-s1")
    assert second["capacity_bytes"] == CAPACITY
    assert client.get(second["url"]).json()["count"] == 1


def test_invalid_parameters_are_refused_with_the_allowed_values(client, subtests):
    for query, name, message in [
        ("link_gbit=10&mib_s=5", "mib_s", "not both"),
        ("link_gbit=10&link_gbit=1", "link_gbit", "This parameter takes one value."),
        ("budget=", "budget", "Give a number, or leave it out."),
        ("budget=-1", "budget", "Enter 0.01 to 1,000,000, not -1."),
        ("budget=$250", "budget", "“$250” is not a number"),
        ("years=NaN", "years", "is not a number"),
        ("link_gbit=1&link_share=101", "link_share", "Enter 1 to 100, not 101."),
        ("platform=%00", "platform", "NUL characters are not allowed here."),
    ]:
        with subtests.test(query=query):
            response = client.get(f"{URL}?{query}")
            assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")
            assert list(response.json()["errors"]) == [name]
            assert message in response.json()["errors"][name][0]
