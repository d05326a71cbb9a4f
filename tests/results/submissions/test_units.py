import math
import random
from math import exp, log
from statistics import median

import pytest

from results.kinds.limits import OtherUnits
from results.models import Result
from results.ranking.medians import rerank_devices
from results.submissions.intake import judge as units
from results.submissions.intake.judge import JudgedSubject, other_units
from tests.factories import make_device, make_result


def expected_median(device, unit):
    """The median if each result has a different sender, so that each unit is independent."""
    by_unit = {}
    for result in Result.objects.filter(device=device, is_ranked=True).exclude(ranking_unit=unit):
        by_unit.setdefault(result.ranking_unit, []).append(log(result.latency_us[3]))
    if not by_unit:
        return None
    return OtherUnits(len(by_unit), pytest.approx(exp(median(map(median, by_unit.values()))), rel=1e-6))


@pytest.mark.parametrize("count", range(7))
def test_each_unit_is_compared_with_the_median_of_the_others(db, count):
    draw = random.Random(count)  # noqa: S311 - any numbers do
    devices = [make_device(model_name="one"), make_device(model_name="two")]
    for device in devices:
        for _ in range(count):
            make_result(draw.uniform(20, 90), device=device, unit=f"unit {draw.randrange(4)}")
    make_result(5000, device=devices[0], is_ranked=False, not_ranked_reason="Held.")
    subjects = [
        JudgedSubject(device.pk, "diskinfo", f"unit {number}")
        for number in (4, 0, 1, 2, 3, 0)
        for device in devices
    ]
    by_name = {device.pk: device for device in devices}
    assert other_units(subjects) == [
        expected_median(by_name[subject.device_id], subject.except_unit) for subject in subjects
    ]


def test_the_units_of_one_sender_count_as_one(db):
    device = make_device()
    for number, latency_us in enumerate((30, 40, 50)):
        make_result(latency_us, device=device, unit=f"unit {number}", submission__sender_digest="net")
    make_result(90, device=device, unit="another")
    subjects = [JudgedSubject(device.pk, "diskinfo", unit) for unit in ("nobody", "another", "unit 0")]
    assert other_units(subjects) == [
        OtherUnits(2, pytest.approx(60, rel=1e-6)),  # of 40 and 90
        OtherUnits(1, pytest.approx(40, rel=1e-6)),
        OtherUnits(2, pytest.approx((math.sqrt(40 * 50) * 90) ** 0.5, rel=1e-6)),
    ]


def test_only_one_of_several_equal_units_is_left_out(db):
    device = make_device()
    for number in range(3):
        make_result(30, device=device, unit=f"unit {number}")
    (others,) = other_units([JudgedSubject(device.pk, "diskinfo", "unit 1")])
    assert others == OtherUnits(2, pytest.approx(30, rel=1e-6))


def test_many_units_use_the_median_of_the_ranking(db):
    device = make_device()
    for number in range(units.MANY_UNITS + 1):
        make_result(30 + number, device=device, unit=f"unit {number}")
    rerank_devices([device.pk])
    (others,) = other_units([JudgedSubject(device.pk, "diskinfo", "unit 0")])
    assert others == OtherUnits(units.MANY_UNITS + 1, pytest.approx(30 + units.MANY_UNITS / 2, rel=1e-6))


def test_many_results_are_sampled(db):
    device = make_device()
    for number in range(9):
        make_result(30, device=device, unit=f"unit {number}")
    (found,) = other_units([JudgedSubject(device.pk, "diskinfo", "nobody")], many_results=3)
    assert found == OtherUnits(3, pytest.approx(30, rel=1e-6))
