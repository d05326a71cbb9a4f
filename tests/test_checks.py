"""The checkers, each as one test: what they object to is the test's message."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
SHELL_SCRIPTS = [
    str(path.relative_to(ROOT)) for path in [*sorted((ROOT / "bin").iterdir()), ROOT / ".ci" / "run"]
]
CHECKS = {
    "ruff": ["ruff", "check", "--no-cache"],
    "ruff format": ["ruff", "format", "--check", "--no-cache"],
    "mypy": ["mypy"],
    "import-linter": ["lint-imports", "--no-cache"],
    "shellcheck": ["shellcheck", "--external-sources", *SHELL_SCRIPTS],
    "migrations": ["python", "manage.py", "makemigrations", "--check", "--dry-run"],
    "deployment": ["python", "-W", "error", "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
}
DEPLOYED = {"SLOGDB_SITE_URL": "https://slogdb.example", "SLOGDB_ALLOWED_HOSTS": "slogdb.example"}
AUDIT = [
    "pip-audit",
    "--requirement",
    "requirements.txt",
    "--disable-pip",
    "--no-deps",
    "--progress-spinner=off",
]


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
def test_the_checker_has_nothing_to_say(name: str) -> None:
    done = run(CHECKS[name], **(DEPLOYED if name == "deployment" else {}))
    assert done.returncode == 0, done.stdout


def test_no_package_of_the_site_has_a_known_hole() -> None:
    """PyPI's advisories say so; where they are out of reach there is nothing that could be asked."""
    done = run(AUDIT)
    is_out_of_reach = any(
        sign in done.stdout for sign in ("requests.exceptions", "ConnectionError", "ServiceError")
    )
    assert done.returncode == 0 or is_out_of_reach, done.stdout
