"""What the site recommends with the shipped data, compared with a hand-written list."""

import re
from datetime import date
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client

from parsers.base.device_class import DeviceClass
from results.core.formats import format_range
from results.embeds import previews
from results.models import Result
from results.models.choices import DEVICE_CLASSES, Method
from results.ranking.standing import main_rows

pytestmark = pytest.mark.django_db

BEST_CHOICES = {
    "nvdimm": "NMA1XXD128GPS",
    "nvme": "Intel DC P3700",
    "sata_ssd": "Intel DC S3610",  # the PM863 is faster, but nobody has been seen selling one for two years
}
FEWEST_RANKED = 57  # devices
LOOKED_UP_ON = date(2026, 11, 26)  # the prices
NOT_RANKED = {
    "d001": ("MARVELL SD88SA02", "timer_tick"),
    "f013": ("Samsung 980", "doubted_source"),
    "f110": ("SK hynix Gold P31", "doubted_source"),
    "f127": ("Samsung 983 DCT", "doubted_source"),
    "f140": ("Samsung PM883", "half_of_pair"),
    "f145": ("SanDisk Fusion ioMemory SX300", "cached_flash"),
    "f163": ("Samsung 950 PRO", "doubted_source"),
    "f164": ("Kingston SSDNow V300", "doubted_source"),
    "f166": ("ADATA SP900", "doubted_source"),
    "f175": ("PLEXTOR PX-128M5", "doubted_source"),
    "f183": ("ADATA SP900", "doubted_source"),
    "f185": ("INTEL SSDSC2BW240H6", "far_from_product"),
    "f254": ("Samsung PM9A3", "doubted_source"),
    "f255": ("Intel D3-S4510", "doubted_source"),
    "l002": ("Samsung 980", "doubted_source"),
    "l004": ("T-FORCE TM8FPL500G", "doubted_source"),
    "l005": ("INTEL MEMPEK1J016GAL", "doubted_source"),
    "l008": ("Apacer AS340 480GB", "doubted_source"),
    "l035": ("TEAM T253480GB", "doubted_source"),
    "l036": ("TEAM T253X2512G", "doubted_source"),
    "l038": ("TESLA 2TB SATA SSD", "doubted_source"),
    "n001": ("SK hynix HFS960GD0MEE-5410A", "not_whole_device"),
    "n030": ("Samsung PM9A1", "doubted_source"),
    "n033": ("HPE MK000480GWCEV", "doubted_source"),
    "n034": ("EDILOCA EN605", "doubted_source"),
}


@pytest.fixture(scope="module", autouse=True)
def _shipped(django_db_setup, django_db_blocker):
    """The shipped catalogue and results, ranked, for all tests of this module."""
    with django_db_blocker.unblock(), transaction.atomic(), pytest.MonkeyPatch.context() as patched:
        patched.setattr("results.core.today.utc_day", lambda: LOOKED_UP_ON)
        call_command("load_initial_data", stdout=StringIO())
        call_command("rank", stdout=StringIO())
        yield
        transaction.set_rollback(True)


def test_every_device_that_one_writer_measured_is_on_the_leaderboard(client: Client) -> None:
    assert client.get("/api/v1/leaderboard/").json()["count"] >= FEWEST_RANKED


def test_every_result_on_a_raw_device_is_on_a_board_or_listed_with_its_reason(client: Client) -> None:
    url, listed = "/api/v1/results/?page_size=500", []
    while url:
        page = client.get(url).json()
        listed += [one for one in page["results"] if one["method"] in Method.values]
        url = page["next"]
    assert len(listed) == Result.objects.filter(method__in=Method.values).count()
    ranked = set(main_rows().values_list("device__slug", flat=True))
    for one in listed:
        assert one["device"] in ranked if one["is_ranked"] else one["not_ranked_reason"], one["id"]


def test_no_class_page_says_that_none_was_measured_where_something_is(client: Client) -> None:
    measured = Result.objects.filter(method__in=Method.values, is_ranked=True)
    for value in set(measured.values_list("device__device_class", flat=True)):
        response = client.get(f"/leaderboard/?class={value}")
        assert response.context["groups"], value
        assert "No device measured" not in response.text
    survey = client.get("/survey/").context["classes"]
    counted = {one["label"] for one in survey if one["device_count"]}
    assert counted == {
        DeviceClass(value).label for value in measured.values_list("device__device_class", flat=True)
    }


