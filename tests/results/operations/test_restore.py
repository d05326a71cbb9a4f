"""Restores with PostgreSQL's real programs: of a backup of today, an older one, a broken one; killed at each step."""

import gzip
import json
import os
import pkgutil
import shutil
import signal
import threading
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import psycopg
import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.models import F
from django.test import Client

from results.core.data_version import set_read_only
from results.core.formats import format_count
from results.core.read_only import read_only_reason
from results.core.security.digests import key_of_the_day
from results.models import (
    AuditEntry,
    DataVersion,
    Erasure,
    Firmware,
    Installation,
    RememberedAnswer,
    Report,
    ResultPair,
    Submission,
)
from results.operations import backup as make
from results.operations import restore as restoring
from results.operations import restore_result
from results.operations.erasures import FORMER_FILE, copy_list, lineage
from results.operations.postgres_tools import parameters
from results.operations.prepare import RestoreError
from results.operations.restore import check
from results.operations.unit_key import record_key
from results.submissions.edit import erase, link_pair, say_same_pool
from results.submissions.intake.receive import Sender, receive_submission
from tests.commands import printed_by
from tests.factories import make_member
from tests.results.kinds.pool_io import texts
from tests.results.operations.site import DATABASE, Site, connected_to, make_unproved_backup, name_at

ORIGINAL = f"original_{os.getpid()}"
COUNT = "SELECT count(*) FROM results_submission WHERE state = 'published'"
OLDER = Path(__file__).parent / "older"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "backups"


@pytest.fixture(scope="module")
def original(tmp_path_factory, django_db_blocker):
    """A site that was backed up once, and the folder of that backup, for tests to copy."""
    folder = tmp_path_factory.mktemp("original") / "backups"
    site = Site(folder, name=ORIGINAL)
    with django_db_blocker.unblock(), connected_to(site.address):
        call_command("make_results", 40)
        key_of_the_day()
        make_what_no_backup_has()
        impatient = f"ALTER DATABASE {ORIGINAL} SET idle_in_transaction_session_timeout = '50ms'"
        site.administer(impatient)  # as servers are that end what forgot to: a dump takes longer
        assert "restored and counted" in printed_by("backup", folder=folder)
    yield folder
    site.end()


def make_what_no_backup_has():
    """A row in each table whose data are left out: a session, what is known of it, a count, an answer."""
    client, member = Client(), make_member()
    client.force_login(member)
    client.get("/account/")
    cache.set("attempts", 1)
    RememberedAnswer.objects.create(digest="0" * 64, request_digest="0" * 64, status=201, body={})


@pytest.fixture
def site(original, folder, django_db_blocker):
    """A copy of the original, which Django uses in this process, too."""
    shutil.copytree(original, folder)
    site = Site(folder, template=ORIGINAL)
    with django_db_blocker.unblock(), connected_to(site.address):
        yield site
    site.end()


@pytest.fixture
def dump(site, folder):
    (dump,) = folder.glob("*.dump")
    return dump


def restore(dump, **options):
    return printed_by("restore", dump, yes=True, **options)


def other_databases(site):
    """Those that a restore made."""
    return sorted(name for name in site.administer() if name.startswith(f"{DATABASE}_"))


def erased_one(site):
    """Erase a result after the backup; its id."""
    erased = Submission.objects.order_by("pk").first()
    erase(erased, None)
    return erased.public_id


def state_of(site, public_id):
    return site.query(f"SELECT state FROM results_submission WHERE public_id = '{public_id}'")  # noqa: S608


