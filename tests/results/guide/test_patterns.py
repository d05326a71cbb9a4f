"""The guide's page of access patterns, and the same in the API."""

import pytest

from results.guide.patterns import PATTERNS, read_patterns
from tests.page import Page

pytestmark = pytest.mark.django_db


def test_the_page_shows_the_tables_of_the_paper_side_by_side(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        page = Page(client.get("/guide/access-patterns/"))
    assert "Random writes 1 % 35.5 %" in page.text
    assert len(page.root.xpath(".//svg[@class='chart histogram']")) == 4
    assert page.text.count("OpenStorage Summit 2010") == 1
    links = page.root.xpath(".//a/@href[starts-with(., '/workload/?mix=')]")
    assert [client.get(link).status_code for link in links] == [200, 200]


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
