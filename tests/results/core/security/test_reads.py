"""What is rendered counts as a read of its network, of pages, images and the API alike."""

import pytest

from tests.factories import make_member
from tests.sessions import sign_in_with

pytestmark = pytest.mark.django_db
COUNTED = (
    "/",
    "/preview.png",
    "/leaderboard/",
    "/leaderboard.md",
    "/survey/chart.svg",
    "/feeds/results.atom",
    "/robots.txt",
    "/sitemap.xml",
    "/used-drive/",
    "/submit/",
    "/account/login/",
    "/.well-known/security.txt",
    "/exports/",
    "/devices/none/",
    "/api/v1/devices/",
    "/api/v1/schema/",
)
NOT_COUNTED = ("/healthz", "/readyz", "/?utm_source=x")


def allow(settings, reads, member_reads=5):
    limits = {"anonymous-read": (reads, 3600), "member-read": (member_reads, 3600)}
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, **limits}


@pytest.mark.parametrize("path", COUNTED)
def test_pages_images_and_the_api_have_one_allowance(client, settings, path):
    allow(settings, 2)
    client.get("/about/")
    client.get("/api/v1/bands/")
    response = client.get(path)
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 1800
    assert len(response.content) < 10_000


def test_health_redirects_and_what_is_not_rendered_are_not_counted(client, settings):
    allow(settings, 1)
    for path in NOT_COUNTED * 2:
        assert client.get(path).status_code in {200, 302, 404}
    assert [client.get("/about/").status_code for _ in range(2)] == [200, 429]


def test_another_network_has_an_allowance_of_its_own(client, settings):
    allow(settings, 1)
    assert [client.get("/about/", REMOTE_ADDR=ip).status_code for ip in ("192.0.2.1", "192.0.2.200")] == [
        200,
        429,
    ]
    assert client.get("/about/", REMOTE_ADDR="198.51.100.1").status_code == 200


def test_a_refused_page_says_when_to_come_back_and_is_not_stored(client, settings):
    allow(settings, 1)
    client.get("/about/")
    page = client.get("/about/")
    assert "Too many requests" in page.text
    assert "60 minutes" in page.text
    assert 'name="robots" content="noindex"' in page.text
    assert "X-Slogdb-Public" not in page


def test_members_continue_with_their_own_allowance_without_a_session_being_read_before(
    client, settings, django_assert_num_queries
):
    allow(settings, 1, member_reads=2)
    sign_in_with(client, make_member(), "code")
    with django_assert_num_queries(0):
        first = client.get("/robots.txt")
    assert [first.status_code, *(client.get("/robots.txt").status_code for _ in range(3))] == [
        200,
        200,
        200,
        429,
    ]


def test_a_cookie_that_is_no_session_gives_nothing(client, settings):
    allow(settings, 1)
    client.cookies[settings.SESSION_COOKIE_NAME] = "nothing"
    assert [client.get("/robots.txt").status_code for _ in range(2)] == [200, 429]


def test_nothing_is_refused_without_redis(client, settings, redis_away):
    allow(settings, 1)
    assert [client.get("/about/").status_code for _ in range(3)] == [200] * 3
