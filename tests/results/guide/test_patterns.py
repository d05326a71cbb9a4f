"""The guide's page of access patterns, and the same in the API."""

import re

import pytest

from results.guide.patterns import PATTERNS, read_patterns

pytestmark = pytest.mark.django_db


def test_the_page_shows_the_tables_of_the_paper_side_by_side(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        page = client.get("/guide/access-patterns/").content.decode()
    assert re.search(r"Random writes</th><td[^>]*>1 %</td><td[^>]*>35.5 %</td>", page)
    assert page.count('<svg class="chart histogram"') == 4
    assert page.count("OpenStorage Summit 2010") == 1
    links = re.findall(r'href="(/workload/\?mix=[^"#]+)#answer"', page)
    assert len(links) == 2
    assert [client.get(link.replace("&amp;", "&")).status_code for link in links] == [200, 200]


def test_the_api_has_every_row_with_its_source(client):
    found = client.get("/api/v1/access-patterns/").json()["results"]
    assert [(row["id"], row["method"], row["access_pattern"]["file_systems"]) for row in found] == [
        ("one-iopattern", "iopattern", 1),
        ("one-seeksize", "seeksize", 1),
        ("five-iopattern", "iopattern", 5),
        ("five-seeksize", "seeksize", 5),
    ]
    assert {(row["source_url"], row["published_on"]) for row in found} == {
        ("https://www.ddrdrive.com", "2010-10")
    }
    first = found[0]["access_pattern"]["rows"][0]
    assert (first["percent_random"], first["count"], first["mean_bytes"], first["write_kb"]) == (
        6,
        152,
        34708,
        5152,
    )
    assert len(found[0]["access_pattern"]["rows"]) == 20
    assert found[2]["metrics"]["random_percent"] == 35.5
    assert {"sectors": 0, "count": 158590} in found[3]["access_pattern"]["seeks"]


def test_the_papers_tables_give_its_figures():
    figures = {pattern.key: PATTERNS.compute(pattern.payload) for pattern in read_patterns()}
    counts = {
        pattern.key: len(pattern.payload["rows"]) or len(pattern.payload["seeks"])
        for pattern in read_patterns()
    }
    assert counts == {"one-iopattern": 20, "one-seeksize": 33, "five-iopattern": 20, "five-seeksize": 35}
    assert [figures[key]["random_percent"] for key in ("one-iopattern", "five-iopattern")] == [1.0, 35.5]
    zero = [round(figures[key]["zero_seek_percent"], 1) for key in ("one-seeksize", "five-seeksize")]
    assert zero == [98.8, 58.9]
    for pattern in read_patterns():  # each row's mean times its number is what was written
        for row in pattern.payload["rows"]:
            assert row["mean_bytes"] * row["count"] / 1024 == pytest.approx(row["write_kb"], rel=0.01)
