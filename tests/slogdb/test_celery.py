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
def test_a_worker_collects_no_garbage_among_its_modules():
    gc.unfreeze()
    (keep,) = [
        receiver()
        for _key, receiver in signals.worker_init.receivers
        if getattr(receiver(), "__module__", "") == celery.__name__
    ]
    keep()
    assert gc.get_freeze_count() > 10_000
