"""What the migration to columns does with devices that were to be ranked and texts that were being read."""

import pytest
from django.db import connection

from results.imports.batches import read_batch
from results.models import Device
from results.models.choices import State
from tests.factories import make_device, make_submission
from tests.results.models.test_fewer_bytes import migrate

pytestmark = pytest.mark.django_db(transaction=True)
LATE = "INSERT INTO results_latedevice (device_id, since) VALUES (%s, '2026-01-02 03:04:05Z')"
TAKEN = "INSERT INTO results_takenbatch (submission_ids, taken_at) VALUES (ARRAY[%s], now())"


def test_devices_stay_to_be_ranked_and_texts_are_free():
    clean, dirty = make_device(), make_device()
    submission = make_submission(state=State.WAITING, read_attempts=1)
    try:
        migrate("0029_device_result_count")
        with connection.cursor() as cursor:
            cursor.execute(LATE, [dirty.pk])
            cursor.execute(TAKEN, [submission.pk])
    finally:
        migrate()
    found = dict(Device.objects.values_list("pk", "dirty_since"))
    assert found[clean.pk] is None
    assert found[dirty.pk].isoformat() == "2026-01-02T03:04:05+00:00"
    assert read_batch() == 1
    submission.refresh_from_db()
    assert (submission.state, submission.read_attempts) == (State.REJECTED, 1)


def test_devices_stay_to_be_ranked_on_the_way_back():
    make_device()
    dirty = make_device(dirty_since="2026-01-02T03:04:05Z")
    try:
        migrate("0029_device_result_count")
        with connection.cursor() as cursor:
            cursor.execute("SELECT device_id FROM results_latedevice")
            assert cursor.fetchall() == [(dirty.pk,)]
    finally:
        migrate()
    assert Device.objects.dirty().get() == dirty