def test_a_restore_brings_data_back_and_repeats_erasures(site, dump):
    before = site.query("SELECT public_id, text_digest FROM results_submission ORDER BY id")
    erased = before[0][0]
    erase(Submission.objects.get(public_id=erased), None)
    Firmware.objects.update(version="broken")
    DataVersion.objects.update(value=F("value") + 86_400_000)  # published by a clock a day ahead
    version = DataVersion.objects.get().value
    connection.connection.execute(
        "SET idle_session_timeout = 1"
    )  # ms: as a firewall ends it while it is idle

    with pytest.raises(CommandError, match="Confirm with --yes"):
        call_command("restore", dump)
    assert site.query("SELECT DISTINCT version FROM results_firmware") == [("broken",)]
    printed = restore(dump)
    assert "; the old database remains as " in printed
    assert "Restored." in printed
    after = dict(site.query("SELECT public_id, text_digest FROM results_submission ORDER BY id"))
    assert after == {**dict(before), erased: None}
    assert site.query("SELECT count(*) FROM results_firmware WHERE version = 'broken'") == [(0,)]
    assert site.query("SELECT state, text FROM results_submission WHERE state = 'erased'") == [("erased", "")]
    assert site.query("SELECT value FROM results_dataversion")[0][0] > version
    assert site.query("SELECT restored_at > now() - interval '1 hour' FROM results_installation") == [(True,)]
    assert any(name.startswith(f"{DATABASE}_before_") for name in site.administer())


def test_a_lost_database_comes_back_from_the_backup_alone(site, folder, dump):
    count = site.query(COUNT)
    erased = site.query("SELECT public_id FROM results_submission ORDER BY id")[0][0]
    former = folder / FORMER_FILE
    former.write_text(f"{erased}\ncut-of")  # listed, and then the disk was lost in the middle of a line
    left_out = [*make.NOT_KEPT, "results_daykey"]
    assert [site.count(name) for name in left_out] == [1, 1, 1, 1, 1]
    site.administer(f"DROP DATABASE {DATABASE} WITH (FORCE)")
    with pytest.raises(CommandError, match=f"{FORMER_FILE}, line 2: 'cut-of' isn't a line"):
        restore(dump)
    former.write_text(f"{erased}\n")
    assert "can't be read" in restore(dump)
    assert site.query(COUNT) == [(count[0][0] - 1,)]
    assert [site.count(name) for name in left_out] == [0, 0, 0, 0, 0]
    assert site.count("results_member") > 0


def test_a_backup_is_restored_in_place_of_an_empty_database(site, dump):
    """As bin/serve --only-servers makes it on a new machine."""
    count = site.query(COUNT)
    connection.close()
    site.administer(
        f"DROP DATABASE {DATABASE} WITH (FORCE)", f"CREATE DATABASE {DATABASE} TEMPLATE template0"
    )
    assert "The database to be replaced is empty\n" in restore(dump)
    assert site.query(COUNT) == count


def test_a_truncated_backup_changes_nothing(site, dump):
    count = site.query(COUNT)
    content = dump.read_bytes()
    dump.write_bytes(content[: len(content) // 2])
    with pytest.raises(CommandError, match="checksum differs"):
        restore(dump)

    digest = make.sha256_of(dump)  # whoever made a checksum of half a file
    dump.with_suffix(".dump.sha256").write_text(f"{digest}  {dump.name}\n")
    with pytest.raises(CommandError, match="pg_restore"):
        restore(dump)
    assert site.query(COUNT) == count
    assert other_databases(site) == []


def test_an_unavailable_database_is_reported_in_one_line(tmp_path, django_db_blocker):
    dump = tmp_path / "some.dump"
    dump.touch()
    dump.with_suffix(".dump.sha256").write_text(make.sha256_of(dump))
    dump.with_suffix(".json").write_text(json.dumps({"file": name_at(datetime.now(UTC))}))
    nowhere = "postgresql://slogdb@127.0.0.1:1/slogdb"
    with django_db_blocker.unblock(), connected_to(nowhere):
        for command in (partial(restore, dump), partial(printed_by, "backup", folder=tmp_path)):
            with pytest.raises(CommandError, match="Connection refused"):
                command()


def test_a_dump_without_a_valid_checksum_is_not_restored(tmp_path):
    (tmp_path / "some.dump").touch()
    with pytest.raises(RestoreError, match="A backup is three files"):
        check(tmp_path / "some.dump")
    for ending in (".json", ".dump.sha256"):
        (tmp_path / "some.dump").with_suffix(ending).touch()
    with pytest.raises(RestoreError, match="One is missing or damaged"):
        check(tmp_path / "some.dump")


def test_a_backup_with_other_rows_than_were_dumped_is_refused(site, dump):
    manifest = dump.with_suffix(".json")
    manifest.write_text(manifest.read_text().replace('"results_submission": 40', '"results_submission": 41'))
    with pytest.raises(CommandError, match="doesn't match what was dumped: results_submission 41 and 40"):
        restore(dump)
    assert other_databases(site) == []


def date(dump, moment):
    """Say that the backup was begun then."""
    manifest = dump.with_suffix(".json")
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "file": name_at(moment)}))


