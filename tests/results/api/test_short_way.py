import pytest
from django.conf import settings

from results.api.short_way import MIDDLEWARE, ShortWay, goes_short
from tests.factories import make_member

PASSED_BY = {
    "whitenoise",
    "sessions",
    "csrf",
    "auth",
    "messages",
    "allauth",
    "csp",
    "metrics",
    "ForumAwayMiddleware",
}


def test_what_the_api_goes_through_is_a_part_of_the_settings_in_their_order():
    of_settings = [name for name in settings.MIDDLEWARE if name in MIDDLEWARE]
    assert of_settings == [name for name in MIDDLEWARE if "PolicyMiddleware" not in name]


def test_what_the_api_passes_by_is_what_only_people_need():
    start = settings.MIDDLEWARE.index("results.api.middleware.ApiMiddleware") + 1
    passed_by = [name for name in settings.MIDDLEWARE[start:] if name not in MIDDLEWARE]
    assert [name for name in passed_by if not set(name.split(".")) & PASSED_BY] == []


@pytest.mark.parametrize(
    ("path", "is_short"),
    [
        ("/api/v1/classes/", True),
        ("/api/v1/nowhere/", True),
        ("/api/v1/docs/", False),
        ("/api/", False),
        ("/leaderboard/", False),
    ],
)
def test_only_the_api_goes_short(path, is_short):
    assert goes_short(path) is is_short


@pytest.mark.django_db
def test_an_answer_of_the_api_has_the_security_headers_of_a_page(client):
    names = (
        "Content-Security-Policy",
        "X-Frame-Options",
        "X-Content-Type-Options",
        "Referrer-Policy",
        "Cross-Origin-Opener-Policy",
    )
    page, answer = client.get("/api/v1/docs/"), client.get("/api/v1/classes/")
    for name in names:
        assert page[name]
        told = (sorted(response[name].split("; ")) for response in (page, answer))
        assert len(set(map(tuple, told))) == 1, name


@pytest.mark.django_db
def test_a_session_is_not_even_looked_at(client, django_assert_num_queries):
    client.force_login(make_member())
    with django_assert_num_queries(0):
        response = client.get("/api/v1/me/")
    assert response.status_code == 401


def test_a_request_is_seen_by_every_part(rf):
    seen = []

    class Part:
        def __init__(self, get_response):
            self._get_response = get_response

        def __call__(self, request):
            seen.append("called")
            return self._get_response(request)

        def process_view(self, *_):
            seen.append("view")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("results.api.short_way.import_string", lambda _: Part)
        ShortWay(("one", "two"))(rf.get("/robots.txt"))
    assert seen == ["called", "called", "view", "view"]
