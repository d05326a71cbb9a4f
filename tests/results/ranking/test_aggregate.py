"""Medians by hand: on the log scale, the median of two values is their geometric mean."""

import math
from datetime import date

import pytest
from django.db import connection
from django.forms.models import model_to_dict

from results.kinds.curve.metrics import FORMULA_VERSION
from results.models import ClassRanking, Device, DeviceRanking, Result
from results.ranking.boards import ClassBoard
from results.ranking.intervals import GUESSED_SPREAD, half_width, interval
from results.ranking.medians import MAX_PAIRS, refresh_all, refresh_devices
from results.ranking.standing import main_rows
from tests.factories import CURVE, flat, make_device, make_result

pytestmark = pytest.mark.django_db
NVME, ZIL = ClassBoard("sync_write", "nvme"), ClassBoard("zil", "nvme")


def refreshed(device, method="diskinfo", board="sync_write"):
    refresh_devices([device.pk])
    return DeviceRanking.objects.get(device=device, board=board, method=method)


def test_a_single_result_becomes_the_row_of_its_device():
    result = make_result(CURVE)
    row = model_to_dict(refreshed(result.device), exclude=["id"])
    numbers = {
        name: row.pop(name)
        for name in list(row)
        if name.endswith(("_us", "metrics")) or name in {"score", "low", "high"}
    }
    assert {name: value for name, value in row.items() if value not in (None, [])} == {
        "device": result.device_id,
        "board": "sync_write",
        "method": "diskinfo",
        "device_class": "nvme",
        "model_name": result.device.model_name,
        "capacity_bytes": result.device.capacity_bytes,
        "formula_version": FORMULA_VERSION,
        "unit_count": 1,
        "result_count": 1,
        "last_measured_on": date(2024, 5, 17),
        "board_spread": GUESSED_SPREAD,
        "assumed_spread": True,
        "is_vouched": False,
        "is_main": True,
    }
    ends = interval(numbers["score"], half_width(GUESSED_SPREAD, 1))
    assert (numbers.pop("low"), numbers.pop("high")) == pytest.approx(ends)
    assert numbers["score"] == numbers["metrics"]["latency_4k_us"]
    assert numbers["metrics"]["zil_latency_us"] == pytest.approx(result.metrics["zil_latency_us"])
    assert numbers["metrics"]["latency_4k_us"] == pytest.approx(21)
    assert numbers["metrics"]["throughput_128k_mib_s"] == pytest.approx(0.125 * 1e6 / 52)
    assert numbers["metrics"]["peak_throughput_mib_s"] == pytest.approx(
        result.metrics["peak_throughput_mib_s"]
    )
    for name in ("median_us", "lowest_us", "highest_us"):
        assert numbers[name] == pytest.approx(CURVE)


def test_a_device_is_the_median_of_its_units_each_the_median_of_its_results():
    device = make_device()
    for unit, latencies in {"a": [10, 40], "b": [30], "c": [500, 90, 100]}.items():
        for latency_us in latencies:
            make_result(latency_us, device=device, unit=unit)
    row = refreshed(device)
    assert (row.unit_count, row.result_count) == (3, 6)
    assert row.metrics["zil_latency_us"] == pytest.approx(30)  # of 20, 30 and 100
    assert row.lowest_us == pytest.approx(flat(20))
    assert row.highest_us == pytest.approx(flat(100))


def test_two_units_have_their_geometric_mean():
    device = make_device()
    make_result(10, device=device)
    make_result(1000, device=device)
    row = refreshed(device)
    assert row.metrics["zil_latency_us"] == pytest.approx(100)
    assert row.median_us == pytest.approx(flat(100))
    assert row.metrics["throughput_128k_mib_s"] == pytest.approx(1250)


def test_a_unit_with_fifty_runs_weighs_no_more_than_one_with_one():
    device = make_device()
    for _ in range(50):
        make_result(20, device=device, unit="eager")
    make_result(80, device=device, unit="modest")
    row = refreshed(device)
    assert (row.unit_count, row.result_count) == (2, 51)
    assert row.metrics["zil_latency_us"] == pytest.approx(40)


def test_results_of_one_sender_without_a_serial_number_count_as_one_unit():
    device = make_device()
    for latency_us in (10, 20, 30):
        make_result(latency_us, device=device, submission__sender_digest="one network")
    make_result(80, device=device)
    assert refreshed(device).metrics["zil_latency_us"] == pytest.approx(40)


def test_a_row_has_the_fewest_digits_of_its_figures_whichever_unit_they_are_of():
    device = make_device()
    for number, digits in enumerate((2, 1, None, 2)):
        make_result(20, device=device, unit=f"unit {number // 2}", submission__figure_digits=digits)
    assert refreshed(device).digits == 1


