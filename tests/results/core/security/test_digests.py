"""Tests of results.core.security.digests: networks are recognized within a day, and never beyond it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from results.core.security.digests import delete_old_keys, digest_sender, network_address
from results.models import DayKey

pytestmark = pytest.mark.django_db


def test_one_network_has_one_digest_a_day() -> None:
    assert digest_sender("192.0.2.1") == digest_sender("192.0.2.200") != digest_sender("198.51.100.1")
    assert digest_sender("") == ""


def test_an_address_is_reduced_to_its_network() -> None:
    networks = {
        "192.0.2.77": "192.0.2.0",
        "::ffff:192.0.2.77": "192.0.2.0",
        "2001:db8:1:2::3": "2001:db8:1::",
        "": "",
    }
    assert {address: network_address(address) for address in networks} == networks


def test_a_network_is_not_recognized_on_another_day() -> None:
    first = digest_sender("192.0.2.1")
    DayKey.objects.update(day=timezone.now().date() - timedelta(days=1))
    assert digest_sender("192.0.2.1") != first
    assert DayKey.objects.count() == 1  # yesterday's is gone


def test_the_key_of_a_past_day_is_deleted_without_a_new_submission() -> None:
    digest_sender("192.0.2.1")
    DayKey.objects.update(day=timezone.now().date() - timedelta(days=1))
    delete_old_keys()
    assert not DayKey.objects.exists()
