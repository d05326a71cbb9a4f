import csv
from io import StringIO

import pytest

from results.core.public import MARK
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db

HOSTILE = '=HYPERLINK("http://evil.example")|[/url][img]x[/img]`*<b>'


def make_two():
    make_result(20, device=make_device(slug="fast", model_name="Fast", vendor="Aldera"))
    make_result(90, device=make_device(slug="odd", model_name=HOSTILE, vendor="@x", device_class="hdd"))
    rank_everything()


def test_csv_has_the_rows_shown_as_plain_numbers(client, django_assert_num_queries):
    make_two()
    with django_assert_num_queries(4):  # the ends of the board, the page, the count, other methods
        response = client.get("/leaderboard.csv?sort=-rank")
    rows = list(csv.DictReader(StringIO(response.text)))
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert [row["url"] for row in rows] == [
        "http://127.0.0.1:8000/devices/odd/",
        "http://127.0.0.1:8000/devices/fast/",
    ]
    assert (rows[1]["zil_latency_us"], rows[1]["capacity_bytes"]) == ("20", "480000000000")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("class=hdd", [("Disk", "fio")]),
        ("class=hdd&method=diskinfo", []),
        ("class=nvme", [("Card", "diskinfo"), ("Card by fio", "fio")]),
        ("class=nvme&method=fio", [("Card by fio", "fio")]),
        ("board=zil", [("Card", "diskinfo")]),
    ],
)
def test_csv_has_the_rows_of_the_page(client, query, expected):
    make_result(20, device__model_name="Card")
    small = [None, None, None, 20, *[None] * 11]
    make_result(small, device__model_name="Card by fio", method="fio")
    make_result(small, device__model_name="Disk", device__device_class="hdd", method="fio")
    rank_everything()
    rows = csv.DictReader(StringIO(client.get(f"/leaderboard.csv?{query}").text))
    assert [(row["device"], row["method"]) for row in rows] == expected


def test_csv_contains_no_formulas(client):
    make_two()
    make_result(30, device=make_device(model_name='x";=1+1;y', vendor="＝1+1", device_class="nvme"))
    rank_everything()
    text = client.get("/leaderboard.csv?class=nvme").text
    assert [cell for line in text.splitlines() for cell in line.split(";") if cell.startswith("=")] == []
    assert '"x"";\'=1+1;y",\'＝1+1,' in text
    (row,) = csv.DictReader(StringIO(client.get("/leaderboard.csv?class=hdd").text))
    assert (row["device"], row["vendor"]) == (f"'{HOSTILE}", "'@x")


def test_markdown_is_a_table_that_no_name_breaks(client):
    make_two()
    lines = client.get("/leaderboard.md").text.splitlines()
    assert lines[2].startswith(
        "| 1 | [Fast 480 GB](http://127.0.0.1:8000/devices/fast/) | Protection unknown | 20.0 |"
    )
    assert lines[3].replace("\\|", "").count("|") == lines[0].count("|")
    assert "\\[/url\\]" in lines[3]
    assert "http://evil" not in lines[3]


def test_bbcode_is_a_table_that_no_name_breaks(client):
    make_two()
    text = client.get("/leaderboard.bbcode?class=hdd").text
    assert "[tr][td]1[/td][td][url=http://127.0.0.1:8000/devices/odd/]=HYPERLINK(" in text
    assert "[img]" not in text
    assert text.endswith(": [url]http://127.0.0.1:8000/leaderboard/?class=hdd[/url]\n")


@pytest.mark.parametrize("kind", ["csv", "md", "bbcode"])
def test_an_export_is_a_public_page(client, kind):
    make_two()
    assert client.get(f"/leaderboard.{kind}?q=fast")[MARK] == "1"
    assert client.get(f"/leaderboard.{kind}?class=floppy").status_code == 400
    past = client.get(f"/leaderboard.{kind}?page=9")
    assert past.status_code == 404
    assert "There is no page 9" in past.text
    assert client.post(f"/leaderboard.{kind}").status_code == 405


def test_there_are_no_other_exports(client):
    assert client.get("/leaderboard.xls").status_code == 404
