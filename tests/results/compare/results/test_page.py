import math

import pytest

from results.compare.results.query import find_pair
from results.models import ClassRanking
from tests.factories import flat, make_device, make_result

pytestmark = pytest.mark.django_db
SPREAD = 0.1
NOISE = math.exp(1.645 * math.sqrt(2) * SPREAD)  # 1.26


def make_pair(first_us=100, second_us=300, first=None, second=None, **both):
    device = make_device()
    made = [
        make_result(flat(latency_us), device=device, **{**both, **(values or {})})
        for latency_us, values in ((first_us, first), (second_us, second))
    ]
    return [result.public_id for result in made]


def make_spread(source="class"):
    ClassRanking.objects.update_or_create(
        board="zil",
        method="diskinfo",
        device_class=make_device().device_class,
        defaults={"spread": SPREAD, "spread_source": source},
    )


def ratio_of(a, b, key="zil_latency_us"):
    return next(ratio for ratio in find_pair(a, b).ratios if ratio.metric.key == key)


@pytest.mark.parametrize("source", ["all", "guess"])
def test_noise_is_unknown_without_a_spread_of_the_class(source):
    make_spread(source)
    assert ratio_of(*make_pair()).exceeds_noise is None


def test_only_the_metric_of_a_board_has_a_known_spread():
    make_spread()
    pair = find_pair(*make_pair())
    assert [ratio.metric.key for ratio in pair.ratios if ratio.exceeds_noise is not None] == [
        "zil_latency_us"
    ]


def test_missing_statement_equals_no_value():
    pair = find_pair(*make_pair(first={"write_cache_enabled": True}, platform="FreeBSD 14.0-RELEASE amd64"))
    stated = {
        condition.key: (*condition.stated, condition.differs, condition.is_unknown)
        for condition in pair.conditions
    }
    assert stated["write_cache"] == ("enabled", "", False, True)
    assert stated["system"] == ("FreeBSD", "FreeBSD", False, False)
    assert not pair.conditions.has_one_difference


def test_single_different_condition_is_in_the_title(client):
    alike = {
        "platform": "FreeBSD 14.0-RELEASE amd64",
        "attachment": "mps0",
        "firmware__version": "1.0",
        "unit": "0" * 32,
    }
    a, b = make_pair(
        first={"write_cache_enabled": True},
        second={"write_cache_enabled": False},
        told_conditions={"attachment": "LSI 9300"},
        sync_method="fsync",
        **alike,
    )
    assert find_pair(a, b).conditions.has_one_difference
    page = client.get(f"/compare/results/?a={a}&b={b}").content.decode()
    assert "write cache enabled vs. disabled" in page
    assert "Only this differs: both state everything else" in page


def test_the_digest_of_a_serial_number_is_not_shown(client):
    a, b = make_pair(first={"unit": "a" * 32}, second={"unit": "b" * 32})
    for url in (f"/compare/results/?a={a}&b={b}", f"/api/v1/compare/results/?a={a}&b={b}"):
        text = client.get(url).content.decode()
        assert "another unit" in text
        assert "aaaa" not in text


def test_the_api_has_the_figures_of_the_page(client, django_assert_num_queries):
    make_spread()
    a, b = make_pair(100, 300)
    with django_assert_num_queries(3):
        record = client.get(f"/api/v1/compare/results/?a={a}&b={b}").json()
    (zil,) = [ratio for ratio in record["ratios"] if ratio["key"] == "zil_latency_us"]
    assert zil == {
        "key": "zil_latency_us",
        "unit": "µs",
        "is_lower_better": True,
        "a": pytest.approx(100),
        "b": pytest.approx(300),
        "ratio": pytest.approx(3),
        "noise_factor": pytest.approx(NOISE, abs=1e-3),
        "exceeds_noise": True,
    }
    assert (record["kind"], record["a"]["id"], record["is_of_one_condition"]) == ("latency_curve", a, False)
    page = client.get(f"/compare/results/?a={a}&b={b}").content.decode()
    assert "A is 3 times better, 100 vs. 300 µs. Two units of one device usually differ by less." in page


def test_page_without_results_has_a_form(client):
    page = client.get("/compare/results/?a=bcdfghjkmn").content.decode()
    assert 'name="a" value="bcdfghjkmn"' in page


ADDRESSES = ("/compare/results/", "/compare/results/preview.png", "/api/v1/compare/results/")


def test_incomparable_results_are_refused_with_the_reason(client, subtests):
    for address in ADDRESSES:
        for query, status, message in [
            ("a=bcdfghjkmn&b=bcdfghjkmn-2", 404, ""),
            ("a=bcdfghjkmn&b=bcdfghjkmn", 400, "Both ids are the same result"),
            ("a=bcdfghjkmnp&b=bcdfghjkmn", 400, "Not a result’s id"),
            ("a=bcdfghjkmn&b=%27--", 400, "Not a result’s id"),
        ]:
            with subtests.test(address=address, query=query):
                response = client.get(f"{address}?{query}")
                assert response.status_code == status
                assert message in response.content.decode()


def test_missing_ids_are_an_error_except_on_the_page(client, subtests):
    for address in ADDRESSES[1:]:
        for query in ["", "a=&b=", "a=bcdfghjkmn"]:
            with subtests.test(address=address, query=query):
                response = client.get(f"{address}?{query}", follow=True)
                assert response.status_code == 400
                assert "Give the ids of two results" in response.text