def test_units_known_from_one_sender_only_count_as_one():
    device = make_device()
    for number, latency_us in enumerate((10, 20, 30)):
        make_result(latency_us, device=device, unit=f"u{number}", submission__sender_digest="one network")
    make_result(80, device=device, unit="elsewhere")
    row = refreshed(device)
    assert (row.unit_count, row.result_count) == (2, 4)
    assert row.metrics["zil_latency_us"] == pytest.approx(40)


def test_a_unit_that_another_sender_has_as_well_counts_alone():
    device = make_device()
    for number, latency_us in enumerate((10, 20, 40)):
        make_result(latency_us, device=device, unit=f"u{number}", submission__sender_digest="one network")
    make_result(90, device=device, unit="u0")
    row = refreshed(device)
    assert (row.unit_count, row.result_count) == (2, 4)
    assert row.metrics["zil_latency_us"] == pytest.approx(
        math.sqrt(30 * math.sqrt(20 * 40))
    )  # of 10 and 90, and of 20 and 40


def test_methods_are_not_mixed():
    device = make_device()
    make_result(10, device=device)
    make_result(1000, device=device, method="fio")
    assert refreshed(device, "diskinfo").metrics["zil_latency_us"] == pytest.approx(10)
    assert refreshed(device, "fio").metrics["zil_latency_us"] == pytest.approx(1000)


def test_unranked_results_are_ignored():
    device = make_device()
    make_result(10, device=device)
    make_result(1000, device=device, not_ranked_reason="cut short")
    assert refreshed(device).metrics["zil_latency_us"] == pytest.approx(10)


def test_a_size_that_some_units_lack_is_the_median_of_those_that_have_it():
    device = make_device()
    make_result([None, *flat(10)[1:]], device=device)
    make_result(40, device=device)
    row = refreshed(device)
    assert row.median_us[:2] == pytest.approx([40, 20])


def test_a_size_that_nobody_measured_stays_empty():
    result = make_result([None, *flat(10)[1:]], method="fio")
    row = refreshed(result.device, "fio")
    assert (row.median_us[0], row.lowest_us[0], row.highest_us[0]) == (None, None, None)


def test_a_run_of_4_kib_alone_has_a_row_without_a_zil_latency():
    curve = [None] * 15
    curve[3] = 200.0
    row = refreshed(make_result(curve, method="fio").device, "fio")
    assert row.metrics == {
        "latency_4k_us": 200.0,
        "peak_throughput_mib_s": pytest.approx(4 / 1024 / 200 * 1e6),
    }


def test_the_latest_date_is_shown_even_when_others_are_unknown():
    device = make_device()
    for day in (None, date(2023, 1, 2), date(2021, 1, 1)):
        make_result(device=device, measured_on=day)
    assert refreshed(device).last_measured_on == date(2023, 1, 2)


def test_a_row_is_deleted_with_the_last_ranked_result():
    result = make_result()
    refreshed(result.device)
    Result.objects.update(is_ranked=False, not_ranked_reason="held")
    refresh_devices([result.device_id])
    assert not main_rows().exists()


def test_only_the_given_devices_are_refreshed():
    first, second = make_result(), make_result()
    refresh_devices([first.device_id, second.device_id])
    Result.objects.update(is_ranked=False, not_ranked_reason="held")
    refresh_devices([first.device_id])
    assert list(main_rows().values_list("device", flat=True)) == [second.device_id]


def test_refreshing_all_devices_equals_refreshing_each():
    devices = [make_device() for _ in range(4)]
    for number, device in enumerate(devices, start=1):
        for run in range(number):
            make_result(10 * number + run, device=device, method="fio" if run == 2 else "diskinfo")
    for device in devices:
        refresh_devices([device.pk])
    one_by_one = list(DeviceRanking.objects.order_by("device", "board", "method").values())
    DeviceRanking.objects.filter(device=devices[0]).delete()
    stale = make_device()
    DeviceRanking.objects.filter(device=devices[1]).update(device=stale)
    list(refresh_all())
    at_once = list(DeviceRanking.objects.order_by("device", "board", "method").values())
    assert without_keys(at_once) == without_keys(one_by_one)
    assert math.isclose(at_once[0]["metrics"]["zil_latency_us"], 10, rel_tol=1e-6)


def test_the_steps_of_a_full_ranking_cover_every_device():
    for count in (1, 1, 2, 5, 1):
        device = make_device()
        for _ in range(count):
            make_result(device=device)
    assert list(refresh_all(3)) == [(4, 10), (9, 10), (10, 10)]
    counts = main_rows().order_by("id").values_list("result_count", flat=True)
    assert list(counts) == [1, 1, 2, 5, 1]


def without_keys(rows):
    return [{name: value for name, value in row.items() if name != "id"} for row in rows]


def test_a_devices_new_class_reaches_its_row():
    result = make_result(device__device_class="unknown")
    refresh_devices([result.device_id])
    result.device.read_class = "optane"
    result.device.save()
    assert refreshed(result.device).device_class == "optane"


