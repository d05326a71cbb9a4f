"""Redis as each test finds it, empty or away; devices and people that several pages are tried with."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import connection
from django.test import Client
from pytest_django import DjangoDbBlocker
from redis import Redis

from results.core.redis import RedisLink, key, link
from results.models import Member
from tests.factories import make_moderator, make_result, rank_everything
from tests.migrated import shipped_template
from tests.results.operations.site import Site, connected_to
from tests.sessions import sign_in_with

NOWHERE = "unix:///nonexistent/valkey.sock"


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    """A client apart from the site's."""
    with Redis.from_url(settings.REDIS_URL) as client:
        yield client


@pytest.fixture(autouse=True)
def fresh_redis(monkeypatch, redis) -> Iterator[None]:
    """No key of another test, and no earlier failure that keeps the link from calling."""
    monkeypatch.setattr(link, "open_until", 0.0)
    forget_keys(redis)  # tests of other folders leave theirs
    yield
    forget_keys(redis)


@pytest.fixture
def redis_away(fresh_redis, monkeypatch) -> None:
    """Nobody listens where Redis should be."""
    for name, value in vars(RedisLink(NOWHERE)).items():
        monkeypatch.setattr(link, name, value)  # many modules have imported it


def forget_keys(redis: Redis) -> None:
    names = list(redis.scan_iter(f"{key('')}*", count=1000))
    if names:
        redis.delete(*names)


@pytest.fixture(scope="module")
def shipped(django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory) -> Iterator[None]:
    """A database of this module's own with the catalogue and the published results that ship, ranked."""
    site = Site(
        tmp_path_factory.mktemp("shipped"), name=f"shipped_{os.getpid()}", template=shipped_template()
    )
    with django_db_blocker.unblock(), connected_to(site.address):
        yield
    site.end()


@contextmanager
def read_only_connection() -> Iterator[None]:
    """The database as one that follows another is after a failover; tests/standby.py has a real one."""
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
        try:
            yield
        finally:
            cursor.execute("SET default_transaction_read_only = off")


@pytest.fixture
def slog_example(settings: Any) -> None:
    settings.SITE_URL = "https://slog.example"


@pytest.fixture
def three_devices(db: None) -> None:
    """One fast, and two of another class, ranked."""
    make_result(20, device__model_name="Sample fast", device__device_class="optane")
    make_result(90, device__model_name="Sample slow", device__device_class="hdd")
    make_result(50, device__model_name="Another", device__device_class="hdd")
    rank_everything()


@pytest.fixture
def moderator(db: None, client: Client) -> Member:
    """Signed in with `client`, and with the second factor."""
    member = make_moderator()
    sign_in_with(client, member, "mfa")
    return member


@pytest.fixture
def admin_user(admin_user: Member) -> Member:
    Authenticator.objects.create(user=admin_user, type=Authenticator.Type.TOTP, data={})
    return admin_user


@pytest.fixture
def admin_client(admin_user: Member) -> Client:
    """Signed in with the second factor."""
    client = Client()
    sign_in_with(client, admin_user, "mfa")
    return client
