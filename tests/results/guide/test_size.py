import pytest

pytestmark = pytest.mark.django_db

URL = "/guide/how-big/"


def test_answer_has_its_own_url(client):
    answer = client.get(URL, {"link": "10", "seconds": "5"}).context["answer"]
    assert (answer["needed"], answer["low"], answer["high"]) == ("18.8 GB", "12.5 GB", "18.8 GB")


def test_all_sizes_are_in_one_unit_and_the_default_limit_is_named(client):
    page = client.get(URL, {"link": "10"}).text.partition("<main")[2]
    assert "With ZFS’s default limits it is less: at most 4.29 GB" in page
    assert "With ZFS’s default limits" not in client.get(URL, {"link": "1"}).text
    assert "4 GiB" not in page.partition('<p class="sources"')[0]


def test_omitted_fields_have_the_defaults_of_zfs(client):
    assert client.get(URL, {"link": "1"}).context["answer"]["seconds"] == "5"


def test_memory_is_named_if_it_is_the_lower_limit(client):
    answer = client.get(URL, {"link": "100", "memory": "64"}).context["answer"]
    assert (answer["needed"], answer["memory_limit"], answer["is_memory_narrower"]) == (
        "4.29 GB",
        "4.29 GB",
        True,
    )


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
        ({"link": "1\x000"}, "link", "is not a number"),
    ]:
        with subtests.test(query=query):
            response = client.get(URL, query)
            assert (response.status_code, response.context["answer"]) == (400, None)
            assert [fault["name"] for fault in response.context["faults"]] == [name]
            assert message in response.text
            values = {field["name"]: field["value"] for field in response.context["fields"]}
            assert {key: values[key] for key in query} == {key: text[:60] for key, text in query.items()}


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


def test_table_is_shown_without_a_question(client):
    table = client.get(URL).context["table"]
    assert table[3] == {"link": "10", "second": "1.25", "low": "12.5", "high": "18.8"}
    assert table[0]["second"] == "0.125"  # in the unit of the table's head
