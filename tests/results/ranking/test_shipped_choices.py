"""What the site recommends with the shipped data, compared with a hand-written list."""

import re
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from results.models import Result
from results.models.choices import DeviceClassChoice

pytestmark = pytest.mark.django_db

# Of the shipped results only these two have neither a doubt nor a timer's ticks, and the 950 PRO is not protected.
BEST_CHOICES = {"sata_ssd": "Intel 710 Series SSD"}
NOT_RANKED = {
    "MARVELL SD88SA02": "timer_tick",
    "Samsung 980": "doubted_source",
    "T-FORCE TM8FPL500G": "doubted_source",
    "INTEL MEMPEK1J016GAL": "doubted_source",
    "Apacer AS340 480GB": "doubted_source",
    "TEAM T253480GB": "doubted_source",
    "TEAM T253X2512G": "doubted_source",
    "TESLA 2TB SATA SSD": "doubted_source",
}


@pytest.fixture
def shipped() -> None:
    call_command("load_initial_data", stdout=StringIO())


@pytest.mark.usefixtures("shipped")
def test_only_what_passes_the_bar_is_recommended(client: Client) -> None:
    rows = client.get("/api/v1/classes/").json()["results"]
    slugs = {row["device_class"]: row["recommended_device"] for row in rows if row["recommended_device"]}
    best = {key: client.get(f"/api/v1/devices/{slug}/").json()["model_name"] for key, slug in slugs.items()}
    assert best == BEST_CHOICES


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize("path", ["/", "/survey/"])
def test_pages_name_these_choices_and_what_is_missing_elsewhere(client: Client, path: str) -> None:
    page = client.get(path).content.decode()
    for value in DeviceClassChoice.values:
        if value != DeviceClassChoice.UNKNOWN and value not in BEST_CHOICES:
            assert "No recommendation yet" in page
    assert page.count("No recommendation yet") == len(DeviceClassChoice.values) - 1 - len(BEST_CHOICES)


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize("value", [one for one in DeviceClassChoice.values if one != "unknown"])
def test_each_class_page_names_its_choice_or_says_that_there_is_none(client: Client, value: str) -> None:
    page = client.get(f"/leaderboard/?class={value}").content.decode()
    choice = re.search(r'<aside class="notice" aria-labelledby="choice">(.*?)</aside>', page, re.S)
    assert choice
    expected = BEST_CHOICES.get(value, "No recommendation yet")
    assert expected in choice[1]


@pytest.mark.usefixtures("shipped")
def test_doubted_results_and_the_ticks_of_a_timer_are_shown_and_not_ranked(client: Client) -> None:
    unranked = Result.objects.filter(is_ranked=False).select_related("device")
    assert {one.device.model_name: one.flags[0]["code"] for one in unranked} == NOT_RANKED
    for result in unranked:
        assert result.flags[0]["message"] in client.get(result.get_absolute_url()).content.decode().replace(
            "&#x27;", "'"
        )
