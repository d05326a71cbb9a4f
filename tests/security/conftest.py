"""One world with everything in it, asked without limits unless a test is about them."""

from pathlib import Path

import pytest
from pytest_django import Settings

from tests.results.conftest import fresh_redis, redis  # noqa: F401 - fixtures of these tests, too
from tests.security.world import World, make_world


@pytest.fixture
def world(db: None, settings: Settings, tmp_path: Path) -> World:
    settings.EXPORT_FOLDER = str(tmp_path)
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, (10**6, 60))
    settings.ACCOUNT_RATE_LIMITS = False
    return make_world()
