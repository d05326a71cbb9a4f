"""The Celery application; tests/results/test_worker.py has a real worker."""

import gc

import pytest
from celery import signals
from django.db import OperationalError, connection

from results.ingest.late import is_late
from results.tasks import rank_late_devices
from slogdb import celery
from tests.concurrency import threads


@pytest.fixture
def _thawed():
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("_thawed")
def test_a_worker_process_collects_no_garbage_among_what_is_loaded():
    gc.unfreeze()
    (keep,) = [
        receiver()
        for _key, receiver in signals.worker_process_init.receivers
        if getattr(receiver(), "__module__", "") == celery.__name__
    ]
    keep()
    assert gc.get_freeze_count() > 10_000


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_broke_in_one_task_is_made_anew_for_the_next():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (session,) = cursor.fetchone()
    with threads() as start:
        start(end_session, session).result(10)
    with pytest.raises(OperationalError):
        is_late()
    assert rank_late_devices.apply().successful()
    assert not is_late()


def end_session(session):
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [session])
