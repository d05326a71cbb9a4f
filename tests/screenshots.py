"""Pictures of every page of a running site: bin/screenshots URL FOLDER."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.chromium import launch_chromium

Theme = Literal["light", "dark"]
WIDTHS = (360, 768, 1440)
HEIGHT = 900
THEMES: tuple[Theme, ...] = ("light", "dark")
PAGES = {
    "home": "/",
    "leaderboard": "/leaderboard/",
    "leaderboard-class": "/leaderboard/?class=nvme",
    "leaderboard-empty": "/leaderboard/?q=no-such-device",
    "survey": "/survey/",
    "submit": "/submit/",
    "about": "/about/",
    "api": "/api/v1/docs/",
    "not-found": "/no-such-page/",
}
PASTE = """\
root@nas:~ # diskinfo -wS /dev/nvd0
/dev/nvd0
    512             # sectorsize
    280065171456    # mediasize in bytes (261G)
    547002288       # mediasize in sectors
    INTEL SSDPED1D280GA    # Disk descr.
    PHM0000000001       # Disk ident.

Synchronous random writes:
     0.5 kbytes:     14.6 usec/IO =     33.5 Mbytes/s
       1 kbytes:     14.7 usec/IO =     66.6 Mbytes/s
       2 kbytes:     15.1 usec/IO =    129.6 Mbytes/s
       4 kbytes:     12.3 usec/IO =    316.4 Mbytes/s
       8 kbytes:     15.0 usec/IO =    520.2 Mbytes/s
      16 kbytes:     20.4 usec/IO =    766.3 Mbytes/s
      32 kbytes:     29.5 usec/IO =   1058.0 Mbytes/s
      64 kbytes:     46.8 usec/IO =   1335.7 Mbytes/s
     128 kbytes:     83.0 usec/IO =   1506.4 Mbytes/s
     256 kbytes:    144.4 usec/IO =   1731.3 Mbytes/s
     512 kbytes:    260.0 usec/IO =   1922.9 Mbytes/s
    1024 kbytes:    491.4 usec/IO =   2034.9 Mbytes/s
    2048 kbytes:    950.6 usec/IO =   2103.9 Mbytes/s
    4096 kbytes:   1878.5 usec/IO =   2129.4 Mbytes/s
    8192 kbytes:   3742.9 usec/IO =   2137.4 Mbytes/s
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="bin/screenshots", description=__doc__)
    parser.add_argument("url", help="of a running site, such as http://127.0.0.1:8000")
    parser.add_argument("folder", type=Path, help="where the pictures go")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, launch_chromium(playwright) as browser:
        for theme in THEMES:
            for width in WIDTHS:
                for name, page in _pages(browser, options.url.rstrip("/"), width=width, theme=theme):
                    _grow(page, width)
                    page.screenshot(path=options.folder / f"{name}-{width}-{theme}.png")


def _grow(page: Page, width: int) -> None:
    """Make the window as high as the page, so that what sticks to its edges does not cover the middle."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": height})


def _pages(browser: Browser, url: str, *, width: int, theme: Theme) -> Iterator[tuple[str, Page]]:
    """One page after another, open and ready; nothing is published."""
    size = ViewportSize(width=width, height=HEIGHT)
    with browser.new_context(base_url=url, viewport=size, color_scheme=theme) as context:
        page = context.new_page()
        for name, path in PAGES.items():
            page.goto(path, wait_until="networkidle")
            yield name, page
        page.goto("/leaderboard/")
        for name, link in (
            ("device", ".board .device a"),
            ("result", "[aria-labelledby=results] tbody th a"),
        ):
            if page.locator(link).count() == 0:
                return  # an empty site has no such page
            page.locator(link).first.click()
            yield name, page
        page.goto("/submit/")
        page.locator("#id_text").fill(PASTE)
        page.locator("button[value=preview]").click()
        yield "preview", page


if __name__ == "__main__":
    main()
