"""A site refuses another SLOGDB_UNIT_KEY than that of its database, and two equal keys."""

import os
import subprocess
import sys

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError, SystemCheckError

from results.models import Installation
from results.operations.unit_key import AnotherKeyError, check_key, record_key
from tests.results.operations.site import ROOT, Site, connected_to

ANOTHER = "another key than the one that was there before"
WORKER = ("-m", "celery", "--app=slogdb", "--quiet", "worker", "--pool=solo", "--loglevel=ERROR")


@pytest.mark.django_db
def test_the_first_key_is_stored_and_another_one_refused_until_it_is_accepted(settings):
    record_key()
    record_key()
    before = Installation.objects.get()
    settings.UNIT_KEY = ANOTHER
    with pytest.raises(AnotherKeyError, match="isn't this database's key"):
        record_key()
    with pytest.raises(CommandError, match="accept_unit_key --yes"):
        call_command("load_initial_data")  # as each start of the site does
    with pytest.raises(CommandError, match="Confirm with --yes"):
        call_command("accept_unit_key")
    assert Installation.objects.get().unit_key_digest == before.unit_key_digest
    call_command("accept_unit_key", yes=True)
    record_key()
    assert Installation.objects.get().lineage == before.lineage


@pytest.mark.parametrize("program", [("-c", "import slogdb.wsgi"), WORKER], ids=["web", "worker"])
def test_no_process_of_the_site_starts_with_another_key(tmp_path, django_db_blocker, program):
    site = Site(tmp_path, name=f"keyed_{os.getpid()}")
    try:
        with django_db_blocker.unblock(), connected_to(site.address):
            check_key()
            record_key()
            check_key()
        done = subprocess.run(
            [sys.executable, *program],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": site.address, "SLOGDB_UNIT_KEY": ANOTHER},
            capture_output=True,
            text=True,
        )
    finally:
        site.end()
    assert done.returncode == 1
    assert "SLOGDB_UNIT_KEY isn't this database's key" in done.stderr


def test_a_web_server_starts_without_its_database():
    nowhere = {**os.environ, "DATABASE_URL": "postgresql://slogdb@127.0.0.1:1/slogdb"}
    subprocess.run([sys.executable, "-c", "import slogdb.wsgi"], cwd=ROOT, env=nowhere, check=True)


def test_equal_keys_fail_the_check(settings):
    settings.UNIT_KEY = settings.SECRET_KEY
    with pytest.raises(SystemCheckError, match=r"results\.E002.*SECRET_KEY and SLOGDB_UNIT_KEY are equal"):
        call_command("check")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = ANOTHER, [settings.UNIT_KEY]
    with pytest.raises(SystemCheckError, match=r"results\.E002"):
        call_command("check")