def older_backup(folder, *, lacks=""):
    """A backup, 30 days old, from before 38 migrations were replaced by one; from before the one that it lacks."""
    dump = folder / "older.dump"
    dump.write_bytes(gzip.decompress((OLDER / "schema-0038.dump.gz").read_bytes()))
    manifest = json.loads((OLDER / "schema-0038.json").read_text())
    if lacks:
        with make.restored(dump) as scratch:
            with psycopg.connect(**parameters(scratch)) as server:
                server.execute("DELETE FROM django_migrations WHERE name = %s", [lacks])
            make.run_tool("pg_dump", ["--format=custom", f"--file={dump}"], database=scratch)
            manifest["rows"] = make.row_counts(scratch)
    dump.with_suffix(".json").write_text(json.dumps(manifest))
    date(dump, datetime.now(UTC) - timedelta(days=30))
    dump.with_suffix(".dump.sha256").write_text(f"{make.sha256_of(dump)}  {dump.name}\n")
    return dump


def test_a_backup_with_an_older_schema_is_migrated(site, tmp_path):
    dump = older_backup(tmp_path)
    printed = restore(dump, without_erasures=True)
    assert "isn't known; continuing" in printed  # the site's own list is that of another site
    assert site.query(COUNT) == [(4,)]
    assert "No planned migration operations" in printed_by("migrate", plan=True)
    assert [len(entry.line) for entry in Erasure.objects.all()].count(10) == 1  # erased before the backup
    assert Erasure.objects.count() == 2  # with the closed account

    Installation.objects.all().delete()
    dump = make_unproved_backup(tmp_path)  # as releases made them before sites had a lineage
    date(dump, datetime.now(UTC) - timedelta(days=30))
    lineage()
    erased = erased_one(site)
    printed = restore(dump)  # whose past the site has, so that its list of erasures is complete
    assert "Repeating erasures: 3 are listed" in printed
    assert state_of(site, erased) == [("erased",)]


def test_a_backup_that_another_release_has_to_migrate_is_refused_with_its_name(site, tmp_path):
    dump = older_backup(tmp_path, lacks="0038_line_prices")
    with pytest.raises(CommandError, match=r"it lacks 0038_line_prices\. Upgrade to d82064c first"):
        restore(dump, without_erasures=True)
    assert site.query(COUNT) == [(40,)]
    assert other_databases(site) == []


def test_a_backup_by_a_newer_release_is_refused(site, folder):
    with psycopg.connect(**parameters()) as server:
        server.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('results', '0999_of_tomorrow', now())"
        )
    with pytest.raises(CommandError, match=r"results\.0999_of_tomorrow\. Upgrade"):
        restore(make_unproved_backup(folder))


