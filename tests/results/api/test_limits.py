import pytest

from results.api.authentication import limit_headers
from results.api.lists import TableEndpoint
from results.core.public import VERSION
from tests import pastes
from tests.factories import make_member, make_result, rank_everything
from tests.results.api.holders import bearer

pytestmark = pytest.mark.django_db
READ = "/api/v1/bands/"


@pytest.fixture(autouse=True)
def small_limits(settings):
    settings.RATE_LIMITS = {
        "anonymous-read": (2, 60),
        "anonymous-write": (1, 60),
        "member-read": (4, 60),
        "member-write": (3, 60),
        "anonymous-download": (1, 60),
        "member-download": (2, 60),
    }


def test_throttled_client_learns_when_to_retry(client):
    for left in (1, 0):
        response = client.get(READ)
        assert response.status_code == 200
        assert response["RateLimit-Policy"] == '"anonymous-read";q=2;w=60'
        assert response["RateLimit"].startswith(f'"anonymous-read";r={left};t=')
    response = client.get(READ)
    assert (response.status_code, response.json()["code"]) == (429, "throttled")
    assert 0 < int(response["Retry-After"]) <= 30
    assert response["RateLimit"].startswith('"anonymous-read";r=0;t=')


def test_writes_are_throttled_separately_and_nothing_is_stored_beyond_the_limit(client):
    url = "/api/v1/submissions/"
    assert client.post(url, pastes.FIRST_PASTE, content_type="text/plain").status_code == 201
    assert client.post(url, pastes.FIRST_PASTE, content_type="text/plain").status_code == 429
    assert client.get(READ).status_code == 200


def test_members_have_their_own_limits_on_any_network(client):
    member = make_member()
    banned, other = bearer(member), bearer(member)
    answers = [
        client.get(READ, REMOTE_ADDR=f"192.0.2.{at}", **key) for at, key in enumerate([banned, other] * 3)
    ]
    assert [answer.status_code for answer in answers] == [200] * 4 + [429] * 2
    assert answers[0]["RateLimit-Policy"] == '"member-read";q=4;w=60'
    assert client.get(READ, **bearer()).status_code == 200


def test_key_without_the_read_scope_counts_as_anonymous(client):
    response = client.get(READ, **bearer(None, "submit"))
    assert response["RateLimit-Policy"].startswith('"anonymous-read"')


def test_each_network_has_one_limit(client):
    statuses = [client.get(READ, REMOTE_ADDR=f"192.0.2.{number}").status_code for number in range(3)]
    assert statuses == [200, 200, 429]
    assert client.get(READ, REMOTE_ADDR="198.51.100.1").status_code == 200


def test_forwarded_address_from_the_client_is_ignored(client, settings):
    for number in range(2):
        client.get(READ, HTTP_X_FORWARDED_FOR=f"198.51.{number}.1")
    assert client.get(READ, HTTP_X_FORWARDED_FOR="203.0.113.1").status_code == 429
    settings.TRUSTED_PROXY_COUNT = 1
    assert client.get(READ, HTTP_X_FORWARDED_FOR="203.0.113.1").status_code == 200
    for number in range(3):  # the client's invention precedes the address that the proxy saw
        client.get(READ, HTTP_X_FORWARDED_FOR=f"198.51.{number}.1, 203.0.113.9")
    assert client.get(READ, HTTP_X_FORWARDED_FOR="192.0.2.77, 203.0.113.9").status_code == 429


def test_api_reads_and_writes_without_redis(client, redis_away):
    for _ in range(5):
        response = client.get(READ)
        assert (response.status_code, "RateLimit" in response) == (200, False)
    assert client.post("/api/v1/parse/", pastes.FIRST_PASTE, content_type="text/plain").status_code == 200


def test_unthrottled_response_has_no_limit_headers():
    assert limit_headers(None) == {}


def test_reports_are_limited_per_network(client):
    make_result(submission__public_id="one")
    sent = {"data": '{"reason": "spam"}', "content_type": "application/json"}
    assert client.post("/api/v1/results/one/reports/", **sent).status_code == 201
    assert client.post("/api/v1/results/one/reports/", **sent).status_code == 429


@pytest.fixture
def two_rows(monkeypatch):
    """Two devices, which are more than a page can have."""
    monkeypatch.setattr(TableEndpoint, "rows_a_read", 1)
    for name in "ab":
        make_result(device__model_name=name)


@pytest.mark.parametrize("kind", ["csv", "ndjson"])
def test_all_rows_have_their_own_limit_if_they_exceed_a_page(client, two_rows, kind):
    def status(**key):
        return client.get(f"/api/v1/devices/?format={kind}", **key).status_code

    assert [status(), status()] == [200, 429]
    assert client.get("/api/v1/devices/", REMOTE_ADDR="198.51.100.1").status_code == 200
    member = bearer(make_member())
    assert [status(**member) for _ in range(3)] == [200, 200, 429]
    assert client.get(f"/api/v1/devices/?format={kind}&page=1", **member).status_code == 200


@pytest.mark.parametrize("path", ["/api/v1/devices/?format=csv", "/leaderboard.csv"])
def test_all_rows_that_fit_on_a_page_count_as_a_read_only(client, settings, monkeypatch, path):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "anonymous-read": (9, 60)}
    make_result()
    rank_everything()
    responses = [client.get(path) for _ in range(3)]
    assert [response.status_code for response in responses] == [200] * 3
    assert responses[-1]["RateLimit"].startswith('"anonymous-read"')
    monkeypatch.setattr(TableEndpoint, "rows_a_read", 0)
    assert [client.get(path).status_code for _ in range(2)] == [200, 429]


def test_an_unchanged_export_of_all_rows_does_not_count_as_a_download(client, two_rows):
    path, sent = "/api/v1/devices/?format=csv", {VERSION: 7, "REMOTE_ADDR": "192.0.2.1"}
    etag = client.get(path, **sent)["ETag"]
    answers = [client.get(path, HTTP_IF_NONE_MATCH=known, **sent) for known in (etag, '"older"')]
    assert [answer.status_code for answer in answers] == [304, 429]
    assert answers[0]["RateLimit"].startswith('"anonymous-read"')


def test_writes_cost_a_unit_for_each_128_kib_that_they_begin(client, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "anonymous-write": (20, 60_000)}
    for size, left in ((1, 19), (128 * 1024, 18), (128 * 1024 + 1, 16), (512 * 1024, 12), (1536 * 1024, 0)):
        response = client.post("/api/v1/parse/", "x" * size, content_type="text/plain")
        assert response.status_code == 422
        assert f";r={left};" in response["RateLimit"]
    assert client.post("/api/v1/parse/", "x", content_type="text/plain").status_code == 429


def test_the_longest_text_can_be_sent_whatever_the_quota(client):
    text = "x" * 512 * 1024
    assert client.post("/api/v1/parse/", text, content_type="text/plain").status_code == 422
    assert client.post("/api/v1/parse/", "x", content_type="text/plain").status_code == 429


def test_unknown_keys_count_as_requests_of_their_network(client):
    statuses = [
        client.get(READ, HTTP_AUTHORIZATION=f"Bearer slogdb_{number:040}").status_code for number in range(3)
    ]
    assert statuses == [401, 401, 429]
    assert client.get(READ).status_code == 429
    assert client.get(READ, **bearer()).status_code == 200
    refused = client.post("/api/v1/parse/", "x", content_type="text/plain", HTTP_AUTHORIZATION="Basic x")
    assert (refused.status_code, refused["RateLimit"][:20]) == (401, '"anonymous-write";r=')
