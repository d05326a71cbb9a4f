import json
from datetime import UTC, datetime, timedelta

import pytest
from celery import signals
from django.core.mail import send_mail
from django.db import connection

from results.core.data_version import set_read_only
from results.core.mail import FAILED_KEY
from results.core.queue import SCHEDULER_SEEN_KEY, SEEN_LIFETIME_S, WORKER_ALIVE_KEY, WORKER_SEEN_KEY
from results.core.redis import RedisLink, key
from results.models import ClassRanking, Submission
from results.operations import site_state
from results.operations.backup import tell_the_site
from tests.factories import make_device
from tests.plugins.site import free_port
from tests.results.conftest import read_only_connection
from tests.results.operations.site import metric, operator_rows

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_empty_site_has_nothing_to_do(settings, tmp_path):
    settings.EXPORT_FOLDER = settings.BACKUP_FOLDER = str(tmp_path)
    assert site_state.stored() == site_state.Stored(0, 0, 0, None, None, 1, "")
    assert site_state.export_age_s() is None
    assert site_state.backup_age_s() is None


def test_a_read_only_database_is_detected():
    with read_only_connection():
        assert site_state.stored().is_read_only is True
    assert site_state.stored().is_read_only is False


def test_what_is_to_be_reviewed_and_ranked_is_counted():
    Submission.objects.create(text_digest="1", state="held")
    ClassRanking.objects.create(
        device_class="nvme",
        method="diskinfo",
        changes=3,
        ranked_changes=2,
        ranked_at=datetime.now(UTC) - timedelta(minutes=2),
    )
    for seconds in (7, 700):
        make_device(dirty_since=datetime.now(UTC) - timedelta(seconds=seconds))
    found = site_state.stored()
    assert (found.to_review_count, found.unranked_boards, found.late_devices) == (1, 1, 2)
    assert found.late_age_s == pytest.approx(700, abs=30)
    assert found.rank_age_s == pytest.approx(120, abs=30)


def test_the_queue_has_its_depth_and_whether_a_worker_was_seen(redis):
    redis.rpush(key("celery"), "first", "second")
    assert site_state.queue() == site_state.Queue(2, is_worker_seen=False, is_scheduler_seen=False)
    redis.set(key(WORKER_SEEN_KEY), 1)
    redis.set(key(SCHEDULER_SEEN_KEY), 1)
    assert site_state.queue() == site_state.Queue(2, is_worker_seen=True, is_scheduler_seen=True)


def test_a_dead_scheduler_is_told_from_a_dead_worker(redis):
    """Without a scheduler, a worker has no sweeps to run; with one, it is stuck if it runs none."""
    redis.set(key(WORKER_ALIVE_KEY), 1)
    assert site_state.queue() == site_state.Queue(0, is_worker_seen=True, is_scheduler_seen=False)
    redis.set(key(SCHEDULER_SEEN_KEY), 1)
    assert site_state.queue() == site_state.Queue(0, is_worker_seen=False, is_scheduler_seen=True)


def test_only_a_sweep_that_is_sent_shows_the_scheduler_and_a_heartbeat_the_worker(redis):
    for signal, sender, name in (
        (signals.before_task_publish, "results.tasks.sweep", SCHEDULER_SEEN_KEY),
        (signals.heartbeat_sent, None, WORKER_ALIVE_KEY),
    ):
        signals.before_task_publish.send(sender="results.tasks.begin_day")
        assert not redis.exists(key(name))
        signal.send(sender=sender)
        assert 0 < redis.ttl(key(name)) <= SEEN_LIFETIME_S


def test_the_queue_is_unknown_without_redis(monkeypatch):
    monkeypatch.setattr(site_state, "link", RedisLink("unix:///nonexistent/valkey.sock"))
    assert site_state.queue() is None


def test_the_age_of_a_backup_is_read_from_its_manifest(settings, tmp_path):
    settings.BACKUP_FOLDER = str(tmp_path)
    latest = tmp_path / site_state.LATEST_BACKUP
    latest.write_text("not JSON")
    assert site_state.backup_age_s() is None
    latest.write_text(json.dumps({"finished_at": (datetime.now(UTC) - timedelta(hours=2)).isoformat()}))
    assert site_state.backup_age_s() == pytest.approx(7200, abs=30)


