"""Fixtures that more than one folder of tests uses."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.chromium import launch_chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A headless Chromium for one module: while it runs, Django takes this thread for an asynchronous one."""
    with sync_playwright() as playwright, launch_chromium(playwright) as chromium:
        yield chromium
