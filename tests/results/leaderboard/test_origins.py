"""The sentence above a board that says where its figures come from."""

import pytest

from results.leaderboard.query import origin_text
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db
TABLES = ("https://a.example/table", "https://b.example/table")


def published(count, page, **values):
    for number in range(count):
        make_result(
            20 + number,
            device=make_device(**values),
            submission__survey_id=f"{page[8]}{number}",
            submission__source_url=f"{page}#row-{number}",
            submission__quality="b",
            method="fio",
            sync_method="sync",
        )


def test_a_board_of_two_tables_says_so(client, django_assert_num_queries):
    published(4, TABLES[0])
    published(3, TABLES[1])
    make_result(30)
    rank_everything()
    with django_assert_num_queries(1):
        said = origin_text("sync_write", "nvme", 8)
    assert said == "7 of 8 drives here are known only from 2 public tables of one test."
    assert said in client.get("/leaderboard/").text
    assert said not in client.get("/leaderboard/?method=fio").text
    assert said not in client.get("/leaderboard/?q=sample").text
    assert origin_text("sync_write", "hdd", 0) == ""


def test_a_drive_that_somebody_else_measured_is_not_one_of_a_table():
    published(4, TABLES[0])
    for number in range(3):
        make_result(40, device__slug=f"other-{number}")
    rank_everything()
    assert (
        origin_text("sync_write", "", 7)
        == "4 of 7 drives here are known only from one public table of one test."
    )
    measured = make_device(slug="both")
    make_result(40, device=measured)
    rank_everything()
    assert origin_text("sync_write", "", 8) == ""
