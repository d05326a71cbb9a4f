import os
import subprocess
import sys
from urllib.parse import urlsplit

import psycopg
import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from results.operations.migration_history import needed_stop
from tests.migrated import ROOT, template

pytestmark = pytest.mark.django_db
SQUASHED = ("results", "0001_squashed_0038_line_prices")


def record(count):
    """The history of a site that has applied so many of the migrations that were squashed."""
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.filter(app="results").delete()
    for name in MigrationExecutor(connection).loader.disk_migrations[SQUASHED].replaces[:count]:
        recorder.record_applied(*name)


def test_the_migrations_make_all_tables_as_the_models_have_them():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_a_site_with_all_squashed_migrations_goes_on_after_them():
    record(38)
    executor = MigrationExecutor(connection)
    assert SQUASHED in executor.loader.applied_migrations
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes("results"))
    assert plan[0][0].name == "0002_squashed_0011_conditions_of_devices"
    assert SQUASHED not in [(migration.app_label, migration.name) for migration, _ in plan]


@pytest.mark.parametrize(
    "command",
    [("migrate", {"skip_checks": False}), ("load_initial_data", {"migrate": True})],
    ids=["migrate", "load_initial_data"],
)
def test_a_site_with_some_of_them_is_refused_with_the_release_to_stop_at(command):
    name, options = command
    record(37)
    before = MigrationRecorder(connection).applied_migrations()
    with pytest.raises(SystemCheckError) as refused:
        call_command(name, **options)
    assert "it lacks 0038_line_prices. Upgrade to d82064c first" in str(refused.value)
    assert MigrationRecorder(connection).applied_migrations() == before


@pytest.mark.parametrize("count", [0, 38])
def test_a_site_with_none_or_all_of_them_is_migrated(count):
    record(count)
    assert needed_stop(connection) == ""


# Each migration by itself, as a database gets them that has followed the main branch.
ONE_BY_ONE = """
import django; django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
executor = MigrationExecutor(connection)
executor.loader = MigrationLoader(connection, replace_migrations=False)
(last,) = MigrationLoader(connection).graph.leaf_nodes("results")
executor.migrate([last])
"""
SCHEMA = """
    SELECT attrelid::regclass::text, attname, format_type(atttypid, atttypmod), attnotnull, attstorage::text,
           pg_get_expr(adbin, adrelid)
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid LEFT JOIN pg_attrdef
        ON adrelid = attrelid AND adnum = attnum
    WHERE relkind = 'r' AND attnum > 0 AND NOT attisdropped
    UNION ALL SELECT tablename, 'index', indexdef, NULL, NULL, NULL FROM pg_indexes
    UNION ALL SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), NULL, NULL, NULL FROM pg_constraint
    UNION ALL SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), NULL, NULL, NULL
    FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'results_', proname, prosrc, NULL, NULL, NULL FROM pg_proc WHERE proname LIKE 'results%'
    UNION ALL SELECT relname, 'options', reloptions::text, NULL, NULL, NULL FROM pg_class WHERE reloptions IS NOT NULL
"""


def schema(url):
    with psycopg.connect(url) as reader:
        return {row for row in reader.execute(SCHEMA) if row[0].startswith("results_")}


def test_squashed_migrations_make_the_same_tables_as_each_by_itself():
    base, name = os.environ["DATABASE_URL"], f"one_by_one_{os.getpid()}"
    url, squashed = (urlsplit(base)._replace(path=f"/{database}").geturl() for database in (name, template()))
    with psycopg.connect(base, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        try:
            environment = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "slogdb.settings"}
            subprocess.run([sys.executable, "-c", ONE_BY_ONE], cwd=ROOT, env=environment, check=True)
            assert schema(url) ^ schema(squashed) == set()
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_a_database_that_needs_a_newer_release_is_refused_with_the_way_out():
    MigrationRecorder(connection).record_applied("results", "9999_dropped_needs_7_2_0")
    with pytest.raises(SystemCheckError) as refused:
        call_command("migrate", skip_checks=False)
    assert "This database needs slogdb 7.2.0 or newer; this is 1.0.0." in str(refused.value)
    assert "git checkout v7.2.0, or restore the backup" in str(refused.value)


def test_a_database_that_a_newer_release_has_only_extended_is_taken():
    MigrationRecorder(connection).record_applied("results", "9999_extended")
    call_command("migrate", skip_checks=False, verbosity=0)
