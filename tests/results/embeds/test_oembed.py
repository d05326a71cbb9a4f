"""oEmbed: what a forum gets for a link, and for links that are none of ours."""

from urllib.parse import urlencode

import pytest

from results.api.errors import PROBLEM_TYPE
from tests.factories import make_device, make_product, make_result

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("slog_example")]
SITE = "https://slog.example"


@pytest.fixture
def get_embed(client):
    def get(path, **parameters):
        return client.get(
            f"/oembed?{urlencode({'url': path if '://' in path else SITE + path, **parameters})}"
        )

    return get


@pytest.fixture
def _devices():
    for slug in ("sample", "other"):
        device = make_device(slug=slug, model_name=slug.title())
        make_result(device=device, submission__public_id=slug)
    line = make_product(slug="line", name="Line")
    for slug in ("s1", "s1-b"):
        make_result(device=make_device(slug=slug, model_name=slug.upper(), product=line))
    make_product(
        slug="paper", name="Paper", endurance_tbw=[{"capacity_bytes": 10**12, "written_bytes": 10**15}]
    )


@pytest.mark.usefixtures("_devices")
def test_a_page_is_embedded_as_its_picture_with_a_link(get_embed, subtests):
    for path, title, image in [
        ("/devices/sample/", "Sample 480 GB", "/devices/sample/preview.png"),
        ("/products/line/", "Aldera Line 480 GB", "/devices/s1/preview.png"),
        ("/products/line/480-gb/s1-b/", "Aldera Line 480 GB", "/devices/s1-b/preview.png"),
        ("/products/paper/", "Aldera Paper", "/compare/preview.png?devices=paper"),
        ("/products/paper/1-tb/", "Aldera Paper 1 TB", "/compare/preview.png?devices=paper"),
        ("/leaderboard/", "SLOG leaderboard: all classes", "/leaderboard/preview.png"),
        (
            "/leaderboard/?class=nvme&sort=x",
            "SLOG leaderboard: NVMe SSD",
            "/leaderboard/preview.png?class=nvme",
        ),
        (
            "/compare/?devices=sample,nobody,other",
            "Sample 480 GB vs. Other 480 GB",
            "/compare/preview.png?devices=sample,other",
        ),
    ]:
        with subtests.test(path=path):
            response = get_embed(path)
            embed = response.json()
            assert (embed["version"], embed["type"], embed["title"]) == ("1.0", "rich", title)
            assert embed["thumbnail_url"] == SITE + image
            assert (
                f'<img src="{SITE}{image.replace("&", "&amp;")}" width="1200" height="630" alt="{title}">'
                in embed["html"]
            )
            assert response["Access-Control-Allow-Origin"] == "*"


@pytest.mark.usefixtures("_devices")
def test_the_embed_fits_the_requested_size(get_embed, subtests):
    for limits, size in [
        ({"maxwidth": "600"}, (600, 315)),
        ({"maxheight": "63"}, (120, 63)),
        ({"maxwidth": "600", "maxheight": "63"}, (120, 63)),
        ({"maxwidth": "99999"}, (1200, 630)),
    ]:
        with subtests.test(limits=limits):
            embed = get_embed("/devices/sample/", **limits).json()
            assert (embed["width"], embed["height"]) == size
            assert (embed["thumbnail_width"], embed["thumbnail_height"]) == size


@pytest.mark.usefixtures("_devices")
def test_invalid_requests_are_refused(get_embed, subtests):
    for path, parameters, status in [
        ("/devices/nobody/", {}, 404),
        ("/results/nobody/", {}, 404),
        ("/leaderboard/?class=nonsense", {}, 404),
        ("/compare/?devices=nobody", {}, 404),
        ("/compare/?devices=a%00", {}, 404),
        ("/compare/results/", {}, 404),
        ("/compare/results/?a=sample&b=nobody", {}, 404),
        ("/products/paper/2-tb/", {}, 404),
        ("/about/", {}, 404),
        ("/nowhere", {}, 404),
        ("https://evil.example/devices/sample/", {}, 404),
        ("ftp://slog.example/devices/sample/", {}, 404),
        ("https://[::1/devices/sample/", {}, 404),
        ("/devices/sample/", {"format": "yaml"}, 501),
        ("/devices/sample/", {"maxwidth": "wide"}, 400),
        ("/devices/sample/", {"maxheight": "1"}, 400),
    ]:
        with subtests.test(path=path, parameters=parameters):
            response = get_embed(path, **parameters)
            assert (response.status_code, response["Content-Type"]) == (status, PROBLEM_TYPE)
            problem = response.json()
            assert problem["status"] == status
            assert status != 404 or problem["detail"] == "There is no page with a picture at this URL."


@pytest.mark.usefixtures("_devices")
def test_pages_link_to_their_oembed_endpoint(client):
    for path in ("/devices/sample/", "/products/paper/", "/compare/results/?a=sample&b=other"):
        page = client.get(path).text
        assert 'type="application/json+oembed" href="https://slog.example/oembed?url=https%3A%2F%2F' in page
