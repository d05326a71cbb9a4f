from decimal import Decimal

import pytest

from results.advice.criteria import Need
from results.advice.link import LINKS
from results.advice.log_size import log_size
from results.core.formats import format_capacity
from tests.page import Page

pytestmark = pytest.mark.django_db

URL = "/guide/how-big/"


def test_answer_has_its_own_url(client):
    answer = Page(client.get(URL, {"link": "1", "seconds": "5"})).part("answer").text
    assert answer.startswith(
        "At most 1.88 GB in use A link of 1 Gbit/s carries 125 MB a second, so 1.88 GB in three"
    )


def test_the_limit_of_zfs_is_named_if_it_is_the_lower_one(client):
    page = client.get(URL, {"link": "10"})
    assert "ZFS lets it hold 8 GiB of data, which takes up to" in page.text
    assert "Your link can’t fill that." in client.get(URL, {"link": "1"}).text


def test_omitted_fields_have_the_defaults_of_zfs(client):
    answers = [
        Page(client.get(URL, {"link": "1"} | given)).part("answer") for given in ({}, {"seconds": "5"})
    ]
    assert answers[0].text == answers[1].text


def test_tuned_values_and_memory_change_the_limit(client, subtests):
    for tuned, limit in [
        ({"memory": "16"}, "3.2 GiB"),
        ({"wrlog": "24", "dirty": "8"}, "24 GiB"),
    ]:
        with subtests.test(tuned=tuned):
            assert f"hold {limit} of data" in client.get(URL, {"link": "400", **tuned}).text


def test_guide_questions_and_shortlist_say_the_same_size(client):
    needed = format_capacity(log_size(Decimal(10)).needed)
    assert f"At most {needed} in use" in client.get(URL, {"link": "10"}).text
    assert f"At 10 GbE that is {needed}" in client.get("/guide/questions/").text
    ten = next(link for link in LINKS if link.gbit_s == 10)
    assert Need(link=ten).log_bytes == log_size(Decimal(10)).needed


def test_invalid_fields_are_named_and_preserved(client, subtests):
    for query, name, message in [
        ({"link": "ten"}, "link", "“ten” is not a number"),
        ({"link": "2,5"}, "link", "“2,5” is not a number: write it like 2.5."),
        ({"link": "-1"}, "link", "Enter 0.01 to 1,600, not -1."),
        ({"link": "1e9"}, "link", "is not a number"),
        ({"link": "NaN"}, "link", "is not a number"),
        ({"link": "٣"}, "link", "is not a number"),
        ({"link": "0"}, "link", "Link speed</a>: Enter 0.01 to 1,600, not 0."),
        ({"link": "9" * 500}, "link", "has too many digits"),
        ({"link": "10", "seconds": "9999"}, "seconds", "Transaction group</a>: Enter 1 to 600"),
        ({"link": "10", "memory": "<script>"}, "memory", "“&lt;script&gt;” is not a number"),
        ({"seconds": "5"}, "link", "Fill this in."),
    ]:
        with subtests.test(query=query):
            response = client.get(URL, query)
            assert response.status_code == 400
            page = Page(response)
            assert f"#id_{name}" in page.links.values()
            assert message in response.text
            assert {key: page.fields[key].value for key in query} == {
                key: text[:60] for key, text in query.items()
            }


def test_question_has_one_canonical_url(client, subtests):
    for query, canonical in [
        ("?link=10&seconds=&memory=", "?link=10"),
        ("?memory=&link=10&utm_source=x", "?link=10"),
        ("?link=1&link=10", "?link=10"),
        ("?seconds=", ""),
    ]:
        with subtests.test(query=query):
            response = client.get(URL + query)
            assert (response.status_code, response["Location"]) == (302, URL + canonical)
