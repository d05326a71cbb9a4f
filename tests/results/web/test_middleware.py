import pytest
from django.db import InterfaceError, OperationalError

from results.web import api_docs


@pytest.mark.parametrize(
    "error", [OperationalError("connection refused"), InterfaceError("connection closed")]
)
def test_while_the_database_is_away_a_page_says_so(client, monkeypatch, error):
    def fail(*_):
        raise error

    monkeypatch.setattr(api_docs, "render", fail)
    response = client.get("/api/v1/docs/")
    assert (response.status_code, response["Retry-After"], response["Cache-Control"]) == (
        503,
        "10",
        "no-store",
    )
    assert "The database is away" in response.text


def test_other_faults_are_not_hidden(client, monkeypatch):
    monkeypatch.setattr(api_docs, "render", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        client.get("/api/v1/docs/")
