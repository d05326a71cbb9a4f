"""Backups of a server that wants TLS and a client's certificate: PostgreSQL's programs reach it as the site does."""

import os
from urllib.parse import urlsplit

import pytest

from tests.results.operations.site import DATABASE, Site
from tests.tls import client_certificate, tls_in_front

PSQL = "from results.operations.postgres_tools import run_tool; "
PSQL += f"print(run_tool('psql', ['--command=SELECT 6 * 7 AS answer'], database='{DATABASE}'))"


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


def test_backup_and_restore_work_with_a_client_certificate(site, tmp_path):
    site.manage("make_results", "5")
    before = site.query("SELECT public_id FROM results_submission ORDER BY id")
    site.manage("backup")
    (dump,) = (tmp_path / "backups").glob("*.dump")
    site.manage("shell", "-c", "from results.models import Submission; Submission.objects.update(text='')")
    assert "Restored." in site.manage("restore", str(dump), "--yes").stdout
    assert site.query("SELECT public_id FROM results_submission WHERE text <> '' ORDER BY id") == before
    assert "42" in site.manage("shell", "-c", PSQL).stdout


@pytest.mark.parametrize(
    ("more", "complaint"), [("", "connection failed"), ("&sslpassword=drawn", "name a key without one")]
)
def test_a_missing_certificate_or_encrypted_key_is_explained(site, front, more, complaint):
    address, certificate = front
    url = f"{address}&{certificate}{more}" if more else address
    refused = site.manage("backup", check=False, DATABASE_URL=url)
    assert (refused.returncode, complaint in refused.stderr) == (1, True), refused.stderr
