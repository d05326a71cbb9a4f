"""Backups and restores with PostgreSQL's real programs, in a database of their own beside the suite's."""

import json
import os
from copy import copy
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, transaction

from results.accounts.data import close_account
from results.core.security.digests import digest_account
from results.management.commands import backup as command
from results.models import Erasure, Installation, Member, Submission
from results.models.choices import State
from results.operations import backup as make
from results.operations.backup import BackupError, make_backup
from results.operations.erasures import (
    FORMER_FILE,
    ErasureList,
    ErasureListError,
    all_lines,
    copied_lists,
    copy_erasures,
    copy_list,
    lineage,
    list_file,
)
from results.operations.postgres_tools import ToolError, find_tool, parameters
from results.operations.prepare import erase_again
from results.operations.restore import check
from results.operations.site_state import LATEST_BACKUP
from results.submissions.edit import erase
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.commands import printed_by
from tests.factories import make_member
from tests.results.operations.site import Site, make_unproved_backup, name_at

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "backups"


def test_a_backup_has_a_manifest_and_old_ones_are_deleted_but_the_newest(folder):
    receive_submission(pastes.FIRST_PASTE, Sender())
    old = [folder / name_at(datetime.now(UTC) - timedelta(days=days)) for days in (15, 13)]
    folder.mkdir(mode=0o700)
    for path in old:
        for ending in (".dump", ".dump.sha256", ".json"):
            path.with_suffix(ending).touch()
    dumps = [old[1], make_backup(folder, keep=1)]
    assert sorted(folder.glob("*.dump")) == dumps
    dumps.append(make_backup(folder, days=0, keep=2))
    assert sorted(folder.glob("*.dump")) == dumps[1:]
    assert sorted(path.suffix for path in folder.glob("slogdb-*")) == [
        ".dump",
        ".dump",
        ".json",
        ".json",
        ".sha256",
        ".sha256",
    ]
    latest = json.loads((folder / LATEST_BACKUP).read_text())
    assert (latest["file"], latest["rows"]["results_submission"]) == (dumps[2].name, 1)
    assert (latest["rows"]["results_installation"], latest["rows"]["results_erasure"]) == (1, 0)
    assert latest["sha256"] == make.sha256_of(dumps[2])
    assert folder.stat().st_mode & 0o077 == 0
    assert dumps[2].stat().st_mode & 0o077 == 0
    check(dumps[2])


class WaitedError(Exception):
    """The command waits for as many seconds as it names."""


def test_a_restart_makes_no_backup_before_it_is_due(folder, monkeypatch):
    make_unproved_backup(folder)

    def wait(seconds, _):
        raise WaitedError(seconds)

    monkeypatch.setattr(command.Command, "wait", staticmethod(wait))
    with pytest.raises(WaitedError) as waited:
        call_command("backup", folder=folder, every_hours=24)
    assert waited.value.args[0] == pytest.approx(24 * 3600, abs=120)


def test_a_dump_with_missing_rows_is_discarded(folder, monkeypatch):
    counted = make.row_counts
    monkeypatch.setattr(make, "row_counts", lambda name: {**counted(name), "results_submission": 5})
    with pytest.raises(BackupError, match="results_submission 0 and 5"):
        make_backup(folder)
    assert list(folder.iterdir()) == []


def test_a_full_disk_leaves_no_partial_backup(folder, monkeypatch):
    """Whichever file is the first that doesn't fit."""
    write, written = Path.write_text, []

    def write_until_full(path, text, **how):
        written.append(path.name)
        if len(written) == full_at:
            raise OSError(28, "No space left on device")
        return write(path, text, **how)

    monkeypatch.setattr(Path, "write_text", write_until_full)
    folder.mkdir()
    for full_at in (1, 2, 3):
        written.clear()
        unfinished = folder / ".unfinished"
        unfinished.touch()
        with pytest.raises(OSError, match="No space left"):
            make.put_in_place(unfinished, folder / "some.dump", {})
        assert list(folder.iterdir()) == [unfinished], full_at
    written.clear()
    unfinished.unlink()
    with pytest.raises(CommandError, match="No space left"):
        call_command("backup", folder=folder)
    assert list(folder.iterdir()) == []


