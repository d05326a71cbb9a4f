import pytest

from results.api.rows import rank_record
from results.ranking.standing import Rank
from tests.results.submissions.test_submissions import SITE


@pytest.mark.parametrize(
    ("method", "rank", "address"),
    [
        ("diskinfo", 50, "/leaderboard/?class=nvme"),
        ("diskinfo", 51, "/leaderboard/?class=nvme&page=2"),
        ("fio", 150, "/leaderboard/?class=nvme&method=fio&page=3"),
    ],
)
def test_rank_links_to_the_canonical_url_of_its_leaderboard_page(method, rank, address):
    row = Rank("nvme", method, 200, rank, rank, rank)
    assert rank_record(row)["leaderboard_url"] == f"{SITE}{address}"
