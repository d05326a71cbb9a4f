import pytest
from django.conf import settings

from results.short_way import LONGEST_KEPT, MIDDLEWARE, ShortWay, goes_short
from tests.factories import make_member, make_result, rank_everything

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
    "ClosedAccountMiddleware",
    "SessionsMiddleware",
}


def test_the_short_way_is_a_part_of_the_settings_in_their_order():
    of_settings = [name for name in settings.MIDDLEWARE if name in MIDDLEWARE]
    assert of_settings == [name for name in MIDDLEWARE if "PolicyMiddleware" not in name]


def test_what_it_passes_by_is_what_only_people_who_sign_in_need():
    start = settings.MIDDLEWARE.index("results.short_way.ShortWayMiddleware") + 1
    passed_by = [name for name in settings.MIDDLEWARE[start:] if name not in MIDDLEWARE]
    assert [name for name in passed_by if not set(name.split(".")) & PASSED_BY] == []


@pytest.mark.parametrize(
    ("method", "path", "cookies", "is_short"),
    [
        ("GET", "/api/v1/classes/", {}, True),
        ("POST", "/api/v1/submissions/", {"sessionid": "a"}, True),
        ("GET", "/api/v1/nowhere/", {}, True),
        ("GET", "/api/v1/docs/", {}, False),
        ("GET", "/api/", {}, False),
        ("GET", "/leaderboard/", {}, True),
        ("HEAD", "/devices/one/", {}, True),
        ("POST", "/leaderboard/", {}, False),
        ("GET", "/leaderboard/", {"sessionid": "a"}, False),
        ("GET", "/submit/", {}, False),
        ("GET", "/account/", {}, False),
        ("GET", "/nowhere/", {}, False),
    ],
)
def test_the_api_and_public_pages_for_nobody_in_particular_go_short(rf, method, path, cookies, is_short):
    rf.cookies.load(cookies)
    assert goes_short(rf.generic(method, path)) is is_short


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/leaderboard/", "/devices/one/chart.svg"])
def test_a_public_page_is_the_same_by_either_way(client, path):
    make_result(20, device__slug="one")
    rank_everything()
    short = client.get(path)
    client.cookies["any"] = "cookie"
    long = client.get(path)
    assert short.status_code == 200
    assert (short.content, policy_of(short)) == (long.content, policy_of(long))
    assert headers_of(short) == headers_of(long)


def policy_of(response):
    """In no order."""
    return sorted(response["Content-Security-Policy"].split("; "))


def headers_of(response):
    return {name: value for name, value in response.items() if name != "Content-Security-Policy"}


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
        patch.setattr("results.short_way.import_string", lambda _: Part)
        ShortWay(("one", "two"))(rf.get("/robots.txt"))
    assert seen == ["called", "called", "view", "view"]


@pytest.mark.parametrize(("length", "is_kept"), [(LONGEST_KEPT, True), (LONGEST_KEPT + 1, False)])
def test_the_view_of_a_path_is_looked_up_once_unless_it_is_long(rf, length, is_kept):
    path = "/api/v1/devices/".ljust(length - 1, "x") + "/"
    one, other = (ShortWay(()).resolve_request(rf.get(path)) for _ in range(2))
    assert (one is other) is is_kept
    assert one.kwargs == other.kwargs == {"slug": path.split("/")[-2]}
