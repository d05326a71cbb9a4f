"""Backups of a server that wants TLS and a client's certificate: PostgreSQL's programs reach it as the site does."""

import os
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from results.models import Submission
from results.operations.postgres_tools import run_tool
from tests.results.operations.site import DATABASE, Site, connected_to
from tests.tls import client_certificate, tls_in_front


@pytest.fixture(scope="module")
def front(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{DATABASE}").geturl()
    with tls_in_front(url, folder) as address:
        yield address, client_certificate(folder)


@pytest.fixture
def site(front, tmp_path):
    address, certificate = front
    site = Site(tmp_path / "backups", by=f"{address}&{certificate}")
    yield site
    site.end()


def test_backup_and_restore_work_with_a_client_certificate(site, tmp_path, django_db_blocker):
    with django_db_blocker.unblock(), connected_to(site.address):
        call_command("make_results", 5)
        before = site.query("SELECT public_id FROM results_submission ORDER BY id")
        call_command("backup", folder=tmp_path)
        (dump,) = tmp_path.glob("*.dump")
        Submission.objects.update(text="")
        call_command("restore", dump, yes=True)
        assert site.query("SELECT public_id FROM results_submission WHERE text <> '' ORDER BY id") == before
        assert "42" in run_tool("psql", ["--command=SELECT 6 * 7 AS answer"], database=DATABASE)


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(
    ("more", "complaint"), [("", "connection failed"), ("&sslpassword=drawn", "name a key without one")]
)
def test_a_missing_certificate_or_encrypted_key_is_explained(
    front, tmp_path, django_db_blocker, more, complaint
):
    address, certificate = front
    url = f"{address}&{certificate}{more}" if more else address
    with django_db_blocker.unblock(), connected_to(url), pytest.raises(CommandError, match=complaint):
        call_command("backup", folder=tmp_path)
