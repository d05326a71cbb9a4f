"""Public pages from a real standby that follows the suite's PostgreSQL by streaming replication."""

import json

import dj_database_url
import pytest
from django.db import connection, connections
from prometheus_client import REGISTRY

from results.core import public
from results.core.data_version import stored_version
from results.core.public import MARK, REPLICA, VERSION
from results.models import Submission
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.standby import running_standby

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def standby(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock():
        primary = connection.get_connection_params()
    url = f"postgresql://postgres@/{primary['dbname']}?host={primary['host']}"
    with running_standby(url) as standby:
        yield standby


@pytest.fixture
def follower(standby, settings, monkeypatch):
    """The standby as the site's replica, with all that the test has stored so far."""
    given = dj_database_url.parse(standby.url(connection.settings_dict["NAME"]))
    configured = connections.configure_settings({"default": {}, REPLICA: dict(given)})
    monkeypatch.setitem(connections.settings, REPLICA, configured[REPLICA])
    database = connections[REPLICA]  # Django's tests forbid one that they did not make
    monkeypatch.setattr(database, "ensure_connection", lambda: connect(database))
    settings.DATABASE_ROUTERS = ["results.core.public.ReplicaRouter"]
    monkeypatch.setattr(public, "replica_away_until", 0.0)
    standby.catch_up()
    yield standby
    standby.catch_up()
    connections[REPLICA].close()
    del connections[REPLICA]


def connect(database):
    if database.connection is None:
        with database.wrap_database_errors:
            database.connect()


def store(text=pastes.FIRST_PASTE):
    return receive_submission(text, Sender()).submission


def read(client, path, *, wanted=None):
    """Return the response, and the sources that were counted for it."""
    before = counts()
    response = client.get(path, **{VERSION: wanted})
    return response, [name for name, count in counts().items() if count > before[name]]


def counts():
    names = ("replica", "primary")
    return {
        name: REGISTRY.get_sample_value("slogdb_replica_reads_total", {"source": name}) or 0 for name in names
    }


def test_public_pages_and_the_api_read_only_the_replica(client, follower, django_assert_num_queries):
    result = store().results.get()
    follower.catch_up()
    for path in (
        "/",
        "/leaderboard/",
        "/leaderboard/?q=sample",
        "/survey/",
        "/about/",
        "/compare/",
        result.device.get_absolute_url(),
        f"/results/{result.public_id}/",
        "/api/v1/results/",
        "/api/v1/leaderboard/",
        "/api/v1/devices/",
        f"/api/v1/results/{result.public_id}/",
    ):
        with django_assert_num_queries(0):  # of the primary
            response, sources = read(client, path)
        assert (response.status_code, response[MARK], sources) == (200, "1", ["replica"]), path


def test_a_lagging_replica_is_not_used(client, follower):
    """What the page cache would keep under the new version's name is of the new version."""
    follower.fall_behind()
    store()
    response, sources = read(client, "/api/v1/results/", wanted=stored_version())
    assert (len(json.loads(response.content)["results"]), sources) == (1, ["primary"])
    follower.catch_up()
    response, sources = read(client, "/api/v1/results/", wanted=stored_version())
    assert (len(json.loads(response.content)["results"]), sources) == (1, ["replica"])


def test_a_lagging_replica_is_used_if_no_newer_version_is_known(client, follower):
    known = stored_version()
    follower.fall_behind()
    store()
    response, sources = read(client, "/api/v1/results/", wanted=known)
    assert (json.loads(response.content)["results"], sources) == ([], ["replica"])


def test_a_new_result_is_found_despite_a_lagging_replica(client, follower):
    known = stored_version()
    follower.fall_behind()
    result = store().results.get()
    for path in (f"/results/{result.public_id}/", f"/api/v1/results/{result.public_id}/"):
        assert read(client, path, wanted=known)[0].status_code == 200


def test_an_unavailable_replica_is_replaced_by_the_primary_and_not_retried(client, follower, monkeypatch):
    store()
    connections[REPLICA].close()
    monkeypatch.setitem(connections[REPLICA].settings_dict, "HOST", "/nonexistent")
    for _ in range(2):
        response, sources = read(client, "/leaderboard/")
        assert (response.status_code, sources) == (200, ["primary"])
    assert public.replica_away_until > 0


def test_a_replica_that_dies_within_a_page_is_replaced_by_the_primary(client, follower):
    store()
    follower.catch_up()
    executed = []

    def die_at_the_second(execute, *statement):
        executed.append(statement)
        if len(executed) == 2:  # the first is for the data version
            connections[REPLICA].connection.close()
        return execute(*statement)

    with connections[REPLICA].execute_wrapper(die_at_the_second):
        response, sources = read(client, "/leaderboard/")
    assert len(executed) == 2
    assert (response.status_code, sources) == (200, ["primary"])


def test_submissions_use_the_primary(client, follower):
    follower.fall_behind()
    sent = client.post("/api/v1/submissions/", data=pastes.FIRST_PASTE, content_type="text/plain")
    assert sent.status_code == 201
    assert Submission.objects.count() == 1
    again = client.post("/api/v1/submissions/", data=pastes.FIRST_PASTE, content_type="text/plain")
    assert again.status_code == 200
    assert client.get("/account/login/").status_code == 200
