import pytest

from results.guide.method import MAX_UNITS, ranking_example
from results.ranking.standing import main_rows
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db


def measure(units, **values):
    """A device with a unit per list of latencies."""
    device = make_device(**values)
    for number, latencies_us in enumerate(units):
        for latency_us in latencies_us:
            make_result(latency_us, device=device, unit=f"{device.pk} {number}")
    return device


def test_before_anything_is_ranked_there_is_no_example():
    assert ranking_example() is None


@pytest.mark.usefixtures("everyone_is_trusted")
def test_there_is_no_example_before_the_first_ranking_pass():
    receive_submission(pastes.FIRST_PASTE, Sender())
    assert main_rows().exists()
    assert ranking_example() is None


def test_steps_of_the_example_yield_the_stored_ranking():
    device = measure([[30, 20, 10], [40], [80, 80]])
    rank_everything()
    example, ranking = ranking_example(), main_rows().get(device=device)
    assert [unit.result_count for unit in example.units] == [3, 1, 2]
    assert [unit.latency_us for unit in example.units] == pytest.approx([20, 40, 80])
    assert ranking.score == pytest.approx(40)
    assert example.own_spread > example.board_spread == 0.5
    assert (example.interval.low, example.interval.high) == pytest.approx((ranking.low, ranking.high))
    assert (example.place.rank, example.device_count) == (1, 1)


def test_the_units_of_one_owner_are_listed_as_one():
    device = measure([[30], [40]])
    for number in range(3):
        make_result(50, device=device, unit=f"{number}", submission__sender_digest="one owner")
    rank_everything()
    assert [unit.result_count for unit in ranking_example().units] == [1, 1, 3]


def test_device_with_one_unit_has_no_own_spread():
    measure([[25]])
    rank_everything()
    example = ranking_example()
    assert (example.own_spread, example.spread, example.spread_source) == (None, 0.5, "guess")


@pytest.mark.parametrize(
    ("unit_counts", "expected"),
    [
        ({"one": 1, "few": 3, "full": MAX_UNITS, "many": MAX_UNITS + 2}, "full"),
        ({"many": MAX_UNITS + 5, "fewer": MAX_UNITS + 2}, "fewer"),
    ],
)
def test_device_with_most_listable_units_is_chosen(unit_counts, expected):
    for name, count in unit_counts.items():
        measure([[25]] * count, model_name=name)
    rank_everything()
    assert ranking_example().ranking.device.model_name == expected