def test_web_processes_know_of_a_backup_that_they_cannot_read(settings, tmp_path):
    settings.BACKUP_FOLDER = "/nonexistent"
    settings.BACKUP_STATUS = str(tmp_path / "status.json")
    assert site_state.backup_age_s() is None
    latest = tmp_path / site_state.LATEST_BACKUP
    latest.write_text(json.dumps({"finished_at": datetime.now(UTC).isoformat()}))
    tell_the_site(latest)
    assert site_state.backup_age_s() == pytest.approx(0, abs=30)


def test_the_disk_of_a_missing_folder_is_that_of_its_parent(tmp_path):
    assert site_state.free_bytes(str(tmp_path / "a" / "b")) == pytest.approx(
        site_state.free_bytes(str(tmp_path)), rel=0.1
    )


def test_a_certificate_that_cannot_be_read_is_unknown(settings):
    """The proxy's own is read in tests/deploy."""
    for address in (None, ("127.0.0.1", free_port())):
        settings.CERTIFICATE_FROM = address
        assert site_state.certificate_left_s() is None


@pytest.fixture
def left(request):
    """Databases named as restores name those that they replace, and one of somebody else's."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        site = cursor.fetchone()[0]
        names = [f"{site}_before_{moment:%Y%m%d%H%M%S%f}" for moment in request.param] + [
            f"{site}_before_lunch"
        ]
        for name in names:
            cursor.execute(f"CREATE DATABASE {name}")
        try:
            yield
        finally:
            for name in names:
                cursor.execute(f"DROP DATABASE {name}")


DAYS = [datetime.now(UTC) - timedelta(days=days, hours=1) for days in (15, 2)]


@pytest.mark.parametrize("left", [DAYS], indirect=True)
@pytest.mark.usefixtures("left")
def test_databases_left_by_restores_are_counted_with_the_age_of_the_oldest(client):
    found = site_state.left_databases()
    assert found.count == 2
    assert 15 < found.oldest_s / 86_400 < 15.1
    assert operator_rows(client)["Databases left by restores"] == (
        "2, the oldest replaced 15 days ago; drop them within 14 days"
    )
    assert metric(client, "slogdb_left_database_age_seconds") > 14 * 86_400


def test_no_database_is_left_without_a_restore(client):
    assert site_state.left_databases() == site_state.Left(0, None)
    assert operator_rows(client)["Databases left by restores"] == "none"


@pytest.fixture
def unreachable_server(settings):
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    settings.EMAIL_BACKEND = "results.core.mail.EmailBackend"


@pytest.mark.usefixtures("unreachable_server")
def test_mail_that_cannot_be_sent_is_counted_for_an_hour(client, redis):
    assert operator_rows(client)["Mail"] == "no failure within the last hour"
    for _ in range(2):
        with pytest.raises(OSError):  # noqa: PT011 - any of the network's
            send_mail("Your code", "ABCDEF", None, ["ann@example.org"])
    assert operator_rows(client)["Mail"] == "2 failed within the last hour"
    assert metric(client, "slogdb_mail_failures") == 2
    assert 3000 < redis.ttl(key(FAILED_KEY)) <= 3600


@pytest.mark.usefixtures("unreachable_server", "redis_away")
def test_mail_fails_as_usual_without_redis(client):
    with pytest.raises(OSError):  # noqa: PT011 - any of the network's
        send_mail("Your code", "ABCDEF", None, ["ann@example.org"])
    assert operator_rows(client)["Mail"] == "not known"


def test_mail_without_a_server_is_said_not_to_be_sent(client, settings):
    settings.EMAIL_HOST = ""
    assert operator_rows(client)["Mail"].startswith("not sent, since SLOGDB_SMTP_HOST isn't set: written to ")


def test_the_switch_is_shown_and_told(client):
    assert operator_rows(client)["Read-only switch"] == "off"
    set_read_only("We are moving.")
    assert operator_rows(client)["Read-only switch"] == "We are moving."
    assert metric(client, "slogdb_read_only") == 1
