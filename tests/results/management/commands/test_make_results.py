import pytest
from django.core.management.base import CommandError

from results.models import Result
from results.ranking.standing import main_rows
from tests.commands import printed_by
from tests.factories import make_result

pytestmark = pytest.mark.django_db


def make(count, **options):
    return printed_by("make_results", count, **options)


def test_the_requested_number_of_results_is_created_and_ranked():
    assert make(30).strip() == "30 of 30"
    assert Result.objects.count() == 30
    assert main_rows().exists()


def test_more_can_be_added_in_the_demo_by_another_seed(settings):
    settings.IS_DEMO = True
    make(30, seed=1)
    make(30, seed=2)
    with pytest.raises(CommandError, match="another --seed"):
        make(30, seed=2)
    assert Result.objects.count() == 60


def test_made_up_results_are_never_mixed_with_real_ones():
    make_result()
    with pytest.raises(CommandError, match="never mixed with real ones"):
        make(30)
    assert Result.objects.count() == 1


@pytest.mark.parametrize("count", [0, -1])
def test_at_least_one_is_made(count):
    with pytest.raises(CommandError, match="at least 1"):
        make(count)


def test_ladders_of_several_writers_can_be_added():
    make(30, devices=6, ladders=2)
    rungs = Result.objects.filter(method="fio").values_list("device", "writers", "is_ranked")
    assert len(rungs) == 10
    assert {(writers, is_ranked) for _, writers, is_ranked in rungs} == {
        (None, True), (2, False), (4, False), (8, False), (16, False),
    }  # fmt: skip
    devices = {device for device, *_ in rungs}
    assert (
        set(main_rows().filter(method="diskinfo", device__in=devices).values_list("device", flat=True))
        == devices
    )
    assert Result.objects.count() == 40
