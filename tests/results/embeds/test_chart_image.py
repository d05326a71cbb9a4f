import base64
import hashlib
import re

import pytest

from parsers.base.device_class import DeviceClass
from results.charts.description import LETTERS, STYLES
from results.models import Device, DeviceAlias
from results.models.choices import State
from results.models.fields import BLOCK_SIZES
from tests.factories import make_device, make_result, make_submission, rank_everything
from tests.page import Page

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _devices():
    for slug, latency_us in (("one", 20), ("two", 40)):
        device = make_device(slug=slug, model_name=f"Sample {slug}")
        make_result(latency_us, device=device, submission=make_submission(public_id=f"r{slug}"))
    DeviceAlias.objects.create(slug="old", model_name="old", device=device, reason="same")
    make_result(device__slug="bare", device__model_name="Bare <SSD>", not_ranked_reason="cached")
    rank_everything()


@pytest.mark.parametrize("state", [state for state in State if state != State.PUBLISHED])
def test_a_run_that_is_not_shown_has_no_image(client, state):
    kept = {"submission__text_digest": None} if state == State.ERASED else {}
    make_result(submission__public_id="gone", submission__state=state, **kept)
    assert client.get("/results/gone/chart.svg").status_code == 404
    assert client.get("/results/gone/chart.png").status_code == 404


def test_the_images_policy_allows_its_own_style_and_nothing_else(client):
    response = client.get("/devices/one/chart.svg")
    style = re.search(r"<style>(.*)</style>", response.text, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert response["Content-Security-Policy"] == f"default-src 'none'; style-src 'sha256-{digest}'"


def test_the_image_follows_the_parameters(client):
    drawn = client.get("/compare/chart.svg?devices=one,two&chart=throughput&hide=one&theme=dark").text
    assert "Throughput by block size" in drawn
    assert "A Sample one" not in drawn
    assert "prefers-color-scheme" not in drawn


def test_a_merged_spelling_redirects_to_its_device(client):
    for url, target in (
        ("/compare/chart.svg?devices=one,old,one", "/compare/chart.svg?devices=one,two"),
        ("/devices/old/chart.svg?scale=linear", "/devices/two/chart.svg?scale=linear"),
    ):
        response = client.get(url)
        assert (response.status_code, response["Location"]) == (301, target)


def test_unknown_devices_have_no_image(client):
    for url in ("/compare/chart.svg?devices=nowhere", "/devices/nowhere/chart.svg"):
        assert client.get(url).status_code == 404, url


def test_a_device_has_an_image_with_its_name_and_the_reason_until_it_is_ranked(client, subtests):
    title = ">Latency by block size: Bare &lt;SSD&gt; 480 GB</text>"
    assert title in client.get("/devices/bare/chart.svg").text
    for url in ["/devices/bare/chart.svg", "/compare/chart.svg?devices=bare"]:
        with subtests.test(url=url):
            response = client.get(url)
            assert (response.status_code, response["Content-Type"]) == (200, "image/svg+xml")
            assert ">No ranked result yet</text>" in response.text
            assert 'class="curve"' not in response.text
            assert client.get(f"{url}{'&' if '?' in url else '?'}theme=purple").status_code == 400
    make_result(30, device=Device.objects.get(slug="bare"))
    rank_everything()
    drawn = client.get("/devices/bare/chart.svg").text
    assert ("No ranked result yet" in drawn, 'class="curve"' in drawn) == (False, True)


def test_unmeasured_block_sizes_have_an_image_with_the_reason(client):
    curve = [*[None] * (len(BLOCK_SIZES) - 2), 900, 1_800]
    make_result(curve, device__slug="large", submission__public_id="large", not_ranked_reason="no 4 KiB")
    assert 'class="curve"' in client.get("/results/large/chart.svg").text
    drawn = client.get("/results/large/chart.svg?sizes=ranked")
    assert (drawn.status_code, ">No results at these block sizes</text>" in drawn.text) == (200, True)


def test_classes_without_results_have_an_image_with_the_reason(client):
    hidden = ",".join(device_class.value for device_class in DeviceClass if device_class != DeviceClass.NVRAM)
    drawn = client.get(f"/survey/chart.svg?hide={hidden}")
    assert (drawn.status_code, ">No results in these classes</text>" in drawn.text) == (200, True)


def test_each_of_as_many_devices_as_are_drawn_has_its_letter(client):
    slugs = ["one", "two", *(f"more-{number}" for number in range(len(STYLES) - 2))]
    for slug in slugs[2:]:
        make_result(30, device=make_device(slug=slug, model_name=f"Sample {slug}"))
    rank_everything()
    drawn = client.get("/compare/chart.svg", {"devices": ",".join(slugs)}).text
    assert [letter for letter in LETTERS if f">{letter}</text>" in drawn] == list(LETTERS)
    assert len(LETTERS) == len(STYLES)


def test_the_leaderboards_image_is_marked_as_the_page_is(client):
    page = client.get("/leaderboard/?view=table")
    (address,) = Page(page).root.xpath(".//a[@class='save']/@href")
    assert address == "/compare/chart.svg?devices=one,two"
    assert all("B Sample two 480 GB<" in answer.text for answer in (page, client.get(address)))
