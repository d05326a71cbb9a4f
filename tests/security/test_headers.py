"""What stands beside every answer, and what no answer to one person lets others keep."""

import pytest
from django.test import Client

from tests.security.answers import body_of
from tests.security.matrix import ACCOUNT, MODERATION, READ
from tests.security.routes import every_route

PRIVATE = {**ACCOUNT, **MODERATION, "operator": READ}
POLICY = (
    "default-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    "script-src 'self'",
)


def test_every_page_has_its_policy_and_is_taken_for_what_it_is(world):
    for route in every_route():
        if route.area == "admin":
            continue
        actor = "moderator" if route.area == "moderation" or route.name == "operator" else "owner"
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
        if response["Content-Type"].startswith("text/"):
            assert "charset=utf-8" in response["Content-Type"], route


def test_what_is_for_one_person_is_kept_by_nobody(world):
    for route in every_route():
        if route.name in PRIVATE:
            actor = "moderator" if route.name not in ACCOUNT else "owner"
            response = world.clients[actor].get(route.path(world.values(route)))
            body_of(response)
            if response.status_code == 200:
                assert "no-store" in response["Cache-Control"], route


def test_other_sites_read_what_is_public_and_send_no_session(world):
    for path in ("/api/v1/devices/", "/api/v1/me/"):
        response = world.clients["owner"].get(path, headers={"Origin": "https://evil.example"})
        assert response["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in response
    for path in ("/", "/account/"):
        assert "Access-Control-Allow-Origin" not in world.clients["owner"].get(path)


@pytest.mark.django_db
def test_a_key_in_the_clear_is_refused_and_not_led_on(settings):
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
