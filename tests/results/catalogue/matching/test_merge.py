"""Two spellings are merged into one device, and all references follow."""

import pytest

from results.catalogue.matching.merge import MergeError, merge_devices
from results.models import Device, DeviceAlias, Firmware, RepresentativePin, Result
from results.ranking.boards import ALL_CLASSES, dirty_boards
from results.ranking.medians import refresh_devices
from results.ranking.standing import main_rows
from tests.factories import make_device, make_product, make_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def device():
    return make_result(20, device__slug="px04", device__model_name="PX04", firmware__version="1.0").device


@pytest.fixture
def spelling(device):
    found = make_result(40, device__slug="px-04", device__model_name="PX 04", firmware__version="1.0").device
    make_result(60, device=found, firmware__version="1.1")
    make_result(80, device=found)
    refresh_devices([device.pk, found.pk])
    return found


def test_results_firmware_and_name_move_to_the_device_and_share_its_ranking(spelling, device):
    merge_devices([spelling], device, reason="the same")
    assert set(Device.objects.values_list("slug", flat=True)) == {"px04"}
    assert Result.objects.filter(device=device).count() == 4
    assert sorted(Firmware.objects.values_list("device__slug", "version")) == [
        ("px04", "1.0"),
        ("px04", "1.1"),
    ]
    assert Result.objects.filter(firmware__version="1.0").count() == 2
    assert Result.objects.filter(firmware=None).count() == 1
    alias = DeviceAlias.objects.get()
    assert (alias.slug, alias.model_name, alias.capacity_bytes) == ("px-04", "PX 04", 480_000_000_000)
    assert (alias.device, alias.reason) == (device, "the same")
    ranking = main_rows().get()
    assert (ranking.device_id, ranking.unit_count) == (device.pk, 4)
    assert [board.device_class for board in dirty_boards()] == [*["nvme"] * 2, *[ALL_CLASSES] * 2]


def test_a_spelling_of_another_class_leaves_a_dirty_board_and_its_pin_does_not_move(device):
    spelling = make_result(40, device__device_class="hdd", device__model_name="PX 04").device
    RepresentativePin.objects.create(device=spelling, device_class="hdd", reason="well measured")
    refresh_devices([device.pk, spelling.pk])
    merge_devices([spelling], device, reason="the same")
    assert [board.device_class for board in dirty_boards()] == [
        *["nvme"] * 2,
        *["hdd"] * 2,
        *[ALL_CLASSES] * 2,
    ]
    assert not RepresentativePin.objects.exists()


def test_chained_merges_resolve_to_the_last_device(spelling, device):
    last = make_device(slug="px-04-new", model_name="PX-04")
    merge_devices([spelling], device, reason="the same")
    merge_devices([device], last, reason="the maker writes it so")
    assert set(DeviceAlias.objects.values_list("slug", "device__slug")) == {
        ("px-04", "px-04-new"),
        ("px04", "px-04-new"),
    }


def test_device_takes_missing_facts_from_the_spelling():
    product = make_product()
    spelling = make_device(device_class="optane", product=product)
    device = make_device(device_class="unknown")
    merge_devices([spelling], device, reason="the same")
    device.refresh_from_db()
    assert (device.device_class, device.product) == ("optane", product)


def test_a_device_is_not_merged_into_itself(device):
    with pytest.raises(MergeError, match="itself"):
        merge_devices([device], device, reason="why not")


def test_unknown_capacity_can_be_merged():
    merge_devices([make_device(capacity_bytes=None)], make_device(), reason="the same")
    assert Device.objects.count() == 1


def test_pin_moves_from_the_spelling_to_the_device(spelling, device):
    RepresentativePin.objects.create(device=spelling, device_class="nvme", reason="well measured")
    merge_devices([spelling], device, reason="the same")
    pin = RepresentativePin.objects.get()
    assert (pin.device, pin.reason) == (device, "well measured")


def test_concurrent_changes_of_the_device_persist(spelling, device):
    product = make_product()
    Device.objects.filter(pk=device.pk).update(product=product, read_class="optane")
    merge_devices([spelling], device, reason="the same")
    assert Device.objects.values_list("product", "device_class").get() == (product.pk, "optane")


def test_concurrently_merged_device_is_not_merged_again(spelling, device):
    again = Device.objects.get(pk=spelling.pk)
    merge_devices([spelling], device, reason="the same")
    with pytest.raises(MergeError, match="PX 04 no longer exists"):
        merge_devices([again], device, reason="the same")
