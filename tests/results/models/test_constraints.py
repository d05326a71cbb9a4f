"""Every rule that the database itself holds, broken once."""

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from results.models import ClassRanking, DataVersion, DeviceRanking, Firmware
from tests.factories import flat, make_device, make_result, make_submission, rank_everything

pytestmark = pytest.mark.django_db


def refused_by(constraint):
    return pytest.raises(IntegrityError, match=constraint)


def change_ranking(**values):
    make_result()
    rank_everything()
    DeviceRanking.objects.update(**values)


def test_impossible_rows_are_rejected(subtests):
    for make, constraint, values in [
        (make_device, "device_has_a_model_name", {"model_name": ""}),
        (make_device, "device_capacity_is_positive", {"capacity_bytes": 0}),
        (make_device, "device_class_is_known", {"device_class": "floppy"}),
        (make_submission, "submission_state_is_known", {"state": "lost"}),
        (make_submission, "submission_has_an_identity", {"text_digest": None, "survey_id": None}),
        (change_ranking, "ranking_rests_on_results", {"unit_count": 0}),
        (change_ranking, "ranking_rests_on_results", {"unit_count": 2, "result_count": 1}),
        (change_ranking, "deviceranking_median_us_is_a_curve", {"median_us": [20.0] * 3}),
    ]:
        refused = refused_by(constraint)
        with subtests.test(constraint=constraint, values=values), refused, transaction.atomic():
            make(**values)


@pytest.mark.parametrize("capacity_bytes", [480_000_000_000, None])
def test_a_model_at_a_capacity_is_one_device(capacity_bytes):
    make_device(model_name="Sample", capacity_bytes=capacity_bytes)
    with refused_by("device_is_model_and_capacity"):
        make_device(model_name="Sample", capacity_bytes=capacity_bytes)


def test_a_slug_names_one_device():
    make_device(slug="sample")
    with refused_by("slug"):
        make_device(slug="sample")


def test_a_firmware_version_is_unique_per_device():
    device = make_device()
    Firmware.objects.create(device=device, version="1.0")
    Firmware.objects.create(device=make_device(), version="1.0")
    with refused_by("firmware_version_once_a_device"):
        Firmware.objects.create(device=device, version="1.0")


def test_a_firmware_has_a_version():
    with refused_by("firmware_has_a_version"):
        Firmware.objects.create(device=make_device(), version="")


@pytest.mark.parametrize("identity", ["public_id", "text_digest", "survey_id"])
def test_a_submission_is_unique(identity):
    make_submission(**{identity: "same"})
    with refused_by(identity):
        make_submission(**{identity: "same"})


def test_impossible_results_are_rejected(subtests):
    results = type(make_result()).objects
    for constraint, values in [
        ("result_method_is_a_name", {"method": "diskinfo -wS", "latency_us": None}),
        ("result_has_a_curve_by_its_method", {"method": "pg_test_fsync"}),
        ("result_has_a_curve_by_its_method", {"latency_us": None}),
        ("result_position_from_one", {"position": 0}),
        ("result_ranked_has_a_4k_latency", {"latency_us": [None] * 15}),
        ("result_says_why_it_is_not_ranked", {"is_ranked": False}),
        ("result_says_why_it_is_not_ranked", {"is_ranked": True, "not_ranked_reason": "cut short"}),
        ("result_latency_us_is_a_curve", {"latency_us": [20.0] * 14}),
        ("result_latency_us_is_a_curve", {"latency_us": [*flat(20)[:14], 0]}),
        ("result_latency_us_is_a_curve", {"latency_us": [*flat(20)[:14], -1]}),
    ]:
        refused = refused_by(constraint)
        with subtests.test(constraint=constraint, values=values), refused, transaction.atomic():
            results.update(**{"latency_us": flat(20), **values})


def test_a_curve_may_have_gaps():
    assert make_result([None, *flat(20)[:14]]).is_complete is False


def test_a_position_is_unique_per_submission():
    submission = make_submission()
    make_result(submission=submission, position=1)
    with refused_by("result_position_once_a_submission"):
        make_result(submission=submission, position=1, public_id="another")


def test_a_device_is_ranked_once_a_board_and_method():
    device = make_device()
    for method in ("diskinfo", "fio"):
        make_result(device=device, method=method)
    rank_everything()
    assert DeviceRanking.objects.count() == 4
    for values in ({"board": "zil"}, {"method": "fio"}):
        with refused_by("ranking_once_a_device_board_and_method"), transaction.atomic():
            DeviceRanking.objects.update(**values)


def test_a_class_of_a_board_is_unique():
    ClassRanking.objects.create(board="zil", device_class="nvme", method="diskinfo")
    ClassRanking.objects.create(board="zil", device_class="nvme")
    with refused_by("class_ranking_once"):
        ClassRanking.objects.create(board="zil", device_class="nvme")


def test_there_is_one_data_version():
    with refused_by("data_version_is_one_row"), transaction.atomic():
        DataVersion.objects.create(id=2, value=1)


def test_a_device_or_firmware_with_results_cannot_be_deleted():
    result = make_result(firmware__version="1.0")
    with pytest.raises(ProtectedError):
        result.device.delete()
    with pytest.raises(ProtectedError):
        result.firmware.delete()


def test_vendor_and_model_name_are_searched_as_one_text():
    device = make_device(vendor="Aldera", model_name="S1-480")
    device.refresh_from_db()
    assert device.searched == "Aldera S1-480"
