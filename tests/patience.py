"""What is asked of a page that may still be on its way. Where `expect` of Playwright has a form for it, use that."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from playwright.sync_api import Error, Page

PATIENCE_S = 60.0  # a busy machine takes its time; nobody waits for what holds already
PAUSE_S = 0.05
WIDTH = "document.documentElement.scrollWidth"
# What is drawn last: a transition's end, an element whose script has yet to come.
STILL = """
() => document.getAnimations().every((one) => one.playState !== "running")
  && ![...document.querySelectorAll(":not(:defined)")].length
"""


def becomes(read: Callable[[], Any], expected: Any) -> None:
    """Read until it is this; fails with what was read last."""
    seen = _read_until(read, lambda value: value == expected)
    assert seen == expected, f"{seen!r} is not {expected!r}"


def changes(read: Callable[[], Any], before: Any) -> None:
    """Read until it is anything but this."""
    seen = _read_until(read, lambda value: value != before)
    assert seen != before, f"still {before!r}"


def fits(page: Page, width: int) -> None:
    """Nothing is wider than a window of this width, in CSS pixels."""
    becomes(lambda: page.evaluate(WIDTH), width)


def fits_at(page: Page, widths: Sequence[int]) -> None:
    """The same at each of these widths, one after the other; the window stays at the last."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        fits(page, width)


def wait_until_still(page: Page) -> None:
    """Wait until nothing moves any more and every custom element has its script."""
    page.wait_for_load_state("load")
    page.wait_for_function(STILL)


def drawn(page: Page) -> None:
    """Wait for the frame after next: a canvas has been fitted to its place, and a change of styles begun."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))")


def _read_until(read: Callable[[], Any], is_enough: Callable[[Any], bool]) -> Any:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            seen = read()
        except Error as error:  # the page was left while it was read
            seen = error
        if is_enough(seen) or time.monotonic() > deadline:
            return seen
        time.sleep(PAUSE_S)
