"""A site refuses another SLOGDB_UNIT_KEY than that of its database, and two equal keys."""

import gc
from importlib import reload

import pytest
from celery.signals import worker_init
from django.core.management import call_command
from django.core.management.base import CommandError, SystemCheckError

from results.models import Installation
from results.operations.unit_key import AnotherKeyError, check_key, record_key
from slogdb import wsgi
from tests.results.operations.site import connected_to

ANOTHER = "another key than the one that was there before"


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


@pytest.mark.django_db(transaction=True)
def test_no_process_of_the_site_starts_with_another_key(settings):
    check_key()
    record_key()
    check_key()
    settings.UNIT_KEY = ANOTHER
    with pytest.raises(AnotherKeyError, match="isn't this database's key"):
        reload(wsgi)
    with pytest.raises(SystemExit, match="isn't this database's key"):
        worker_init.send(None)


def test_a_web_server_starts_without_its_database():
    with connected_to("postgresql://slogdb@127.0.0.1:1/slogdb"):
        reload(wsgi)
    gc.unfreeze()


def test_equal_keys_fail_the_check(settings):
    settings.UNIT_KEY = settings.SECRET_KEY
    with pytest.raises(SystemCheckError, match=r"results\.E002.*SECRET_KEY and SLOGDB_UNIT_KEY are equal"):
        call_command("check")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = ANOTHER, [settings.UNIT_KEY]
    with pytest.raises(SystemCheckError, match=r"results\.E002"):
        call_command("check")
