import pytest

from results.leaderboard.forms import LeaderboardFilter
from results.leaderboard.query import rank_devices
from results.ranking.standing import Rank, ranks_of
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db


def test_ranks_match_the_leaderboard(django_assert_num_queries):
    devices = [make_device() for _ in range(8)]
    for number, device in enumerate(devices):
        for unit in range(1 + number % 3):
            make_result(20 + 7 * number + unit, device=device, method="fio" if number > 5 else "diskinfo")
    make_result(5, device=make_device(device_class="hdd"))
    rank_everything()
    rows = rank_devices(LeaderboardFilter(chosen={"class": "nvme"})).rows
    keys = {device.slug: device.pk for device in devices}
    with django_assert_num_queries(1):
        ranks = ranks_of([device.pk for device in devices])
    for row in rows:
        place = row["place"]
        assert ranks[keys[row["device__slug"]]] == Rank(
            "sync_write", "nvme", 8, place.rank, place.first_possible, place.last_possible
        )


def test_unranked_devices_have_no_rank(django_assert_num_queries):
    result = make_result(20, not_ranked_reason="cut short")
    rank_everything()
    assert ranks_of([result.device_id]) == {}
    with django_assert_num_queries(0):
        assert ranks_of([]) == {}
