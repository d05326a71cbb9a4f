"""The ladder on the pages of a device and of a result."""

from itertools import count

import pytest

from results.kinds.curve.ladder import device_ladder
from results.models import Device
from results.models.fields import BLOCK_SIZES
from tests.factories import make_device, make_result, make_submission, rank_everything
from tests.page import Page

pytestmark = pytest.mark.django_db
FLAG = {"code": "several_writers", "effect": "not_ranked", "message": "Several writers."}
PARTITION = {"code": "not_whole_device", "effect": "not_ranked", "message": "A partition."}
HELD = {"code": "exceeds_link", "effect": "waits", "message": "Too fast."}
_numbers = count(1)


def at(latency_us, size=4096):
    return [latency_us if other == size else None for other in BLOCK_SIZES]


def make_rung(device, writers, latency_us, *, size=4096, flags=(), **values):
    load = {"writers": writers, "not_ranked_reason": FLAG["message"]} if writers > 1 else {}
    flags = [FLAG, *flags] if writers > 1 else list(flags)
    return make_result(at(latency_us, size), device=device, method="fio", flags=flags, **load, **values)


def rungs_of(device):
    """The table's rows: writers, writes per second, multiple of one writer, latency, number of results."""
    ladder = device_ladder(device.pk)
    return [
        (row.rung.writers, row.iops, times, row.latency_us, row.rung.result_count)
        for row, times in (ladder.times if ladder else [])
    ]


def test_a_device_page_draws_the_median_of_each_number_of_writers(client):
    device = make_device()
    for latency_us in (100, 400):
        make_rung(device, 1, latency_us)
    for latency_us in (300, 500, 10_000):
        make_rung(device, 4, latency_us)
    make_rung(device, 16, 1000)
    rank_everything()
    assert rungs_of(device) == [
        pytest.approx((1, 5000, 1, 200, 2)),  # the ranking's median, geometric
        (4, 8000, pytest.approx(1.6), 500, 3),
        (16, 16_000, pytest.approx(3.2), 1000, 1),
    ]
    page = Page(client.get(device.get_absolute_url()))
    sentence = "16 writers at the same time get 3.20 times as many 4 KiB writes per second done as one"
    assert sentence in page.text
    places = page.root.xpath(".//svg[@class='chart ladder']//circle/@cx")
    assert len(places) == 3
    assert "50%" in places  # 4 of 1 to 16, on a logarithmic axis


def test_where_someone_is_accountable_for_some_rungs_the_others_do_not_count():
    device = make_device()
    make_rung(device, 1, 100)
    make_rung(device, 4, 300, submission__is_approved=True)
    make_rung(device, 4, 3)
    make_rung(device, 16, 1000)
    assert [(row[0], row[3], row[4]) for row in rungs_of(device)[1:]] == [
        (4, 300, 1),
        (16, 1000, 1),
    ]


def test_without_several_writers_there_is_no_ladder(client):
    device = make_device()
    make_rung(device, 1, 100)
    assert device_ladder(device.pk) is None
    assert "Several writers at the same time" not in client.get(device.get_absolute_url()).text


@pytest.mark.parametrize("flags", [[PARTITION], [HELD]])
def test_doubtful_results_are_in_no_ladder(flags):
    device = make_device()
    make_rung(device, 8, 1000, flags=flags)
    assert rungs_of(device) == []
    make_rung(device, 8, 2000)
    assert [row[0] for row in rungs_of(device)] == [8]


def test_approved_result_is_in_the_ladder():
    device = make_device()
    make_rung(device, 8, 1000, flags=[HELD], submission__is_approved=True)
    assert [row[0] for row in rungs_of(device)] == [8]


@pytest.mark.parametrize("hidden", [{"submission__state": "held"}, {"is_copy": True}])
def test_private_results_and_copies_are_in_no_ladder(hidden):
    device = make_device()
    first = make_rung(device, 8, 1000)
    values = {"copy_of": first} if hidden.pop("is_copy", False) else hidden
    make_rung(device, 8, 3000, **values)
    assert [row[3:] for row in rungs_of(device)] == [(1000, 1)]


def test_ladder_uses_the_most_common_block_size():
    device = make_device()
    for writers in (2, 4, 8):
        make_rung(device, writers, 100 * writers, size=8192)
    make_rung(device, 2, 100)
    assert device_ladder(device.pk).block_size == 8192
    assert [row[0] for row in rungs_of(device)] == [2, 4, 8]
    assert device_ladder(device.pk).summary == ""


def test_single_rung_is_a_table_without_a_chart(client):
    device = make_device()
    make_rung(device, 8, 1000)
    page = client.get(device.get_absolute_url()).text
    assert "Several writers at the same time" in page
    assert "chart ladder" not in page


def test_a_results_page_draws_the_ladder_of_its_paste_and_device_alone(client, django_assert_max_num_queries):
    device, submission = make_device(), make_submission()
    made = [
        make_rung(device, writers, latency_us, submission=submission, position=position,
                  public_id=f"{submission.public_id}-{position}", flags=[PARTITION])
        for position, (writers, latency_us) in enumerate([(1, 100), (4, 250)], start=2)
    ]  # fmt: skip
    make_rung(
        make_device(), 8, 1000, submission=submission, position=9, public_id=f"{submission.public_id}-9"
    )
    make_rung(device, 16, 1000)
    for rung in made:
        with django_assert_max_num_queries(12):
            page = Page(client.get(rung.get_absolute_url())).section("writers")
        assert [row[0] for row in page.tables[0][1:]] == ["1 writer", "4 writers"]
        assert page.root.xpath(".//svg[@class='chart ladder']")


def test_a_run_by_diskinfo_has_no_ladder(client):
    assert 'id="writers"' not in client.get(make_result().get_absolute_url()).text


def test_a_ladder_of_many_results_takes_no_more_queries(django_assert_num_queries):
    device = Device.objects.get(pk=make_device().pk)
    for writers in (1, 2, 2, 4, 4, 4):
        make_rung(device, writers, 100)
    with django_assert_num_queries(3):
        device_ladder(device.pk)
