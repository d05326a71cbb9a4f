import pytest

from results.ranking.standing import Rank
from results.submissions.api.records import RankRecord
from tests.results.submissions.api.test_views import SITE


@pytest.mark.parametrize(
    ("rank", "address"), [(50, "/leaderboard/?class=nvme"), (51, "/leaderboard/?class=nvme&page=2")]
)
def test_rank_links_to_the_canonical_url_of_its_leaderboard_page(rank, address):
    row = Rank("sync_write", "nvme", 200, rank, rank, rank)
    assert RankRecord.of(row)["leaderboard_url"] == f"{SITE}{address}"
