import pytest

from results.core.data_version import bump_data_version
from results.models import Firmware, Submission
from tests.factories import make_device, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db
SITE = "http://127.0.0.1:8000"


def names(response):
    return [device["model_name"] for device in response.json()["results"]]


def test_the_vendor_of_a_device_is_that_of_its_product(client):
    product = make_product(slug="v700", vendor="Boreas / Aldera", name="V700")
    make_result(device=make_device(slug="of-product", model_name="MK480", vendor="HPE", product=product))
    make_result(device=make_device(slug="of-none", model_name="X1", vendor="HPE"))
    make_result(device=make_device(slug="unknown", model_name="A1", vendor=""))
    rank_everything()
    named = [("of-product", "Boreas / Aldera"), ("of-none", "HPE"), ("unknown", "")]
    for path, expected in (("devices/?ordering=vendor", named), ("search/?q=1&ordering=vendor", named[1:])):
        rows = client.get(f"/api/v1/{path}").json()["results"]
        assert [(row["slug"], row["vendor"]) for row in rows] == expected, path
    for path in ("leaderboard/", "search/?q=mk480", "compare/?devices=of-product,of-none"):
        assert '"vendor":"Boreas / Aldera"' in client.get(f"/api/v1/{path}").text.replace('": "', '":"'), path
    for path in ("/devices/of-product/", "/leaderboard.csv"):
        assert "Boreas / Aldera" in "".join(map(bytes.decode, client.get(path, follow=True))), path


def test_devices_can_be_filtered(client, subtests):
    make_result(device__model_name="Disk", device__device_class="hdd")
    make_result(device__model_name="Sample", device__vendor="Aldera")
    for query, expected in [
        ("class=hdd", ["Disk"]),
        ("q=sam", ["Sample"]),
        ("q=ALDERA%20samp", ["Sample"]),
        ("q=aldera+disk", []),
        ("q=&class=", ["Disk", "Sample"]),
    ]:
        with subtests.test(query=query):
            assert names(client.get(f"/api/v1/devices/?{query}")) == expected


@pytest.mark.parametrize("state", ["held", "rejected", "withdrawn"])
def test_a_device_without_published_results_is_not_found(client, state):
    make_result(device__slug="one", submission__state=state)
    assert names(client.get("/api/v1/devices/")) == []
    for path in ("", "firmware/"):
        assert client.get(f"/api/v1/devices/one/{path}").status_code == 404


def test_page_links_use_the_site_url_whatever_host_was_requested(client, settings):
    settings.ALLOWED_HOSTS = ["*"]
    for _ in range(2):
        make_result()
    first = client.get("/api/v1/devices/?q=&class=nvme&page_size=1", HTTP_HOST="evil.example").json()
    assert first["next"].startswith(f"{SITE}/api/v1/devices/?class=nvme&cursor=")


def test_a_device_has_the_median_and_the_ends_of_its_units(client):
    device = make_device(slug="sample")
    make_result(10, device=device, firmware__version="1.1")
    make_result(40, device=device, firmware__version="1.0")
    rank_everything()
    record = client.get("/api/v1/devices/sample/").json()
    assert record["firmware_versions"] == ["1.0", "1.1"]
    diskinfo, zil = record["rankings"]
    assert diskinfo["low"] < diskinfo["score"] == zil["score"] == 20 < diskinfo["high"]
    assert (diskinfo["unit_count"], diskinfo["result_count"], zil["points"]) == (2, 2, diskinfo["points"])
    assert diskinfo["points"][3] == {
        "block_size": 4096,
        "latency_us": 20,
        "throughput_mib_s": 195.312,
        "lowest_us": 10,
        "highest_us": 40,
    }


@pytest.mark.parametrize("state", ["held", "rejected", "withdrawn"])
def test_a_firmware_version_is_listed_while_it_has_published_results(client, state):
    device = make_device(slug="sample")
    make_result(10, device=device, firmware__version="1.0")
    kept = make_result(20, device=device, firmware__version="0.9")
    make_result(20, device=device, firmware=kept.firmware)
    Firmware.objects.create(device=device, version="0.8")  # its results were erased
    assert client.get("/api/v1/devices/sample/").json()["firmware_versions"] == ["0.9", "1.0"]
    Submission.objects.filter(results__firmware=kept.firmware).update(state=state)
    bump_data_version()
    assert client.get("/api/v1/devices/sample/").json()["firmware_versions"] == ["1.0"]
    assert client.get("/api/v1/results/?firmware=0.9").status_code == 404


def test_each_method_has_the_sizes_that_were_measured_by_it(client):
    device = make_device(slug="sample")
    make_result(10, device=device)
    make_result([*[None] * 3, 30, *[None] * 11], device=device, method="fio")
    rank_everything()
    diskinfo, fio, _ = client.get("/api/v1/devices/sample/").json()["rankings"]
    assert (diskinfo["method"], len(diskinfo["points"]), fio["method"]) == ("diskinfo", 15, "fio")
    (point,) = fio["points"]
    assert (point["block_size"], point["latency_us"], point["lowest_us"]) == (4096, 30, 30)


def test_a_new_result_counts_for_its_firmware_at_once(client):
    device = make_device(slug="sample")
    result = make_result(10, device=device, firmware__version="1.1")
    rank_everything()
    client.get("/api/v1/devices/sample/firmware/")
    make_result(40, device=device, firmware=result.firmware)
    (version,) = client.get("/api/v1/devices/sample/firmware/").json()["results"]
    assert version["result_count"] == 2


def test_computed_figures_have_three_digits_behind_the_point(client):
    device = make_device(slug="sample")
    for latency_us in (34.6781, 12.3457, 77.7777):
        make_result(latency_us, device=device, firmware__version="1.1")
    rank_everything()
    (figure,) = client.get("/api/v1/devices/sample/firmware/").json()["results"][0]["figures"]
    figures = [figure["latency_us"], figure["low_us"], figure["high_us"]]
    assert figures == [round(other, 3) for other in figures]
