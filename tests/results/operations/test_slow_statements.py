"""The command that lists what takes PostgreSQL's time, with a server of its own that has the extension."""

import psycopg
import pytest
from django.core.management.base import CommandError
from django.db import connection

from slogdb.local.stack import POSTGRES_SETTINGS, throwaway_stack
from tests.commands import printed_by
from tests.results.operations.site import connected_to


def run(**options):
    return printed_by("slow_statements", **options)


@pytest.mark.django_db
def test_without_the_extension_it_says_what_to_do():
    with pytest.raises(CommandError, match="set shared_preload_libraries = 'pg_stat_statements', restart"):
        run()


def test_statements_are_listed_by_their_total_time(django_db_blocker):
    with (
        throwaway_stack(
            shared_preload_libraries=POSTGRES_SETTINGS["shared_preload_libraries"]
        ) as environment,
        django_db_blocker.unblock(),
        connected_to(environment["DATABASE_URL"]),
    ):
        run()  # makes the extension
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.05), %s", ["ann@example.org"])
        lines = run(count=3).splitlines()
        assert lines[0].split()[:3] == ["total", "s", "calls"]
        assert len(lines) <= 4
        assert "SELECT pg_sleep($1), $2" in lines[1]
        assert "ann@example.org" not in "".join(lines)
        with psycopg.connect(environment["DATABASE_URL"]) as site:
            found = site.execute(
                "SELECT extname FROM pg_extension WHERE extname = 'pg_stat_statements'"
            ).fetchall()
        assert found == []  # a backup would have it, too
        run(reset=True)
        assert "pg_sleep" not in run()
