"""Back to a moment, as docs/self-hosting.md says: the archive and the script of deploy/ on a real PostgreSQL."""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
import yaml

from results.operations.site_state import ARCHIVE_FAILS
from slogdb.local.postgres import INITDB, POSTGRES_BIN, data_owner, let_pass, make_private
from slogdb.local.process import Process, Program, run_as
from slogdb.local.stack import plain_environment
from tests.concurrency import wait_until
from tests.deploy.compose import GIVEN, ROOT, services

SCRIPT = ROOT / "deploy" / "postgres" / "recover.sh"
ADDED = yaml.safe_load((ROOT / "deploy" / "point-in-time.yml").read_text())["services"]["database"]
USUAL = services(GIVEN)["database"]
DOCUMENT = (ROOT / "docs" / "self-hosting.md").read_text()


class Cluster:
    """A PostgreSQL with the archive of deploy/point-in-time.yml, in folders that go away."""

    def __init__(self, folder: Path) -> None:
        self.data, self.archive, self.sockets = (folder / name for name in ("pg/data", "archive", "sockets"))
        self.before = self.data.with_name("data.before")
        self.owner = data_owner(folder / "pg")
        for private in (folder, folder / "pg", self.archive, self.sockets):
            make_private(private, self.owner)
        if self.owner is not None:
            let_pass(POSTGRES_BIN)
        self.script = folder / SCRIPT.name
        self.script.write_text(SCRIPT.read_text())
        self.script.chmod(0o755)
        self.run([*INITDB, f"--pgdata={self.data}"])
        self.process: Process | None = None

    def run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        environment = {
            **plain_environment(),
            "PGDATA": str(self.data),
            "PGHOST": str(self.sockets),
            "PATH": f"{POSTGRES_BIN}:{os.environ['PATH']}",
        }
        return subprocess.run(
            command, cwd="/", env=environment, text=True, capture_output=True, **run_as(self.owner)
        )

    def start(self) -> None:
        words = [word.replace("/archive/", f"{self.archive}/") for word in ADDED["command"][1:]]
        options = [f"-cunix_socket_directories={self.sockets}", "-clisten_addresses=", "-cfsync=off"]
        self.process = Process(
            Program(
                name="archived",
                command=[str(POSTGRES_BIN / "postgres"), "-D", str(self.data), *words, *options],
                log=self.sockets / "log",
                environment=plain_environment(),
                owner=self.owner,
                is_ready=self.is_ready,
            )
        )
        self.process.wait_until_ready()

    def is_ready(self) -> bool:
        try:
            return self.query("SELECT pg_is_in_recovery()") is False
        except psycopg.OperationalError:
            return False

    def query(self, statement: str) -> object:
        url = f"postgresql://postgres@/postgres?host={quote(str(self.sockets), safe='')}"
        with psycopg.connect(url, autocommit=True, connect_timeout=2) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchone()[0] if cursor.description else None

    def pastes(self) -> object:
        return self.query("SELECT string_agg(words, ', ' ORDER BY words) FROM paste")

    def now(self) -> str:
        """A moment between what was done and what comes."""
        moment = self.query("SELECT to_char(clock_timestamp(), 'YYYY-MM-DD HH24:MI:SS.USOF')")
        self.query("SELECT pg_sleep(0.1)")
        return str(moment)

    def wait_for_archive(self) -> str:
        """Until all that was done is in the archive; the name of its last segment."""
        self.query("SELECT txid_current()")
        segment = str(self.query("SELECT pg_walfile_name(pg_switch_wal())"))
        wait_until((self.archive / segment).exists)
        return segment

    def recover(self, base: Path, moment: str) -> None:
        if self.process is not None:
            self.process.stop()
        done = self.run([str(self.script), str(base), moment])
        assert done.returncode == 0, done.stderr
        self.start()

    def base_backup(self) -> Path:
        """By the words of the document, with this machine's places."""
        [line] = re.findall(
            r"^ +sudo docker compose exec database (pg_basebackup .*)$", DOCUMENT, re.MULTILINE
        )
        folder = self.archive / "base"
        words = [
            f"--pgdata={folder}" if word.startswith("--pgdata=/archive/base-") else word
            for word in shlex.split(line.replace("$(date +%F)", "today"))
            if not word.startswith("--username=")
        ]
        done = self.run([*words, "--username=postgres"])
        assert done.returncode == 0, done.stderr
        return folder


