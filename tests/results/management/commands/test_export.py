import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from results.exports import build
from tests.factories import make_result

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.EXPORT_FOLDER = str(tmp_path / "exports")
    return tmp_path / "exports"


def test_the_command_lists_the_built_files(capsys, folder):
    make_result()
    call_command("export")
    assert "points.csv" in capsys.readouterr().out
    assert (folder / "current" / "points.csv").exists()


def test_an_unwritable_folder_is_reported(monkeypatch):
    def full(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr(build, "write_parquet", full)
    with pytest.raises(CommandError, match="Nothing was replaced: No space"):
        call_command("export")


def test_two_builds_do_not_run_at_once():
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [build.LOCK])
        with pytest.raises(CommandError, match="Another build"):
            call_command("export")
    finally:
        other.close()
