import pytest

from results.catalogue.product_facts import FACTS
from tests.factories import make_claim, make_facts, make_price, make_product

pytestmark = pytest.mark.django_db


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


def test_products_are_in_the_order_of_vendor_and_name_or_of_a_fact(client):
    early = make_product(slug="early", vendor="Borealis", name="A", launch_year=2014)
    late = make_product(slug="late", name="S2", launch_year=2020)
    stated = make_product(slug="stated", name="S1")
    stated.life_cycle.create(launched_on="2018-01", source_url="https://a.example/s1")
    make_price(early, price=20)
    make_price(late, price=10)
    for query, expected in [
        ("", ["stated", "late", "early"]),
        ("ordering=-launch_year", ["late", "stated", "early"]),
        ("ordering=latest_price", ["late", "early", "stated"]),
        ("q=aldera+s2", ["late"]),
    ]:
        rows = client.get(f"/api/v1/products/?{query}").json()["results"]
        assert [row["slug"] for row in rows] == expected, query


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
