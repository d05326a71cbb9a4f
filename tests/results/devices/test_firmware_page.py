"""The results of a device, by firmware."""

from datetime import date

import pytest

from results.models import Result, Submission
from results.ranking.standing import main_rows
from tests.factories import make_device, make_result, rank_everything
from tests.page import Page, text_of

pytestmark = pytest.mark.django_db
OPEN_RESULTS = 10


def tables(response):
    """The tables of results of a device's page, by their captions."""
    found = Page(response).root.xpath(".//table[caption[starts-with(., 'Firmware ')]]")
    return {text_of(table.find("caption")): table for table in found}


def results(response):
    """By firmware version, which results a device's page lists, in order."""
    return {
        caption.removeprefix("Firmware ").partition(":")[0]: [
            link.split("/")[2] for link in table.xpath(".//th//a/@href")
        ]
        for caption, table in tables(response).items()
    }


def cells(response):
    """What is beside the dates, row by row."""
    return [text_of(cell) for table in tables(response).values() for cell in table.iter("td")]


def test_results_are_grouped_by_firmware_newest_first(client):
    device = make_device(slug="sample")
    for public_id, version, day in [
        ("old", "1.0", date(2020, 1, 1)),
        ("new", "1.0", date(2024, 1, 1)),
        ("undated", "1.0", None),
        ("other", "2.0", date(2022, 1, 1)),
        ("unstated", None, date(2021, 1, 1)),
    ]:
        make_result(
            device=device, submission__public_id=public_id, firmware__version=version, measured_on=day
        )
    rank_everything()
    response = client.get("/devices/sample/")
    assert results(response) == {
        "1.0": ["new", "old", "undated"],
        "2.0": ["other"],
        "not stated": ["unstated"],
    }


def test_only_published_results_are_listed(client):
    device = make_device(slug="sample")
    make_result(device=device, submission__state="withdrawn", firmware__version="0.9")
    shown = make_result(device=device, firmware__version="1.0")
    assert results(client.get("/devices/sample/")) == {"1.0": [shown.public_id]}


def test_a_result_shows_its_figures_and_its_wear(client):
    make_result(25, device__slug="sample", wear_percent=3, power_on_hours=12345, platform="FreeBSD 14.1")
    figures = ["25.0", "25.0", "5,000", "3 % used, 12,345 h"]
    assert cells(client.get("/devices/sample/"))[:6] == ["FreeBSD 14.1", "diskinfo", *figures]


def test_firmware_that_makes_a_difference_is_named(client):
    device = make_device(slug="sample")
    for version, latency_us in [("1.0", 20), ("2.0", 100)] * 4:
        make_result(latency_us, device=device, firmware__version=version)
    rank_everything()
    response = client.get("/devices/sample/")
    (difference,) = Page(response).root.xpath(".//h3[text()='Firmware versions that differ']/../ul/li")
    assert text_of(difference).startswith("2.0 takes 5.00 times as long as 1.0: ")
    assert response.text.count("µs from 4 units</caption>") == 2


def test_firmware_that_makes_no_difference_is_not_mentioned(client):
    device = make_device(slug="sample")
    for version in ("1.0", "2.0"):
        make_result(20, device=device, firmware__version=version)
    rank_everything()
    assert "versions that differ" not in client.get("/devices/sample/").text


def test_long_lists_of_results_are_folded_after_the_newest(client):
    device = make_device(slug="sample")
    for _ in range(OPEN_RESULTS + 3):
        make_result(device=device, firmware__version="1.0")
    response = client.get("/devices/sample/")
    assert [len(listed) for listed in results(response).values()] == [OPEN_RESULTS]
    assert "3 more with firmware 1.0" in response.text
    assert response.text.count('data-name="ZIL latency"') == OPEN_RESULTS + 3


def test_tables_follow_changes_of_results_and_figures(client):
    device = make_device(slug="sample")
    made = make_result(device=device, firmware__version="1.0", platform="FreeBSD 13.5", power_on_hours=10)
    rank_everything()

    def page():
        return client.get("/devices/sample/")

    before = page()
    Result.objects.filter(pk=made.pk).update(platform="FreeBSD 14.2", power_on_hours=4321)
    after = page()
    assert (cells(before)[0], cells(after)[0]) == ("FreeBSD 13.5", "FreeBSD 14.2")
    assert "4,321 h" in after.text
    main_rows().update(board_spread=0.9)
    (figure,) = tables(before)
    assert figure.endswith("µs from 1 unit")
    assert list(tables(page())) != [figure]
    other, third = (make_result(device=device, firmware__version="2.0") for _ in range(2))
    assert results(page())["2.0"] == [third.public_id, other.public_id]
    Submission.objects.filter(pk=other.submission_id).update(state="held")
    assert results(page())["2.0"] == [third.public_id]
    third.delete()
    assert list(results(page())) == ["1.0"]


def test_a_row_shows_the_platform_as_platform_and_the_method_as_method(client):
    device = make_device(slug="published", model_name="Published")
    make_result(20, device=device, platform="TrueNAS SCALE, fio-3.25, fdatasync=1", method="fio")
    make_result(20, device=device, platform="")
    text = client.get("/devices/published/").text
    assert '<th scope="col">Platform</th>\n<th scope="col">Method</th>' in text
    assert '<td class="wide-cell">TrueNAS SCALE</td>\n<td>fio</td>' in text
    assert '<td class="wide-cell">–</td>\n<td>diskinfo</td>' in text
