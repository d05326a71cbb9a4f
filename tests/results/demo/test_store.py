import pytest
from django.conf import settings

from parsers.paste import parse_paste
from results.demo.draw import draw_runs
from results.demo.ladder import PATHS, ladder_text
from results.demo.pools import draw_pools, pool_text
from results.demo.series import series_text
from results.demo.store import store_runs
from results.demo.text import run_text
from results.kinds.registry import find_runs
from results.models import Device, Firmware, Result, Submission
from results.ranking.boards import dirty_boards
from results.ranking.standing import main_rows
from results.submissions.intake.store import read_submission

pytestmark = pytest.mark.django_db
RUNS = list(draw_runs(400, seed=3))
ONE_A_DEVICE = list({run.device: run for run in RUNS}.values())


def read(text, unit_digests=None):
    return parse_paste(text, unit_key=settings.UNIT_KEY.encode(), unit_digests=unit_digests)


@pytest.mark.parametrize("run", ONE_A_DEVICE, ids=lambda run: run.device.model_name)
def test_the_text_of_a_made_up_run_reads_as_that_run(run):
    (found,) = find_runs(read(run_text(run))).runs
    has_smartctl = "smartctl" in run_text(run)
    assert (found.model_name, found.device_class) == (run.device.model_name, run.device.range.device_class)
    assert found.capacity_bytes == run.device.capacity_bytes
    assert found.firmware_version == (run.firmware_version if has_smartctl else "")
    assert [latency and float(latency) for latency in found.curve] == list(run.curve)
    assert found.is_ranked


def test_made_up_texts_are_in_the_kept_form():
    """So that a reread changes none of them."""
    on_disks = [run for run in ONE_A_DEVICE if run.device.range.device_class in PATHS]
    made = [run_text(run) for run in RUNS[::4]]
    made += [ladder_text(run) for run in on_disks] + [series_text(run) for run in on_disks[:9]]
    made += [pool_text(number, pool) for number, pool in enumerate(draw_pools(RUNS, 12), 1)]
    assert [text for text in made if read(text).text != text] == []


def test_all_fields_of_a_run_are_stored_and_every_device_is_placed():
    assert list(store_runs(RUNS)) == [400]
    assert Result.objects.count() == Submission.objects.count() == 400
    assert set(Device.objects.values_list("model_name", flat=True)) == {run.device.model_name for run in RUNS}
    assert Firmware.objects.count() == len({(run.device, run.firmware_version) for run in RUNS})
    assert not Result.objects.filter(firmware=None).exists()
    assert not Result.objects.filter(tails__isnull=False).exists()
    assert main_rows().count() == Device.objects.count()
    assert dirty_boards() == []


SAME = ("latency_us", "has_unit", "device_id", "path", "first_line", "last_line", "is_ranked", "ranking_unit")


def test_rereading_a_made_up_result_changes_nothing():
    list(store_runs(ONE_A_DEVICE))
    before = list(Result.objects.order_by("pk").values(*SAME))
    for submission in Submission.objects.all():
        read_submission(submission, read(submission.text, submission.unit_digests))
    assert list(Result.objects.order_by("pk").values(*SAME)) == before
