"""Database connections that outlive their server, found before they are used."""

from django.db import connection, connections


def drop_dead_connections() -> None:
    """Close what is broken or too old, so that the next query connects anew.

    Django's own `close_old_connections` takes any open transaction for one that was left behind, and closes its
    connection under whoever is in it: here a transaction that is open goes on.
    """
    for one in connections.all(initialized_only=True):
        if not one.in_atomic_block:
            one.close_if_unusable_or_obsolete()


def takes_writes() -> bool:
    """Whether the primary does: after a failover it may be a server that follows another. Raises django.db.Error."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('transaction_read_only') = 'off'")
        return bool(cursor.fetchone()[0])
