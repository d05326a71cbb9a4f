import pytest
from django.core.management import call_command

from results.ranking.boards import dirty_boards
from results.ranking.standing import main_rows
from tests.commands import printed_by
from tests.factories import make_result
from tests.results.management.test_progress import Terminal

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


def test_a_terminal_shows_how_far_it_is():
    make_result(20)
    printed = Terminal()
    call_command("rank", stdout=printed)
    assert "medians of every device: 100%|" in printed.getvalue()
    assert "places of all classes, zil: 100%|" in printed.getvalue()
