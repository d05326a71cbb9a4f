"""Pages for the scripts alone: a document written by the test, files from the checkout, no server, no Django."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.chromium import chromium
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
ORIGIN = "http://scripts.test"
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
# The site's own policy: a script that needs more than this does not work there.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'"
)

Body = str | Callable[[str], str]  # or what a query string gets


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One for all modules of this folder that a process runs in a row."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[[Body], Page]]:
    """Opens a page with this body; scripts and styles are named in it. An error in a script fails the test."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_S * 1000)
    errors: list[str] = []

    def open_body(body: Body) -> Page:
        def answer(route: Route) -> None:
            _, _, path, query, _ = urlsplit(route.request.url)
            if path == "/":
                shown = body if isinstance(body, str) else body(query)
                document = f"<!doctype html><html lang=en><meta charset=utf-8><title>t</title><body>{shown}"
                headers = {"Content-Security-Policy": POLICY}
                route.fulfill(body=document, content_type="text/html", headers=headers)
            else:
                file = ROOT / path.lstrip("/")
                route.fulfill(body=file.read_bytes(), content_type=TYPES[file.suffix])

        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.route("**/*", answer)
        page.goto(f"{ORIGIN}/")
        return page

    yield open_body
    context.close()
    assert errors == []


@pytest.fixture
def call(open_page: Callable[[Body], Page], request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Calls a function that the test's MODULE exports, with JSON arguments."""
    page = open_page("")

    def call_function(name: str, *arguments: Any) -> Any:
        script = "async ([module, name, args]) => (await import(module))[name](...args)"
        return page.evaluate(script, [request.module.MODULE, name, list(arguments)])

    return call_function
