"""What a transactional test leaves for the next one."""

import pytest
from django.core.cache import cache
from django.db import connection

from results.models import AuditEntry
from tests.factories import make_moderator, make_result, rank_everything
from tests.plugins.cheap import UNCHANGED, empty_tables

pytestmark = pytest.mark.django_db


def filled_tables():
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        rows = {name: cursor.execute(f'SELECT FROM "{name}" LIMIT 1').rowcount for name in names}
    return {name for name, count in rows.items() if count}


def test_every_table_that_a_test_fills_is_emptied():
    make_result()
    rank_everything()
    make_moderator()
    AuditEntry.objects.create(action="approved", reason="fine")  # a trigger forbids its removal
    cache.set("a", "row of a table without a model")
    before = filled_tables()
    assert {"results_result", "results_device", "results_auditentry", "results_cache"} <= before

    empty_tables("default")
    assert filled_tables() == UNCHANGED
    assert make_result().device.result_count == 1
    with connection.cursor() as cursor:  # by which triggers fire again
        assert cursor.execute("SHOW session_replication_role").fetchone() == ("origin",)
