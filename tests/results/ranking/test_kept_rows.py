"""What is made of the leaderboard's rows and kept: outside a test's own transaction, as requests are."""

import pytest
from django.db import transaction

from results.models import Device
from results.ranking.asked import LeaderboardFilter
from results.ranking.kept_rows import read_rows
from slogdb.kept import Kept, Room
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db(transaction=True)
EVERYTHING = LeaderboardFilter()
NVME = LeaderboardFilter(chosen={"class": "nvme"})


@pytest.fixture(autouse=True)
def board():
    for model_name, latency_us in [("Fast", 20), ("Slow", 90)]:
        make_result(latency_us, device=make_device(model_name=model_name, slug=model_name.lower()))
    rank_everything()


@pytest.fixture
def made():
    """The names of the rows that something was made of, in order."""
    return []


@pytest.fixture
def read(made):
    """The names on a page, made of its rows with how many devices their board has; kept for this test alone."""
    kept = Kept("names", Room(100_000))

    def make(rows, ends):
        made.extend(name for (name,) in rows)
        return [f"{name} of {len(ends.highs)}" for (name,) in rows]

    def names(asked=EVERYTHING, *, is_placed=True):
        return read_rows(asked, kept, fields=("device__model_name",), make=make, is_placed=is_placed)[1]

    return names


def test_only_what_is_new_is_made_and_stands_in_its_order(read, made):
    assert read() == read() == ["Fast of 2", "Slow of 2"]
    made.clear()
    Device.objects.filter(slug="fast").update(model_name="Faster")
    assert read() == ["Faster of 2", "Slow of 2"]
    assert made == ["Faster"]


def test_what_has_its_place_in_it_is_made_anew_after_a_pass(read, made):
    read()
    make_result(900, device=make_device(model_name="Last", slug="last"))
    rank_everything()
    made.clear()
    assert read() == ["Fast of 3", "Slow of 3", "Last of 3"]
    assert made == ["Fast", "Slow", "Last"]


def test_what_has_its_place_in_it_is_kept_for_each_board(read):
    make_result(900, device=make_device(model_name="Disk", slug="disk", device_class="hdd"))
    rank_everything()
    for _ in range(2):
        assert read(NVME) == ["Fast of 2", "Slow of 2"]
        assert read() == ["Fast of 3", "Slow of 3", "Disk of 3"]


def test_what_has_no_place_in_it_is_kept_for_all_boards(read, made):
    read(is_placed=False)
    made.clear()
    assert len(read(NVME, is_placed=False)) == 2
    assert made == []


def test_nothing_is_kept_while_versions_do_not_tell(read, made):
    with transaction.atomic():
        assert read() == read()
    assert made == ["Fast", "Slow"] * 2
    assert len(read()) == 2
    assert made == ["Fast", "Slow"] * 3
