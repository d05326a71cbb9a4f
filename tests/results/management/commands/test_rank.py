import pytest

from results.ranking.boards import dirty_boards
from results.ranking.standing import main_rows
from tests.commands import printed_by
from tests.factories import make_result

pytestmark = pytest.mark.django_db


def test_everything_is_ranked_and_each_step_printed():
    make_result(20)
    printed = printed_by("rank")
    assert printed.splitlines() == [
        "medians of every device: 1 of 1",
        "places of nvme, sync_write: 1 of 4",
        "places of nvme, zil: 2 of 4",
        "places of all classes, sync_write: 3 of 4",
        "places of all classes, zil: 4 of 4",
        "conditions of devices where they changed: 1 of 1",
    ]
    assert main_rows().exists()
    assert dirty_boards() == []
