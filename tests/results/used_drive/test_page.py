"""The used-drive check of an output: verdicts, refused input, and that nothing is stored."""

import html
import logging

import pytest
from django.core.cache import caches

from results.models import Device, Submission
from tests import pastes
from tests.factories import (
    make_price,
    make_result,
    rank_everything,
)
from tests.page import Page, text_of
from tests.results.used_drive.shown import CAPACITY, MODEL, drives, only, prices, verdict

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("today")]

ATTRIBUTES = """
ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE
  9 Power_On_Hours          0x0032   100   100   000    Old_age   Always       -       20000
 12 Power_Cycle_Count       0x0032   100   100   000    Old_age   Always       -       43
Device Statistics (GP Log 0x04)
Page  Offset Size        Value Flags Description
0x01  0x018  6     195312500000  ---  Logical Sectors Written
"""
SELF_TEST = "# 1  Short offline       Completed without error       00%     31034         -\n"


def drive(model=MODEL, *, serial=pastes.SERIAL, more=ATTRIBUTES):
    sizes = "Sector Sizes:     512 bytes logical, 4096 bytes physical\n"
    top = pastes.smartctl(model=model, serial=serial, capacity=CAPACITY).replace("24.5", "480").rstrip()
    return f"{top}\n{sizes}{more}"


@pytest.fixture
def product(rated):
    """With prices, and without a measured device."""
    make_price(rated, price=90, condition="new", seen_on="2024-06-01")
    make_price(rated, price=45, condition="used", seller_kind="marketplace", seen_on="2024-05")
    make_price(rated, price=10, capacity_bytes=960_000_000_000)
    return rated


def check(client, text, **fields):
    return client.post("/used-drive/", {"text": text, **fields})


def box(response):
    return Page(response).fields["text"].value


def test_a_drive_is_described(client, product):
    entry = only(check(client, drive(), gb_per_day="100"))
    assert entry.headings[0] == "ALDERA S1-480 480 GB"
    assert entry.links["Aldera S1"] == "/products/aldera-s1/"
    assert verdict(entry)[0] == "info"
    assert entry.facts == entry.facts | {
        "Power-on hours": "20,000 h, 2.3 years",
        "Written so far": "100 TB",
        "Life left": "about 900 TB of writes: its rating minus what was written",
        "At your writes": "lasts 24.7 years at 100 GB a day",
    }


def test_prices_of_this_capacity_are_shown_used_first_with_the_cost_of_the_writes_left(client, product):
    entry = only(check(client, drive()))
    used, new = prices(entry)
    assert used.startswith("480 GB, used: $45, ")
    assert new.startswith("480 GB, new: $90, ")
    assert used.endswith(" $0.050 per TB of writes left")
    assert new.endswith(" $0.090 per TB of its rating")


def test_what_similar_units_measured_is_shown(client, product):
    published = {"submission__survey_id": "d9"}
    make_result(20, device__model_name=MODEL, device__capacity_bytes=CAPACITY, device__product=product)
    make_result(
        30, device__model_name="ALDERA S1-960", device__slug="s1-960", device__product=product, **published
    )
    rank_everything()
    entry = only(check(client, drive()))
    assert ": NVMe SSD, rank 1" in entry.text
    assert entry.links["ALDERA S1-480 480 GB"] == Device.objects.get(model_name=MODEL).get_absolute_url()
    (similar,) = entry.root.findall(".//ul[@class='remarks']/li")
    assert Page(similar).links["ALDERA S1-960 480 GB"] == "/products/aldera-s1/480-gb/s1-960/"
    assert Page(similar).text.endswith("published elsewhere")


def test_life_left_is_estimated_from_wear_without_a_rating(client):
    worn = ATTRIBUTES + "0x07  0x008  1  20  ---  Percentage Used Endurance Indicator\n"
    entry = only(check(client, drive("NOBODY KNOWS 1", more=worn)))
    assert entry.facts["Life left"].startswith("about 400 TB of writes: estimated")
    assert entry.facts["At your writes"] == "lasts five years at 219 GB a day"


def test_each_of_several_drives_has_its_section(client, product):
    scsi = (
        "\nsmartctl 7.2 2020-12-30 r5155 [x86_64-linux-5.10.0] (local build)\n"
        "=== START OF INFORMATION SECTION ===\nVendor:               HP\nProduct:              MO0400\n"
        "Revision:             HPD1\nUser Capacity:        400,088,457,216 bytes [400 GB]\n"
        "Logical block size:   520 bytes\nTransport protocol:   SAS (SPL-3)\n"
    )
    response = check(client, drive() + scsi)
    first, second = drives(response)
    assert (first.headings[0], second.headings[0]) == ("ALDERA S1-480 480 GB", "HP MO0400 400 GB")
    assert "its sectors of 520 bytes" in verdict(second)[1]
    remarks = second.root.find(".//ul[@class='remarks']")
    assert [text_of(remark)[:20] for remark in remarks] == ["Problem Sectors of 5", "Check OEM firmware f"]
    assert Page(response).part("answer").text.startswith("ALDERA S1-480")


def test_an_offer_for_several_drives_says_how_it_is_used(client, product):
    both = drive() + drive("ALDERA S1-481", serial="ZX80")
    response = check(client, both, price="40", wear="12")
    answer = Page(response).part("answer").text
    assert answer.startswith(
        "This text covers 2 drives, so we used only what it says about each. The asking price is applied to each."
    )
    for entry in drives(response):
        assert (entry.facts["Asking price"][:4], "Wear" in entry.facts) == ("$40:", False)


