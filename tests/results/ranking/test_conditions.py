import pytest

from results.models import Device, Result
from results.ranking.conditions import conditions_text, update_conditions
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db


@pytest.fixture
def device():
    """Measured on FreeBSD, twice on Linux in one way and once in another, and once without being ranked."""
    device = make_device()
    make_result(20, device=device, platform="FreeBSD 13.1-RELEASE amd64", write_cache_enabled=False)
    by_fio = {"method": "fio", "pattern": "random", "platform": "x86_64-linux-6.1.0, fio-3.25"}
    for sync_method in ("dsync", "dsync", "sync"):
        make_result(30, device=device, sync_method=sync_method, **by_fio)
    make_result(30, device=device, platform="Windows 10", not_ranked_reason="a file")
    rank_everything()
    return device


def conditions_of(device):
    return Device.objects.get(pk=device.pk).conditions


def test_each_way_of_measuring_is_stored_once(device):
    assert conditions_of(device) == [
        {"method": "diskinfo", "system": "freebsd", "write_cache": "off"},
        {"method": "fio", "sync_method": "dsync", "pattern": "random", "system": "linux"},
        {"method": "fio", "sync_method": "sync", "pattern": "random", "system": "linux"},
    ]


def test_a_change_is_stored_with_the_devices_rows(device, django_assert_num_queries):
    Result.objects.filter(method="fio").update(is_ranked=False, not_ranked_reason="a file")
    with django_assert_num_queries(1):
        update_conditions([device.pk])
    assert conditions_of(device) == [{"method": "diskinfo", "system": "freebsd", "write_cache": "off"}]
    Result.objects.update(is_ranked=False, not_ranked_reason="a file")
    rank_everything()
    assert conditions_of(device) == []


def test_the_flush_path_is_stored_and_said():
    flush_path = {"has_volatile_cache": False, "kernel_write_cache": "write through", "has_fua": False}
    result = make_result(20, **flush_path)
    rank_everything()
    (stated,) = conditions_of(result.device)
    assert stated == {
        "method": "diskinfo",
        "volatile_cache": "none",
        "kernel_write_cache": "write through",
        "fua": "not used",
    }
    text = conditions_text([stated], "diskinfo")
    assert text == "no volatile cache, the kernel sends no flushes, FUA not used, write cache not stated"


def test_what_is_unknown_is_left_out():
    result = make_result(20, platform="TempleOS")
    rank_everything()
    assert conditions_of(result.device) == [{"method": "diskinfo"}]
