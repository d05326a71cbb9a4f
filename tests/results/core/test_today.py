from datetime import UTC, datetime

import pytest
from django.conf import settings

from results.core.data_version import stored_version
from results.core.today import today
from results.tasks import begin_day


def test_the_day_is_that_of_utc(monkeypatch):
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime(2024, 2, 29, 23, 59, tzinfo=UTC))
    assert today().isoformat() == "2024-02-29"


@pytest.mark.django_db
def test_a_new_day_is_a_new_data_version():
    before = stored_version()
    begin_day()
    assert stored_version() > before


def test_each_day_begins_at_midnight():
    entry = settings.CELERY_BEAT_SCHEDULE["begin day"]
    assert (entry["task"], entry["schedule"].hour, entry["schedule"].minute) == (begin_day.name, {0}, {0})
