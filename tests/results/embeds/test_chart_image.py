import base64
import hashlib
import re

import pytest

from parsers.base.device_class import DeviceClass
from results.charts.description import LETTERS, STYLES
from results.core.public import MARK
from results.models import Device, DeviceAlias, Submission
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
    make_result(device__slug="bare", not_ranked_reason="cached")
    rank_everything()


def test_a_chart_is_an_image_for_everybody(client, subtests):
    for url, name in [
        ("/compare/chart.svg?devices=one,two", "A Sample one 480 GB"),
        ("/devices/one/chart.svg", "Sample one 480 GB"),
        ("/results/rone/chart.svg", "Sample one 480 GB"),
        ("/survey/chart.svg", "NVMe SSD: 2 devices"),
    ]:
        with subtests.test(url=url):
            response = client.get(url)
            assert (response.status_code, response["Content-Type"], response[MARK]) == (
                200,
                "image/svg+xml",
                "1",
            )
            assert f">{name}</text>" in response.text
            assert not response.cookies


@pytest.mark.parametrize("state", [state for state in State if state != State.PUBLISHED])
def test_a_run_that_is_not_shown_has_no_image(client, state):
    Submission.objects.filter(public_id="rone").update(state=state, **_left(state))
    assert client.get("/results/rone/chart.svg").status_code == 404
    assert client.get("/results/rone/chart.png").status_code == 404


def _left(state):
    """What the database lets an erased submission keep."""
    if state != State.ERASED:
        return {}
    return {"text": "", "text_digest": None, "unit_digests": {}, "notices": []}


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


def test_unknown_images_and_options_are_refused(client, subtests):
    for url, status in [
        ("/compare/chart.svg", 404),
        ("/compare/chart.svg?devices=nowhere", 404),
        ("/devices/nowhere/chart.svg", 404),
    ]:
        with subtests.test(url=url):
            assert client.get(url).status_code == status


def test_an_unranked_device_has_an_image_with_the_reason(client, subtests):
    for url in ["/devices/bare/chart.svg", "/compare/chart.svg?devices=bare"]:
        with subtests.test(url=url):
            response = client.get(url)
            assert (response.status_code, response["Content-Type"], response[MARK]) == (
                200,
                "image/svg+xml",
                "1",
            )
            assert ">No ranked result yet</text>" in response.text
            assert 'class="curve"' not in response.text
            assert client.get(f"{url}{'&' if '?' in url else '?'}theme=purple").status_code == 400


def test_the_image_of_a_device_without_a_ranked_result_names_the_device(client):
    make_result(device=make_device(slug="plain", model_name="Plain <SSD>"), not_ranked_reason="cached")
    assert (
        ">Latency by block size: Plain &lt;SSD&gt; 480 GB</text>"
        in client.get("/devices/plain/chart.svg").text
    )


def test_the_image_of_a_device_has_its_curve_from_the_first_ranked_result_on(client):
    make_result(30, device=Device.objects.get(slug="bare"))
    rank_everything()
    drawn = client.get("/devices/bare/chart.svg").text
    assert "No ranked result yet" not in drawn
    assert 'class="curve"' in drawn


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


def test_more_devices_take_no_more_queries(client, django_assert_num_queries):
    with django_assert_num_queries(6):
        client.get("/compare/chart.svg?devices=one,two")


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
