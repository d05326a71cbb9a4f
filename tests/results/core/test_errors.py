"""The pages for what went wrong help on, and the worst of them needs no database."""

import pytest
from allauth.core.ratelimit import respond_429
from django.template.loader import render_to_string


@pytest.mark.django_db
def test_the_404_page_fills_the_search_box_from_the_url(client, subtests):
    for path, query, expected in [
        (
            "/devices/intel-ssdped1d280ga-280-gb/",
            "intel ssdped1d280ga 280 gb",
            "We have no device at this address",
        ),
        ("/devices/some_disk/badge.svg", "some disk", "We have no device at this address"),
        (f"/devices/{'x' * 500}/", "x" * 100, "We have no device at this address"),
    ]:
        with subtests.test(path=path):
            response = client.get(path)
            assert response.status_code == 404
            assert expected in response.text
            assert f'name="q" value="{query}"' in response.text
            assert '<meta name="robots" content="noindex">' in response.text


def test_the_500_page_needs_no_context():
    """Without the database mark, a query fails the test."""
    page = render_to_string("500.html")
    assert 'action="/search/"' in page
    assert "{{" not in page


def test_the_503_page_needs_no_database():
    assert "The database is unavailable" in render_to_string("503.html", {"path": "/about/"})


@pytest.mark.django_db
def test_an_invalid_parameter_is_named_with_a_link_to_the_valid_url(client):
    response = client.get("/leaderboard/?class=nvme&scale=crooked")
    assert response.status_code == 400
    assert "“crooked”: None of log, linear." in response.text
    assert 'href="/leaderboard/?class=nvme">The same list without these</a>' in response.text


def test_too_many_tries_to_sign_in_say_how_long_to_wait(rf):
    response = respond_429(rf.get("/account/login/"))
    assert (response.status_code, response["Retry-After"]) == (429, "60")
    assert "Try again in a minute." in response.content.decode()
