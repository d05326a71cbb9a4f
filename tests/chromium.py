"""The Chromium that tests and screenshots run in."""

import os
import shutil

from playwright.sync_api import Browser, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def launch_chromium(playwright: Playwright) -> Browser:
    """A headless Chromium: the machine's own, else the one that `playwright install chromium` brought."""
    own = next(filter(None, map(shutil.which, NAMES)), None)
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium has no sandbox for root
    return playwright.chromium.launch(executable_path=own, args=flags)
