import socket
from dataclasses import replace

import pytest

from slogdb.local.options import VAR, LocalSite, SiteError, site_from_environment
from slogdb.local.serve import environment_of, local_servers


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch):
    for name in ("HOST", "PORT", "DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)


def test_by_default_it_listens_on_this_machine_only():
    site = site_from_environment(is_demo=False)
    assert (site.address, site.directory) == ("http://127.0.0.1:8000", VAR)


def test_the_demo_keeps_everything_apart():
    assert site_from_environment(is_demo=True).directory == VAR / "demo"


def test_the_demo_takes_no_server_that_is_given(monkeypatch):
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.setenv(name, "given")
        with pytest.raises(SiteError, match="--demo"):
            site_from_environment(is_demo=True)
        monkeypatch.delenv(name)


def test_servers_that_are_given_are_used(tmp_path, monkeypatch):
    site = replace(site_from_environment(is_demo=False), var=tmp_path)
    monkeypatch.setenv("DATABASE_URL", "postgresql://db.example/site")
    with local_servers(site) as stack:  # for the queue
        environment = environment_of(site, stack)
        urls = (environment["DATABASE_URL"], environment["REDIS_URL"])
        assert urls == ("postgresql://db.example/site", stack.redis_url)
    monkeypatch.setenv("REDIS_URL", "redis://queue.example")
    monkeypatch.setenv("SLOGDB_UNIT_KEY", "given")
    with local_servers(site) as stack:
        assert stack is None
        given = environment_of(site, stack)
    assert (given["DATABASE_URL"], given["REDIS_URL"]) == (urls[0], "redis://queue.example")
    assert given["SLOGDB_UNIT_KEY"] == "given"


def test_a_port_that_is_none_is_refused(monkeypatch):
    for port in ("0", "65536", "-1", "http", "8_000", "٨٠٠٠"):
        monkeypatch.setenv("PORT", port)
        with pytest.raises(SiteError, match="PORT must be a number"):
            site_from_environment(is_demo=False)


def test_the_settings_are_told_where_the_site_is():
    for host, address, names in (
        ("10.0.0.5", "http://10.0.0.5:8000", ["10.0.0.5"]),
        ("::1", "http://[::1]:8000", []),
        ("0.0.0.0", "http://127.0.0.1:8000", [socket.gethostname()]),  # noqa: S104 - asked for
    ):
        site = LocalSite(host=host, port=8000, is_demo=False)
        assert site.settings() == {
            "SLOGDB_SITE_URL": address,
            "SLOGDB_ALLOWED_HOSTS": ",".join(["127.0.0.1", "localhost", "[::1]", *names]),
            "SLOGDB_EXPORT_FOLDER": str(site.directory / "exports"),
            "SLOGDB_MAIL_FOLDER": str(site.directory / "mail"),
            "SLOGDB_LOG_FORMAT": "line",
            "SLOGDB_ACCESS_LOG": "0",
            "PROMETHEUS_MULTIPROC_DIR": str(site.directory / "memory"),
        }, host