def test_an_offer_completes_the_output_of_one_drive(client, product):
    one_line = f"Device Model: {MODEL}\nSATA Version is: SATA 3.2"
    response = check(client, one_line, wear="12 % used", hours="9000")
    entry = only(response)
    assert entry.facts["Life left"].startswith("about 880 TB of writes")
    assert entry.facts["Power-on hours"].startswith("9,000 h")
    entry = only(response := check(client, drive(), hours="9000", wear="12"))
    assert (entry.facts["Power-on hours"], entry.facts["Wear"]) == ("20,000 h, 2.3 years", "12 %")
    assert Page(response).part("answer").text.startswith("We used the power-on hours from the output. ALDERA")


def test_two_lines_are_enough_where_the_rating_is_known(client, product):
    """Neither line states the capacity; the part number does."""
    entry = only(check(client, f"Model Number: {MODEL}\nPercentage Used: 12%"))
    assert entry.facts["Life left"] == (
        "about 880 TB of writes: its rating and the wear that the drive reports"
    )
    assert [price.split()[3] for price in prices(entry)] == ["$45,", "$90,"]
    entry = only(check(client, f"Model Number: {MODEL}\nPower On Hours: 12"))
    assert entry.facts["Life left"].startswith("at most 1 PB of writes, as rated")


def test_output_without_smart_is_answered_with_what_is_missing(client, product):
    entry = only(check(client, drive(more="")))
    assert entry.facts["Power-on hours"] == "not stated; ask for smartctl -x"
    assert "the wear and the bytes written are missing, so ask for smartctl -x" in entry.facts["Life left"]
    tone, words = verdict(entry)
    assert (tone, "ask about its wear first" in words) == ("warn", True)


def test_a_part_number_finds_the_prices_of_its_product_by_the_search(client, product):
    """No pattern matches without the vendor's name; the search does without."""
    entry = only(check(client, f"Device Model: S1-480\n{ATTRIBUTES}"))
    assert ("Aldera S1" in entry.links, len(prices(entry))) == (True, 2)
    entry = only(check(client, drive("S1-480")))  # by SATA, which the product isn't
    assert ("Aldera S1" in entry.links, prices(entry)) == (False, [])


def test_hours_of_farm_show_a_reset(client, product):
    farm = (
        "Seagate Field Accessible Reliability Metrics log (FARM) (GP Log 0xa6)\n\tPower on Hours: {hours}\n"
    )
    for hours, is_reset in ((20_000, False), (20_001, False), (31_034, True)):
        entry = only(check(client, drive(more=ATTRIBUTES + farm.format(hours=hours))))
        is_found = verdict(entry)[1] == "Don’t trust it: the power-on hours look reset."
        assert is_found is is_reset, hours


def test_the_text_is_masked_before_it_is_shown(client, product):
    response = check(client, drive())
    assert pastes.SERIAL not in response.text
    assert "[serial-1]" in box(response)
    assert "ALDERA S1-480" in box(response)


def test_nothing_is_stored_cached_or_logged(client, product, caplog):
    caplog.set_level(logging.DEBUG)
    devices = Device.objects.count()
    response = check(client, drive("NOBODY KNOWS 1"))
    assert "no-store" in response["Cache-Control"]
    assert (Submission.objects.count(), Device.objects.count()) == (0, devices)
    loggers = {record.name for record in caplog.records if "NOBODY KNOWS" in record.getMessage()}
    assert loggers <= {"django.db.backends"}  # SQL statements, which are logged for debuggers only
    assert "NOBODY KNOWS" not in repr(vars(caches["pages"]))


def test_unreadable_input_is_explained_and_preserved(client, subtests):
    for text, status, words in [
        ("", 422, "We found no smartctl output here"),
        (pastes.diskinfo(), 422, "We found no smartctl output here"),
        (ATTRIBUTES, 422, "names no drive"),
        ("a\0b", 400, "This isn’t text. If it’s a screenshot"),
        ("x" * 600_000, 422, "larger than 512 KiB"),
    ]:
        with subtests.test(text=text):
            response = check(client, text)
            assert (response.status_code, words in html.unescape(response.text)) == (status, True)
            assert box(response).strip() == text.strip().replace("\0", "\ufffd") or pastes.SERIAL in text


def test_invalid_amount_is_refused_and_the_text_preserved(client, subtests):
    for amount in ["much", "-1", "0", "1e9", "99999999", "1,5"]:
        with subtests.test(amount=amount):
            response = check(client, drive(), gb_per_day=amount)
            assert response.status_code == 400
            assert MODEL in box(response)
            assert "GB written per day" in response.text


def test_hostile_text_is_shown_as_text(client):
    evil = "</textarea><script>alert(1)</script>"
    response = check(client, drive(evil[:60], more=ATTRIBUTES + evil), gb_per_day=evil)
    assert "<script>alert" not in response.text
    response = check(client, drive(evil, more=ATTRIBUTES + evil))
    assert (response.status_code, "<script>alert" in response.text) == (200, False)


def test_frequent_senders_are_throttled(client, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "anonymous-write": (1, 3600)}
    check(client, drive())
    response = check(client, drive())
    assert (response.status_code, int(response["Retry-After"]) > 0) == (429, True)
    assert MODEL in box(response)


def test_queries_grow_slowly_and_drives_are_limited_to_twenty(client, product, django_assert_max_num_queries):
    check(client, drive())
    with django_assert_max_num_queries(14):
        check(client, drive())
    many = "\n".join(drive(serial=f"ZX81SPECTRUM{number:03}") for number in range(25))
    with django_assert_max_num_queries(10 + 20 * 5):
        response = check(client, many)
    assert len(drives(response)) == 20
    assert "first 20 drives" in response.text
