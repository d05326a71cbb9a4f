"""The read-only switch: what is served, what is refused and how, in each process, and for how long."""

import time
from collections import defaultdict
from importlib import reload
from wsgiref.util import setup_testing_defaults

import pytest
from django.core.management.base import CommandError
from django.db import OperationalError

from results.core.data_version import (
    RECHECK_AFTER_S,
    VersionWatch,
    agree_on_version,
    set_read_only,
    stored_version,
)
from results.core.read_only import REDIS_KEY, TRY_AGAIN_S, WritingTask, read_only_reason
from results.core.redis import key
from results.models import AuditEntry, DataVersion, Device, Submission
from results.operations.read_only import ALLOWED
from results.ranking.boards import rank_board
from results.submissions.intake.deferred import rank_dirty_devices
from results.submissions.intake.receive import Sender, receive_submission
from results.tasks import sweep
from slogdb import wsgi
from tests import pastes
from tests.addresses import every_route
from tests.commands import printed_by
from tests.factories import PASSWORD, make_verified_member
from tests.live_logs import Machine
from tests.sessions import is_signed_in

pytestmark = pytest.mark.django_db(transaction=True)
REASON = "We are moving to another server until 14:00 UTC."


@pytest.fixture
def read_only():
    set_read_only(REASON)


def run(*arguments, **options):
    return printed_by("read_only", *arguments, **options)


def test_the_command_switches_says_what_it_did_and_logs_it():
    assert run() == "The site isn't read-only.\n"
    assert run("off") == "The site wasn't read-only.\n"
    with pytest.raises(CommandError, match="Give a --reason"):
        run("on")
    with pytest.raises(CommandError, match="--reason is for on"):
        run("off", reason="done")
    assert (
        run("on", reason="moving to  another server") == "The site is read-only: moving to another server.\n"
    )
    since = DataVersion.objects.get().read_only_since
    assert run("on", reason="It takes longer!").startswith(
        "The site was read-only already. The reason is now: It takes"
    )
    assert (read_only_reason(), DataVersion.objects.get().read_only_since) == ("It takes longer!", since)
    assert run() == "The site is read-only: It takes longer!\n"
    assert "accepts submissions and changes again" in run("off")
    assert (read_only_reason(), DataVersion.objects.get().read_only_since) == ("", None)
    logged = AuditEntry.objects.order_by("pk").values_list("action", "actor_name")
    assert list(logged) == [
        (action, "the operator") for action in ("read_only_on", "read_only_on", "read_only_off")
    ]


@pytest.mark.usefixtures("read_only")
def test_every_address_refuses_what_writes_except_signing_in_and_what_stores_nothing(client):
    values = defaultdict(lambda: "1")
    taken = set()
    for route in every_route():
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            response = client.generic(method, route.path(values), b"", content_type="text/plain")
            if response.status_code == 503:
                assert response["Retry-After"] == "300"
                assert REASON in response.text, route.name
            else:
                taken.add(route.name)
    assert taken == ALLOWED


@pytest.mark.usefixtures("read_only")
def test_a_forum_that_would_sign_people_up_by_get_is_refused(client):
    assert client.get("/account/oidc/forum/login/callback/?code=1").status_code == 503


@pytest.mark.usefixtures("read_only")
def test_the_api_says_why_and_still_reads(client):
    response = client.post(
        "/api/v1/submissions/", {"text": pastes.FIRST_PASTE}, content_type="application/json"
    )
    assert (response.status_code, response["Content-Type"]) == (503, "application/problem+json")
    assert response.json() == {
        "type": "about:blank",
        "title": "Service Unavailable",
        "status": 503,
        "detail": f"The site is read-only for now: {REASON} Nothing was stored; send it again later.",
        "code": "read_only",
    }
    parsed = client.post("/api/v1/parse/", {"text": pastes.FIRST_PASTE}, content_type="application/json")
    assert parsed.status_code == 200
    for path, body in (("lookup", {"drives": [{"model": "S1"}]}), ("drives/check", {"mn": "ALDERA S1"})):
        assert client.post(f"/api/v1/{path}/", body, content_type="application/json").status_code == 200
    assert client.post("/api/v1/check/", Machine().text(), content_type="text/plain").status_code == 200
    assert client.get("/api/v1/results/").status_code == 200
    assert not Submission.objects.exists()


