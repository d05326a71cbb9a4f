"""The commands to measure a disk, put together in a browser: with scripts, without, and by keyboard."""

import re

import pytest
from playwright.sync_api import expect

from tests import pastes

pytestmark = pytest.mark.django_db(transaction=True)


def test_what_was_pasted_stays_while_the_commands_are_put_together(page):
    page.goto("/submit/")
    page.locator("#id_text").fill(pastes.FIRST_PASTE)
    page.get_by_label("FreeBSD, TrueNAS CORE").check()
    page.get_by_label("Disk", exact=True).fill("nvd0")
    page.keyboard.press("Enter")
    page.get_by_text("diskinfo -v /dev/nvd0").wait_for()
    expect(page.get_by_text("diskinfo -wS /dev/nvd0")).to_have_count(0)
    page.get_by_label("holds no data that anyone needs").check()
    page.get_by_role("button", name="Show the command").click()
    page.get_by_text("diskinfo -wS /dev/nvd0").wait_for()
    expect(page.locator("#measure")).to_be_focused()
    expect(page.locator("#id_text")).to_have_value(pastes.FIRST_PASTE)
    expect(page).to_have_url(re.compile("/submit/$"))


def test_whoever_names_no_disk_is_told_why_and_stands_in_the_field(browser, live_server):
    # The answer is a 400, which `page` takes for a fault.
    with browser.new_page(base_url=live_server.url, reduced_motion="reduce") as page:
        page.goto("/submit/")
        page.get_by_label("FreeBSD, TrueNAS CORE").check()
        page.get_by_label("Disk", exact=True).fill("nvd0p1")
        page.get_by_role("button", name="Show the checks").click()
        page.get_by_text("“nvd0p1” is a partition").wait_for()
        expect(page.locator("#id_disk")).to_be_focused()
        expect(page.get_by_label("Disk", exact=True)).to_have_value("nvd0p1")


def test_the_address_names_what_is_shown(page):
    page.goto("/submit/commands/")
    page.get_by_label("Linux, TrueNAS SCALE").check()
    page.get_by_label("Disk", exact=True).fill("/dev/sdb")
    page.keyboard.press("Enter")
    page.get_by_text("lsblk -d -o NAME,MODEL,SIZE /dev/sdb").wait_for()
    expect(page).to_have_url(re.compile(r"\?system=linux&disk=%2Fdev%2Fsdb#builder$"))


def test_no_command_is_shown_before_the_box_is_ticked_without_scripts(page_without_scripts):
    page = page_without_scripts
    page.goto("/submit/commands/")
    page.get_by_label("Linux, TrueNAS SCALE").check()
    page.get_by_label("Disk", exact=True).fill("sdb")
    page.get_by_role("button", name="Show the checks").click()
    page.get_by_role("button", name="Show the command").click()  # the box is not ticked: nothing happens
    expect(page.locator("command-builder").get_by_text("fio --name")).to_have_count(0)
    page.get_by_label("holds no data that anyone needs").check()
    page.get_by_role("button", name="Show the command").click()
    shown = page.get_by_text("fio --name=global --filename=/dev/sdb")
    expect(shown).to_have_count(5)  # by block size, without flushes, by writers, for an hour, with a pause
