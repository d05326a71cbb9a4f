"""Bytes of a result are those of the database, and those of its text are left out."""

from types import SimpleNamespace

import pytest
from django.db import connection

from bench import storage
from tests.factories import make_device, make_result


def bytes_by_row():
    connection.ensure_connection()
    data = SimpleNamespace(environment={"DATABASE_URL": connection.connection.info.dsn})
    return {row.what: row.measured for row in storage.measure(data)}


@pytest.mark.django_db(transaction=True)
def test_a_longer_text_changes_only_the_size_of_the_text():
    device = make_device()
    made = [make_result(20 + number, device=device).submission for number in range(40)]
    short = bytes_by_row()
    for number, submission in enumerate(made):
        submission.text = f"{number:04d}" * 100
        submission.save()
    long = bytes_by_row()
    assert long["text of a submission, compressed"] > short["text of a submission, compressed"]
    assert long["submission without its text"] == pytest.approx(short["submission without its text"], abs=8)


@pytest.mark.django_db(transaction=True)
def test_the_bar_covers_everything_but_the_text():
    make_result(20)
    found = bytes_by_row()
    *parts, total = list(found.values())[1:]
    assert total == pytest.approx(sum(parts))