@pytest.fixture
def cluster():
    with tempfile.TemporaryDirectory(prefix="slogdb-moment-", ignore_cleanup_errors=True) as folder:
        made = Cluster(Path(folder))
        made.start()
        yield made
        if made.process is not None:
            made.process.stop()


def test_the_database_is_as_ever_but_for_its_archive():
    assert ADDED["command"][: len(USUAL["command"])] == USUAL["command"]
    assert all("archive" in word for word in ADDED["command"][len(USUAL["command"]) :])
    assert "recover.sh /archive/base-" in DOCUMENT


def test_what_was_there_at_a_moment_is_there_again(cluster):
    cluster.query("CREATE TABLE paste (words text)")
    cluster.query("INSERT INTO paste VALUES ('in the base backup')")
    base = cluster.base_backup()
    cluster.query("INSERT INTO paste VALUES ('in the archive')")
    cluster.wait_for_archive()
    too_early = cluster.now()
    cluster.query("INSERT INTO paste VALUES ('not archived yet')")
    moment = cluster.now()
    cluster.query("DELETE FROM paste")
    assert "stop it first" in cluster.run([str(cluster.script), str(base), moment]).stderr

    cluster.recover(base, too_early)
    assert cluster.pastes() == "in the archive, in the base backup"
    assert "recover" not in (cluster.data / "postgresql.auto.conf").read_text()
    cluster.wait_for_archive()  # so that it has two histories from here on
    cluster.process.stop()
    assert "is there already" in cluster.run([str(cluster.script), str(base), moment]).stderr

    shutil.rmtree(cluster.data)
    cluster.before.rename(cluster.data)
    cluster.recover(base, moment)
    assert cluster.pastes() == "in the archive, in the base backup, not archived yet"

    cluster.query("INSERT INTO paste VALUES ('since then')")
    cluster.wait_for_archive()
    cluster.process.stop()  # and a disk that was lost comes back from the archive
    for lost in (cluster.data, cluster.before):
        shutil.rmtree(lost)
    cluster.recover(base, "latest")
    assert cluster.pastes() == "in the archive, in the base backup, not archived yet, since then"


def test_an_archive_that_fails_is_seen_until_it_works_again(cluster):
    assert cluster.query(ARCHIVE_FAILS) is False
    cluster.archive.rename(cluster.archive.with_name("away"))
    cluster.query("SELECT txid_current()")
    cluster.query("SELECT pg_switch_wal()")
    wait_until(lambda: cluster.query(ARCHIVE_FAILS) is True)
    cluster.archive.with_name("away").rename(cluster.archive)
    segment = cluster.wait_for_archive()
    wait_until(lambda: cluster.query(ARCHIVE_FAILS) is False)

    # One that is archived already stops nothing: PostgreSQL asks again where it crashed before its note of it.
    notes = cluster.data / "pg_wal" / "archive_status"
    wait_until((notes / f"{segment}.done").exists)
    (notes / f"{segment}.done").rename(notes / f"{segment}.ready")
    cluster.wait_for_archive()
    wait_until((notes / f"{segment}.done").exists)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "wants the folder"),
        (["/nowhere/base", "2026-11-21 09:30:00+00"], "is no base backup"),
        (["BASE", "now'; x"], "is no moment"),
    ],
)
def test_nothing_is_touched_for_a_wrong_word(tmp_path, words, complaint):
    base, data = tmp_path / "base", tmp_path / "data"
    for folder in (base, data):
        folder.mkdir()
    (base / "backup_label").touch()
    environment = {
        "PATH": f"{POSTGRES_BIN}:{os.environ['PATH']}",
        "PGDATA": str(data),
        "PGHOST": str(tmp_path),
    }
    command = [str(SCRIPT), *(str(base) if word == "BASE" else word for word in words)]
    done = subprocess.run(command, env=environment, text=True, capture_output=True)
    assert done.returncode == 1
    assert complaint in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["base", "data"]