@pytest.mark.parametrize("is_lost", [True, False], ids=["lost", "new machine"])
def test_a_list_of_erasures_that_is_not_current_is_refused(site, folder, dump, is_lost):
    """Without the database, or with that of a new site in its place, whose own list is current."""
    ended = datetime.now(UTC) - timedelta(days=6.25)
    date(dump, ended - timedelta(days=1))
    (path,) = folder.glob("erasures-*.txt")
    path.write_text(f"# complete until {ended}\n")
    listed = Submission.objects.first().public_id
    if is_lost:
        site.administer(f"DROP DATABASE {DATABASE} WITH (FORCE)")
    else:
        Submission.objects.all().delete()
        Installation.objects.all().delete()
        copy_list(folder)
    end = ended.strftime("ends %Y-%m-%d %H:%M UTC")
    with pytest.raises(CommandError, match=f"{end}: .* isn't known.*--without-erasures"):
        restore(dump)
    assert other_databases(site) == []
    if not is_lost:
        assert end in restore(dump, without_erasures=True)
        assert site.query(COUNT) == [(40,)]
        return
    with pytest.raises(CommandError, match=f"{end}: .* isn't known"):
        printed_by("restore_drill", dump)
    path.write_text(f"# complete until {datetime.now(UTC)}\n{listed}\n")  # in 1.0.0's order
    restore(dump)
    assert site.query(COUNT) == [(39,)]


def test_a_backup_of_this_minute_needs_a_list_of_erasures_like_any_other(site, folder):
    dump = make_unproved_backup(folder)
    listed = Submission.objects.first().public_id  # and erased since, on the machine that is lost
    (path,) = folder.glob("erasures-*.txt")
    path.rename(folder / "erasures-000000000000.txt")  # as that of another site
    site.administer(f"DROP DATABASE {DATABASE} WITH (FORCE)")
    with pytest.raises(CommandError, match=rf"Another site’s list.*Put the newest.*\({path.name}\)"):
        restore(dump)
    path.write_text(f"{listed}\n# complete until {datetime.now(UTC)}\n")
    assert "1 are listed, all until" in restore(dump)
    assert state_of(site, listed) == [("erased",)]


def forget_lineage(folder):
    """A backup as of releases whose sites had no id, on a new machine; the list of erasures of the old one."""
    before = erased_one(None)
    Installation.objects.all().delete()
    dump = make_unproved_backup(folder)
    date(dump, datetime.now(UTC) - timedelta(days=3))
    for path in folder.glob("erasures-*.txt"):
        path.unlink()
    copy_list(folder)  # by a later release, which gave the site its id
    (path,) = folder.glob("erasures-*.txt")
    Submission.objects.all().delete()
    Erasure.objects.all().delete()
    Installation.objects.all().delete()
    return dump, path, before


def test_a_backup_without_an_id_repeats_the_erasures_of_every_list_in_its_folder(site, folder):
    published = Submission.objects.order_by("-pk").first().public_id
    late = Submission.objects.order_by("pk")[1].public_id
    dump, path, before = forget_lineage(folder)
    stale = (
        folder / "erasures-000000000000.txt"
    )  # perhaps of the same site, before its database was made again
    stale.write_text(f"# complete until {datetime.now(UTC) - timedelta(days=2)}\n{late}\n")
    assert "Repeating erasures: 2 are listed" in restore(dump)
    assert state_of(site, before) == state_of(site, late) == [("erased",)]
    assert state_of(site, published) == [("published",)]
    assert path.is_file()


def test_the_list_of_a_new_site_does_not_pass_for_that_of_a_backup_without_erasures(site, folder):
    Installation.objects.all().delete()
    dump = make_unproved_backup(folder)
    date(dump, datetime.now(UTC) - timedelta(days=3))
    Submission.objects.all().delete()
    for path in folder.glob("erasures-*.txt"):
        path.unlink()
    copy_list(folder)  # as its worker does every minute
    (path,) = folder.glob("erasures-*.txt")
    with pytest.raises(
        CommandError, match=rf"Another site’s list, or incomplete: {path.name}\. Put the newest"
    ):
        restore(dump)


def test_the_list_of_another_site_does_not_pass_for_that_of_a_backup_without_an_id(site, folder):
    dump, path, before = forget_lineage(folder)
    complete = path.read_text()
    path.unlink()
    other = folder / "erasures-000000000000.txt"
    other.write_text(f"# complete until {datetime.now(UTC)}\nbcdfghjkmn\n")
    with pytest.raises(
        CommandError, match=rf"back\. Another site’s list, or incomplete: {other.name}\. Put the newest"
    ):
        restore(dump)
    assert other_databases(site) == []
    path.write_text(complete)
    assert "Repeating erasures: 2 are listed" in restore(dump)
    assert state_of(site, before) == [("erased",)]


