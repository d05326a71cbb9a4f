"""Pictures of every page of a running site: bin/screenshots URL FOLDER [--chosen] [--publish]."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize

from tests.chromium import chromium

Theme = Literal["light", "dark"]
WIDTHS = (360, 768, 1440)
HEIGHT = 900
COLORS = 256  # of a palette: a third of the bytes, and no difference to be seen
THEMES: tuple[Theme, ...] = ("light", "dark")
PAGES = {
    "home": "/",
    "leaderboard": "/leaderboard/",
    "leaderboard-table": "/leaderboard/?view=table",
    "leaderboard-class": "/leaderboard/?class=nvme&plp=protected",
    "leaderboard-empty": "/leaderboard/?q=no-such-device",
    "leaderboard-refused": "/leaderboard/?class=floppy",
    "products": "/products/",
    "shortlist": "/shortlist/?link_gbit=10&budget=300",
    "results": "/results/",
    "check": "/check/",
    "used-drive": "/used-drive/",
    "used-drive-answer": "/used-drive/?model=P3700+400GB&wear=12+%25+used&price=160&gb_per_day=500",
    "compare-results": "/compare/results/",
    "search": "/search/?q=red",
    "products-priced": "/products/?plp=protected&price=200",
    "compare-start": "/compare/",
    "survey": "/survey/",
    "sustained": "/sustained/",
    "compare-grids": "/compare/grids/",
    "compare-sets": "/compare/sets/",
    "compare-set": "/compare/sets/sdc-2018/",
    "traits": "/traits/",
    "traits-paper": "/traits/?products=ocz-vertex2-pro-ex,ddrdrive-x1",
    "guide-patterns": "/guide/access-patterns/",
    "workload": "/workload/?mix=4k%3A5%2C8k%3A3%2C128k%3A1",
    "submit": "/submit/",
    "commands": "/submit/commands/?system=freebsd&disk=nvd0",
    "guide": "/guide/",
    "guide-slog": "/guide/what-is-a-slog/",
    "guide-need": "/guide/do-i-need-one/?sync=yes&without=slow",
    "guide-good": "/guide/what-makes-a-good-one/",
    "guide-safety": "/guide/safety/",
    "guide-size": "/guide/how-big/?link=10&seconds=5",
    "guide-life": "/guide/how-long-does-it-last/?written=200&dwpd=1&capacity=480&years=5",
    "guide-test": "/guide/how-the-test-works/",
    "about": "/about/",
    "exports": "/exports/",
    "api": "/api/v1/docs/",
    "sign-in": "/account/login/",
    "sign-up": "/account/signup/",
    "password": "/account/password/reset/",
    "not-found": "/no-such-page/",
}
# Pages whose addresses the data give: where to begin, and the links to follow from there.
WAYS = {
    "device": ("/leaderboard/?plp=protected", [".drive h3 a"]),
    "result": ("/leaderboard/?plp=protected", [".drive h3 a", "[aria-labelledby=results] tbody th a"]),
    "report": (
        "/leaderboard/?plp=protected",
        [".drive h3 a", "[aria-labelledby=results] tbody th a", "a[href$='/report/']"],
    ),
    "pool": ("/search/?q=pool+with+a+slog", ["[aria-labelledby=pools] tbody a"]),
    "product": ("/leaderboard/?plp=protected", [".drive h3 a", ".crumbs a:last-child"]),
    "drive": ("/leaderboard/?plp=protected", [".drive h3 a"]),
    "part": ("/leaderboard/?plp=protected", [".drive h3 a"]),
    "compare": (
        "/leaderboard/?plp=protected",
        [".drive h3 a", "a[href*='/compare/?devices='][href*=',']"],
    ),
}
# What docs/screenshots/ holds; all the others are for whoever changes a page.
CHOSEN = {
    "home": ("360-light", "768-light", "1440-light", "1440-dark"),
    "leaderboard": ("360-light", "768-light", "1440-light", "1440-dark"),
    "leaderboard-table": ("1440-light",),
    "leaderboard-class": ("1440-light",),
    "leaderboard-empty": ("360-light",),
    "device": ("360-dark", "1440-light", "1440-dark"),
    "result": ("360-light", "1440-light"),
    "compare": ("360-light", "1440-light", "1440-dark"),
    "product": ("768-light",),
    "submit": ("360-light", "1440-light"),
    "commands": ("768-light",),
    "preview": ("768-light",),
    "published": ("360-dark", "1440-light"),
    "guide-slog": ("360-dark", "1440-light"),
    "guide-need": ("360-light",),
    "guide-size": ("768-dark",),
    "survey": ("360-dark", "1440-light"),
    "about": ("1440-light",),
    "exports": ("768-light",),
    "sign-in": ("360-light",),
    "not-found": ("360-light",),
}
PASTE = """\
root@nas:~ # diskinfo -wS /dev/nvd0
/dev/nvd0
    512             # sectorsize
    280065171456    # mediasize in bytes (261G)
    547002288       # mediasize in sectors
    Galvin Optane 0310    # Disk descr.
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
    parser.add_argument("--chosen", action="store_true", help="those of docs/screenshots/ only")
    parser.add_argument("--publish", action="store_true", help="publish a paste, too: for a demo site only")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    names = [*PAGES, *WAYS, "preview", *(["published"] if options.publish else [])]
    with chromium() as browser:
        for name in names:
            for width, theme in _looks(name, is_chosen=options.chosen):
                file = options.folder / f"{name}-{width}-{theme}.png"
                for page in _open(browser, options.url.rstrip("/"), name, width=width, theme=theme):
                    _grow(page, width)
                    page.screenshot(path=file)
                    _shrink(file)


