"""Results that are left out because of their own figure count in the spread between units."""

import math

import pytest

from results.models import ClassRanking
from results.models.choices import State
from results.ranking.intervals import GUESSED_SPREAD, MIN_DEVICES, pooled_spread
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db


def doubted(device, latency_us, number, *, code="doubted_source", **submission):
    submission = {"survey_id": f"d{number}", **submission}
    flags = [{"code": code, "effect": "not_ranked", "message": "Doubted."}]
    make_result(
        latency_us,
        device=device,
        flags=flags,
        not_ranked_reason="Doubted.",
        **{f"submission__{name}": value for name, value in submission.items()},
    )


def spread_after(**values):
    for number in range(MIN_DEVICES):
        device = make_device()
        make_result(20, device=device, submission__survey_id=f"s{number}")
        doubted(device, 60, number, **values)
    rank_everything()
    row = ClassRanking.objects.get(board="sync_write", device_class="nvme", method="diskinfo")
    return row.spread, row.spread_source


def test_published_figures_that_are_doubted_widen_the_spread():
    assert spread_after() == (pooled_spread(math.log(3)), "class")


@pytest.mark.parametrize(
    "values",
    [{"survey_id": None}, {"state": State.WITHDRAWN}, {"code": "half_of_pair"}],
    ids=["sent by somebody", "withdrawn", "left out for another reason"],
)
def test_others_do_not(values):
    assert spread_after(**values) == (GUESSED_SPREAD, "guess")