def test_the_message_names_the_list_that_is_missing(site, folder, dump):
    date(dump, datetime.now(UTC) - timedelta(days=3))
    (path,) = folder.glob("erasures-*.txt")
    path.rename(folder / "erasures-000000000000.txt")
    site.administer(f"DROP DATABASE {DATABASE} WITH (FORCE)")
    with pytest.raises(
        CommandError, match=rf"incomplete: erasures-000000000000\.txt\..*\({path.name}\) next to"
    ):
        restore(dump)


def test_a_backup_with_another_unit_key_is_refused_until_that_is_accepted(site, folder, settings):
    record_key()
    dump = make_unproved_backup(folder)
    settings.UNIT_KEY = "another key than the one that was there before"
    with pytest.raises(CommandError, match=r"isn't this database's key.*add --accept-unit-key"):
        restore(dump)
    assert other_databases(site) == []
    restore(dump, accept_unit_key=True)
    record_key()


def test_what_is_erased_during_a_restore_stays_erased(site, dump, monkeypatch):
    prepare, erased = restoring.prepare, []

    def prepare_slowly(*arguments, **options):
        prepare(*arguments, **options)
        erased.append(erased_one(site))

    monkeypatch.setattr(restoring, "prepare", prepare_slowly)
    restore(dump)
    assert state_of(site, erased[0]) == [("erased",)]
    assert list(Erasure.objects.values_list("line", flat=True)) == erased


def test_a_site_that_keeps_connecting_does_not_prevent_a_restore(site, dump):
    Firmware.objects.update(version="broken")
    is_over, seen = threading.Event(), set()

    def read():
        while not is_over.is_set():
            try:
                seen.update(site.query("SELECT DISTINCT version = 'broken' FROM results_firmware"))
            except psycopg.OperationalError:
                continue  # its session was ended, or the database is just being renamed

    reader = threading.Thread(target=read)
    reader.start()
    try:
        restore(dump)
    finally:
        is_over.set()
        reader.join()
    assert (True,) in seen
    assert site.query("SELECT DISTINCT version = 'broken' FROM results_firmware") == [(False,)]


def test_a_session_that_is_slow_to_end_does_not_prevent_a_restore(site, dump):
    """PostgreSQL waits for it for five seconds, and then refuses to rename the database."""
    Firmware.objects.update(version="broken")
    with psycopg.connect(**parameters(DATABASE)) as session:

        def delay_its_end(message):
            if message.startswith("Putting it in use"):
                os.kill(session.info.backend_pid, signal.SIGSTOP)
                threading.Timer(6, os.kill, (session.info.backend_pid, signal.SIGCONT)).start()

        restoring.restore_backup(dump, report=delay_its_end)
    assert site.query("SELECT DISTINCT version = 'broken' FROM results_firmware") == [(False,)]


def test_a_restored_site_is_read_only_as_the_one_before_not_as_its_backup(site, folder, dump):
    set_read_only("We are moving.")
    later = make_unproved_backup(folder)
    restore(dump)
    assert read_only_reason() == "We are moving."
    set_read_only("")
    restore(later)
    assert read_only_reason() == ""


def test_one_restore_runs_at_a_time(site, dump):
    with restoring.exclusive_server(DATABASE), pytest.raises(CommandError, match="Another restore of"):
        restore(dump)


def test_a_restore_is_undone_without_what_was_erased_since(site, dump):
    Firmware.objects.update(version="broken")
    with pytest.raises(CommandError, match="no restore to undo"):
        printed_by("undo_restore", yes=True)
    restore(dump)
    with pytest.raises(CommandError, match="Confirm with --yes"):
        printed_by("undo_restore")
    erased, version = erased_one(site), DataVersion.objects.get().value
    printed = printed_by("undo_restore", yes=True)
    assert f"replaced on {datetime.now(UTC):%Y-%m-%d}" in printed
    assert "in use again" in printed
    assert site.query("SELECT DISTINCT version FROM results_firmware") == [("broken",)]
    assert state_of(site, erased) == [("erased",)]
    assert DataVersion.objects.get().value > version
    printed_by("undo_restore", yes=True)
    assert site.query("SELECT count(*) FROM results_firmware WHERE version = 'broken'") == [(0,)]
    assert state_of(site, erased) == [("erased",)]


