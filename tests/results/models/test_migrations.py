import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from results.operations.migration_history import needed_stop

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
