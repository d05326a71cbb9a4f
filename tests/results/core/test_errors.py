"""The pages for what went wrong help on, and the worst of them needs no database."""

import pytest
from django.template.loader import render_to_string


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "query", "said"),
    [
        ("/devices/intel-ssdped1d280ga-280-gb/", "intel ssdped1d280ga 280 gb", "No device has this address"),
        ("/devices/some_disk/badge.svg", "some disk", "No device has this address"),
        ("/results/bcdfghjkmn/", "", "No result has this address"),
        ("/nowhere/", "", "It may have been shortened"),
        (f"/devices/{'x' * 500}/", "x" * 100, "No device has this address"),
    ],
)
def test_a_missing_page_guesses_what_was_looked_for(client, path, query, said):
    response = client.get(path)
    assert response.status_code == 404
    assert said in response.text
    assert f'name="q" value="{query}"' in response.text
    assert '<meta name="robots" content="noindex">' in response.text


@pytest.mark.django_db
def test_a_hostile_address_is_text(client):
    page = client.get("/devices/%22%3E%3Cscript%3Ealert(1)%3C/script%3E/").text
    assert "<script>alert" not in page


def test_the_page_for_a_failure_of_the_site_asks_nothing_of_it():
    """Without the database mark, a query fails the test."""
    page = render_to_string("500.html")
    assert 'action="/search/"' in page
    assert "{{" not in page


def test_the_page_without_a_database_asks_nothing_of_it():
    assert "The database is away" in render_to_string("503.html", {"path": "/about/"})


@pytest.mark.django_db
def test_a_parameter_that_makes_no_sense_is_named_with_the_way_back(client):
    response = client.get("/leaderboard/?class=nvme&scale=crooked")
    assert response.status_code == 400
    assert "“crooked”: None of log, linear." in response.text
    assert 'href="/leaderboard/?class=nvme">The same list without that</a>' in response.text


@pytest.mark.django_db
def test_what_was_asked_for_is_shown_as_text(client):
    assert "<script>alert" not in client.get("/?chart=<script>alert(1)</script>").text
