"""What was erased is nowhere any more: in no table, not in Redis, in no finished page, no file and no log."""

import logging
import time
from io import BytesIO
from pathlib import Path

import orjson
import pytest
from django.conf import settings as site_settings
from django.db import connection
from django.test import Client

from results.core.data_version import RECHECK_AFTER_S, VersionWatch
from results.exports.build import build_exports
from results.models import AuditEntry, Result, Submission
from slogdb.page_cache import PageCache
from slogdb.wsgi import django_application
from tests import pastes
from tests.factories import make_member, rank_everything
from tests.results.api.holders import bearer
from tests.slogdb.cached_site import KEYS

pytestmark = pytest.mark.django_db(transaction=True)
MODEL = "QUXPLORER QX9000"
CURVE = tuple(7.3 + 0.7 * slot for slot in range(15))
TEXT = pastes.diskinfo(CURVE, description=f"ATA {MODEL}", ident="QZ7JERBOA55") + pastes.smartctl(
    model=MODEL, serial="QZ7JERBOA55", firmware="QFW77"
)
FIGURE = "7.3 usec/IO"
WORD = "wombat"
NOTE = "a quokka sits on it"


@pytest.fixture
def cached():
    """The site behind its page cache, as a web server has it."""
    served = {"build": "test", "is_accepted": lambda _: True, "carries_key": lambda _: False, **KEYS}
    return PageCache(django_application, VersionWatch(), **served)


def page(cached, url):
    path, _, query = url.partition("?")
    environ = {
        "REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": query, "SERVER_NAME": "testserver",
        "SERVER_PORT": "80", "HTTP_HOST": "127.0.0.1", "wsgi.url_scheme": "http", "wsgi.input": BytesIO(),
        "REMOTE_ADDR": "127.0.0.1",
    }  # fmt: skip
    return b"".join(cached(environ, lambda *_: None)).decode()


def everything_in_tables():
    """Each row of each table, as the database writes it out."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT t::text FROM "{table}" t')  # noqa: S608 - names of our own tables
            for (row,) in cursor.fetchall():
                yield f"{table}: {row}"


def everything_in_files(*folders):
    for folder in folders:
        for path in Path(folder).rglob("*"):
            if path.is_file():
                yield f"{path.name}: {path.read_bytes().decode('latin-1')}"


def everything_in_redis(redis):
    for name in redis.scan_iter("*"):
        # what counts a network's requests has the network in its name, and is gone within the hour
        key = b"a limit" if b":limit:" in name else name
        try:
            yield f"{key!r}: {redis.dump(name)!r}"
        except redis.exceptions.ResponseError:  # pragma: no cover - it went meanwhile
            continue


def traces(redis, wanted, *folders):
    rows = [*everything_in_tables(), *everything_in_files(*folders), *everything_in_redis(redis)]
    return sorted({f"{trace} in {row.partition(':')[0]}" for row in rows for trace in wanted if trace in row})


def send(client, key):
    """A result with all that can be said of it, sent once and remembered; its public id."""
    body = {
        "text": TEXT,
        "forum_handle": "jerboa_keeper",
        "source_url": "https://qux.example/7",
        "note": NOTE,
    }
    kind = "application/json"
    again = {"HTTP_IDEMPOTENCY_KEY": "once", **key}
    public_id = client.post("/api/v1/submissions/", orjson.dumps(body), kind, **again).json()["id"]
    address = f"/api/v1/results/{public_id}/"
    client.patch(address, orjson.dumps({"notes": f"behind the {WORD} expander"}), kind, **key)
    client.post(f"{address}reports/", orjson.dumps({"reason": "other", "text": f"no {WORD}"}), kind)
    rank_everything()
    build_exports()
    return public_id


def test_erased_data_is_nowhere(settings, tmp_path, redis, cached, caplog):
    caplog.set_level(logging.DEBUG)
    logging.getLogger("results").debug("from here on")
    settings.EXPORT_FOLDER, settings.EMAIL_FILE_PATH = str(tmp_path / "exports"), str(tmp_path / "mail")
    owner, client = make_member(), Client()
    key = bearer(owner)
    public_id = send(client, key)
    client.force_login(owner)
    assert client.get(f"/account/results/{public_id}/").status_code == 200
    submission, result = Submission.objects.get(), Result.objects.get()
    digests = [
        *submission.unit_digests.values(),
        submission.text_digest,
        result.unit,
        submission.sender_digest,
    ]
    wanted = [
        WORD,
        NOTE,
        "QZ7JERBOA55",
        "jerboa_keeper",
        "qux.example",
        FIGURE,
        "7.3,8",
        *filter(None, digests),
    ]
    paths = [f"/results/{public_id}/", "/feeds/results.atom", f"/api/v1/results/{public_id}/", "/"]
    paths += [f"/api/v1/{name}/?changed_after=2000-01-01T00:00:00Z" for name in ("results", "devices")]
    before = {path: page(cached, path) for path in paths}
    assert FIGURE in before[paths[0]]
    found = traces(redis, wanted, tmp_path)
    seen = {trace.partition(" in ")[0] for trace in found}
    assert seen >= {WORD, NOTE, "jerboa_keeper", FIGURE, submission.text_digest}
    assert "QZ7JERBOA55" not in seen  # it was masked before anything was kept

    assert client.delete(f"/api/v1/submissions/{public_id}/", **key).status_code == 204
    rank_everything()
    build_exports()
    assert traces(redis, wanted, tmp_path, site_settings.EMAIL_FILE_PATH) == []
    assert "from here on" in caplog.text
    assert [trace for trace in wanted if trace in caplog.text] == []
    time.sleep(RECHECK_AFTER_S + 0.05)
    for path in paths:
        after = page(cached, path)
        assert [trace for trace in (*wanted, MODEL, "quxplorer") if trace in after] == [], path
    assert AuditEntry.objects.get(action="erased").reason == "Erased by its owner."
