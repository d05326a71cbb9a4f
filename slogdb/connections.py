"""Database connections that outlive their server, found before they are used."""

from django.db import connections


def drop_dead_connections() -> None:
    """Close what is broken or too old, so that the next query connects anew.

    Django's own `close_old_connections` takes any open transaction for one that was left behind, and closes its
    connection under whoever is in it: here a transaction that is open goes on.
    """
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()