def test_only_devices_that_meet_the_criteria_are_recommended(client: Client) -> None:
    rows = client.get("/api/v1/classes/").json()["results"]
    slugs = {row["device_class"]: row["recommended_device"] for row in rows if row["recommended_device"]}
    best = {key: client.get(f"/api/v1/devices/{slug}/").json()["model_name"] for key, slug in slugs.items()}
    assert best == BEST_CHOICES


def test_the_page_of_classes_names_these_choices_and_what_is_missing_elsewhere(client: Client) -> None:
    response = client.get("/survey/")
    shown = {row["label"]: row["best"] for row in response.context["choices"]}
    labels = {value: DeviceClass(value).label for value in DEVICE_CLASSES if value != "unknown"}
    for value, label in labels.items():
        best = shown[label]
        assert (best and best["model_name"]) == BEST_CHOICES.get(value)
    page = response.content.decode()
    assert page.count("No recommendation yet") == len(labels) - len(BEST_CHOICES)


def choice_of(client: Client, address: str) -> str:
    """What the page of a class says of its best protected choice."""
    page = client.get(address, follow=True).content.decode()
    choice = re.search(r'<aside class="notice" aria-labelledby="choice">(.*?)</aside>', page, re.DOTALL)
    assert choice
    return choice[1]


@pytest.mark.parametrize("value", [one for one in DEVICE_CLASSES if one != "unknown"])
def test_each_class_page_names_its_choice_or_that_there_is_none(client: Client, value: str) -> None:
    expected = BEST_CHOICES.get(value, "No recommendation yet")
    for query in ("", "&method=diskinfo", "&method=fio", "&board=zil"):
        assert expected in choice_of(client, f"/leaderboard/?class={value}{query}")


def test_a_class_has_one_recommendation_with_one_interval_everywhere(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The drive and the interval on every page, picture and record that recommends one."""
    drawn: list[str] = []
    monkeypatch.setattr(previews, "png", lambda svg: drawn.append(svg) or b"")
    survey = {one["label"]: one["best"] for one in client.get("/survey/").context["choices"]}
    classes = {one["device_class"]: one for one in client.get("/api/v1/classes/").json()["results"]}
    rows = {
        one["device"]["slug"]: one
        for one in client.get("/api/v1/leaderboard/?page_size=500").json()["results"]
    }
    for value in BEST_CHOICES:
        slug = classes[value]["recommended_device"]
        record = client.get(f"/api/v1/devices/{slug}/").json()
        recommended = rows[slug]["recommended"]
        client.get(f"/devices/{slug}/preview.png")
        interval = format_range(recommended["low"], recommended["high"])
        found = {
            "classes": (
                survey[DeviceClass(value).label]["slug"],
                survey[DeviceClass(value).label]["interval_svg"],
            ),
            "leaderboard": (slug_in(choice := choice_of(client, f"/leaderboard/?class={value}")), choice),
            "device": (slug, client.get(f"/devices/{slug}/").text),
            "card": (slug, drawn[-1]),
            "badge": (slug, client.get(f"/devices/{slug}/badge.svg").text),
        }
        for place, (shown_slug, text) in found.items():
            assert (place, shown_slug, interval in text) == (place, slug, True)
        assert classes[value]["recommended"] == recommended
        assert record["recommended"] == recommended
        assert record["is_first_choice"] is True
    assert sum(one["is_first_choice"] for one in rows.values()) == len(BEST_CHOICES)


def slug_in(choice: str) -> str:
    found = re.search(r'href="/devices/([^/]+)/"', choice)
    assert found
    return found[1]


def test_doubted_results_and_the_ticks_of_a_timer_are_shown_and_not_ranked(client: Client) -> None:
    curves = Result.objects.filter(method__in=Method.values)
    unranked = curves.filter(is_ranked=False).exclude(writers__gt=1).select_related("device", "submission")
    assert {
        one.submission.survey_id: (one.device.model_name, one.flags[0]["code"]) for one in unranked
    } == NOT_RANKED
    for result in unranked:
        assert result.flags[0]["message"] in client.get(result.get_absolute_url()).content.decode().replace(
            "&#x27;", "'"
        )
