import re

import pytest

from results.kinds.access_pattern import metrics as access_pattern
from tests.factories import make_device, make_result, rank_everything
from tests.page import Page

pytestmark = pytest.mark.django_db


def test_page_without_a_ranked_device_says_so(client):
    response = client.get("/about/")
    assert "No device has been ranked yet" in response.text


def test_the_example_is_a_device_of_the_ranking(client):
    device = make_device(slug="sample", device_class="optane")
    for latency_us in (20, 40, 80):
        make_result(latency_us, device=device)
    rank_everything()
    response = client.get("/about/")
    page = Page(response)
    assert [row["Median 4 KiB latency µs"] for row in page.rows()] == ["20.0", "40.0", "80.0"]
    assert "The median over its units is 40.0 µs." in page.text
    assert "that is rank 1 of 1." in page.text
    interval = re.search(
        r"40\.0 ÷ ([\d.]+) = ([\d.]+) µs to 40\.0 × \1 = ([\d.]+) µs, the cautious", page.text
    )
    factor, *ends = map(float, interval.groups())
    assert ends == pytest.approx([40 / factor, 40 * factor], rel=0.01)
    assert 'href="/devices/sample/"' in response.text


def test_example_with_one_unit_uses_the_class_spread(client):
    make_result(25)
    rank_everything()
    assert re.search("One unit shows no spread, so s is .*: 0.500, or", Page(client.get("/about/")).text)


def test_a_metric_says_which_end_is_better_unless_it_describes_a_workload(client):
    text = client.get("/about/").text
    said = {line for line in text.splitlines() if line.startswith('<li id="metric-') and "is better" in line}
    assert any('"metric-latency-4k-us"' in line and "lower is better" in line for line in said)
    assert [metric.key for metric in access_pattern.METRICS.values() if metric.anchor in "".join(said)] == []


def test_anchors_linked_by_other_pages_exist(client, subtests):
    for anchor in ["read", "zil-latency", "formula", "example", "fit", "flags", "limits"]:
        with subtests.test(anchor=anchor):
            assert f'id="{anchor}"' in client.get("/about/").text
