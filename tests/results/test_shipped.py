"""What the site says of the data that ship with it."""

from datetime import date
from io import StringIO
from itertools import cycle

import pytest
from django.core.management import call_command
from django.db import transaction
from django.db.models import Q
from django.test import Client
from django.utils.text import slugify

from parsers.base.device_class import DeviceClass
from results.compare.results.query import find_pair
from results.core.formats import format_range
from results.embeds import previews
from results.kinds.flags import Effect
from results.management.commands import load_initial_data
from results.models import Device, Result, Submission
from results.models.choices import DEVICE_CLASSES, Method, State
from results.ranking.standing import main_rows
from results.submissions.intake.shipped import read_shipped
from tests.page import Page
from tests.results.submissions.intake.test_shipped import (
    LOGS_BY_HAND,
    PRODUCTS_BY_HAND,
    known,
    products,
    with_latencies,
)

pytestmark = pytest.mark.django_db

BEST_CHOICES = {
    "nvme": "Intel DC P3700",
    "sata_ssd": "Intel DC S3610",  # the PM863 is faster, but nobody has been seen selling one for two years
}
FEWEST_RANKED = 53  # devices
LOOKED_UP_ON = date(2026, 11, 26)  # the prices
NOT_RANKED = {  # beside those of one writer of which the survey says that they are doubtful
    "d001": "timer_tick",
    # for data centers, but without a firm source for their protection: faster than flash without it
    **dict.fromkeys(["f123", "f150", "f152", "f153"], "cached_flash"),
    "f125": "half_of_pair",  # with its write cache off; as it is delivered, it is on
    "f145": "cached_flash",
    "f162": "copy",  # of f121: two tables with one reader’s figure
    "f185": "far_from_product",
    "n001": "not_whole_device",
}


@pytest.fixture(scope="module", autouse=True)
def _ranked(shipped, django_db_blocker):
    """The shipped catalogue and results, ranked on that day, for all tests of this module."""
    with django_db_blocker.unblock(), transaction.atomic(), pytest.MonkeyPatch.context() as patched:
        patched.setattr("results.core.today.utc_day", lambda: LOOKED_UP_ON)
        call_command("rank", stdout=StringIO())
        yield
        transaction.set_rollback(True)


def test_every_device_that_one_writer_measured_is_on_the_leaderboard(client: Client) -> None:
    assert client.get("/api/v1/leaderboard/").json()["count"] >= FEWEST_RANKED


def test_every_result_on_a_raw_device_is_on_a_board_or_listed_with_its_reason(client: Client) -> None:
    url, listed = "/api/v1/results/?page_size=500", []
    while url:
        page = client.get(url).json()
        listed += [record for record in page["results"] if record["method"] in Method.values]
        url = page["next"]
    assert len(listed) == Result.objects.filter(method__in=Method.values).count()
    ranked = set(main_rows().values_list("device__slug", flat=True))
    for listing in listed:
        assert listing["device"] in ranked if listing["is_ranked"] else listing["not_ranked_reason"], listing[
            "id"
        ]


def test_no_class_page_says_that_none_was_measured_where_something_is(client: Client) -> None:
    measured = Result.objects.filter(method__in=Method.values, is_ranked=True)
    for value in set(measured.values_list("device__device_class", flat=True)):
        response = client.get(f"/leaderboard/?class={value}")
        assert Page(response).root.find_class("drive"), value
        assert "No device measured" not in response.text
    counted = Page(client.get("/survey/")).section("measured").rows()
    assert {row["Class"] for row in counted} == {
        DeviceClass(value).label for value in measured.values_list("device__device_class", flat=True)
    }


def test_only_devices_that_meet_the_criteria_are_recommended(client: Client) -> None:
    rows = client.get("/api/v1/classes/").json()["results"]
    slugs = {row["device_class"]: row["recommended_device"] for row in rows if row["recommended_device"]}
    best = {key: client.get(f"/api/v1/devices/{slug}/").json()["model_name"] for key, slug in slugs.items()}
    assert best == BEST_CHOICES


