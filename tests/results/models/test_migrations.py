import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

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
    assert plan[0][0].name == "0002_what_nobody_uses"
    assert SQUASHED not in [(migration.app_label, migration.name) for migration, _ in plan]


def test_a_site_with_some_of_them_is_refused():
    record(37)
    with pytest.raises(ValueError, match="app 'results' isn't installed"):
        call_command("migrate", verbosity=0)