def test_nothing_is_dumped_through_a_pooler(folder, monkeypatch):
    """pg_dump empties the search path of its session, which a pooler then gives to a request."""
    monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", True)
    with pytest.raises(ToolError, match="name the server itself"):
        make_backup(folder)


def test_two_backups_at_once_each_have_a_scratch_database_whatever_their_process(folder, monkeypatch):
    monkeypatch.setattr(os, "getpid", lambda: 7)  # as each has in a container of its own
    dump = make_unproved_backup(folder)
    with make.restored(dump) as first, make.restored(dump) as second:
        assert first != second
        assert make.row_counts(first) == make.row_counts(second)


def test_leftovers_of_a_killed_backup_are_dropped_after_a_day(folder):
    now = datetime.now(UTC)
    old, new = (make.scratch_name(now - make.LEFT_BEHIND * days) for days in (1.1, 0.5))
    with psycopg.connect(**parameters(), autocommit=True) as admin:
        for name in (old, new):
            admin.execute(f"CREATE DATABASE {name}")
        make_backup(folder)
        found = {name for (name,) in admin.execute("SELECT datname FROM pg_database").fetchall()}
        assert (old in found, new in found) == (False, True)
        admin.execute(f"DROP DATABASE {new}")


def test_the_transaction_that_erases_lists_it():
    submission, leaving = receive_submission(pastes.FIRST_PASTE, Sender()).submission, make_member()
    with transaction.atomic():
        erase(submission, None)
        assert Erasure.objects.get().line == submission.public_id
        transaction.set_rollback(True)
    assert not Erasure.objects.exists()
    submission.refresh_from_db()
    closed = digest_account(leaving.pk, leaving.date_joined)
    erase(submission, None)
    erase_again([submission.public_id])
    close_account(leaving, keeps_results=True)
    assert sorted(Erasure.objects.values_list("line", flat=True)) == sorted([closed, submission.public_id])


def test_the_copy_of_the_list_says_until_when_it_is_complete_and_loses_no_line(folder):
    folder.mkdir()
    submission = receive_submission(pastes.FIRST_PASTE, Sender()).submission
    assert (copy_list(folder), all_lines(copied_lists(folder, lineage()))) == (0, frozenset())
    erase(submission, None)
    (folder / FORMER_FILE).write_text("bcdfghjkmn\n")  # by a previous release
    before = datetime.now(UTC)
    assert [copy_list(folder), copy_list(folder)] == [1, 0]
    Erasure.objects.all().delete()  # as in a database that is older than the copy
    assert copy_list(folder) == 0
    former, copied = copied_lists(folder, lineage())
    assert former == ErasureList(frozenset(["bcdfghjkmn"]), None, FORMER_FILE)
    assert copied.lines == {submission.public_id, "bcdfghjkmn"}
    assert before < copied.complete_until < datetime.now(UTC)
    assert [path.name for path in folder.glob(".*")] == []


def test_another_site_does_not_touch_the_copy(folder):
    """As a new machine, which makes a backup before the old ones are put next to it."""
    folder.mkdir()
    copy_list(folder)
    of, stale = lineage(), list_file(folder, lineage()).read_text()
    Installation.objects.all().delete()
    copy_list(folder)
    assert list_file(folder, of).read_text() == stale
    [own], [other] = copied_lists(folder, lineage()), copied_lists(folder, of)
    assert own.complete_until > other.complete_until
    assert copied_lists(folder, None) == sorted([own, other], key=lambda copied: copied.name)


def test_workers_copy_the_list_where_they_can_access_the_backups(folder, settings):
    settings.BACKUP_FOLDER = str(folder)
    copy_erasures()
    assert not folder.exists()
    folder.mkdir()
    copy_erasures()
    assert [path.name for path in folder.iterdir()] == [list_file(folder, lineage()).name]
    assert copy_erasures.name in [task["task"] for task in settings.CELERY_BEAT_SCHEDULE.values()]


