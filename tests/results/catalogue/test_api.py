import pytest

from results.catalogue.matching.merge import merge_devices
from tests.factories import make_device, make_facts, make_product, make_result

pytestmark = pytest.mark.django_db
STATEMENT = {"value": "yes", "evidence": "data_sheet", "url": "https://a.example/s1"}


def test_a_product_is_shown_with_its_sources_and_devices(client, django_assert_num_queries):
    product = make_product(
        slug="aldera-s1",
        name="S1",
        plp="yes",
        plp_statements=[STATEMENT],
        media="MLC",
        endurance_dwpd_low="1",
        endurance_dwpd_high="3",
        endurance_years=5,
        endurance_tbw=[{"capacity_bytes": 480_000_000_000, "written_bytes": 10**15}],
        endurance_source_url="https://a.example/s1",
        launch_year=2014,
        flags=["smr"],
        sources=["https://a.example/s1"],
    )
    make_facts(product)
    make_result(device__slug="s1-480", device__product=product)
    with django_assert_num_queries(3):
        record = client.get("/api/v1/products/aldera-s1/").json()
    assert record.pop("facts")["endurance_tbw"] == 1000.0
    assert record == {
        "slug": "aldera-s1",
        "url": "http://127.0.0.1:8000/products/aldera-s1/",
        "vendor": "Aldera",
        "name": "S1",
        "device_class": "nvme",
        "segment": "enterprise",
        "media": "MLC",
        "interface": "",
        "form_factors": "",
        "plp": "yes",
        "plp_statements": [STATEMENT | {"note": ""}],
        "endurance_dwpd_low": 1.0,
        "endurance_dwpd_high": 3.0,
        "endurance_years": 5,
        "endurance_tbw": [{"capacity_bytes": 480_000_000_000, "written_bytes": 10**15}],
        "endurance_source_url": "https://a.example/s1",
        "launch_year": 2014,
        "flags": ["smr"],
        "sources": ["https://a.example/s1"],
        "caveats": [
            {
                "kind": "firmware_bug",
                "summary": "Hangs after 5184 hours.",
                "fixed_in_firmware": "0309",
                "source_url": "https://caveats.example/s1",
            }
        ],
        "claims": [
            {
                "quantity": "write_latency_us",
                "capacity_bytes": None,
                "value": 10.0,
                "is_below": True,
                "text": "",
                "unit": "us",
                "stated_by": "maker",
                "source_url": "https://claims.example/s1",
                "note": "typical",
            }
        ],
        "prices": [
            {
                "capacity_bytes": 480_000_000_000,
                "price": 1299.9,
                "currency": "EUR",
                "condition": "used",
                "seller_kind": "marketplace",
                "seen_on": "2024-05",
                "source_url": "https://prices.example/s1",
            }
        ],
        "life_cycle": [
            {
                "launched_on": "2018",
                "end_of_sale": "last orders 2023-05-30",
                "successor": "aldera-s9",
                "source_url": "https://life.example/s1",
                "note": "announced",
            }
        ],
        "devices": ["s1-480"],
    }


def test_products_are_listed_by_vendor_and_name(client, django_assert_num_queries):
    for vendor, name in [("Borealis", "A"), ("Aldera", "S2"), ("Aldera", "S1")]:
        make_product(vendor=vendor, name=name)
    with django_assert_num_queries(2):
        page = client.get("/api/v1/products/").json()
    assert [(row["vendor"], row["name"]) for row in page["results"]] == [
        ("Aldera", "S1"),
        ("Aldera", "S2"),
        ("Borealis", "A"),
    ]
    assert "devices" not in page["results"][0]


def test_a_search_of_hundreds_of_words_is_refused(client):
    response = client.get(f"/api/v1/products/?q={'a+' * 51}")
    assert (response.status_code, list(response.json()["errors"])) == (400, ["q"])


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("class=hdd", ["Disk"]),
        ("segment=consumer", ["Disk"]),
        ("plp=yes", ["S1"]),
        ("q=aldera+s", ["S1"]),
        ("plp=yes&class=hdd", []),
    ],
)
def test_products_can_be_filtered(client, query, expected):
    make_product(vendor="Borealis", name="Disk", device_class="hdd", segment="consumer")
    make_product(name="S1", plp="yes", plp_statements=[STATEMENT])
    page = client.get(f"/api/v1/products/?{query}").json()
    assert [row["name"] for row in page["results"]] == expected


def test_unknown_choice_is_refused_with_the_allowed_ones(client):
    problem = client.get("/api/v1/products/?plp=maybe").json()
    assert problem["errors"] == {
        "plp": ["Unknown plp. Allowed: protected, yes, by_design, external, partial, no, disputed, unknown."]
    }


def test_an_unknown_product_is_not_found(client):
    assert client.get("/api/v1/products/nothing/").json()["status"] == 404


def test_a_device_names_its_product_and_its_protection(client):
    make_result(
        device__slug="s1",
        device__product=make_product(slug="aldera-s1", plp="yes", plp_statements=[STATEMENT]),
    )
    device = client.get("/api/v1/devices/s1/").json()
    assert (device["product"], device["plp"]) == ("aldera-s1", "yes")


def test_merged_spelling_redirects_to_its_device(client):
    merge_devices([make_device(slug="old")], make_result(device__slug="new").device, reason="the same")
    response = client.get("/api/v1/devices/old/")
    assert (response.status_code, response["Location"]) == (301, "/api/v1/devices/new/")