@pytest.mark.usefixtures("read_only")
def test_members_sign_in_and_out(client):
    member = make_verified_member(email="ann@example.org")
    client.post("/account/login/", {"login": member.email, "password": PASSWORD})
    assert is_signed_in(client)
    assert client.get("/account/results/").status_code == 200
    client.post("/account/logout/")
    assert not is_signed_in(client)


@pytest.fixture
def get():
    application = reload(wsgi).application

    def get(path):
        environ, answer = {"PATH_INFO": path, "QUERY_STRING": "", "HTTP_HOST": "127.0.0.1"}, {}
        setup_testing_defaults(environ)
        chunks = application(
            environ, lambda status, headers, *_: answer.update(status=status, **dict(headers))
        )
        return answer, b"".join(chunks).decode()

    return get


def test_cached_pages_get_the_banner_and_lose_it_again(get):
    banner = f"<strong>Read-only for now.</strong> {REASON}"
    before, page = get("/about/")
    assert get("/about/")[0]["ETag"] == before["ETag"]
    assert banner not in page
    set_read_only(REASON)
    time.sleep(RECHECK_AFTER_S)
    during, page = get("/about/")
    assert during["ETag"] != before["ETag"]
    assert banner in page
    set_read_only("")
    time.sleep(RECHECK_AFTER_S)
    after, page = get("/about/")
    assert after["ETag"] not in {before["ETag"], during["ETag"]}
    assert banner not in page


@pytest.mark.usefixtures("redis_away")
def test_a_switch_without_redis_is_read_from_the_database():
    set_read_only(REASON)
    watch = VersionWatch()
    assert watch.current() == stored_version()
    assert watch.read_only_reason == REASON


def test_the_sweep_publishes_a_switch_that_redis_lost_or_has_from_before(redis):
    set_read_only(REASON)
    for stale in ("", "Something else."):
        version = stored_version()
        redis.set(key(REDIS_KEY), stale)
        agree_on_version()
        assert redis.get(key(REDIS_KEY)).decode() == REASON
        assert stored_version() > version  # so that pages cached meanwhile are outdated
    version = stored_version()
    agree_on_version()
    assert stored_version() == version
    redis.flushall()
    watch = VersionWatch()
    assert (watch.current(), watch.read_only_reason) == (version, REASON)


def test_the_worker_leaves_results_and_places_alone_and_goes_on_afterwards(monkeypatch):
    receive_submission(pastes.FIRST_PASTE, Sender())
    Device.objects.update(dirty_since="2026-01-01T00:00Z")
    set_read_only(REASON)
    sent = []
    monkeypatch.setattr(WritingTask, "apply_async", lambda _, *args, **options: sent.append((args, options)))
    monkeypatch.setattr("results.tasks.enqueue_dirty", lambda: sent.append("devices"))
    sweep()
    assert sent == []
    rank_dirty_devices.apply()  # as a worker runs what was queued before
    assert sent == [(((), {}), {"countdown": TRY_AGAIN_S})]
    assert Device.objects.dirty().exists()
    set_read_only("")
    sent.clear()
    sweep()
    assert "devices" in sent
    rank_dirty_devices.apply()
    assert not Device.objects.dirty().exists()
    assert isinstance(rank_board, WritingTask)


def test_such_a_task_is_still_tried_again_if_the_database_fails(monkeypatch):
    attempts = []

    def fail():
        attempts.append(1)
        raise OperationalError

    monkeypatch.setattr("results.submissions.intake.deferred.dirty_steps", fail)
    assert rank_dirty_devices.apply().state == "FAILURE"
    assert len(attempts) == 1 + rank_dirty_devices.max_retries
