import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_a_missing_setting_is_reported_in_two_lines():
    environment = {**os.environ, "SLOGDB_SECRET_KEY": "short", "SLOGDB_DEBUG": "0"}
    done = subprocess.run(
        [sys.executable, "manage.py", "rank"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "SLOGDB_SECRET_KEY must hold at least 32 random characters: openssl rand -base64 48",
        "While bin/serve runs, its settings are found; if the site doesn't start, run bin/serve --only-servers. "
        ".env.example lists all settings.",
    ]


def test_commands_connect_as_the_owner_and_know_the_site_s_role():
    """Without a DATABASE_DIRECT_URL, as the site does."""
    site, owner = "postgresql://site@pooler.example/slogdb", "postgresql://owner@db.example/slogdb"
    code = (
        "from django.conf import settings; from django.db import connection; one = connection.settings_dict; "
        "print(one['USER'], one['HOST'], one['DISABLE_SERVER_SIDE_CURSORS'], settings.DATABASE_SITE_URL)"
    )
    for given, printed in (
        ({"DATABASE_DIRECT_URL": owner}, f"owner db.example False {site}\n"),
        ({}, "site pooler.example True \n"),
    ):
        done = subprocess.run(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", code],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": site, "SLOGDB_POOLS_TRANSACTIONS": "1", **given},
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.stdout == printed, done.stderr
