"""Going through a page as somebody without a pointer does."""

import pytest
from playwright.sync_api import Page

MAX_STEPS = 150
# A field is called what stands in its label, anything else what it says itself.
NAME_OF_FOCUS = """
(() => {
  let one = document.activeElement;
  while (one.shadowRoot) one = one.shadowRoot.activeElement;
  const label = one.labels?.[0];
  return one.ariaLabel || (label ? label.firstChild.textContent : one.textContent);
})()
"""
# of the tray at the bottom of the window
FOCUS_IS_CLEAR = """
() => document.activeElement.getBoundingClientRect().bottom
  <= document.querySelector("compare-tray").getBoundingClientRect().top
"""


def name_of_focus(page: Page) -> str:
    """What has the focus is called this."""
    return " ".join(page.evaluate(NAME_OF_FOCUS).split())


def tab_to(page: Page, name: str) -> None:
    """Press Tab, from where the focus is, until what has this name has it."""
    for _ in range(MAX_STEPS):
        page.keyboard.press("Tab")
        if name_of_focus(page) == name:
            return
    pytest.fail(f"{name} is not reached")


def enter(page: Page, name: str) -> None:
    """Go on to this and press Enter."""
    tab_to(page, name)
    page.keyboard.press("Enter")
