"""Fixtures that more than one folder of tests uses."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright
from pytest_django import Settings

from tests.chromium import launch_chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium for one module: while it runs, Django takes this thread for an asynchronous one."""
    with sync_playwright() as playwright, launch_chromium(playwright) as chromium:
        yield chromium


@pytest.fixture(autouse=True)
def plain_static_names(settings: Settings) -> None:
    """Static files under their own names: hashed ones need a collected folder, which tests/test_serve.py has."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
