import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import InterfaceError, OperationalError, connection, transaction
from psycopg.errors import DiskFull

from results.guide import method as about
from tests.factories import make_member
from tests.results.conftest import read_only_connection
from tests.sessions import sign_in_with

pytestmark = pytest.mark.django_db(transaction=True)

AWAY, FULL = "The database is unavailable", "disk is full"


@pytest.mark.parametrize(
    ("error", "cause", "said"),
    [
        (OperationalError("connection refused"), None, AWAY),
        (InterfaceError("connection closed"), None, AWAY),
        (OperationalError("could not extend file"), DiskFull(), FULL),
    ],
)
def test_an_unavailable_database_or_a_full_disk_gives_a_503_page_that_says_so(
    client, monkeypatch, error, cause, said
):
    def fail(*_):
        raise error from cause

    monkeypatch.setattr(about, "ranking_example", fail)
    response = client.get("/about/")
    assert (response.status_code, response["Retry-After"]) == (503, "10")
    assert response["Cache-Control"] == "no-store"
    assert [words for words in (AWAY, FULL) if words in response.text] == [said]


def test_a_read_only_database_gives_a_503_page_and_is_logged(client, monkeypatch, caplog):
    """As after a failover, with the address of what is a standby now."""

    def write(*_):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")
            cursor.execute("DELETE FROM results_cache")

    monkeypatch.setattr(about, "ranking_example", write)
    assert client.get("/about/").status_code == 503
    assert (
        "PostgreSQL can't handle the request: cannot execute DELETE in a read-only transaction" in caplog.text
    )


def test_members_can_read_pages_while_the_database_is_read_only(client, caplog):
    sign_in_with(client, make_member(), "code")
    assert client.get("/account/data/").status_code == 200
    with read_only_connection():
        assert client.get("/account/data/").status_code == 200
    assert "session activity not recorded: cannot execute UPDATE" in caplog.text


def test_members_get_a_503_page_while_the_database_is_unavailable(client, monkeypatch):
    client.force_login(make_member())

    def fail(*_):
        raise OperationalError("connection refused")

    monkeypatch.setattr(SessionStore, "load", fail)
    assert client.get("/account/data/").status_code == 503


def test_other_errors_are_not_hidden(client, monkeypatch):
    monkeypatch.setattr(about, "ranking_example", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        client.get("/about/")
