"""Pages on paper, which has neither a pointer nor a second column, and ends where a sheet ends."""

import pytest
from playwright.sync_api import expect

from tests.factories import make_device, make_result, rank_everything
from tests.patience import becomes

pytestmark = pytest.mark.django_db(transaction=True)
# What stands beside or over something else of the same text, among all that holds text of its own.
OVERLAPS = """
() => {
  const parts = [...document.querySelectorAll("main :is(p, h1, h2, h3, table, figure, dl, pre)")]
    .filter((one) => one.checkVisibility() && !one.parentElement.closest("figure, table, dl"));
  const boxes = parts.map((one) => [one, one.getBoundingClientRect()]);
  return boxes.flatMap(([one, a]) => boxes
    .filter(([other, b]) => one !== other && !one.contains(other) && !other.contains(one))
    .filter(([, b]) => a.top < b.bottom - 1 && b.top < a.bottom - 1 && a.left < b.right - 1 && b.left < a.right - 1)
    .map(([other]) => `${one.tagName} ${one.textContent.slice(0, 20)} / ${other.tagName}`));
}
"""


@pytest.fixture
def _devices():
    device = make_device(slug="sample", model_name="Sample")
    for used in range(4):
        make_result(20 + used, device=device, wear_percent=used)
    rank_everything()


@pytest.mark.usefixtures("_devices")
@pytest.mark.parametrize(
    "path",
    [
        "/leaderboard/",
        "/leaderboard/?view=table",
        "/devices/sample/",
        "/guide/how-big/?link=10&seconds=5",
        "/guide/what-is-a-slog/",
    ],
)
def test_what_can_only_be_pressed_is_left_out_and_nothing_lies_on_something_else(page, path):
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1030})  # A4 within 12 mm
    page.goto(path)
    expect(page.locator("h1")).to_be_visible()
    for pressed in page.locator("button, .button, .share, .site-head nav, .guide-pages, .guide-turn").all():
        expect(pressed).to_be_hidden()
    becomes(lambda: page.evaluate(OVERLAPS), [])


@pytest.mark.usefixtures("_devices")
@pytest.mark.parametrize("path", ["/devices/sample/", "/guide/how-big/"])
def test_a_sheet_ends_between_parts_and_a_heading_stays_with_what_follows(page, path):
    page.emulate_media(media="print")
    page.goto(path)
    for heading in page.locator("main h2").all():
        expect(heading).to_have_css("break-after", "avoid")
    for part in page.locator("main figure").all():
        expect(part).to_have_css("break-inside", "avoid")
    for grid in page.locator("main section:not(.share)").all():
        expect(grid).to_have_css("display", "block")  # a grid that is cut lays its rows over each other
