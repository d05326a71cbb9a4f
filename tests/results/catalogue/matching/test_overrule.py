"""A class overruled by a moderator, and restored."""

import pytest

from parsers.base.device_class import DeviceClass
from results.catalogue.matching.merge import overrule_class
from results.models import Device
from results.ranking.boards import ALL_CLASSES, dirty_boards
from results.ranking.medians import refresh_devices
from results.ranking.standing import main_rows
from tests.factories import make_result

pytestmark = pytest.mark.django_db


def test_overruled_class_moves_the_device_to_its_board_until_that_is_undone():
    device = make_result(device__device_class="sata_ssd").device
    refresh_devices([device.pk])
    overrule_class(device, DeviceClass.SAS_SSD, reason="I have one here")
    device.refresh_from_db()
    assert (device.device_class, device.read_class) == ("sas_ssd", "sata_ssd")
    assert device.class_overrule_reason == "I have one here"
    assert [board.device_class for board in dirty_boards()] == [
        *["sata_ssd"] * 2,
        *["sas_ssd"] * 2,
        *[ALL_CLASSES] * 2,
    ]
    assert main_rows().get().device_class == "sas_ssd"
    overrule_class(device, None, reason="it was another one")
    device.refresh_from_db()
    assert (device.device_class, device.class_overrule_reason) == ("sata_ssd", "")


def test_overruling_keeps_what_changed_since_the_page_was_loaded():
    device = make_result(device__device_class="sata_ssd").device
    seen = Device.objects.get(pk=device.pk)
    make_result(device=device)
    overrule_class(seen, DeviceClass.SAS_SSD, reason="I have one here")
    device.refresh_from_db()
    assert (device.result_count, device.device_class) == (2, "sas_ssd")
