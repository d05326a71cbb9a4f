"""What may be said of a device, as tables: what is known, and what follows."""

from datetime import date

from results.advice.protection import Safety
from results.devices.verdict import Rating, Speed, judge_speed, rate_endurance
from results.models import DeviceRanking
from results.ranking.overall import OVERALL_TEXTS, Overall, judge_overall
from results.ranking.ties import Place

PASSES = DeviceRanking(device_class="nvme", metrics={"latency_4k_us": 20}, recommended_high=30)
ANONYMOUS = DeviceRanking(device_class="nvme", metrics={"latency_4k_us": 20})
SLOW = DeviceRanking(device_class="nvme", metrics={"latency_4k_us": 9_577})
UNDATED, DATED, TWO_UNDATED = (
    DeviceRanking(recommended_high=30, result_count=count, last_measured_on=day)
    for count, day in ((1, None), (1, date(2026, 11, 30)), (2, None))
)


def between(first, last):
    return Place(rank=last, first_possible=first, last_possible=last, tie_group=1)


def test_a_part_of_the_class_is_named_only_if_all_possible_places_are_in_it(subtests):
    for place, device_count, speed in [
        (None, 40, Speed.UNKNOWN),
        (between(1, 1), 1, Speed.TOO_FEW),
        (between(3, 3), 3, Speed.TOO_FEW),
        (between(1, 1), 4, Speed.FASTEST_QUARTER),
        (between(1, 10), 40, Speed.FASTEST_QUARTER),
        (between(1, 11), 40, Speed.FASTER_HALF),
        (between(12, 20), 40, Speed.FASTER_HALF),
        (between(12, 21), 40, Speed.OPEN),
        (between(1, 40), 40, Speed.OPEN),
        (between(20, 40), 40, Speed.OPEN),
        (between(21, 40), 40, Speed.SLOWER_HALF),
        (between(31, 40), 40, Speed.SLOWEST_QUARTER),
        (between(4, 4), 4, Speed.SLOWEST_QUARTER),
    ]:
        with subtests.test(place=place, device_count=device_count):
            assert judge_speed(place, device_count) == speed


def test_speed_does_not_make_up_for_safety(subtests):
    for safety, ranking, times, overall in [
        (Safety.SAFE, PASSES, 57.0, Overall.FIT),
        (Safety.SAFE, PASSES, None, Overall.FIT),
        (Safety.SAFE, UNDATED, 57.0, Overall.FIT_UNDATED),
        (Safety.SAFE, DATED, 57.0, Overall.FIT),
        (Safety.SAFE, TWO_UNDATED, 57.0, Overall.FIT),
        (Safety.SAFE, PASSES, 1.1, Overall.FIT),
        (Safety.SAFE, PASSES, 1.0, Overall.SAFE_NO_GAIN),
        (Safety.SAFE, PASSES, 0.5, Overall.SAFE_NO_GAIN),
        (Safety.SAFE, None, None, Overall.SAFE_UNMEASURED),
        (Safety.SAFE, ANONYMOUS, 57.0, Overall.SAFE_TOO_FEW),
        (Safety.SAFE, SLOW, 57.0, Overall.SAFE_TOO_SLOW),
        *((safety, PASSES, 57.0, safety) for safety in Safety if safety is not Safety.SAFE),
        (Safety.UNPROTECTED, None, None, Safety.UNPROTECTED),
    ]:
        with subtests.test(safety=safety, ranking=ranking, times=times):
            assert judge_overall(safety, ranking, times) == overall
            assert OVERALL_TEXTS[overall]


def test_a_rating_is_compared_with_the_ratings_of_its_class(subtests):
    for rated, for_class, rating in [
        (None, [1.0, 3.0], None),
        (3.0, [1.0, 3.0, 3.0, 10.0], Rating(1, 4)),
        (30.0, [1.0, 30.0], Rating(1, 2)),
        (1.0, [1.0], Rating(0, 1)),
    ]:
        with subtests.test(rated=rated):
            assert rate_endurance(rated, for_class) == rating
