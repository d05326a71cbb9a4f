import pytest

from results.api.authentication import limit_headers
from tests import pastes
from tests.factories import make_member, make_result
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


def test_who_asks_too_much_is_told_when_to_go_on(client):
    for left in (1, 0):
        response = client.get(READ)
        assert response.status_code == 200
        assert response["RateLimit-Policy"] == '"anonymous-read";q=2;w=60'
        assert response["RateLimit"].startswith(f'"anonymous-read";r={left};t=')
    response = client.get(READ)
    assert (response.status_code, response.json()["code"]) == (429, "throttled")
    assert 0 < int(response["Retry-After"]) <= 30
    assert response["RateLimit"].startswith('"anonymous-read";r=0;t=')


def test_writes_are_counted_apart_and_nothing_is_stored_beyond(client):
    url = "/api/v1/submissions/"
    assert client.post(url, pastes.FIRST_PASTE, content_type="text/plain").status_code == 201
    assert client.post(url, pastes.FIRST_PASTE, content_type="text/plain").status_code == 429
    assert client.get(READ).status_code == 200


def test_members_have_limits_of_their_own_wherever_they_ask_from(client):
    member = make_member()
    one, other = bearer(member), bearer(member)
    answers = [
        client.get(READ, REMOTE_ADDR=f"192.0.2.{at}", **key) for at, key in enumerate([one, other] * 3)
    ]
    assert [answer.status_code for answer in answers] == [200] * 4 + [429] * 2
    assert answers[0]["RateLimit-Policy"] == '"member-read";q=4;w=60'
    assert client.get(READ, **bearer()).status_code == 200


def test_a_key_that_is_not_for_reading_reads_as_anybody(client):
    response = client.get(READ, **bearer(None, "submit"))
    assert response["RateLimit-Policy"].startswith('"anonymous-read"')


def test_a_network_is_counted_as_one_and_others_apart(client):
    asked = [client.get(READ, REMOTE_ADDR=f"192.0.2.{number}").status_code for number in range(3)]
    assert asked == [200, 200, 429]
    assert client.get(READ, REMOTE_ADDR="198.51.100.1").status_code == 200


def test_what_a_client_says_of_its_address_is_not_believed(client, settings):
    for number in range(2):
        client.get(READ, HTTP_X_FORWARDED_FOR=f"198.51.{number}.1")
    assert client.get(READ, HTTP_X_FORWARDED_FOR="203.0.113.1").status_code == 429
    settings.TRUSTED_PROXY_COUNT = 1
    assert client.get(READ, HTTP_X_FORWARDED_FOR="203.0.113.1").status_code == 200
    for number in range(3):  # in front of what the proxy saw stands what the client made up
        client.get(READ, HTTP_X_FORWARDED_FOR=f"198.51.{number}.1, 203.0.113.9")
    assert client.get(READ, HTTP_X_FORWARDED_FOR="192.0.2.77, 203.0.113.9").status_code == 429


def test_with_redis_away_the_api_serves_and_takes(client, redis_away):
    for _ in range(5):
        response = client.get(READ)
        assert (response.status_code, "RateLimit" in response) == (200, False)
    assert client.post("/api/v1/parse/", pastes.FIRST_PASTE, content_type="text/plain").status_code == 200


def test_nothing_counted_is_nothing_said():
    assert limit_headers(None) == {}


def test_reports_are_bounded_by_network(client):
    make_result(submission__public_id="one")
    sent = {"data": '{"reason": "spam"}', "content_type": "application/json"}
    assert client.post("/api/v1/results/one/reports/", **sent).status_code == 201
    assert client.post("/api/v1/results/one/reports/", **sent).status_code == 429


@pytest.mark.parametrize("kind", ["csv", "ndjson"])
def test_lists_of_all_rows_have_a_limit_of_their_own(client, kind):
    def status(**key):
        return client.get(f"/api/v1/devices/?format={kind}", **key).status_code

    assert [status(), status()] == [200, 429]
    assert client.get("/api/v1/devices/", REMOTE_ADDR="198.51.100.1").status_code == 200
    member = bearer(make_member())
    assert [status(**member) for _ in range(3)] == [200, 200, 429]
    assert client.get(f"/api/v1/devices/?format={kind}&page=1", **member).status_code == 200
