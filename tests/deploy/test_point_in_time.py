"""Back to a moment, as docs/self-hosting.md says: the archive and the script of deploy/ on a real PostgreSQL."""

import os
import re
import shlex
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
import yaml

from slogdb.local_stack import plain_environment
from slogdb.serving.postgres_data import INITDB, POSTGRES_BIN, data_owner, let_pass, make_private
from slogdb.serving.process import Process, Program, run_as
from tests.concurrency import wait_until
from tests.deploy.compose import ROOT, services

SCRIPT = ROOT / "deploy" / "postgres" / "recover.sh"
ADDED = yaml.safe_load((ROOT / "deploy" / "point-in-time.yml").read_text())["services"]["database"]
USUAL = services({"SLOGDB_DOMAIN": "slogdb.example", "POSTGRES_PASSWORD": "drawn"})["database"]
DOCUMENT = (ROOT / "docs" / "self-hosting.md").read_text()


class Cluster:
    """A PostgreSQL with the archive of deploy/point-in-time.yml, in folders that go away."""

    def __init__(self, folder: Path) -> None:
        self.data, self.archive, self.sockets = (folder / name for name in ("pg/data", "archive", "sockets"))
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
        own = [f"-cunix_socket_directories={self.sockets}", "-clisten_addresses=", "-cfsync=off"]
        self.process = Process(
            Program(
                name="archived",
                command=[str(POSTGRES_BIN / "postgres"), "-D", str(self.data), *words, *own],
                log=self.sockets / "log",
                environment=plain_environment(),
                owner=self.owner,
                is_ready=self.is_ready,
            )
        )
        self.process.wait_until_ready()

    def is_ready(self) -> bool:
        try:
            return self.ask("SELECT pg_is_in_recovery()") is False
        except psycopg.OperationalError:
            return False

    def ask(self, statement: str) -> object:
        url = f"postgresql://postgres@/postgres?host={quote(str(self.sockets), safe='')}"
        with psycopg.connect(url, autocommit=True, connect_timeout=2) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchone()[0] if cursor.description else None

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
    cluster.ask("CREATE TABLE paste (words text)")
    cluster.ask("INSERT INTO paste VALUES ('in the base backup')")
    base = cluster.base_backup()
    cluster.ask("INSERT INTO paste VALUES ('in the archive')")
    segment = cluster.ask("SELECT pg_walfile_name(pg_switch_wal())")
    wait_until(lambda: (cluster.archive / str(segment)).exists())
    cluster.ask("INSERT INTO paste VALUES ('not archived yet')")
    moment = str(cluster.ask("SELECT to_char(clock_timestamp(), 'YYYY-MM-DD HH24:MI:SS.USOF')"))
    cluster.ask("SELECT pg_sleep(0.1)")
    cluster.ask("DELETE FROM paste")
    assert "stop it first" in cluster.run([str(cluster.script), str(base), moment]).stderr
    cluster.process.stop()

    done = cluster.run([str(cluster.script), str(base), moment])
    assert done.returncode == 0, done.stderr
    cluster.start()
    found = cluster.ask("SELECT string_agg(words, ', ' ORDER BY words) FROM paste")
    assert found == "in the archive, in the base backup, not archived yet"
    cluster.ask("INSERT INTO paste VALUES ('goes on')")
    assert "is there already" in cluster.run([str(cluster.script), str(base), moment]).stderr


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
