"""Every page is listed once, in files of a bounded size."""

import pytest
from lxml import etree

from results.embeds.sitemap import SLICE
from results.models import Device
from results.ranking.indexed import is_indexed
from tests.factories import make_device, make_product, make_result, make_submission, rank_everything

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("slog_example")]


def listed(client, path):
    response = client.get(path)
    assert response.status_code == 200
    found = etree.fromstring(response.content).iter("{*}loc")
    return [url.text.removeprefix("https://slog.example") for url in found]


def test_every_device_and_published_result_is_listed_once(client):
    devices = [make_device(id=number) for number in (1, 2, SLICE, SLICE + 1, 2 * SLICE + 1)]
    results = [make_result(id=device.pk, device=device) for device in devices]
    make_result(id=3, device=devices[0], submission__state="withdrawn")
    rank_everything()
    parts = listed(client, "/sitemap.xml")
    everything = [path for part in parts for path in listed(client, part)]
    assert len(everything) == len(set(everything))
    assert {device.get_absolute_url() for device in Device.objects.all()} <= set(everything)
    assert {path for path in everything if path.startswith("/results/")} - {"/results/"} == {
        result.get_absolute_url() for result in results
    }
    assert len([part for part in parts if "results" in part]) == 3


@pytest.mark.parametrize("is_known", [False, True])
def test_an_invented_model_of_one_sender_is_not_indexed(client, is_known):
    """Until it has a product, or somebody else measured it."""
    sent = make_submission(sender_digest="one")
    device = make_device()
    result = make_result(device=device, submission=sent, not_ranked_reason="unknown")
    if is_known:
        make_result(
            device=device, submission=make_submission(sender_digest="other"), not_ranked_reason="unknown"
        )
    for path, part in ((device.get_absolute_url(), "devices"), (result.get_absolute_url(), "results")):
        in_sitemap = any(
            path in listed(client, listing)
            for listing in listed(client, "/sitemap.xml")
            if f"-{part}-" in listing
        )
        is_told = '<meta name="robots" content="noindex">' in client.get(path).text
        assert (in_sitemap, is_told) == (is_known, not is_known)


def test_a_source_a_moderator_a_product_or_a_place_is_enough_to_be_indexed():
    unranked = {"not_ranked_reason": "unknown"}
    source = {"submission__survey_id": "source", "submission__source_url": "https://forum.example/1"}
    enough = [
        make_result(**source, **unranked),
        make_result(submission__is_approved=True, **unranked),
        make_result(device__product=make_product(), **unranked),
        make_result(),
    ]
    not_enough = make_result(submission__sender_digest="x", **unranked)
    rank_everything()
    assert [is_indexed(result.device) for result in (*enough, not_enough)] == [True] * 4 + [False]


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


def test_a_demo_disallows_all_robots_unless_it_is_a_local_one(client, settings):
    settings.IS_DEMO = True
    assert "Disallow: /\n" in client.get("/robots.txt").text
    settings.SITE_URL = "http://127.0.0.1:8000"
    assert "Disallow: /\n" not in client.get("/robots.txt").text
