import pytest
from django.utils import timezone

from results.models import Member, Submission
from tests import pastes
from tests.factories import make_member
from tests.results.api.holders import bearer

pytestmark = pytest.mark.django_db
SUBMIT = "/api/v1/submissions/"


def submit(client, **headers):
    return client.post(SUBMIT, pastes.FIRST_PASTE, content_type="text/plain", **headers)


def test_submission_with_a_key_belongs_to_its_owner(client):
    member = make_member()
    response = submit(client, **bearer(member, "submit"))
    assert (response.status_code, response.json()["claim_token"]) == (201, "")
    assert Submission.objects.get().owner == member


UNKNOWN_KEY = f"Bearer slogdb_{'0' * 40}"
NO_KEYS = ["Bearer slogdb_nothing", f"{UNKNOWN_KEY}0", "Basic YTpi", "Bearer", "Bearer \xe9"]


@pytest.mark.parametrize("url", ["/api/v1/me/", "/api/v1/devices/", "/api/v1/classes/"])
def test_an_unknown_key_is_401_everywhere(client, url):
    response = client.get(url, HTTP_AUTHORIZATION=UNKNOWN_KEY)
    assert (response.status_code, response["WWW-Authenticate"]) == (401, 'Bearer realm="slogdb"')
    assert response.json()["code"] == "authentication_failed"


@pytest.mark.parametrize("header", NO_KEYS)
def test_a_read_with_another_authorization_header_is_one_without_a_key(client, header):
    assert client.get("/api/v1/classes/", HTTP_AUTHORIZATION=header).status_code == 200
    response = client.get("/api/v1/me/", HTTP_AUTHORIZATION=header)
    assert (response.status_code, response.json()["code"]) == (401, "not_authenticated")
    assert "Authorization: Bearer slogdb_" in response.json()["detail"]


@pytest.mark.parametrize("header", NO_KEYS)
def test_nothing_is_sent_anonymously_with_a_key_that_is_none(client, header):
    response = submit(client, HTTP_AUTHORIZATION=header)
    assert (response.status_code, response.json()["code"]) == (401, "authentication_failed")
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    ("method", "url"),
    [
        ("get", "/api/v1/me/"),
        ("post", "/api/v1/claims/"),
    ],
)
def test_a_key_without_the_scope_is_told_so(client, method, url):
    """tests/security/test_permissions_api.py asks each endpoint."""
    call = getattr(client, method)
    assert call(url).status_code == 401
    other_scope = "submit" if method == "get" else "read"
    response = call(url, **bearer(None, other_scope))
    assert (response.status_code, response.json()["code"]) == (403, "permission_denied")
    assert "scope" in response.json()["detail"]


def test_key_of_a_banned_member_is_403_with_the_reason(client):
    headers = bearer()
    Member.objects.update(banned_at=timezone.now(), ban_reason="made-up figures")
    response = submit(client, **headers)
    assert (response.status_code, response.json()["code"]) == (403, "banned")
    assert "made-up figures" in response.json()["detail"]


def test_me_returns_the_keys_owner_and_nothing_private(client, django_assert_num_queries):
    member = make_member(display_name="Jo")
    headers = bearer(member, "read")
    client.get("/api/v1/me/", **headers)
    with django_assert_num_queries(1):
        response = client.get("/api/v1/me/", **headers)
    assert response.json() == {
        "display_name": "Jo",
        "key_name": "nas",
        "scopes": ["read"],
        "expires_at": None,
    }
    assert response["Cache-Control"] == "private, no-cache"
    assert client.get("/api/v1/me/", HTTP_IF_NONE_MATCH=response["ETag"], **headers).status_code == 304
