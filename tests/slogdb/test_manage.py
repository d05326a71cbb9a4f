import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def manage(environment, *arguments, cwd=ROOT):
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
    )


def test_a_missing_setting_is_reported_in_two_lines():
    done = manage({**os.environ, "SLOGDB_SECRET_KEY": "short", "SLOGDB_DEBUG": "0"}, "rank")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "SLOGDB_SECRET_KEY must hold at least 32 random characters: openssl rand -base64 48",
        "While bin/serve runs, its settings are found; if the site doesn't start, run bin/serve --only-servers. "
        ".env.example lists all settings.",
    ]


def test_without_a_running_site_no_command_asks_for_a_new_key(bare_checkout):
    """A key that somebody makes then would be another than the site's."""
    given = ("DATABASE_URL", "REDIS_URL", "SLOGDB_SECRET_KEY", "SLOGDB_UNIT_KEY")
    environment = {name: value for name, value in os.environ.items() if name not in given}
    done = manage(environment, "restore", "some.dump", "--yes", cwd=bare_checkout)
    assert done.returncode == 1
    assert done.stderr.startswith(
        "manage.py doesn't know the site's database and keys: bin/serve isn't running."
    )
    assert "bin/serve --only-servers" in done.stderr
    assert "openssl" not in done.stderr


def test_commands_connect_as_the_owner_and_know_the_site_s_role():
    """Without a DATABASE_DIRECT_URL, as the site does."""
    site, owner = "postgresql://site@pooler.example/slogdb", "postgresql://owner@db.example/slogdb"
    code = (
        "from django.conf import settings; from django.db import connection; db = connection.settings_dict; "
        "print(db['USER'], db['HOST'], db['DISABLE_SERVER_SIDE_CURSORS'], settings.DATABASE_SITE_URL)"
    )
    for given, printed in (
        ({"DATABASE_DIRECT_URL": owner}, f"owner db.example False {site}\n"),
        ({}, "site pooler.example True \n"),
    ):
        environment = {**os.environ, "DATABASE_URL": site, "SLOGDB_POOLS_TRANSACTIONS": "1", **given}
        done = manage(environment, "shell", "--no-imports", "-c", code)
        assert done.stdout == printed, done.stderr
