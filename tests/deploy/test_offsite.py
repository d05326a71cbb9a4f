"""Off-site copies as docker-compose.yml and docs/day-two.md make them, by Debian's restic in a folder."""

import re
import shutil
import subprocess

import pytest

from tests.deploy.compose import GIVEN, ROOT, services

WORDS = b"ann@example.org and all the other members"
PAGE = (ROOT / "docs" / "day-two.md").read_text()


@pytest.fixture
def offsite(tmp_path):
    """Runs a command in the container's place, by default the service's own."""
    backups = tmp_path / "backups"
    backups.mkdir()
    (backups / "slogdb-1.dump").write_bytes(WORDS * 100)
    service = services(
        {**GIVEN, "RESTIC_REPOSITORY": str(tmp_path / "copies"), "RESTIC_PASSWORD": "of-the-copies"}
    )
    environment = {**service["offsite"]["environment"], "RESTIC_CACHE_DIR": str(tmp_path / "cache")}

    def run(words=None):
        here = [
            word.replace("/data/backups", str(backups)) for word in words or service["offsite"]["command"]
        ]
        done = subprocess.run(
            [shutil.which("restic"), *here], env=environment, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_each_command_of_the_page_works_and_what_is_copied_is_unreadable(offsite, tmp_path):
    commands = re.findall(r"docker compose run --rm(?: --volume \S+)? offsite *([^&#\n]*)", PAGE)
    assert [words.split()[:1] for words in commands] == [
        ["init"],
        [],
        ["snapshots"],
        [],
        ["forget"],
        ["check"],
        ["restore"],
    ]
    for words in commands:
        offsite([word.replace("/copy", str(tmp_path / "back")) for word in words.split()])
    assert len(offsite(["snapshots", "--compact"]).split("slogdb")) > 1
    (restored,) = (tmp_path / "back").rglob("slogdb-1.dump")
    assert restored.read_bytes() == WORDS * 100
    stored = b"".join(path.read_bytes() for path in (tmp_path / "copies").rglob("*") if path.is_file())
    assert b"ann@example.org" not in stored
    assert b"slogdb-1.dump" not in stored
