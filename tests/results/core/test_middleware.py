import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import InterfaceError, OperationalError, connection, transaction
from psycopg.errors import DiskFull

from results.guide import method as about
from tests.factories import make_member
from tests.sessions import sign_in_with


@pytest.mark.django_db
@pytest.mark.parametrize(
    "error", [OperationalError("connection refused"), InterfaceError("connection closed")]
)
def test_an_unavailable_database_gives_a_503_page(client, monkeypatch, error):
    def fail(*_):
        raise error

    monkeypatch.setattr(about, "ranking_example", fail)
    response = client.get("/about/")
    assert (response.status_code, response["Retry-After"], response["Cache-Control"]) == (
        503,
        "10",
        "no-store",
    )
    assert "The database is unavailable" in response.text


@pytest.mark.django_db
def test_a_full_disk_gives_a_503_page_that_says_so(client, monkeypatch):
    def fail(*_):
        raise OperationalError("could not extend file") from DiskFull()

    monkeypatch.setattr(about, "ranking_example", fail)
    response = client.get("/about/")
    assert (response.status_code, response["Retry-After"]) == (503, "10")
    assert "disk is full" in response.text
    assert "The database is unavailable" not in response.text


@pytest.mark.django_db(transaction=True)
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


@pytest.mark.django_db(transaction=True)
def test_members_can_read_pages_while_the_database_is_read_only(client, caplog):
    sign_in_with(client, make_member(), "code")
    assert client.get("/account/data/").status_code == 200
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
        try:
            assert client.get("/account/data/").status_code == 200
        finally:
            cursor.execute("SET default_transaction_read_only = off")
    assert "session activity not recorded: cannot execute UPDATE" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_members_get_a_503_page_while_the_database_is_unavailable(client, monkeypatch):
    client.force_login(make_member())

    def fail(*_):
        raise OperationalError("connection refused")

    monkeypatch.setattr(SessionStore, "load", fail)
    assert client.get("/account/data/").status_code == 503


@pytest.mark.django_db
def test_other_errors_are_not_hidden(client, monkeypatch):
    monkeypatch.setattr(about, "ranking_example", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        client.get("/about/")


@pytest.mark.parametrize(
    "path", ["/account/oidc/%00/login/callback/", "/api/v1/devices/%00/", "/results/%00/"]
)
def test_a_path_with_a_nul_is_not_found(client, db, path):
    assert client.get(path).status_code == 404


def test_a_length_of_thousands_of_digits_is_too_long(client):
    assert client.post("/submit/", CONTENT_LENGTH="9" * 4400).status_code == 413
