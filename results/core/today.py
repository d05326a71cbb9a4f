"""The day that ages are counted to: results.tasks.begin_day renews cached pages when it changes."""

from datetime import date

from django.utils import timezone


def today() -> date:
    """The day in UTC, which pages pass to code that computes ages."""
    return utc_day()


def utc_day() -> date:
    """Replaced by the fixture `today` of tests."""
    return timezone.now().date()
