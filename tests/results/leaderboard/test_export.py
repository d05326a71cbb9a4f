import csv
from io import StringIO

import pytest

from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db

HOSTILE = '=HYPERLINK("http://evil.example")|[/url][img]x[/img]`*<b>'


def make_two():
    make_result(20, device=make_device(slug="fast", model_name="Fast", vendor="Aldera"))
    make_result(90, device=make_device(slug="odd", model_name=HOSTILE, vendor="@x", device_class="hdd"))
    rank_everything()


def read_csv(client, query=""):
    response = client.get(f"/leaderboard.csv{query}")
    assert response.status_code == 200
    return response, list(csv.DictReader(StringIO(b"".join(response.streaming_content).decode())))


def test_csv_has_all_rows_with_the_names_and_values_of_the_api(client):
    for number in range(51):
        make_result(20 + number, device__slug=f"at-{number}")
    rank_everything()
    response, rows = read_csv(client, "?class=nvme&sort=-rank&view=bars&columns=carries_gbe&page=2")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert [row["device.slug"] for row in rows] == [f"at-{number}" for number in reversed(range(51))]
    address = "http://127.0.0.1:8000/api/v1/leaderboard/?class=nvme&ordering=-high&format=csv"
    assert response["Link"] == f'<{address}>; rel="canonical"'
    of_api = client.get(address)
    assert list(csv.DictReader(StringIO(b"".join(of_api.streaming_content).decode()))) == rows
    (record,) = client.get("/api/v1/leaderboard/?page_size=1").json()["results"]
    assert set(record) - {"conditions", "device", "facts", "recommended"} <= set(rows[0])
    last = rows[-1]
    assert (last["is_recommended"], last["assumed_spread"], last["score"]) == ("false", "true", "20.0")


def test_csv_has_the_rows_of_the_page(client, subtests):
    make_result(20, device__model_name="Card")
    small = [None, None, None, 20, *[None] * 11]
    make_result(small, device__model_name="Card by fio", method="fio")
    make_result(small, device__model_name="Disk", device__device_class="hdd", method="fio")
    rank_everything()
    for query, expected in [
        ("class=hdd", [("Disk", "fio")]),
        ("class=hdd&method=diskinfo", []),
        ("class=nvme", [("Card", "diskinfo"), ("Card by fio", "fio")]),
        ("class=nvme&method=fio", [("Card by fio", "fio")]),
        ("board=zil", [("Card", "diskinfo")]),
    ]:
        with subtests.test(query=query):
            _, rows = read_csv(client, f"?{query}")
            assert [(row["device.model_name"], row["method"]) for row in rows] == expected


def test_csv_contains_no_formulas(client):
    make_two()
    make_result(30, device=make_device(model_name='x";=1+1;y', vendor="＝1+1", device_class="nvme"))
    rank_everything()
    _, rows = read_csv(client)
    cells = [row[name] for row in rows for name in ("device.model_name", "device.vendor")]
    assert sorted(cells) == sorted(["Fast", "Aldera", f"'{HOSTILE}", "'@x", "x\";'=1+1;y", "'＝1+1"])


def test_a_table_for_a_forum_is_broken_by_no_name(client):
    make_two()
    lines = client.get("/leaderboard.md").text.splitlines()
    assert lines[2].startswith(
        "| 1–2 | [Fast 480 GB](http://127.0.0.1:8000/devices/fast/) | Protection unknown | 20.0 |"
    )
    assert lines[3].replace("\\|", "").count("|") == lines[0].count("|")
    assert "\\[/url\\]" in lines[3]
    assert "http://evil" not in lines[3]
    text = client.get("/leaderboard.bbcode?class=hdd").text
    assert "[tr][td]1[/td][td][url=http://127.0.0.1:8000/devices/odd/]=HYPERLINK(" in text
    assert "[img]" not in text
    assert text.endswith(": [url]http://127.0.0.1:8000/leaderboard/?class=hdd[/url]\n")


def test_a_page_of_an_export_past_the_end_is_missing(client):
    make_two()
    for kind in ("md", "bbcode"):
        past = client.get(f"/leaderboard.{kind}?page=9")
        assert (past.status_code, "There is no page 9" in past.text) == (404, True)