def test_a_row_uses_the_stored_spread_of_its_board():
    result = make_result(20)
    for board, method, spread in [
        ("sync_write", "diskinfo", 0.5),
        ("sync_write", "fio", 0.7),
        ("zil", "diskinfo", 0.6),
    ]:
        ClassRanking.objects.create(
            board=board, device_class="nvme", method=method, spread=spread, spread_source="class"
        )
    row = refreshed(result.device)
    assert (row.board_spread, row.assumed_spread) == (0.5, False)
    assert refreshed(result.device, board="zil").board_spread == pytest.approx(0.6)
    assert (row.low, row.high) == pytest.approx(interval(20, half_width(0.5, 1)))


def test_refreshing_returns_the_affected_boards():
    device = make_device(device_class="nvme")
    make_result(20, device=device)
    assert refresh_devices([device.pk]) == {NVME, ZIL}
    make_result([None, None, None, 30, *[None] * 11], device=device, method="fio")
    assert refresh_devices([device.pk]) == {NVME}
    Device.objects.update(read_class="hdd")
    Result.objects.filter(method="fio").update(is_ranked=False, not_ranked_reason="held")
    assert refresh_devices([device.pk]) == {
        NVME,
        ZIL,
        ClassBoard("sync_write", "hdd"),
        ClassBoard("zil", "hdd"),
    }


def test_an_unchanged_row_is_not_written():
    device = make_result(20).device
    refresh_devices([device.pk])
    before = row_versions()
    assert refresh_devices([device.pk]) == set()
    list(refresh_all())
    assert row_versions() == before


def test_a_run_that_changes_no_interval_marks_no_board_dirty():
    device = make_device()
    for latency_us in (20, 20):
        make_result(latency_us, device=device, unit="a", measured_on=date(2024, 1, 1))
    refresh_devices([device.pk])
    make_result(20, device=device, unit="a", measured_on=date(2025, 1, 1))
    assert refresh_devices([device.pk]) == set()
    row = main_rows().get()
    assert (row.result_count, row.last_measured_on) == (3, date(2025, 1, 1))
    make_result(20, device=device, unit="b")
    assert refresh_devices([device.pk]) == {NVME, ZIL}


def row_versions():
    """Where PostgreSQL keeps each row: elsewhere once it has been written."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ctid::text FROM results_deviceranking ORDER BY id")
        return cursor.fetchall()


def test_the_deviation_is_the_median_distance_of_units_from_their_median():
    device = make_device()
    for unit, latencies in {"a": [10], "b": [20, 20], "c": [80]}.items():
        for latency_us in latencies:
            make_result(latency_us, device=device, unit=unit)
    assert refreshed(device).unit_deviation == pytest.approx(math.log(2))  # of log 2, 0 and log 4


def test_units_are_compared_in_pairs_that_share_none():
    device = make_device()
    for unit, latency_us in {"a": 10, "b": 20, "c": 100, "d": 25, "e": 1000}.items():
        make_result(latency_us, device=device, unit=unit)
    assert refreshed(device).unit_differences == pytest.approx([math.log(2), math.log(4)])


def test_the_number_of_pairs_per_device_is_limited():
    device = make_device()
    for number in range(2 * MAX_PAIRS + 2):
        make_result(20, device=device, unit=f"{number:02}")
    assert len(refreshed(device).unit_differences) == MAX_PAIRS


def test_each_board_has_its_figure_and_its_units():
    device = make_device()
    make_result([*flat(40)[:3], 10, *flat(40)[4:]], device=device)
    make_result([None, None, None, 40, *[None] * 11], device=device)
    row, of_ladder = refreshed(device), refreshed(device, board="zil")
    assert (row.score, row.unit_count, row.result_count) == (pytest.approx(20), 2, 2)
    zil_us = 10 ** (1 / 6) * 40 ** (5 / 6)
    assert (of_ladder.score, of_ladder.unit_count, of_ladder.result_count) == (pytest.approx(zil_us), 1, 1)
    assert (row.metrics, row.median_us) == (of_ladder.metrics, of_ladder.median_us)
    assert (len(row.unit_differences), len(of_ladder.unit_differences)) == (1, 0)


def test_a_row_leaves_the_board_with_its_last_ladder():
    device = make_device()
    ladder = make_result(20, device=device)
    make_result([None, None, None, 40, *[None] * 11], device=device)
    refresh_devices([device.pk])
    assert DeviceRanking.objects.filter(device=device, board="zil").exists()
    Result.objects.filter(pk=ladder.pk).update(is_ranked=False, not_ranked_reason="held")
    assert ZIL in refresh_devices([device.pk])
    assert [row.board for row in DeviceRanking.objects.filter(device=device)] == ["sync_write"]


def test_fio_is_ranked_by_its_4_kib_latency():
    device = make_device()
    make_result([*flat(40)[:3], 10, *flat(40)[4:]], device=device, method="fio")
    make_result([*flat(90)[:3], 40, *flat(90)[4:]], device=device, method="fio")
    row = refreshed(device, "fio")
    assert row.score == pytest.approx(20)
    assert row.unit_differences == pytest.approx([math.log(4)])
