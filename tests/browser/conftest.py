"""The running site in Chromium: with scripts, without them, and under axe's eyes."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import Browser, ConsoleMessage, Page, Response
from pytest_django.live_server_helper import LiveServer

from tests.chromium import chromium
from tests.patience import PATIENCE_S, drawn, wait_until_still

REFUSED_FROM = 400
# The themes differ in their colors alone.
RULES_BY_THEME = {"light": [], "dark": ["color-contrast", "link-in-text-block"]}
AXE = "([part, options]) => axe.run(part, options)"


@pytest.fixture(scope="package", autouse=True)
def queries_beside_playwright() -> Iterator[None]:
    """Playwright's event loop runs in this thread, which Django would take for a query in asynchronous code."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    yield
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One for all modules of this folder that a process runs in a row."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """An empty tab that knows the site's address; an error in a script, or a part that is missing, fails the test."""
    context = browser.new_context(base_url=live_server.url, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_S * 1000)
    page = context.new_page()
    faults = _watch(page)
    yield page
    context.close()
    assert faults == []


@pytest.fixture
def page_without_scripts(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """The same in a browser that runs no JavaScript."""
    context = browser.new_context(
        base_url=live_server.url, java_script_enabled=False, reduced_motion="reduce"
    )
    context.set_default_timeout(PATIENCE_S * 1000)
    yield context.new_page()
    context.close()


@pytest.fixture
def assert_accessible() -> Callable[..., None]:
    """Fails with axe's report when it objects to anything in this part of the page, in either theme."""

    def check(page: Page, part: str = "main") -> None:
        for theme, rules in RULES_BY_THEME.items():
            page.emulate_media(color_scheme=theme)
            drawn(page)  # until then transitions of colors haven't begun
            wait_until_still(page)
            if not page.evaluate("'axe' in window"):
                page.evaluate(AXE_SCRIPT)
            # Preloading fetches what style sheets import by addresses relative to the page, and finds nothing there.
            options: dict[str, Any] = {"preload": False, "resultTypes": ["violations"]}
            if rules:
                options["runOnly"] = {"type": "rule", "values": rules}
            results = AxeResults(page.evaluate(AXE, [part, options]))
            assert results.violations_count == 0, f"{theme}: {results.generate_report()}"

    return check


def _watch(page: Page) -> list[str]:
    """What goes wrong on the page while it is used; that a document itself is refused can be meant."""
    faults: list[str] = []

    def note_message(message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            faults.append(message.text)

    def note_response(response: Response) -> None:
        if response.status >= REFUSED_FROM and response.request.resource_type != "document":
            faults.append(f"{response.status} {response.url}")

    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", note_message)
    page.on("response", note_response)
    return faults