def test_a_drill_tells_whether_the_newest_backup_can_be_restored_and_changes_nothing(site, folder, dump):
    erased_one(site)
    Firmware.objects.update(version="broken")
    printed = printed_by("restore_drill", folder=folder)
    assert "rows in" in printed
    assert "Repeating erasures: 1 are listed" in printed
    assert printed.endswith(f"{dump.name} can be restored. The site's database is as it was.\n")
    assert site.query("SELECT DISTINCT version FROM results_firmware") == [("broken",)]
    assert other_databases(site) == []
    dump.write_bytes(dump.read_bytes()[:-1])
    with pytest.raises(CommandError, match="checksum differs"):
        printed_by("restore_drill", folder=folder)
    with pytest.raises(CommandError, match="There is no backup in"):
        printed_by("restore_drill", folder=folder / "none")


def rows_of(site, public_id):
    """What there is of a submission and its results, without numbers that the database draws and the ranking's."""
    columns = "state, text, text_digest, note, created_at::text, keeps_unit, owner_id, unit_digests::text"
    result = "position, latency_us::text, notes, told_conditions::text, result.public_id"
    return site.query(
        f"SELECT {columns}, {result} FROM results_submission JOIN results_result AS result"  # noqa: S608
        f" ON submission_id = results_submission.id WHERE results_submission.public_id = '{public_id}'"
        " ORDER BY position"
    )


@contextmanager
def restored_once(dump):
    """Restoring results in the block finds the backup in one scratch database."""
    with make.restored(dump) as scratch, pytest.MonkeyPatch.context() as patch:
        patch.setattr(restore_result, "restored", lambda _: nullcontext(scratch))
        yield


def test_one_result_comes_back_from_a_backup(site, folder):
    lost = Submission.objects.order_by("pk").last()
    Submission.objects.filter(pk=lost.pk).update(note="bought used", owner=make_member())
    lost.results.update(notes="with a heat sink", told_conditions={"host": "shelf"})
    before, count = rows_of(site, lost.public_id), site.query(COUNT)
    dump = make_unproved_backup(folder)
    lost.delete()
    assert rows_of(site, lost.public_id) == []
    with restored_once(dump):
        printed = printed_by("restore_result", dump, f"{lost.public_id}-2")
        assert printed == f"{lost.public_id} is back, with {format_count(len(before), 'result')}.\n"
        assert rows_of(site, lost.public_id) == before
        assert site.query(COUNT) == count
        entry = AuditEntry.objects.get(submission=lost.public_id)
        assert (entry.action, entry.reason) == ("restored", "from a backup")

        damaged = Submission.objects.get(public_id=lost.public_id)
        Submission.objects.filter(pk=damaged.pk).update(
            text="damaged", note="", state="held", keeps_unit=False
        )
        printed_by("restore_result", dump, lost.public_id)
        after = Submission.objects.get(pk=damaged.pk)
        assert (after.text, after.note, after.state) == (
            before[0][1],
            "",
            "held",
        )  # as somebody decided since


def test_a_pool_that_comes_back_is_again_that_of_another_submission(site, folder):
    owner = make_member()
    first, lost = (
        receive_submission(texts.WHOLE.replace("20.5k", f"2{number}.5k"), Sender(owner=owner)).submission
        for number in (1, 2)
    )
    say_same_pool(lost.pools.get(), first.pools.get())
    before, after = (submission.results.order_by("position").last() for submission in (first, lost))
    link_pair(before, after, change="log_device", stated={"sentence": "words"})
    dump = make_unproved_backup(folder)
    lost.delete()
    printed_by("restore_result", dump, lost.public_id)
    back = Submission.objects.get(public_id=lost.public_id)
    assert back.pools.get().same_as == first.pools.get()
    pair = ResultPair.objects.get()
    assert (pair.before.submission, pair.after.submission, pair.sentence) == (first, back, "words")


