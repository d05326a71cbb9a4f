"""The Celery application; tests/results/test_worker.py has a real worker."""

import gc

import pytest
from celery import signals

from slogdb import celery


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
