"""The leaderboard on a phone and on a tablet: what is current is in view, and room goes where it is read."""

import pytest
from playwright.sync_api import expect

from results.models.choices import DEVICE_CLASSES
from tests.factories import make_device, make_result, make_stated_product, rank_everything
from tests.patience import becomes, fits

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"width": 360, "height": 900}
TABLET = {"width": 768, "height": 900}


@pytest.fixture
def _every_class():
    for number, device_class in enumerate(DEVICE_CLASSES):
        device = make_device(model_name=f"Sample with a name {number}", device_class=device_class)
        make_result(20 * 2**number, device=device, device__device_class=device_class)
    rank_everything()


def are_in_view(page, elements):
    """Whether all of each lies within the window, from side to side."""
    return elements.evaluate_all(
        "all => all.length && all.map(one => one.getBoundingClientRect())"
        ".every(box => box.width && box.left >= 0 && box.right <= innerWidth)"
    )


@pytest.mark.usefixtures("_every_class")
def test_the_current_class_and_column_are_in_view_on_a_phone_without_scripts(page_without_scripts, subtests):
    page = page_without_scripts
    page.set_viewport_size(PHONE)
    for device_class in ("", "optane", "hdd", "unknown"):
        with subtests.test(f"class {device_class}"):
            page.goto(f"/leaderboard/?class={device_class}")
            assert are_in_view(page, page.locator(".tabs [aria-current=page]"))
            expect(page.locator(".tabs [aria-current=page]")).to_have_count(1)
            fits(page, PHONE["width"])
    for sort in ("rank", "zil_latency", "n_units", "last_measured", "-last_measured"):
        with subtests.test(f"sort {sort}"):
            page.goto(f"/leaderboard/?view=table&sort={sort}")
            assert are_in_view(page, page.locator("[aria-sort] a"))


def test_ten_drives_are_on_the_first_screen_and_six_on_a_phone(page, subtests):
    for number in range(12):
        make_result(
            20 + number, device=make_device(model_name=f"Sample {number}", capacity_bytes=400 * 10**9)
        )
    rank_everything()
    page.goto("/leaderboard/")
    ends = "[...document.querySelectorAll('li.drive')].map(row => row.getBoundingClientRect().bottom)"
    for width, count in ((1440, 10), (PHONE["width"], 6)):
        with subtests.test(str(width)):
            page.set_viewport_size({"width": width, "height": 900})
            becomes(lambda count=count: page.evaluate(ends)[count - 1] <= 900, expected=True)


@pytest.mark.usefixtures("_every_class")
def test_names_figures_and_bars_of_the_list_begin_and_end_in_lines(page, subtests):
    page.goto("/leaderboard/")
    ends = """[".drive h3", ".drive .bar", ".drive .card-speed > p"].map(part =>
        new Set([...document.querySelectorAll(part)].map(one => {
            const box = one.getBoundingClientRect();
            return part.endsWith("p") ? Math.round(box.right) : Math.round(box.left);
        })).size)"""
    for width in (1024, 640, 360):
        with subtests.test(str(width)):
            page.set_viewport_size({**TABLET, "width": width})
            becomes(lambda: page.evaluate(ends), [1, 1, 1])
            fits(page, width)


def test_capacity_and_protection_are_one_line_on_a_tablet(page, subtests):
    for plp in ("yes", "unknown"):
        product = make_stated_product(plp, slug=f"sample-{plp}")
        device = make_device(model_name=f"S {plp}", product=product, device_class="nvram")
        make_result(20, device=device, device__device_class="nvram")
    rank_everything()
    page.goto("/leaderboard/?view=table")
    expect(page.locator(".board .tag-good")).to_be_visible()
    rows = "[...document.querySelectorAll('.board tbody tr')]"
    heights = (
        f"[...new Set({rows}.map(row => Math.round(row.offsetHeight / 8)))]"  # a border is half a pixel more
    )
    for width in (1024, 768):
        with subtests.test(str(width)):
            page.set_viewport_size({**TABLET, "width": width})
            becomes(lambda: len(page.evaluate(heights)), 1)
            fits(page, width)


@pytest.mark.usefixtures("_every_class")
def test_rows_that_arrive_late_move_no_column_of_a_tablet(page):
    page.set_viewport_size(TABLET)
    page.goto("/leaderboard/?view=table")
    places = "[...document.querySelectorAll('.board thead th')].map(cell => Math.round(cell.offsetLeft))"
    with_rows = page.evaluate(places)
    page.evaluate("document.querySelectorAll('.board tbody').forEach(rows => rows.remove())")

    def moved():
        return max(abs(row - other) for row, other in zip(page.evaluate(places), with_rows, strict=True))

    becomes(lambda: moved() <= 1, True)  # fractions of a pixel round both ways
