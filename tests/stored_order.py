"""Without an order, PostgreSQL gives rows as they are stored, which is usually the order that a test expects."""

from django.db import connection, transaction

_REVERSE = r"""
    DO $$
    DECLARE
        stored text;
        filled text;
        place tid;
    BEGIN
        PERFORM set_config('session_replication_role', 'replica', true);  -- without triggers
        FOR stored, filled IN
            SELECT relname, attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum = 1
            WHERE relkind = 'r' AND relname LIKE 'results\_%'
        LOOP
            FOR place IN EXECUTE format('SELECT ctid FROM %I ORDER BY ctid DESC', stored) LOOP
                EXECUTE format('UPDATE %I SET %2$I = %2$I WHERE ctid = $1', stored, filled) USING place;
            END LOOP;
        END LOOP;
        PERFORM set_config('session_replication_role', 'origin', true);
    END $$;
    SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_indexonlyscan = off
"""


def store_in_reverse() -> None:
    """Store the rows of each table of results with the last one first; the test's transaction reads no index."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_REVERSE)
