import pytest

from results.compare.devices.query import (
    compare_devices,
    find_differences,
    has_one_method,
)
from results.models import Result
from results.submissions.edit import clear_notes, describe
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db


def fill(slug, latency_us=20, **values):
    device = make_device(slug=slug, model_name=slug)
    make_result(latency_us, device=device, **values)
    return device


def differences(compared):
    return {difference.condition: dict(difference.stated) for difference in find_differences(compared)}


def test_devices_are_in_the_requested_order_with_their_rankings():
    fill("a", 20)
    fill("b", 10)
    fill("bare", not_ranked_reason="cached")
    rank_everything()
    found = compare_devices(["b", "bare", "a"])
    assert [compared.device.slug for compared in found] == ["b", "bare", "a"]
    assert [compared.ranking and compared.ranking.score for compared in found] == [10, None, 20]
    assert [compared.place and compared.place.rank for compared in found] == [1, None, 2]


def test_what_an_owner_states_is_there_at_once_and_gone_at_once():
    device = fill("one", platform="", attachment="")
    rank_everything()
    result = Result.objects.get(device=device)
    describe(result, notes="", told_conditions={"platform": "TrueNAS SCALE", "attachment": "LSI 9300"})
    (found,) = compare_devices(["one"])
    assert (found.conditions["systems"], found.conditions["hbas"]) == (("Linux",), ("LSI 9300",))
    clear_notes(result.submission)
    (found,) = compare_devices(["one"])
    assert (found.conditions["systems"], found.conditions["hbas"]) == ((), ())


def test_diskinfo_takes_precedence_unless_fio_is_requested():
    device = fill("both", 10)
    make_result(50, device=device, method="fio")
    fill("fio-only", 40, method="fio")
    rank_everything()
    slugs = ["both", "fio-only"]
    assert [other.method for other in compare_devices(slugs)] == ["diskinfo", "fio"]
    assert [other.method for other in compare_devices(slugs, method="fio")] == ["fio", "fio"]
    assert [other.method for other in compare_devices(slugs, method="diskinfo")] == ["diskinfo", ""]
    assert not has_one_method(compare_devices(slugs))


def test_conditions_are_those_of_the_ranked_runs_each_once():
    device = fill("a", platform="FreeBSD 13.1-RELEASE amd64", attachment="mps0", write_cache_enabled=True)
    make_result(20, device=device, platform="x86_64-linux-6.1.0", attachment="mps1", firmware__version="2.0")
    make_result(20, device=device, platform="elsewhere", not_ranked_reason="cached")
    rank_everything()
    (page,) = compare_devices(["a"])
    assert page.conditions["systems"] == ("FreeBSD", "Linux")
    assert page.conditions["controllers"] == ("mps",)
    assert page.conditions["write_cache"] == ("enabled",)
    assert page.conditions["firmware_versions"] == ("2.0",)


def test_different_conditions_are_listed_with_each_statement():
    fill("a", platform="FreeBSD 13", attachment="mps0", write_cache_enabled=True)
    fill("b", platform="x86_64-linux-6.1", attachment="mps1", write_cache_enabled=False)
    fill("c")
    rank_everything()
    assert differences(compare_devices("abc")) == {
        "write cache": {"a": "enabled", "b": "disabled", "c": ""},
        "operating system": {"a": "FreeBSD", "b": "Linux", "c": ""},
    }
    assert differences(compare_devices("ac")) == {}  # c states nothing


def test_owners_statements_on_hba_and_write_cache_count():
    for slug, hba, cache in (
        ("a", "LSI 9300-8i", "off"),
        ("b", "onboard AHCI", "on"),
        ("c", "lsi 9300-8i", "off"),
    ):
        device = fill(slug)
        for result in device.results.all():
            describe(result, notes="", told_conditions={"attachment": hba, "write_cache": cache})
    rank_everything()
    assert differences(compare_devices("ac")) == {}
    assert differences(compare_devices("ab")) == {
        "write cache": {"a": "disabled", "b": "enabled"},
        "controller": {"a": "LSI 9300-8i", "b": "onboard AHCI"},
    }


def test_text_takes_precedence_over_the_owner():
    device = fill("a", attachment="mps0", write_cache_enabled=True, platform="FreeBSD 13")
    stated = {"attachment": "LSI SAS2008", "write_cache": "off", "platform": "Linux"}
    describe(device.results.get(), notes="", told_conditions=stated)
    rank_everything()
    (page,) = compare_devices(["a"])
    assert (page.conditions["controllers"], page.conditions["hbas"]) == (("mps",), ("LSI SAS2008",))
    assert (page.conditions["write_cache"], page.conditions["systems"]) == (("enabled",), ("FreeBSD",))
