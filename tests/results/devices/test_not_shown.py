"""A device of which nothing is published is offered nowhere: its name may be why it was turned away."""

from urllib.parse import quote

import pytest

from results.models import Device, DeviceAlias
from tests.factories import make_device, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _devices():
    product = make_product(slug="line")
    for name, state in [("shown", "published"), ("turned-away", "rejected")]:
        device = make_device(slug=name, model_name=name, product=product)
        make_result(device=device, submission__state=state)


def test_only_what_is_published_is_offered(client, subtests):
    for url in [
        "/sitemap-devices-1.xml",
        "/products/line/",
        "/api/v1/products/line/",
        "/compare/?devices=shown&add=turned",
        "/api/v1/devices/",
    ]:
        with subtests.test(url=url):
            page = client.get(url).text
            assert "shown" in page or "/products/line/480-gb/" in page
            assert "turned-away" not in page


PAGES = [
    "/devices/{}/",
    "/devices/{}/badge.svg",
    "/devices/{}/preview.png",
    "/devices/{}/chart.svg",
    "/compare/preview.png?devices={}",
    "/compare/chart.svg?devices={}",
    "/feeds/results.atom?device={}",
    f"/oembed?url={quote('http://127.0.0.1:8000/devices/')}{{}}/",
    f"/oembed?url={quote('http://127.0.0.1:8000/compare/?devices=')}{{}}",
    "/api/v1/devices/{}/",
    "/api/v1/devices/{}/firmware/",
    "/compare/?devices={}",
    "/api/v1/compare/?devices=shown,{}",
]


@pytest.fixture
def _old_names():
    """Another spelling of each."""
    for device in Device.objects.all():
        name = f"old-{device.slug}"
        DeviceAlias.objects.create(slug=name, model_name=name, device=device, reason="same")


@pytest.mark.usefixtures("_old_names")
def test_urls_do_not_reveal_unpublished_devices(client, subtests):
    for url in PAGES:
        for spelling in ["{}", "old-{}"]:
            with subtests.test(url=url, spelling=spelling):
                turned_away, never_was = (spelling.format(slug) for slug in ("turned-away", "never-was"))
                answer, expected = client.get(url.format(turned_away)), client.get(url.format(never_was))
                assert (answer.status_code, answer["Content-Type"]) == (
                    expected.status_code,
                    expected["Content-Type"],
                )
                assert answer.status_code in {400, 404}
                if "json" in answer["Content-Type"]:
                    assert answer.text.replace(turned_away, never_was) == expected.text


def test_these_urls_find_published_devices(client, subtests):
    make_result(device__slug="another")
    rank_everything()
    for url in PAGES:
        with subtests.test(url=url):
            assert client.get(url.format("another")).status_code == 200


@pytest.mark.usefixtures("_old_names")
def test_another_spelling_redirects_to_its_device(client, subtests):
    rank_everything()
    for url in PAGES[:4] + PAGES[9:11]:
        with subtests.test(url=url):
            response = client.get(url.format("old-shown"))
            page = "/products/line/480-gb/" if url == PAGES[0] else url.format("shown")
            assert (response.status_code, response["Location"]) == (301, page)
