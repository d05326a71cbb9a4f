"""The checkers, each as one test: what they object to is the test's message."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
OTHER_SCRIPTS = [ROOT / ".ci" / "run", ROOT / "results" / "web" / "slogdb-submit"]
SHELL_SCRIPTS = [str(path.relative_to(ROOT)) for path in [*sorted((ROOT / "bin").iterdir()), *OTHER_SCRIPTS]]
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
    "requirements-telemetry.txt",
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
    """Out of reach of PyPI's advisories this is an expected failure, which says so: nothing was looked at."""
    done = run(AUDIT)
    if done.returncode and is_out_of_reach(done.stdout):
        pytest.xfail(
            "NOT AUDITED: the advisories of PyPI can't be reached, so known holes would not be found"
        )
    assert done.returncode == 0, done.stdout
    assert "No known vulnerabilities found" in done.stdout


def is_out_of_reach(said: str) -> bool:
    return any(sign in said for sign in ("requests.exceptions", "ConnectionError", "ServiceError"))


def test_an_audit_that_reached_nobody_is_told_from_one_that_found_a_hole() -> None:
    nowhere = "http://127.0.0.1:9"  # a port of nobody's
    done = run(AUDIT, HTTPS_PROXY=nowhere, https_proxy=nowhere)
    assert (done.returncode != 0, is_out_of_reach(done.stdout)) == (True, True), done.stdout
    assert not is_out_of_reach("Found 1 known vulnerability in 1 package\ndjango 5.2 PYSEC-2026-1 5.2.9")
