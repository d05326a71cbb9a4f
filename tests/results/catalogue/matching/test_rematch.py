"""Devices after the catalogue has changed."""

import pytest

from results.catalogue.matching.match import refine_class
from results.catalogue.matching.rematch import rematch_devices
from results.models import DataVersion, Device
from results.ranking.boards import ALL_CLASSES, dirty_boards
from results.ranking.medians import refresh_devices
from results.ranking.standing import main_rows
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_device, make_product, make_result

pytestmark = pytest.mark.django_db


def test_catalogue_refines_the_class_only_if_no_tool_can_tell(subtests):
    for read, known, expected in [
        ("unknown", "hdd", "hdd"),
        ("nvme", "optane", "optane"),
        ("sas_ssd", "nvram", "nvram"),
        ("sata_ssd", "nvdimm", "nvdimm"),
        ("hdd", "sshd", "sshd"),
        ("sata_ssd", "sshd", "sata_ssd"),
        ("sata_ssd", "hdd", "sata_ssd"),
        ("sas_ssd", "nvme", "sas_ssd"),
    ]:
        with subtests.test(read=read, known=known):
            assert refine_class(read, known) == expected


def test_device_follows_changed_patterns():
    old, new = make_product(patterns=[]), make_product(patterns=["^PX04"])
    moved = make_device(model_name="PX0400", product=old)
    left = make_result(device__model_name="PX0500", device__product=old).device
    assert len(rematch_devices().device_ids) == 2
    moved.refresh_from_db()
    left.refresh_from_db()
    assert (moved.product, left.product) == (new, None)


def test_corrected_class_moves_the_device_to_its_board_and_without_the_product_it_has_the_read_one():
    device = make_result(device__model_name="PX0400", device__device_class="nvme").device
    refresh_devices([device.pk])
    product = make_product(patterns=["^PX04"], device_class="optane")
    rematch_devices()
    assert main_rows().get().device_class == "optane"
    assert {board.device_class for board in dirty_boards()} == {"nvme", "optane", ALL_CLASSES}
    product.patterns = []
    product.save()
    rematch_devices()
    device.refresh_from_db()
    assert (device.product, device.device_class) == (None, "nvme")


def test_class_of_the_text_is_stored_beside_the_catalogues():
    product = make_product(patterns=["^ALDERA NV4"], device_class="optane")
    receive_submission(pastes.diskinfo(description="ALDERA NV400", path="/dev/nvd0"), Sender())
    device = Device.objects.get()
    assert (device.product, device.read_class, device.device_class) == (product, "nvme", "optane")
    product.device_class = "nvme"
    product.save()
    rematch_devices()
    device.refresh_from_db()
    assert device.device_class == "nvme"


def test_second_rematch_moves_nothing():
    make_device(model_name="PX0400")
    make_product(patterns=["^PX04"])
    rematch_devices()
    assert DataVersion.objects.get().value > 1
    assert rematch_devices().device_ids == []


def test_rematch_keeps_the_moderators_class():
    device = make_device(model_name="PX0400", class_overrule="sata_ssd", class_overrule_reason="I looked")
    make_product(patterns=["^PX04"], device_class="optane")
    rematch_devices()
    device.refresh_from_db()
    assert (device.read_class, device.known_class, device.device_class) == ("nvme", "optane", "sata_ssd")
