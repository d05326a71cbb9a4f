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
        "While bin/serve runs, its settings are found; .env.example lists them all.",
    ]
