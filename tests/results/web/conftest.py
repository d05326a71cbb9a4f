"""Devices and people that several pages are tried with."""

import pytest
from django.test import Client

from results.models import Member
from tests.factories import make_moderator, make_result, rank_everything


@pytest.fixture
def three_devices(db: None) -> None:
    """One fast, and two of another class, ranked."""
    make_result(20, device__model_name="Sample fast", device__device_class="optane")
    make_result(90, device__model_name="Sample slow", device__device_class="hdd")
    make_result(50, device__model_name="Another", device__device_class="hdd")
    rank_everything()


@pytest.fixture
def moderator(db: None, client: Client) -> Member:
    """Signed in with `client`."""
    member = make_moderator()
    client.force_login(member)
    return member
