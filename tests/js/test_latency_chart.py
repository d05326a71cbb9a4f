import re

import pytest
from playwright.sync_api import expect

from tests.js.chart_figures import latency_figure, picture, ready, take_over
from tests.patience import becomes, changes


@pytest.fixture
def page(open_page):
    return ready(open_page(latency_figure))


def is_pressed(page, link, pressed, *, query):
    """The link says so, and the address remembers it."""
    expect(link).to_have_attribute("aria-pressed", pressed)
    becomes(lambda: page.evaluate("location.search"), query)


def test_the_pointer_over_the_chart_takes_it_over(page):
    page.locator(".chart-box").hover()
    expect(page.locator(".is-live canvas")).to_have_count(1)


def test_the_canvas_has_the_name_of_the_chart(page):
    take_over(page)
    expect(page.get_by_role("img", name="Latency")).to_have_count(1)


def test_a_curve_is_hidden_and_shown_in_place_and_the_address_remembers(page):
    other = page.get_by_role("button", name="1 Optane")
    is_pressed(page, other, "true", query="")
    other.click()
    page.wait_for_selector(".is-hidden")
    is_pressed(page, other, "false", query="?hide=optane")
    other.press(" ")
    page.wait_for_selector(".is-hidden", state="detached")
    is_pressed(page, other, "true", query="")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Throughput", "?chart=throughput"), ("Linear", "?scale=linear"), ("4–128 KiB", "?sizes=ranked")],
)
def test_a_link_changes_the_chart_in_place_and_the_address_remembers(page, name, expected):
    take_over(page)
    before = picture(page)
    link = page.get_by_role("link", name=name)
    link.click()
    page.wait_for_function("expected => location.search === expected", arg=expected)
    expect(link).to_have_attribute("aria-current", "true")
    changes(lambda: picture(page), before)
    becomes(lambda: page.evaluate("history.length"), 2)  # the empty page, and this one


def test_links_lead_on_from_where_the_chart_stands(page):
    page.get_by_role("link", name="Throughput").click()
    page.wait_for_function("() => location.search !== ''")
    linear, saved = (page.get_by_role("link", name=name) for name in ("Linear", "Save image"))
    expect(linear).to_have_attribute("href", re.compile(r"/\?chart=throughput&scale=linear#chart$"))
    expect(saved).to_have_attribute("href", re.compile("&chart=throughput$"))
    expect(page.locator("h2")).to_have_text("Throughput by block size")
    expect(page.locator("figcaption")).to_contain_text("higher is better")


def test_the_arrow_keys_read_the_points(page):
    take_over(page)
    page.keyboard.press("ArrowRight")
    spoken = page.locator("[aria-live]")
    expect(spoken).to_have_text("512 B; Optane: 11.0 µs; NVMe: 41.0 µs")
    page.keyboard.press("ArrowRight")
    expect(spoken).to_have_text(re.compile("^1 KiB"))
