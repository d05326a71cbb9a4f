"""Pages on paper, which has neither a pointer nor a second column, and ends where a sheet ends."""

import pytest
from playwright.sync_api import expect

from tests.chromium import script
from tests.factories import make_device, make_result, rank_everything
from tests.patience import becomes

pytestmark = pytest.mark.django_db(transaction=True)
PATHS = (
    "/leaderboard/",
    "/leaderboard/?view=table",
    "/devices/sample/",
    "/guide/how-big/?link=10&seconds=5",
    "/guide/what-is-a-slog/",
)
PRESSED = "button, .button, .share, .site-head nav, .guide-pages, .guide-turn"
KEPT_WHOLE = {
    "main h2": ("break-after", "avoid"),
    "main figure": ("break-inside", "avoid"),
    "main section:not(.share)": ("display", "block"),  # a grid that is cut lays its rows over each other
}
STYLE = "(one, name) => getComputedStyle(one).getPropertyValue(name)"
# What stands beside or over something else of the same text, among all that holds text of its own.
OVERLAPS = script("overlaps")


@pytest.fixture(autouse=True)
def _devices():
    device = make_device(slug="sample", model_name="Sample")
    for used in range(4):
        make_result(20 + used, device=device, wear_percent=used)
    rank_everything()


def test_bars_are_printed(page):
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1030})
    page.goto("/leaderboard/")
    row, bar = (page.locator(part).first.bounding_box() for part in ("li.drive", ".bar rect"))
    assert row["y"] < bar["y"] < bar["y"] + bar["height"] < row["y"] + row["height"]


def test_what_can_only_be_pressed_is_left_out_and_a_sheet_ends_between_parts(page, subtests):
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1030})  # A4 within 12 mm
    for path in PATHS:
        with subtests.test(path):
            page.goto(path)
            expect(page.locator("h1")).to_be_visible()
            assert page.locator(PRESSED).filter(visible=True).count() == 0
            becomes(lambda: page.evaluate(OVERLAPS), [])
            for part, (name, value) in KEPT_WHOLE.items():
                assert {node.evaluate(STYLE, name) for node in page.locator(part).all()} <= {value}, part
