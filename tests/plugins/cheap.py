"""Make three costs of many tests small: strong password hashes, Django's flush after transactional tests, and garbage
collections that look through thousands of collected tests each time.
"""

import gc
from typing import Any

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db import connections
from django.test import TransactionTestCase

# Migrations and the post_migrate signal fill these; no test changes them.
UNCHANGED = frozenset({"auth_permission", "django_content_type", "django_migrations"})
# Django truncates every table, which creates new files for each of its indexes, and sends post_migrate afterwards.
# Most tests fill few tables. Replication's role skips foreign keys and triggers, so the order does not matter.
EMPTY = """
DO $$
DECLARE
    name text;
    is_filled boolean;
BEGIN
    PERFORM set_config('session_replication_role', 'replica', true);
    FOREACH name IN ARRAY ARRAY[{names}] LOOP
        EXECUTE format('LOCK TABLE %I IN SHARE ROW EXCLUSIVE MODE', name);
        EXECUTE format('SELECT EXISTS (SELECT FROM %I)', name) INTO is_filled;
        IF is_filled THEN
            EXECUTE format('DELETE FROM %I', name);
        END IF;
    END LOOP;
    PERFORM set_config('session_replication_role', 'origin', true);
END $$
"""


def empty_tables(alias: str) -> None:
    """Delete all rows but those of UNCHANGED; waits for transactions that are still writing."""
    connection = connections[alias]
    tables = set(connection.introspection.table_names()) - UNCHANGED
    with connection.cursor() as cursor:
        cursor.execute(EMPTY.format(names=", ".join(f"'{table}'" for table in sorted(tables))))


def _fixture_teardown(test: Any) -> None:
    for alias in test._databases_names(include_mirrors=False):  # noqa: SLF001 - what is replaced uses it
        empty_tables(alias)


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    Argon2PasswordHasher.time_cost = 1
    Argon2PasswordHasher.memory_cost = 8  # KiB, the minimum of one lane
    Argon2PasswordHasher.parallelism = 1
    TransactionTestCase._fixture_teardown = _fixture_teardown  # noqa: SLF001 - there is no setting


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
