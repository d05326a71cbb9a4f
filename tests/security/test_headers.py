"""What stands beside every answer, and what no answer to one person lets others keep."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.test import Client

from tests.addresses import every_route
from tests.security.answers import body_of

pytestmark = pytest.mark.django_db
POLICY = (
    "default-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    "script-src 'self'",
    "style-src 'self'",
)


def test_every_page_has_its_policy_and_nosniff(world):
    for route in every_route():
        if route.area == "admin":
            continue
        actor = "admin" if route.is_for_staff else "owner"
        response = world.clients[actor].get(route.path(world.values(route)))
        body_of(response)  # so that a file is closed
        assert response["X-Content-Type-Options"] == "nosniff", route
        assert response["Referrer-Policy"] == "same-origin", route
        if response["Content-Type"].startswith(("text/html", "image/svg")):
            assert response["X-Frame-Options"] == "DENY", route
            rules = response["Content-Security-Policy"].split("; ")
            wanted = POLICY if response["Content-Type"].startswith("text/html") else POLICY[:1]
            assert [rule for rule in wanted if rule not in rules] == [], route
            assert "unsafe" not in response["Content-Security-Policy"], route
            is_chart = route.pattern.endswith("chart.svg") and response.status_code == 200
            assert is_chart is ("script-src" not in response["Content-Security-Policy"]), route
        if response["Content-Type"].startswith("text/"):
            assert "charset=utf-8" in response["Content-Type"], route


HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def assert_is_guarded(response, status):
    assert response.status_code == status
    assert {name: response[name] for name in HEADERS} == HEADERS
    assert POLICY[0] in response["Content-Security-Policy"].split("; ")


@pytest.mark.parametrize(
    ("status", "method", "path", "sent"),
    [
        (413, "post", "/submit/", {"data": b"x" * 13_000_000, "content_type": "text/plain"}),
        (413, "post", "/api/v1/parse/", {"data": b"x" * 13_000_000, "content_type": "text/plain"}),
        (413, "post", "/submit/", {"data": b"x", "content_type": "text/plain", "CONTENT_LENGTH": "five"}),
        (413, "post", "/submit/", {"data": b"x", "content_type": "text/plain", "CONTENT_LENGTH": "9" * 4400}),
        (400, "post", "/api/v1/parse/", {"data": b'{"text": "\\u0000"}', "content_type": "application/json"}),
        (400, "get", "/", {"HTTP_HOST": "evil.example"}),
        (302, "get", "/leaderboard/?class=\x00", {}),
        (403, "post", "/submit/", {"data": {"text": "without a token"}}),
        (404, "get", "/nowhere/", {}),
        (404, "get", "/devices/%00/", {}),
        (404, "get", "/results/%00/", {}),
        (404, "get", "/account/oidc/%00/login/callback/", {}),
        (404, "get", "/compare/sets/%00/", {}),
        (404, "get", "/api/v1/compare/sets/%00/", {}),
        (404, "get", "/pools/%00/", {}),
        (404, "get", "/api/v1/devices/%00/", {}),
        (405, "trace", "/leaderboard/", {}),
        (405, "delete", "/api/v1/devices/", {}),
        (411, "post", "/api/v1/parse/", {"HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_LENGTH": ""}),
    ],
)
def test_a_refusal_has_the_headers_of_a_page(status, method, path, sent):
    client = Client(enforce_csrf_checks=True)
    assert_is_guarded(getattr(client, method)(path, **sent), status)


def test_more_files_than_allowed_are_refused_with_the_headers_of_a_page(settings):
    files = [
        SimpleUploadedFile(f"{number}.txt", b"x")
        for number in range(settings.DATA_UPLOAD_MAX_NUMBER_FILES + 1)
    ]
    assert_is_guarded(Client().post("/submit/", {"files": files}), 400)


@pytest.mark.parametrize("path", ["/leaderboard/", "/api/v1/devices/"])
def test_without_a_database_the_answer_has_the_headers_of_a_page(monkeypatch, path):
    def fail(*_, **__):
        raise OperationalError("no database")

    monkeypatch.setattr("django.db.models.sql.compiler.SQLCompiler.execute_sql", fail)
    monkeypatch.setattr("django.db.backends.utils.CursorWrapper.execute", fail)
    assert_is_guarded(Client().get(path), 503)


def test_a_redirect_to_https_has_the_headers_of_a_page(settings):
    settings.SECURE_SSL_REDIRECT = True
    assert_is_guarded(Client().get("/"), 301)


def test_private_pages_are_never_cached(world):
    for route in every_route():
        if route.audience is not None:
            actor = "admin" if route.is_for_staff else "owner"
            response = world.clients[actor].get(route.path(world.values(route)))
            body_of(response)
            if response.status_code == 200:
                assert "no-store" in response["Cache-Control"], route


def test_no_answer_about_what_does_not_exist_there_is_stored_either(world):
    """Of what exists, the permission matrix asks."""
    for path in ("/account/nothing/", "/admin/nothing/"):
        for actor in ("anonymous", "owner", "admin"):
            assert "no-store" in world.clients[actor].get(path)["Cache-Control"], (path, actor)


def test_signing_out_clears_the_cache_of_the_browser(world):
    """And neither cookies, which other sites of the domain share, nor the theme."""
    assert "Clear-Site-Data" not in world.clients["owner"].get("/account/logout/")
    for actor, path in (("owner", "/account/logout/"), ("admin", "/admin/logout/")):
        assert world.clients[actor].post(path)["Clear-Site-Data"] == '"cache"', path


def test_other_origins_can_read_public_data_without_credentials(world):
    for path in (
        "/api/v1/devices/",
        "/api/v1/me/",
        "/sustained.csv",
        "/leaderboard.csv",
        "/feeds/results.atom",
    ):
        response = world.clients["owner"].get(path, headers={"Origin": "https://evil.example"})
        assert response["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in response
    for path in ("/", "/account/"):
        assert "Access-Control-Allow-Origin" not in world.clients["owner"].get(path)


def test_a_key_over_plain_http_is_refused_and_not_redirected(settings):
    settings.SECURE_SSL_REDIRECT = True
    client = Client()
    for method in ("get", "post", "options"):
        response = getattr(client, method)("/api/v1/devices/")
        assert (response.status_code, "Location" in response) == (403, False), method
    assert response.json()["code"] == "https_required"
    assert client.get("/api/v1/devices/", secure=True).status_code == 200


def test_nothing_answers_trace(world):
    for path in ("/", "/account/", "/api/v1/devices/", "/submit/"):
        assert world.clients["owner"].trace(path).status_code == 405, path
