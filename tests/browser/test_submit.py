"""Submitting from a browser, which sends the files of a form only once."""

import re

import pytest
from playwright.sync_api import expect

from results.models import Result, Submission
from tests import pastes
from tests.browser.keyboard import enter, tab_to
from tests.patience import fits

SECOND_RUN = pastes.diskinfo(description="ATA OTHER", ident="ABCD1234", path="/dev/da25")

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def files(tmp_path) -> list[str]:
    """A run as FreeBSD writes it to a file, and the description of its device as PowerShell does."""
    run, description = tmp_path / "diskinfo.txt", tmp_path / "smartctl.txt"
    run.write_text(pastes.diskinfo(), encoding="utf-8")
    description.write_text(pastes.smartctl(), encoding="utf-16")
    return [str(run), str(description)]


def test_files_are_published_after_their_preview(page, files):
    page.goto("/submit/")
    page.locator("#id_files").set_input_files(files)
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("heading", name="Published", level=1).wait_for()
    result = Result.objects.get()
    expect(page).to_have_url(re.compile(f"{result.get_absolute_url()}$"))  # a reload sends nothing again
    page.reload()
    page.get_by_role("heading", name="One run of MARVELL SD88SA02").wait_for()
    assert (result.latency_us, result.firmware.version) == (list(pastes.FIRST_CURVE), "D20Y")


def test_axe_has_nothing_to_object_to_from_preview_to_publication(page, assert_accessible):
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto("/submit/")
    page.locator("#id_text").fill("my cat Tom\n" + pastes.FIRST_PASTE + pastes.smartctl() + SECOND_RUN)
    page.get_by_label("What should readers know?").fill("x" * 300)
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("heading", name="This is what will be public").wait_for()
    page.get_by_text("Line 1: 1 line left out").click()
    expect(page.locator(".is-left-out pre")).to_be_visible()
    assert_accessible(page)
    fits(page, 360)
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("heading", name="Keep it yours").wait_for()
    assert_accessible(page)
    fits(page, 360)


@pytest.mark.parametrize("tab", ["page", "page_without_scripts"])
def test_it_can_all_be_done_by_keyboard_from_the_top(request, tab):
    page = request.getfixturevalue(tab)
    page.goto("/")
    enter(page, "Submit")
    page.wait_for_url("**/submit/")
    tab_to(page, "Terminal output")
    page.keyboard.insert_text("my cat Tom\n" + pastes.FIRST_PASTE)
    tab_to(page, "What should readers know?")
    page.keyboard.insert_text("in slot 4")
    with page.expect_navigation():
        enter(page, "Preview")
    enter(page, "Line 1: 1 line left out")
    expect(page.locator(".is-left-out pre")).to_have_text("my cat Tom")
    expect(page.locator(".is-left-out pre")).to_be_visible()
    with page.expect_navigation():
        enter(page, "Publish")
    page.get_by_role("heading", name="Published", level=1).wait_for()
    assert Result.objects.get().submission.note == "in slot 4"


def test_files_are_there_for_a_correction_without_scripts(page_without_scripts, files):
    page = page_without_scripts
    page.goto("/submit/")
    page.locator("#id_files").set_input_files(files[1])
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("[role=alert]")).to_contain_text("We found no benchmark")
    box = page.locator("#id_text")
    box.fill(pastes.diskinfo() + box.input_value())
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("heading", name="Published", level=1).wait_for()
    assert Submission.objects.get().results.get().firmware.version == "D20Y"
