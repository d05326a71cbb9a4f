from io import StringIO

import pytest
from django.core.management import call_command

from results.models import DeviceRanking
from results.ranking.boards import dirty_boards
from tests.factories import make_result
from tests.results.management.test_progress import Terminal

pytestmark = pytest.mark.django_db


def test_everything_is_ranked_and_each_step_printed():
    make_result(20)
    printed = StringIO()
    call_command("rank", stdout=printed)
    assert printed.getvalue().splitlines() == [
        "medians of every device: 1 of 1",
        "places of nvme by diskinfo: 1 of 2",
        "places of all classes by diskinfo: 2 of 2",
    ]
    assert DeviceRanking.objects.exists()
    assert dirty_boards() == []


def test_a_terminal_shows_how_far_it_is():
    make_result(20)
    printed = Terminal()
    call_command("rank", stdout=printed)
    assert "medians of every device: 100%|" in printed.getvalue()
    assert "places of all classes by diskinfo: 100%|" in printed.getvalue()
