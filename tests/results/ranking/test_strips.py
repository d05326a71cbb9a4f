import pytest

from results.charts.strip import How
from results.kinds.file_sync.models import FileSync
from results.models import Result
from results.ranking import strips
from results.ranking.strips import find_strips
from tests.factories import make_device, make_result, make_stated_product, rank_everything

pytestmark = pytest.mark.django_db


def make_drive(latency_us, plp="yes", **values):
    return make_result(latency_us, device=make_device(product=make_stated_product(plp)), **values)


def test_every_value_of_protection_has_its_strip():
    expected = {
        "yes": "safe",
        "by_design": "safe",
        "no": "unsafe",
        "partial": "unsafe",
        "unknown": "unknown",
        "disputed": "unknown",
        "external": "unknown",
    }
    slugs = {plp: make_drive(20, plp).device.slug for plp in expected}
    rank_everything()
    found = find_strips()
    for plp, group in expected.items():
        assert slugs[plp] in {one.key for one in getattr(found, group).marks}, plp


def test_a_drive_outside_the_catalogue_is_unknown():
    result = make_result(20)
    rank_everything()
    assert [one.key for one in find_strips().unknown.marks] == [result.device.slug]


def test_of_many_drives_the_ends_and_a_selection_are_drawn_and_all_are_counted(monkeypatch):
    monkeypatch.setattr(strips, "MOST_RANKED", 5)
    slugs = [make_drive(20 + number).device.slug for number in range(30)]
    rank_everything()
    found = find_strips()
    safe = found.safe
    assert (safe.count, len(safe.ranked), found.is_selection) == (30, 8, True)
    assert (safe.ranked[0].key, safe.ranked[-1].key) == (slugs[0], slugs[-1])
    assert safe.summary == "30 drives, 20.0 to 49.0 µs"
    asked_for = find_strips([slugs[3]]).safe
    assert slugs[3] in {one.key for one in asked_for.ranked} - {one.key for one in safe.ranked}


def test_what_is_not_ranked_is_drawn_and_not_counted():
    make_drive(20)
    make_drive(9, not_ranked_reason="Too fast.")
    make_drive(8, not_ranked_reason="Several writers.", method="fio", writers=4)
    make_drive(7, not_ranked_reason="Too fast.", submission__state="withdrawn")
    copied = make_drive(6)
    make_result(6, device=copied.device, copy_of=copied, not_ranked_reason="The same run.")
    rank_everything()
    safe = find_strips().safe
    assert (safe.count, [one.latency_us for one in safe.withheld]) == (2, [9])
    assert not find_strips().is_selection


def test_results_through_a_file_system_are_faint():
    result = make_drive(20, "no")
    for layer, figure in (("ext4", 1117), ("device", 78)):
        other = make_result(device=result.device, not_ranked_reason="Through a file system.")
        synced = {"latency_us": None, "method": "fio_file", "metrics": {"file_sync_us": figure}}
        Result.objects.filter(pk=other.pk).update(**synced)
        FileSync.objects.create(result=other, layer=layer, rows=[])
    rank_everything()
    marks = find_strips().unsafe.marks
    assert [(one.how, one.latency_us) for one in marks if one.how is How.FILE_SYSTEM] == [
        (How.FILE_SYSTEM, 1117)
    ]


def test_the_headline_claims_no_more_than_the_figures():
    assert find_strips().headline == "How long one 4 KiB sync write takes"
    make_drive(700)
    make_drive(600, "no")
    rank_everything()
    found = find_strips()
    assert (found.headline, found.exceptions) == ("Drives with and without full protection overlap", None)
    make_drive(20)
    rank_everything()
    found = find_strips()
    assert found.headline == "1 of 2 ranked protected drives beat every one without full protection"
    assert [one.latency_us for one in found.exceptions.slow] == [700]