def test_a_restored_closed_account_is_closed_again(folder):
    folder.mkdir()
    leaving, staying = make_member(), make_member()
    brought_back = copy(leaving)
    submission = receive_submission(pastes.FIRST_PASTE, Sender(owner=leaving)).submission
    close_account(leaving, keeps_results=True)
    assert copy_list(folder) == 1
    brought_back.save(force_insert=True)
    Submission.objects.filter(pk=submission.pk).update(owner=brought_back)

    erase_again(all_lines(copied_lists(folder, lineage())))

    assert list(Member.objects.all()) == [staying]
    assert Submission.objects.get().owner is None
    another = copy(brought_back)
    another.date_joined += timedelta(days=1)  # who got the same number later
    another.save(force_insert=True)
    erase_again(all_lines(copied_lists(folder, lineage())))
    assert Member.objects.count() == 2


def test_erasures_are_repeated_after_a_recovery_to_a_point_in_time(folder):
    folder.mkdir()
    submission = receive_submission(pastes.FIRST_PASTE, Sender()).submission
    with pytest.raises(CommandError, match=f"There is no list: .* {list_file(folder, lineage())}"):
        call_command("repeat_erasures", folder=folder)
    list_file(folder, lineage()).write_text(f"{submission.public_id}\n# complete until {datetime.now(UTC)}\n")
    printed = printed_by("repeat_erasures", folder=folder)
    assert printed == "1 erasures are in effect.\n"
    assert Submission.objects.get().state == State.ERASED
    assert Erasure.objects.get().line == submission.public_id


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"# complete until yesterday\n", "isn't a list of erasures, or is damaged"),
        (b"\xff\xfe", "isn't a list of erasures, or is damaged"),
        (
            b"bcdfghjkmn\nbcdfgh",
            r", line 2: 'bcdfgh' isn't a line .*damaged.*Copy it again.*delete that line",
        ),
        (
            b"bcdfghjkmnbcdfgh\n# complete until 2026-01-01 00:00:00+00:00\n",
            ", line 1: 'bcdfghjkmnbcdfgh' isn't",
        ),
        (b"bcdfghjkmn\n", f"was cut off.*Copy it again.*rename it to {FORMER_FILE}"),
        (b"", "was cut off"),
    ],
    ids=["date", "bytes", "cut line", "joined lines", "cut after a line", "empty"],
)
def test_a_damaged_list_is_named_and_stays_as_it_is(folder, content, message):
    folder.mkdir()
    path = list_file(folder, lineage())
    path.write_bytes(content)
    for name in ("repeat_erasures", "backup"):
        with pytest.raises(CommandError, match=f"{path.name}.*{message}"):
            call_command(name, folder=folder)
    assert path.read_bytes() == content


def test_a_copy_that_ends_anywhere_before_its_last_line_is_refused(folder):
    folder.mkdir()
    Erasure.objects.bulk_create([Erasure(line="bcdfghjkmn"), Erasure(line="0" * 64)])
    copy_list(folder)
    path = list_file(folder, lineage())
    whole = path.read_bytes()
    for length in range(whole.index(b"until") + len("until ")):
        path.write_bytes(whole[:length])
        with pytest.raises(ErasureListError, match=path.name):
            copied_lists(folder, lineage())


def test_dbshell_opens_the_database_of_the_site_wherever_it_is(folder):
    """Its socket is in a folder that the URL names, as with bin/serve; Django's own command ignores that."""
    site = Site(folder, name=f"shell_{os.getpid()}")
    try:
        assert f" shell_{os.getpid()}\n" in site.manage(
            "dbshell", "--", "--command=SELECT current_database()"
        )
    finally:
        site.end()


def test_tools_that_are_older_than_the_server_are_refused():
    with pytest.raises(ToolError, match="no pg_dump for PostgreSQL 99 here"):
        find_tool("pg_dump", at_least=99)


def test_commands_report_errors_in_one_line(tmp_path):
    with pytest.raises(CommandError, match="no such file"):
        call_command("restore", tmp_path / "none.dump", yes=True)
    with pytest.raises(CommandError, match="at least 1"):
        call_command("backup", keep=0)
