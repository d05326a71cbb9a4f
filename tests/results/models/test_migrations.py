import pytest
from django.core.management import call_command


@pytest.mark.django_db
def test_the_migrations_make_all_tables_as_the_models_have_them():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