def test_reports_come_back_with_their_result_and_an_intact_one_is_left_alone(site, folder):
    reporter, lost = make_member(), Submission.objects.order_by("pk").last()
    report = Report.objects.create(
        result=lost.results.first(), reason="figures", text="odd", reporter=reporter
    )
    Report.objects.filter(pk=report.pk).update(created_at=datetime(2026, 1, 2, tzinfo=UTC))
    dump = make_unproved_backup(folder)
    count = format_count(lost.results.count(), "result")
    with restored_once(dump):
        printed = printed_by("restore_result", dump, lost.public_id)
        assert printed == f"Nothing was missing: {lost.public_id} is there, with {count}.\n"
        assert not AuditEntry.objects.filter(submission=lost.public_id).exists()

        Report.objects.all().delete()
        assert printed_by("restore_result", dump, lost.public_id).endswith(f"{count} and 1 report.\n")
        lost.delete()
        assert printed_by("restore_result", dump, lost.public_id).endswith(f"{count} and 1 report.\n")
        back = Report.objects.get()
        assert (back.result.submission.public_id, back.text, back.reporter) == (
            lost.public_id,
            "odd",
            reporter,
        )
        assert back.created_at == datetime(2026, 1, 2, tzinfo=UTC)

        Submission.objects.get(public_id=lost.public_id).results.all().delete()
        assert "is back" in printed_by("restore_result", dump, lost.public_id)


def test_what_no_backup_may_bring_back_stays_away(site, folder, dump):
    erased, again = erased_one(site), Submission.objects.order_by("pk").last()
    Submission.objects.filter(pk=again.pk).update(public_id="bcdfghjkmn")
    with restored_once(dump):
        for public_id, reason in {
            erased: "It was erased, and stays erased",
            "zzzzzzzzzz": "The backup has no submission zzzzzzzzzz",
            again.public_id: "Its text was submitted again, as bcdfghjkmn",
        }.items():
            with pytest.raises(CommandError, match=reason):
                printed_by("restore_result", dump, public_id)
    assert state_of(site, erased) == [("erased",)]


KILLED = """
import os, signal, sys
import django
django.setup()
from django.core.management import call_command
from results.operations import restore

rename = restore._rename

def rename_and_die(*arguments):
    rename(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)

restore._rename = rename_and_die
call_command("restore", sys.argv[1], yes=True)
"""
STEPS = (
    "restore.restore_into",
    "restore._check_rows",
    "prepare.call_command",  # migrate
    "prepare.erase_again",
    "prepare.grant_site_access",
    "restore.prepare",
    "restore._catch_up",
    "restore._exchange",
)


def test_a_restore_killed_after_any_step_leaves_the_old_data_or_the_new(site, dump, monkeypatch):
    """Others see after each step what would remain. Between both renamings nobody can look, so there it is killed."""
    Firmware.objects.update(version="broken")
    erased, seen = erased_one(site), []

    def look(step):
        (is_old,) = site.query("SELECT DISTINCT version = 'broken' FROM results_firmware")
        assert is_old == (step != "restore._exchange",), step
        assert state_of(site, erased) == [("erased",)], step
        seen.append(step)

    def look_after(step):
        name = f"results.operations.{step}"
        called = pkgutil.resolve_name(name)

        def call_and_look(*arguments, **options):
            returned = called(*arguments, **options)
            look(step)
            return returned

        monkeypatch.setattr(name, call_and_look)

    assert site.run_python("-c", KILLED, str(dump)) == -signal.SIGKILL
    look("restore._rename")
    assert "_restored_" in other_databases(site)[0]
    for step in STEPS:
        look_after(step)
    connection.close()  # the killed one ended its session
    restore(dump)
    assert sorted(seen) == sorted(["restore._rename", *STEPS])
    assert all("_before_" in name for name in other_databases(site))
