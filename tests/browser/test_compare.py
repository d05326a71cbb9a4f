"""The comparison as somebody uses it: picked in rows, changed on the page, by keyboard, without scripts."""

import pytest
from playwright.sync_api import expect

from tests.browser.keyboard import FOCUS_IS_CLEAR, enter, tab_to
from tests.factories import make_device, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _devices():
    """Five, measured differently, one like the first, and a product that nobody has measured."""
    for number in range(5):
        device = make_device(slug=f"d{number}", model_name=f"Sample {number}")
        make_result(20 * 3**number, device=device, write_cache_enabled=number % 2 == 0, platform="FreeBSD 14")
    make_result(21, device=make_device(slug="d6", model_name="Sample 6"))
    make_product(slug="birch-p1600x", vendor="Birch", name="SSD P1600X")
    rank_everything()


def test_devices_are_picked_on_their_pages_and_compared(page, assert_accessible):
    for slug in ("d0", "d1"):
        page.goto(f"/devices/{slug}/")
        page.locator("a.compare-add").first.click()
    tray = page.get_by_role("region", name="Devices to compare")
    tray.wait_for()
    assert_accessible(page, "compare-tray")
    tray.get_by_role("link", name="Compare 2").click()
    page.wait_for_url("**/compare/?devices=d0,d1")
    expect(page.locator("compare-tray")).to_be_hidden()
    expect(page.get_by_role("table", name="What differs")).to_be_visible()


def test_devices_are_picked_compared_and_made_the_baseline_by_keyboard(page):
    page.goto("/leaderboard/")
    for name in ("Compare Sample 0 480 GB", "Compare Sample 1 480 GB"):
        tab_to(page, name)
        page.keyboard.press("Enter")
        page.get_by_role("region", name="Devices to compare").wait_for()
        page.wait_for_function(FOCUS_IS_CLEAR)
    enter(page, "Compare 2")
    page.wait_for_url("**/compare/?devices=d0,d1")
    enter(page, "Use as baseline Sample 0")
    page.get_by_text("Shown as multiples of Sample 0").wait_for()


def test_a_product_is_compared_from_its_page_and_by_a_typed_name_without_scripts(page_without_scripts):
    page = page_without_scripts
    page.goto("/products/birch-p1600x/")
    enter(page, "Compare Birch P1600X")
    page.wait_for_url("**/compare/?devices=birch-p1600x")
    tab_to(page, "Add a device")
    page.keyboard.type("sample 0 or Sample 4")
    page.keyboard.press("Enter")
    page.wait_for_url("**/compare/?devices=birch-p1600x,d0,d4")
    expect(page.locator(".page-head strong")).to_have_text(
        "None of them is known to be protected against power loss. "
        "Sample 0 480 GB is probably faster than Sample 4 480 GB. Birch P1600X isn’t ranked."
    )


def test_the_mark_of_the_best_figure_is_no_color_alone(page):
    page.goto("/compare/?devices=d0,d4")
    best = page.locator("td.is-best").first
    assert best.evaluate("one => getComputedStyle(one, '::before').content").startswith('"✓ "')


def test_a_figure_stands_behind_its_bar_or_beside_its_name(page, subtests):
    page.goto("/compare/?devices=d0,d4")
    for width, is_beside in ((1440, False), (360, True)):
        with subtests.test(str(width)):
            page.set_viewport_size({"width": width, "height": 900})
            expect(page.locator(".compare-bars .figure").first).to_be_visible(visible=is_beside)
            expect(page.locator(".compare-bars .bar text").first).to_be_visible(visible=not is_beside)


def test_what_is_removed_from_a_comparison_leaves_the_tray(page):
    page.goto("/devices/d0/")
    page.locator("a.compare-add").first.click()
    page.goto("/compare/?devices=d0,d1,d2")
    page.get_by_role("link", name="Remove Sample 0").click()
    page.wait_for_url("**/compare/?devices=d1,d2")
    page.goto("/leaderboard/")
    page.get_by_role("region", name="Devices to compare").wait_for()
    expect(page.locator("compare-tray li span")).to_have_text(["Sample 1", "Sample 2"])


def test_a_comparison_is_made_and_changed_without_scripts(page_without_scripts):
    page = page_without_scripts
    page.goto("/compare/")
    page.get_by_label("Add a device").fill("Sample 0")
    page.get_by_role("button", name="Add").click()
    page.wait_for_url("**/compare/?devices=d0")
    page.get_by_label("Add a device").fill("d1")
    page.get_by_label("Add a device").press("Enter")
    page.wait_for_url("**/compare/?devices=d0,d1")
    page.get_by_role("link", name="Differences only").click()
    page.wait_for_url("**only=differences")
    page.go_back()
    page.get_by_role("link", name="Throughput").click()
    page.wait_for_url("**chart=throughput#chart")
    page.get_by_role("link", name="A Sample 0").click()
    page.wait_for_url("**/compare/?devices=d0,d1&chart=throughput&hide=d0#chart")
    expect(page.locator(".chart-box g.s1")).to_have_count(0)
    expect(page.locator(".chart-box g.s2")).to_have_count(1)
    page.get_by_role("link", name="Use as baseline Sample 0").click()
    expect(page.get_by_text("Shown as multiples of Sample 0")).to_be_visible()


def test_the_chart_is_taken_over_and_saved(page):
    page.goto("/compare/?devices=d0,d1")
    page.locator(".chart-box").focus()
    page.locator(".is-live canvas").wait_for()
    page.get_by_role("link", name="Throughput").click()
    page.wait_for_url("**chart=throughput")
    with page.expect_download() as saving:
        page.get_by_role("link", name="Save image").click()
    assert saving.value.path().read_bytes().startswith(b"\x89PNG")


def test_the_plot_of_the_classes_changes_its_scale_in_place(page, assert_accessible):
    page.goto("/survey/")
    page.get_by_role("link", name="Linear").click()
    page.wait_for_url("**/survey/?scale=linear")
    expect(page.locator("#chart figcaption")).to_contain_text("the axis is linear")
    expect(page.get_by_role("link", name="Linear")).to_be_focused()
    page.get_by_role("button", name="Hard disk").click()
    page.wait_for_url("**/survey/?scale=linear&hide=hdd")
    assert_accessible(page, "#chart")


@pytest.mark.parametrize(
    "path", ["/compare/chart.svg?devices=d0,d1", "/survey/chart.svg", "/devices/d0/chart.svg"]
)
def test_an_image_is_shown_by_its_own_policy(page, path):
    page.goto(path)
    ground = page.locator("rect.ground")
    expect(ground).to_have_css("fill", "rgb(255, 255, 255)")
