import pytest
from django.db import connection, transaction
from django.db.utils import OperationalError

from slogdb.connections import drop_dead_connections


@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_is_open_goes_on():
    with transaction.atomic(), connection.cursor() as cursor:
        drop_dead_connections()
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


@pytest.mark.django_db(transaction=True)
def test_a_connection_whose_server_went_away_is_made_anew():
    with connection.cursor() as cursor, pytest.raises(OperationalError):
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
    drop_dead_connections()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)
