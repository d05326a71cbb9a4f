import pytest

from results.kinds.file_sync.models import FileSync
from results.models import Result
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
        "partial": "unknown",
        "unknown": "unknown",
        "disputed": "unknown",
        "external": "unknown",
    }
    slugs = {plp: make_drive(20, plp).device.slug for plp in expected}
    rank_everything()
    found = find_strips()
    for plp, group in expected.items():
        assert slugs[plp] in {mark.key for mark in getattr(found, group).marks}, plp


def test_a_drive_outside_the_catalogue_is_unknown():
    result = make_result(20)
    rank_everything()
    assert [mark.key for mark in find_strips().unknown.marks] == [result.device.slug]


def test_of_many_drives_the_ends_and_a_selection_are_drawn_and_all_are_counted():
    slugs = [make_drive(20 + number).device.slug for number in range(30)]
    rank_everything()
    found = find_strips(max_ranked=5)
    safe = found.safe
    assert (safe.count, len(safe.marks), found.is_selection) == (30, 8, True)
    assert (safe.marks[0].key, safe.marks[-1].key) == (slugs[0], slugs[-1])
    assert safe.summary == "30 drives, 20.0 to 49.0 µs"
    asked_for = find_strips([slugs[3]], max_ranked=5).safe
    assert slugs[3] in {mark.key for mark in asked_for.marks} - {mark.key for mark in safe.marks}


def test_what_is_not_ranked_is_neither_drawn_nor_counted():
    make_drive(20)
    make_drive(9, not_ranked_reason="Too fast.")
    make_drive(8, not_ranked_reason="Several writers.", method="fio", writers=4)
    result = make_drive(30)
    other = make_result(device=result.device, not_ranked_reason="Through a file system.")
    synced = {"latency_us": None, "method": "fio_file", "metrics": {"file_sync_us": 1117}}
    Result.objects.filter(pk=other.pk).update(**synced)
    FileSync.objects.create(result=other, layer="ext4", rows=[])
    rank_everything()
    found = find_strips()
    assert (found.safe.count, [mark.latency_us for mark in found.safe.marks]) == (2, [20, 30])
    assert not found.is_selection


def test_drives_of_unknown_protection_are_named_as_not_counted():
    for latency_us, plp in ((20, "yes"), (700, "no"), (445, "unknown"), (90, "disputed")):
        make_drive(latency_us, plp)
    rank_everything()
    assert find_strips().detail == (
        "One 4 KiB sync write takes 20.0 µs on drives with power-loss protection, 700 µs on drives without "
        "it. Not counted: 2 more ranked drives with partial or unknown protection, 90.0 to 445 µs."
    )


def test_the_headline_claims_no_more_than_the_figures():
    assert find_strips().headline == "How long one 4 KiB sync write takes"
    make_drive(700)
    make_drive(600, "no")
    rank_everything()
    found = find_strips()
    assert (found.headline, found.exceptions) == ("Protected and unprotected drives overlap", None)
    make_drive(20)
    rank_everything()
    found = find_strips()
    assert found.headline == "1 of 2 ranked protected drives beat every unprotected one"
    assert [mark.latency_us for mark in found.exceptions.slow] == [700]


def test_the_gap_is_between_those_ahead_and_the_fastest_of_the_others():
    for latency_us, plp in ((20, "yes"), (180, "yes"), (570, "no"), (700, "yes")):
        make_drive(latency_us, plp)
    rank_everything()
    found = find_strips()
    assert found.gap == (180, 570, "3.2× gap")
    assert [strip.tone for strip in found.compared] == ["good", "bad"]
    assert [strip.tone for strip in found.everything] == ["good", "bad", "muted"]


def test_there_is_no_gap_without_a_protected_drive_that_is_ahead():
    make_drive(700)
    rank_everything()
    found = find_strips()
    assert (found.gap, len(found.compared)) == (None, 3)
    make_drive(600, "no")
    rank_everything()
    assert find_strips().gap is None


def test_a_drive_is_known_by_its_results_and_its_names():
    known = make_device(product=make_stated_product("yes", aliases=["A", "B", "C"]))
    make_result(20, device=known)
    make_result(21, device=known)
    other = make_drive(30).device
    make_result(40, device=make_device(product=None))
    rank_everything()
    found = find_strips()
    fame = {mark.key: mark.fame for group in found.groups for mark in group.marks}
    assert (fame[known.slug], fame[other.slug]) == (5, 1)
    assert [mark.fame for mark in found.unknown.marks] == [1]
