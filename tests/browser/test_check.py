"""The check of a live log in a browser: without scripts on a phone, and accessible with lights of all colors."""

import re

import pytest
from playwright.sync_api import expect

from tests.factories import make_result, rank_everything
from tests.live_logs import Machine
from tests.patience import fits

pytestmark = pytest.mark.django_db(transaction=True)
# A light of each color
TEXT = Machine(queued=20, version="2.1.15", properties=[("tank", "sync", "disabled")]).text()


def check(page):
    page.goto("/check/")
    page.get_by_label("Output").fill(TEXT)
    page.get_by_role("button", name="Check my SLOG").click()


def test_a_log_is_checked_without_scripts_on_a_phone(page_without_scripts):
    page = page_without_scripts
    page.set_viewport_size({"width": 360, "height": 740})
    check(page)
    expect(page.get_by_role("heading", level=2).first).to_have_text(
        "Used, saturated, safety unknown, 10 months left."
    )
    lights = page.locator(".light")
    expect(lights).to_have_count(14)
    for words in ("Good", "Look at this", "Problem", "Unknown"):
        assert lights.filter(has=page.locator(".tag", has_text=words)).count()
    expect(page.get_by_label("Output")).to_have_value("")
    lights.first.locator("summary").click()
    expect(lights.first.get_by_text("zil_commit_count")).to_be_visible()
    fits(page, 360)


def test_a_check_is_shared_without_scripts(page_without_scripts):
    page = page_without_scripts
    check(page)
    page.get_by_role("button", name="Share this check").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("This is what will be public")
    expect(page.get_by_text("2,000 commits a second over 30 seconds")).to_be_visible()
    expect(page.get_by_label("Terminal output")).to_have_value(
        re.compile(r"^=== pool \[pool-1\]\n=== pools 1\n")
    )
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Published")


def test_what_a_vm_notices_fits_a_phone(page_without_scripts):
    make_result(20, device__model_name="ALDERA S1-480", device__capacity_bytes=480_103_981_056)
    rank_everything()
    page = page_without_scripts
    page.set_viewport_size({"width": 360, "height": 740})
    check(page)
    expect(page.locator(".felt tbody td")).to_have_count(12)
    expect(page.locator(".felt")).not_to_contain_text("—")
    fits(page, 360)


def test_the_lights_are_accessible(page, assert_accessible):
    check(page)
    assert_accessible(page)