def test_the_page_of_classes_names_these_choices_and_what_is_missing_elsewhere(client: Client) -> None:
    (_, *rows) = Page(client.get("/survey/")).section("choices").tables[0]
    shown = {label: device for label, device, *_ in rows}
    for value in DEVICE_CLASSES.keys() - {"unknown"}:
        best = BEST_CHOICES.get(value, "No recommendation yet")
        assert shown[DeviceClass(value).label].startswith(best)


def choice_of(client: Client, address: str) -> Page:
    """What the page of a class says of its best protected choice."""
    return Page(client.get(address, follow=True)).section("choice")


def test_each_class_page_names_its_choice_or_that_there_is_none(client, subtests):
    narrowed = cycle(["&method=diskinfo", "&method=fio", "&board=zil"])
    for value in [device_class for device_class in DEVICE_CLASSES if device_class != "unknown"]:
        with subtests.test(value=value):
            best = BEST_CHOICES.get(value)
            for query in ("", next(narrowed)):
                choice = choice_of(client, f"/leaderboard/?class={value}{query}")
                assert (
                    slug_in(choice).startswith(f"{slugify(best)}-")
                    if best
                    else "No recommendation yet" in choice.text
                )


def test_a_class_has_one_recommendation_with_one_interval_everywhere(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The drive and the interval on every page, picture and record that recommends one."""
    drawn: list[str] = []
    monkeypatch.setattr(previews, "png", lambda svg: drawn.append(svg) or b"")
    survey = Page(client.get("/survey/")).section("choices").links.values()
    classes = {other["device_class"]: other for other in client.get("/api/v1/classes/").json()["results"]}
    rows = {
        other["device"]["slug"]: other
        for other in client.get("/api/v1/leaderboard/?page_size=500").json()["results"]
    }
    for value in BEST_CHOICES:
        slug = classes[value]["recommended_device"]
        record = client.get(f"/api/v1/devices/{slug}/").json()
        recommended = rows[slug]["recommended"]
        client.get(f"/devices/{slug}/preview.png")
        digits = main_rows().get(device__slug=slug).digits
        interval = format_range(recommended["low"], recommended["high"], digits)
        choice = choice_of(client, f"/leaderboard/?class={value}")
        found = {
            "leaderboard": (slug_in(choice), choice.text),
            "device": (slug, client.get(f"/devices/{slug}/", follow=True).text),
            "card": (slug, drawn[-1]),
            "badge": (slug, client.get(f"/devices/{slug}/badge.svg").text),
        }
        for place, (shown_slug, text) in found.items():
            assert (place, shown_slug, interval in text) == (place, slug, True)
        assert Device.objects.get(slug=slug).get_absolute_url() in survey
        assert classes[value]["recommended"] == recommended
        assert record["recommended"] == recommended
        assert record["is_first_choice"] is True
    assert sum(row["is_first_choice"] for row in rows.values()) == len(BEST_CHOICES)


def slug_in(choice: Page) -> str:
    link = next(iter(choice.links.values()))
    return Device.objects.get(page=link.removeprefix("/products/").removesuffix("/")).slug


def test_doubted_results_and_the_ticks_of_a_timer_are_shown_and_not_ranked(client: Client) -> None:
    curves = Result.objects.filter(method__in=Method.values)
    unranked = curves.filter(is_ranked=False).exclude(writers__gt=1).select_related("device", "submission")
    alone = [
        published
        for published in read_shipped()
        if published.runs[0].method in Method.values and not published.runs[0].writers
    ]
    doubted = [published.survey_id for published in alone if published.runs[0].doubt]
    codes = {result.submission.survey_id: result.flags[0]["code"] for result in unranked}
    assert codes == {**dict.fromkeys(doubted, "doubted_source"), **NOT_RANKED}
    for result in unranked:
        page = client.get(result.get_absolute_url()).text.replace("&#x27;", "'")
        assert result.flags[0]["message"] in page


def test_shipped_results_are_matched_to_these_products(client):
    assert known(products(with_latencies())) == PRODUCTS_BY_HAND
    logs = set(Device.objects.filter(pool_logs__isnull=False).values_list("model_name", "product__slug"))
    assert logs == LOGS_BY_HAND
    device = Device.objects.get(model_name="Intel 710 Series SSD")
    assert f'href="{device.product.get_absolute_url()}' in client.get(device.get_absolute_url()).text


def test_each_published_result_links_its_source():
    for submission in Submission.objects.filter(survey_id__isnull=False).order_by("pk")[::15]:
        text = Client().get(submission.results.earliest("position").get_absolute_url()).text
        assert submission.source_url in text
        assert submission.figure in text


def test_the_ranked_devices_of_each_class_are_printed():
    out = StringIO()
    load_initial_data.Command(stdout=out).print_counts()
    printed = out.getvalue()
    every_class = "(NVDIMM 1, NVRAM card 1, NVMe SSD 12, SAS SSD 1, SATA SSD 38)"
    assert f"ranked on sync_write: 53 {every_class}" in printed
    assert "ranked on zil: 2 (NVMe SSD 1, SATA SSD 1)" in printed
    assert "devices with results: 129, 76 of them not ranked" in printed


def test_every_figure_that_ships_has_a_source():
    assert not Submission.objects.exclude(source_url__startswith="https://").exists()
    assert not Submission.objects.exclude(text="").exists()
    assert not Submission.objects.filter(quality="").exists()
    assert not Submission.objects.filter(posted_on__gt=date(2026, 10, 6)).exists()
    curves = Submission.objects.filter(figure="", results__method__in=["diskinfo", "fio"])
    assert set(curves.values_list("survey_id", flat=True)) == {"d001", "d002", "d003", "n001"}


def test_what_ships_of_several_writers_is_not_ranked():
    published = {known.survey_id: known.runs[0] for known in read_shipped()}
    loads = {
        survey_id: run for survey_id, run in published.items() if run.method == Method.FIO and run.writers
    }
    assert loads
    for survey_id, run in loads.items():
        single = published[survey_id.rpartition("-")[0]]
        assert (run.identity, run.write_cache_enabled) == (single.identity, single.write_cache_enabled)
        assert run.doubt == single.doubt
        assert run.curve[3] * 4 > single.curve[3] / run.writers  # no writer overtakes all others
    stored = {entry.submission.survey_id: entry for entry in Result.objects.select_related("submission")}
    flags = {
        name: {flag["code"] for flag in result.flags}
        for name, result in stored.items()
        if not result.is_ranked
    }
    assert all("several_writers" in flags[survey_id] for survey_id in loads)


def test_both_halves_of_a_pair_link_to_their_comparison(client):
    for first, other in (("f125", "f140"), ("f125-16", "f140-16"), ("n003", "n003-on")):
        pages = [Result.objects.get(submission__survey_id=survey_id) for survey_id in (first, other)]
        for found, there in (pages, reversed(pages)):
            state = "enabled" if there.write_cache_enabled else "disabled"
            url = f"/compare/results/?a={found.public_id}&amp;b={there.public_id}"
            page = client.get(found.get_absolute_url()).text
            assert f'<a href="{url}">The same with the write cache {state}</a>' in page
        pair = find_pair(*(found.public_id for found in pages))
        assert [condition.key for condition in pair.conditions.differences] == ["write_cache"]
    device = client.get(pages[0].device.get_absolute_url()).text
    assert "to the device itself (ioping, write cache disabled, 1 result:" in device
    assert "to the device itself (ioping, write cache enabled, 1 result:" in device
    alone = Result.objects.get(submission__survey_id="f124")
    assert "The same with" not in client.get(alone.get_absolute_url()).text


def test_nothing_that_ships_waits_for_a_moderator() -> None:
    """What a rule holds back is still not ranked."""
    assert not Submission.objects.filter(Q(needs_review=True) | Q(state=State.HELD)).exists()
    held = Result.objects.get(submission__survey_id="f145", position=1)
    assert not held.is_ranked
    assert [flag["effect"] for flag in held.flags] == [Effect.WAITS]
