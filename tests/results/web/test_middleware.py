import pytest
from django.db import InterfaceError, OperationalError

from results.web import about


@pytest.mark.parametrize(
    "error", [OperationalError("connection refused"), InterfaceError("connection closed")]
)
def test_while_the_database_is_away_a_page_says_so(client, monkeypatch, error):
    def fail(*_):
        raise error

    monkeypatch.setattr(about, "render", fail)
    response = client.get("/about/")
    assert (response.status_code, response["Retry-After"], response["Cache-Control"]) == (
        503,
        "10",
        "no-store",
    )
    assert "The database is away" in response.text


def test_other_faults_are_not_hidden(client, monkeypatch):
    monkeypatch.setattr(about, "render", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        client.get("/about/")
