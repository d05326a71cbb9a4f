import pytest

from results.catalogue.merge import merge_devices
from tests.factories import make_device, make_product

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
    make_device(slug="s1-480", product=product)
    with django_assert_num_queries(2):
        record = client.get("/api/v1/products/aldera-s1/").json()
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
        "plp_statements": [STATEMENT],
        "endurance_dwpd_low": 1.0,
        "endurance_dwpd_high": 3.0,
        "endurance_years": 5,
        "endurance_tbw": [{"capacity_bytes": 480_000_000_000, "written_bytes": 10**15}],
        "endurance_source_url": "https://a.example/s1",
        "launch_year": 2014,
        "flags": ["smr"],
        "sources": ["https://a.example/s1"],
        "devices": ["s1-480"],
    }


def test_an_unknown_product_is_not_found(client):
    assert client.get("/api/v1/products/nothing/").json()["status"] == 404


def test_a_device_names_its_product_and_its_protection(client):
    make_device(slug="s1", product=make_product(slug="aldera-s1", plp="yes", plp_statements=[STATEMENT]))
    device = client.get("/api/v1/devices/s1/").json()
    assert (device["product"], device["plp"]) == ("aldera-s1", "yes")


def test_a_merged_spelling_leads_to_its_device(client):
    merge_devices(make_device(slug="old"), make_device(slug="new"), reason="the same")
    response = client.get("/api/v1/devices/old/")
    assert (response.status_code, response["Location"]) == (301, "/api/v1/devices/new/")
