from unittest.mock import ANY

import pytest

from results.catalogue.product_facts import FACTS
from results.models.choices import INTERFACES, MEDIA
from tests.factories import make_claim, make_facts, make_price, make_product, make_result

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
    assert record.pop("facts")["endurance_tbw"] is None  # each capacity has its own
    assert record.pop("endurance") == [
        {
            "capacity_bytes": 480 * 10**9,
            "written_bytes": 10**15,
            "from_drive_writes": None,
            "years": 5,
            "source_url": "https://a.example/s1",
        }
    ]
    (caveat,), (claim,), (price,), (life_cycle,) = (
        record.pop(key) for key in ("caveats", "claims", "prices", "life_cycle")
    )
    assert (caveat["kind"], caveat["fixed_in_firmware"]) == ("firmware_bug", "0309")
    assert (claim["value"], claim["is_below"], claim["unit"]) == (10.0, True, "us")
    assert (price["price"], price["seen_on"], price["seller_kind"]) == (1299.9, "2024-05", "marketplace")
    assert (life_cycle["launched_on"], life_cycle["successor"]) == ("2018", "aldera-s9")
    assert [fact["source_url"].split(".")[0] for fact in (caveat, claim, price, life_cycle)] == [
        "https://caveats",
        "https://claims",
        "https://prices",
        "https://life",
    ]
    assert record == {
        "slug": "aldera-s1",
        "url": "http://127.0.0.1:8000/products/aldera-s1/",
        "vendor": "Aldera",
        "name": "S1",
        "device_class": "nvme",
        "segment": "enterprise",
        "media": "MLC",
        "media_types": ["nand", "mlc"],
        "interfaces": [],
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
        "plp_probably": False,
        "display_name": "Aldera S1",
        "endurance_of_largest_bytes": None,
        "devices": ["s1-480"],
        "changed_at": ANY,
    }


def test_a_product_states_each_fact_once_and_endurance_by_capacity(client):
    product = make_product(slug="s1")
    make_facts(product)
    dwpd = {"quantity": "endurance_dwpd", "unit": "DWPD"}
    make_claim(product, 3, **dwpd)
    make_claim(product, 1, capacity_bytes=480 * 10**9, source_url="https://b.example/", **dwpd)
    make_claim(product, 800, quantity="endurance_tbw", unit="TB", capacity_bytes=960 * 10**9)
    rows = client.get("/api/v1/products/").json()["results"]
    (row,) = (row for row in rows if row["slug"] == "s1")
    facts = row["facts"]
    assert row["launch_year"] == facts["launch_year"] == 2018
    assert (row["endurance_dwpd_low"], row["endurance_dwpd_high"], facts["endurance_dwpd"]) == (1.0, 3.0, 3.0)
    assert facts["endurance_tbw"] is None
    assert [(rated["capacity_bytes"], rated["written_bytes"]) for rated in row["endurance"]] == [
        (480 * 10**9, 480 * 10**9 * 365 * 5),
        (960 * 10**9, 800 * 10**12),
    ]
    assert row["endurance"][0]["source_url"] == "https://b.example/"
    detail = client.get("/api/v1/products/s1/").json()
    assert {name: detail[name] for name in row} == row


def test_products_are_listed_by_vendor_and_name(client, django_assert_num_queries):
    for vendor, name in [("Borealis", "A"), ("Aldera", "S2"), ("Aldera", "S1")]:
        make_product(vendor=vendor, name=name)
    with django_assert_num_queries(3):
        page = client.get("/api/v1/products/").json()
    assert [(row["vendor"], row["name"]) for row in page["results"]] == [
        ("Aldera", "S1"),
        ("Aldera", "S2"),
        ("Borealis", "A"),
    ]
    assert "devices" not in page["results"][0]
    assert [row["name"] for row in client.get("/api/v1/products/?q=aldera+s2").json()["results"]] == ["S2"]


def test_products_without_a_value_come_last_in_every_order(client):
    known = make_product(
        slug="known",
        media="MLC",
        interface="PCIe 3.0 x4",
        form_factors="2.5″",
        endurance_dwpd_low="1",
        endurance_dwpd_high="3",
        endurance_years=5,
        endurance_tbw=[{"capacity_bytes": 480_000_000_000, "written_bytes": 10**15}],
        endurance_source_url="https://a.example/s1",
    )
    make_facts(known, vendor="A")
    make_price(known)
    own = ("media", "interface", "endurance_dwpd_low", "endurance_years", "endurance_source_url")
    for name in (*own, *(name for name in FACTS if not name.startswith("carries"))):  # these need throughputs
        for order in (name, f"-{name}"):
            first, _ = client.get("/api/v1/products/", {"ordering": order}).json()["results"]
            assert first["slug"] == known.slug, order


def test_products_are_ordered_by_facts(client):
    early, late = make_product(slug="early", launch_year=2014), make_product(slug="late", launch_year=2020)
    make_product(slug="stated").life_cycle.create(launched_on="2018-01", source_url="https://a.example/s1")
    make_price(early, price=20)
    make_price(late, price=10)
    for order, expected in [
        ("-launch_year", ["late", "stated", "early"]),
        ("latest_price", ["late", "early", "stated"]),
    ]:
        rows = client.get("/api/v1/products/", {"ordering": order}).json()["results"]
        assert [row["slug"] for row in rows] == expected, order


def test_a_search_of_hundreds_of_words_is_refused(client):
    response = client.get(f"/api/v1/products/?q={'a+' * 51}")
    assert (response.status_code, list(response.json()["errors"])) == (400, ["q"])


def test_unknown_choice_is_refused_with_the_allowed_ones(client):
    problem = client.get("/api/v1/products/?plp=maybe").json()
    assert problem["errors"] == {
        "plp": ["Unknown plp. Allowed: protected, yes, by_design, external, partial, no, disputed, unknown."]
    }


def test_a_device_names_its_product_and_its_protection(client):
    make_result(
        device__slug="s1",
        device__product=make_product(slug="aldera-s1", plp="yes", plp_statements=[STATEMENT]),
    )
    device = client.get("/api/v1/devices/s1/").json()
    assert (device["product"], device["plp"]) == ("aldera-s1", "yes")


def test_texts_about_media_and_interfaces_have_words_for_programs(client):
    for number, (media, interface, types, interfaces) in enumerate(
        [
            ("3D TLC (96 layers)", "PCIe 3.0 x4 NVMe", ["nand", "tlc"], ["pcie"]),
            ("rotating + NAND cache", "SATA 3 (6 Gb/s), SATA 2 (3 Gb/s)", ["rotating", "nand"], ["sata"]),
            ("DRAM + NAND", "DDR4", ["dram", "nand"], ["dimm"]),
            ("TLC or QLC", "SAS 24 Gb/s", ["nand", "tlc", "qlc"], ["sas"]),
            ("3D XPoint", "PCI 64-bit / 66 MHz", ["3d_xpoint"], []),
            ("", "", [], []),
        ]
    ):
        make_product(name=f"S{number}", slug=f"s{number}", media=media, interface=interface)
        found = client.get(f"/api/v1/products/s{number}/").json()
        assert (found["media"], found["interface"]) == (media, interface)
        assert (found["media_types"], found["interfaces"]) == (types, interfaces)


def test_words_for_media_and_interfaces_are_enums_of_the_schema(client):
    schemas = client.get("/api/v1/schema/").json()["components"]["schemas"]
    for name, members in (("media_types", MEDIA), ("interfaces", INTERFACES)):
        reference = schemas["ListedProduct"]["properties"][name]["items"]["$ref"]
        assert schemas[reference.rpartition("/")[2]]["enum"] == list(members)
