"""The site's own database role: all main paths work with it, and it is created and granted access by the owner."""

import hashlib
import hmac
import os
import re
from base64 import b64decode
from urllib.parse import urlsplit

import psycopg
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from results.accounts.data import close_account
from results.accounts.expiry import forget_expired
from results.exports.build import export
from results.models import Device, Member, Submission
from results.models.choices import Action, State
from results.moderation.decide import decide
from results.operations.backup import restore_into
from results.operations.site_role import grant_site_access
from results.submissions.edit import erase
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import PASSWORD, make_member, make_verified_member
from tests.results.operations.site import Site, connected_to, make_unproved_backup

ROLE = f"slogdb_site_of_{os.getpid()}"


@pytest.fixture
def site(tmp_path, settings, django_db_blocker):
    """A database whose owner has granted access to a role, and the address by which that role connects."""
    site = Site(tmp_path, name=f"granted_{os.getpid()}")
    there = urlsplit(site.address)
    settings.DATABASE_SITE_URL = there._replace(netloc=f"{ROLE}:secret@").geturl()
    with django_db_blocker.unblock(), connected_to(site.address):
        yield site
    site.end()
    site.administer(f"DROP ROLE IF EXISTS {ROLE}")


def test_the_main_paths_work_with_it(site, settings, tmp_path):
    """Submit, rank, moderate, sign in, export, read again, erase, close an account, clear up."""
    settings.EXPORT_FOLDER = str(tmp_path / "exports")
    for _ in range(2):  # as each start of the containers does
        assert f"The role {ROLE} can read and write" in grant_site_access()
    with connected_to(settings.DATABASE_SITE_URL):
        owner, moderator = make_verified_member(email="ann@example.org"), make_member(is_staff=True)
        submission = receive_submission(pastes.FIRST_PASTE, Sender(owner=owner)).submission
        call_command("rank")
        assert Device.objects.shown().exists()
        for action, state in {Action.HELD: State.HELD, Action.APPROVED: State.PUBLISHED}.items():
            decide(submission, action, moderator=moderator, reason="A reason.")
            assert Submission.objects.get().state == state
        client = Client()
        assert client.post("/account/login/", {"login": owner.email, "password": PASSWORD}).status_code == 302
        assert client.get("/account/").status_code == 200
        assert client.get("/search/?q=optane").status_code == 200
        export()
        call_command("reread", all=True)
        erase(Submission.objects.get(), None)
        close_account(owner, keeps_results=True)
        forget_expired()
        assert [Submission.objects.get().state, Member.objects.count()] == [State.ERASED, 1]
        for forbidden in ("CREATE TABLE more (id int)", "DELETE FROM results_erasure"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                site_query(settings.DATABASE_SITE_URL, forbidden)


def site_query(address, statement):
    with psycopg.connect(address) as connection:
        connection.execute(statement)


def test_a_restore_grants_access_again(site, settings, tmp_path):
    """A dump has no grants."""
    grant_site_access()
    settings.BACKUP_FOLDER = str(tmp_path)
    call_command("backup", folder=tmp_path)
    [dump] = tmp_path.glob("*.dump")
    call_command("restore", dump, yes=True)
    site_query(settings.DATABASE_SITE_URL, "DELETE FROM results_firmware")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        site_query(settings.DATABASE_SITE_URL, "DROP TABLE results_firmware")


def test_the_role_gets_the_password_that_is_set(site, settings):
    """As after a change of it in .env. The suite's server trusts everybody, so its digest is checked (RFC 5802)."""
    for password in ("secret", "changed"):
        settings.DATABASE_SITE_URL = re.sub(r":[a-z]+@", f":{password}@", settings.DATABASE_SITE_URL)
        grant_site_access()
        with psycopg.connect(site.address) as server:
            found = server.execute("SELECT rolpassword FROM pg_authid WHERE rolname = %s", [ROLE]).fetchone()
        iterations, salt, stored_key = re.fullmatch(r"SCRAM-SHA-256\$(\d+):(.+)\$(.+):.+", found[0]).groups()
        salted = hashlib.pbkdf2_hmac("sha256", password.encode(), b64decode(salt), int(iterations))
        client_key = hmac.digest(salted, b"Client Key", "sha256")
        assert hashlib.sha256(client_key).digest() == b64decode(stored_key), password


def test_an_owner_who_creates_no_roles_says_what_to_do(site, settings):
    owner = f"{ROLE}_owner"
    site.administer(f"CREATE ROLE {owner} LOGIN")
    address = settings.DATABASE_SITE_URL.replace(f"{ROLE}:secret@", f"{owner}@")
    try:
        with connected_to(address), pytest.raises(CommandError, match=f"CREATE ROLE {ROLE} LOGIN"):
            call_command("grant_site_access")
    finally:
        site.administer(f"DROP ROLE {owner}")


def test_a_role_that_can_do_more_is_refused_and_the_owner_needs_none(site, settings):
    site.administer(f"CREATE ROLE {ROLE} LOGIN CREATEDB")
    with pytest.raises(CommandError, match=f"ALTER ROLE {ROLE} NOSUPERUSER NOCREATEDB"):
        call_command("grant_site_access")
    settings.DATABASE_SITE_URL = site.address
    assert "no role to grant" in grant_site_access()
    settings.DATABASE_SITE_URL = ""
    assert "no role to grant" in grant_site_access()


@pytest.fixture
def owned(tmp_path, settings, django_db_blocker):
    """A site on a server where its owner has no more rights than the documented ones; connected as the owner."""
    owner = f"{ROLE}_owner"
    whole = Site(tmp_path, name=f"whole_{os.getpid()}")
    site = Site(tmp_path, name=f"owned_{os.getpid()}")
    with django_db_blocker.unblock(), connected_to(whole.address):
        receive_submission(pastes.FIRST_PASTE, Sender())
        dump = make_unproved_backup(tmp_path / "backups")
    site.administer(
        f"CREATE ROLE {owner} LOGIN CREATEDB CREATEROLE",
        f"DROP DATABASE owned_{os.getpid()}",
        f"CREATE DATABASE owned_{os.getpid()} OWNER {owner}",
    )
    there = urlsplit(site.address)
    settings.DATABASE_SITE_URL = there._replace(netloc=f"{ROLE}:secret@").geturl()
    try:
        with django_db_blocker.unblock(), connected_to(there._replace(netloc=f"{owner}@").geturl()):
            restore_into(f"owned_{os.getpid()}", dump)
            yield site, dump, owner
    finally:
        whole.end()
        site.end()
        site.administer(
            f"DROP ROLE IF EXISTS {ROLE}", f"DROP ROLE IF EXISTS {ROLE}_watcher", f"DROP ROLE {owner}"
        )


def test_an_owner_with_exactly_the_documented_rights_restores_while_the_site_is_connected(owned, settings):
    site, dump, _ = owned
    call_command("grant_site_access")
    with psycopg.connect(settings.DATABASE_SITE_URL, autocommit=True) as session:
        assert session.execute("SELECT count(*) FROM results_submission").fetchone() == (1,)
        call_command("restore_drill", dump)
        call_command("restore", dump, yes=True)
        with pytest.raises(psycopg.OperationalError):
            session.execute("SELECT 1")
    assert site.count("results_submission") == 1
    call_command("undo_restore", folder=dump.parent, yes=True)


def test_the_drill_fails_where_a_restore_would_for_want_of_a_right(owned, settings):
    site, dump, owner = owned
    site.administer(f"ALTER ROLE {owner} NOCREATEROLE", f"CREATE ROLE {ROLE} LOGIN")
    assert f"until a superuser runs: GRANT {ROLE} TO {owner}" in grant_site_access()
    databases = site.administer()
    for command, options in {"restore_drill": {}, "restore": {"yes": True}}.items():
        with pytest.raises(
            CommandError, match=rf"(?s)sessions of {ROLE} .*: GRANT {ROLE} TO {owner}.*as it was"
        ):
            call_command(command, dump, **options)
    site.administer(f"GRANT {ROLE} TO {owner}", f"CREATE ROLE {ROLE}_watcher LOGIN")
    watcher = settings.DATABASE_SITE_URL.replace(f"{ROLE}:secret", f"{ROLE}_watcher")
    with psycopg.connect(watcher), pytest.raises(CommandError, match=f"sessions of {ROLE}_watcher"):
        call_command("restore_drill", dump)
    assert site.administer() == databases
    call_command("restore_drill", dump)
    call_command("restore", dump, yes=True)


def test_a_database_of_somebody_else_is_not_replaced(owned):
    site, dump, owner = owned
    call_command("grant_site_access")
    site.administer(f"ALTER DATABASE owned_{os.getpid()} OWNER TO CURRENT_USER")
    with pytest.raises(CommandError, match=f"ALTER DATABASE owned_{os.getpid()} OWNER TO {owner}"):
        call_command("restore_drill", dump)
