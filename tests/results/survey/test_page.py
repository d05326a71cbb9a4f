import pytest

from parsers.base.device_class import DeviceClass
from results.charts.description import EXPECTED
from results.models import RepresentativePin
from tests import pastes
from tests.factories import make_device, make_protected_product, make_result, rank_everything
from tests.page import Page
from tests.results.kinds.latency_curve.test_runs import FIO
from tests.results.publishing import publish

pytestmark = pytest.mark.django_db
IS_OUT = ".//*[contains(@class, 'is-out')]"


def plot_of(response):
    (area,) = Page(response).root.xpath(".//div[contains(@class, 'boxes-area')]")
    return Page(area)


def classes(response, section):
    """The rows of a section's table by class."""
    return {row["Class"]: row for row in Page(response).section(section).rows()}


def fill_class(device_class, latencies_us, **device):
    for latency_us in latencies_us:
        make_result(latency_us, device=make_device(device_class=device_class, **device))
    rank_everything()


def test_empty_site_shows_expected_bands_and_no_measurements(client):
    response = client.get("/survey/")
    assert response.status_code == 200
    assert "No device has been measured yet" in response.text
    plot = plot_of(response)
    assert "Hard disks: none ranked" in plot.text
    assert plot.root.find_class("expected")
    assert not plot.root.find_class("median")


def test_a_class_shows_five_numbers_of_its_devices(client):
    fill_class("nvme", [10, 20, 40, 80, 160])
    response = client.get("/survey/")
    assert "4 KiB latency, one figure per device" in response.text
    (shown,) = Page(response).tables[0][1:]
    assert shown == ["NVMe SSD", "5", "10.0", "20.0", "40.0", "80.0", "160"]


def test_each_class_has_its_best_choice_or_unmeasured_products(client):
    product = make_protected_product(name="Proven")
    make_protected_product(name="Untried", device_class="optane")
    for name, values in [("approved", {"submission__is_approved": True}), ("anonymous", {})]:
        make_result(20, device=make_device(model_name=name, product=product), **values)
    rank_everything()
    response = client.get("/survey/")
    choices = {row[0]: row[1] for row in Page(response).section("choices").tables[0]}
    assert choices["NVMe SSD"].startswith("Aldera Proven")
    assert "Aldera Untried" in choices["Optane"]


def test_devices_of_both_methods_are_in_the_survey_and_unknown_classes_are_not(client):
    make_result(30, method="fio", device__device_class="hdd")
    make_result(30, device__device_class="hdd")
    fill_class("unknown", [25])
    shown = classes(client.get("/survey/"), "measured")
    assert "Class unknown" not in shown
    assert (shown["Hard disk"]["Devices"], shown["Hard disk"]["Highest µs"]) == ("2", "30.0")


def test_device_with_most_units_near_the_median_represents_its_class(client):
    fill_class("nvme", [10, 39, 41, 1000])
    popular = make_device(device_class="nvme", model_name="popular")
    for _ in range(3):
        make_result(42, device=popular)
    far = make_device(device_class="nvme", model_name="far off")
    for _ in range(9):
        make_result(2000, device=far)
    rank_everything()
    chosen = classes(client.get("/survey/"), "representatives")["NVMe SSD"]
    assert (chosen["Device"], chosen["Units measured"]) == ("popular", "3")


def test_moderators_choice_takes_precedence_with_its_reason(client):
    fill_class("nvme", [40, 41, 42])
    far = make_device(device_class="nvme", model_name="far off", slug="far-off")
    make_result(2000, device=far)
    rank_everything()
    RepresentativePin.objects.create(device_class="nvme", device=far, reason="the one of the talk")
    response = client.get("/survey/")
    chosen = classes(response, "representatives")["NVMe SSD"]
    assert (chosen["Device"], chosen["Chosen"]) == ("far off", "the one of the talk")
    assert Page(response).section("representatives").links["far off"] == "/devices/far-off/"


def test_axis_can_be_linear_and_the_plot_saved(client):
    fill_class("nvme", [10, 20])
    page = client.get("/survey/?scale=linear")
    assert "the axis is linear" in page.text
    assert 'href="/survey/chart.svg?scale=linear"' in page.text
    assert 'href="/survey/#chart"' in page.text


def test_a_class_can_be_hidden_in_the_plot_and_in_its_image(client):
    fill_class("nvme", [10, 20])
    page = client.get("/survey/?hide=hdd,nvdimm")
    assert "Hard disk" in plot_of(page).text
    assert "Hard disks: 10 ms to 100 ms" not in plot_of(page).text
    assert "/survey/?hide=nvdimm#chart" in Page(page).part("chart").links.values()
    assert "Hard disk" in page.text.split('id="measured"')[1]
    image = client.get("/survey/chart.svg?hide=hdd,nvdimm").text
    assert "NVMe SSD: 2 devices" in image
    assert "Hard disk" not in image


def test_expected_bands_can_be_hidden_in_the_plot_and_its_image(client):
    fill_class("nvme", [10, 20])
    for path in ("/survey/", "/survey/chart.svg"):
        assert "Hard disks: 10 ms to 100 ms" in client.get(path).text
    page = client.get("/survey/?hide=expected")
    assert "Hard disks: 10 ms to 100 ms" not in plot_of(page).text
    assert not plot_of(page).root.xpath(IS_OUT)
    image = client.get("/survey/chart.svg?hide=expected").text
    assert "NVMe SSD: 2 devices" in image
    assert "expected" not in image.partition("<rect")[2]
    assert "10 ms to 100 ms" not in image


def test_every_class_and_the_expected_bands_can_be_hidden(client):
    keys = Page(client.get("/survey/")).root.xpath(".//@data-key")
    assert keys == [
        *(device_class for device_class in DeviceClass if device_class != DeviceClass.UNKNOWN),
        EXPECTED,
    ]
    hidden = ",".join(keys)
    plot = plot_of(client.get(f"/survey/?hide={hidden}"))
    assert len(plot.root.xpath(IS_OUT)) == len(keys) - 1


def test_a_class_without_a_rank_says_what_was_measured_through_a_file_system(client):
    publish(client, FIO.replace("/dev/nvme0n1", "/mnt/tank/file") + pastes.smartctl(model="SAMPLE NVMe"))
    page = client.get("/survey/").text
    url = "/results/?class=sata_ssd&amp;kind=file_sync"
    assert f'SATA SSD (<a href="{url}">1 drive measured through a file system</a>)' in page
    assert client.get(url.replace("&amp;", "&")).status_code == 200
