import pytest
from django.db import InterfaceError, OperationalError

from results.web import about


@pytest.mark.parametrize(
    "error", [OperationalError("connection refused"), InterfaceError("connection closed")]
)
def test_while_the_database_is_away_a_page_says_so(client, monkeypatch, error):
    def fail(*_):
        raise error

    monkeypatch.setattr(about, "ranking_example", fail)
    response = client.get("/about/")
    assert (response.status_code, response["Retry-After"], response["Cache-Control"]) == (
        503,
        "10",
        "no-store",
    )
    assert "The database is away" in response.text


def test_other_faults_are_not_hidden(client, monkeypatch):
    monkeypatch.setattr(about, "ranking_example", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        client.get("/about/")


@pytest.mark.parametrize(
    "path", ["/account/oidc/%00/login/callback/", "/api/v1/devices/%00/", "/results/%00/"]
)
def test_nothing_has_a_name_with_a_nul_in_it(client, db, path):
    assert client.get(path).status_code == 404


def test_a_length_of_thousands_of_digits_is_too_long(client):
    assert client.post("/submit/", CONTENT_LENGTH="9" * 4400).status_code == 413
