"""The checkers, each as one test: what they object to is the test's message."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
OTHER_SCRIPTS = [
    ROOT / ".ci" / "run",
    ROOT / "deploy" / "postgres" / "recover.sh",
    ROOT / "deploy" / "valkey" / "start.sh",
    ROOT / "results" / "submissions" / "slogdb-submit",
]
SHELL_SCRIPTS = [str(path.relative_to(ROOT)) for path in [*sorted((ROOT / "bin").iterdir()), *OTHER_SCRIPTS]]
CHECKS = {
    "ruff": ["ruff", "check", "--no-cache"],
    "ruff format": ["ruff", "format", "--check", "--no-cache"],
    "mypy": ["mypy"],
    "import-linter": ["lint-imports", "--no-cache"],
    "shellcheck": ["shellcheck", "--external-sources", *SHELL_SCRIPTS],
    "deployment": ["python", "-W", "error", "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
}
DEPLOYED = {"SLOGDB_SITE_URL": "https://slogdb.example", "SLOGDB_ALLOWED_HOSTS": "slogdb.example"}


def run(command: list[str], **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **settings}
    return subprocess.run(
        [str(BIN / command[0]), *command[1:]],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize("name", CHECKS)
def test_system_checks_pass(name: str) -> None:
    done = run(CHECKS[name], **(DEPLOYED if name == "deployment" else {}))
    assert done.returncode == 0, done.stdout


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", check=True, dry_run=True)