def _looks(name: str, *, is_chosen: bool) -> Iterator[tuple[int, Theme]]:
    for width in WIDTHS:
        for theme in THEMES:
            if not is_chosen or f"{width}-{theme}" in CHOSEN.get(name, ()):
                yield width, theme


def _shrink(file: Path) -> None:
    with Image.open(file) as picture:
        small = with_fewer_colors(picture.convert("RGB"))
    small.save(file, optimize=True)


def with_fewer_colors(picture: Image.Image) -> Image.Image:
    """The picture with a palette, in which grounds and curves stay within a step of what they are.

    The median cut alone gives curves of a few pixels the color of their neighbors, and the other methods turn
    grounds that are nearly white into one. Moving each color to the middle of what it stands for mends the first.
    """
    cut = Image.Quantize.MEDIANCUT
    return picture.quantize(COLORS, method=cut, kmeans=1, dither=Image.Dither.NONE)


def _grow(page: Page, width: int) -> None:
    """Make the window as high as the page, so that what sticks to its edges does not cover the middle."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": height})


def _open(browser: Browser, url: str, name: str, *, width: int, theme: Theme) -> Iterator[Page]:
    """The page, ready; none where an empty site has no such page."""
    size = ViewportSize(width=width, height=HEIGHT)
    with browser.new_context(
        base_url=url, viewport=size, color_scheme=theme, reduced_motion="reduce"
    ) as context:
        page = context.new_page()
        start, links = WAYS.get(name, (PAGES.get(name, "/submit/"), []))
        page.goto(start, wait_until="networkidle")
        for link in links:
            if page.locator(link).count() == 0:
                return
            page.goto(page.locator(link).first.get_attribute("href") or "")
        if name in {"preview", "published"}:
            serial = f"PHM{width}{len(theme)}0001"  # another unit every time: a text is published once
            page.locator("#id_text").fill(PASTE.replace("PHM0000000001", serial))
            page.locator("button[value=preview]").click()
        if name == "published":
            page.locator("button[value=publish]").click()
            page.wait_for_url("**/results/**")
        yield page


if __name__ == "__main__":
    main()
