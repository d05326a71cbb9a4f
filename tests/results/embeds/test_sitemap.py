"""Every page is listed once, in files of a bounded size."""

import re

import pytest
from django.urls import reverse

from results.core.public import MARK
from results.embeds import sitemap
from results.models import Device, Result
from tests.factories import make_device, make_product, make_result, rank_everything

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("slog_example")]


def listed(client, path):
    response = client.get(path)
    assert (response.status_code, response[MARK]) == (200, "1")
    return [url.removeprefix("https://slog.example") for url in re.findall("<loc>(.*?)</loc>", response.text)]


def test_every_device_and_published_result_is_listed_once(client, monkeypatch):
    monkeypatch.setattr(sitemap, "SLICE", 2)
    # Sequences go on from test to test, and each slice of ids is a request.
    devices = [make_device(id=number) for number in range(1, 6)]
    results = [make_result(id=device.pk, device=device) for device in devices]
    make_result(id=6, device=devices[0], submission__state="withdrawn")
    parts = listed(client, "/sitemap.xml")
    everything = [path for part in parts for path in listed(client, part)]
    assert len(everything) == len(set(everything))
    assert {device.get_absolute_url() for device in Device.objects.all()} <= set(everything)
    assert {path for path in everything if path.startswith("/results/")} - {"/results/"} == {
        result.get_absolute_url() for result in results
    }
    assert len([part for part in parts if "results" in part]) == -(-Result.objects.latest("id").pk // 2)


def test_a_slice_takes_one_query_beside_its_bounds(client, django_assert_num_queries):
    for _ in range(3):
        make_result()
    rank_everything()
    number = -(-Device.objects.latest("id").pk // sitemap.SLICE)
    with django_assert_num_queries(2):
        response = client.get(f"/sitemap-devices-{number}.xml")
    assert response.text.count("<lastmod>2024-05-17</lastmod>") == 3


def test_site_pages_and_catalogue_are_listed(client):
    make_product(slug="s1")
    paths = listed(client, "/sitemap-pages.xml")
    assert {"/", "/leaderboard/", "/leaderboard/?class=nvme", "/about/", "/products/s1/"} <= set(paths)
    for path in paths:
        assert client.get(path).status_code == 200


@pytest.mark.parametrize(
    "path", ["/sitemap-devices-999999.xml", "/sitemap-results-0.xml", "/sitemap-users-1.xml"]
)
def test_there_is_no_slice_past_the_end(client, path):
    assert client.get(path).status_code == 404


def test_robots_txt_names_the_sitemap_and_disallows_the_api(client):
    text = client.get("/robots.txt").text
    assert "Sitemap: https://slog.example/sitemap.xml" in text
    assert "Disallow: /api/" in text
    assert f"Disallow: {reverse('account')}\n" in text
    assert f"Disallow: {reverse('moderation')}\n" in text


def test_a_demo_disallows_all_robots(client, settings):
    settings.IS_DEMO = True
    assert "Disallow: /\n" in client.get("/robots.txt").text


def test_a_local_demo_serves_the_normal_robots_txt(client, settings):
    settings.IS_DEMO, settings.SITE_URL = True, "http://127.0.0.1:8000"
    assert "Disallow: /\n" not in client.get("/robots.txt").text
