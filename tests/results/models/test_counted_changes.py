"""Migration 0019 counts what is published already, and its way back leaves the notes as they were."""

import pytest
from django.db.models import Sum

from results.models import DeviceChange, Result
from results.models.choices import State
from tests.factories import make_device, make_result
from tests.results.models.test_fewer_bytes import migrate

pytestmark = pytest.mark.django_db(transaction=True)


def counts():
    notes = DeviceChange.objects.order_by("device__model_name").values_list("device__model_name")
    return dict(notes.annotate(Sum("published_count")))


def test_what_is_there_already_is_counted_once():
    one, other = make_device(model_name="one"), make_device(model_name="other")
    for device, state in [(one, State.PUBLISHED), (one, State.PUBLISHED), (other, State.HELD)]:
        make_result(device=device, submission__state=state)
    try:
        migrate("0018_without_result_public_id")
        Result.objects.filter(device=one).update(notes="noted as before")
    finally:
        migrate()
    assert counts() == {"one": 2, "other": 0}
    make_result(device=other)
    assert counts() == {"one": 2, "other": 1}
