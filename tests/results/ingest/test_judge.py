"""Runs as they are judged when they come in: with the device's other units and its product at hand."""

import pytest

from results.catalogue.merge import merge_devices
from results.ingest.receive import Sender, preview_text, receive_submission
from results.models import Device, DeviceRanking, Result
from tests import pastes
from tests.factories import make_device, make_product

pytestmark = pytest.mark.django_db
SHEET = {"value": "yes", "evidence": "data_sheet", "url": "https://maker.example/sheet.pdf"}
FAST_FLASH = [15.0 + size / 3000 for size in (512 << slot for slot in range(15))]


def receive(number, curve, **values):
    ident = f"SAMPLE{number:04}"
    text = pastes.diskinfo(curve, description="NVME SAMPLE", path="/dev/nvd0", ident=ident, **values)
    return receive_submission(text, Sender()).submission.results.get()


def codes(result):
    return [flag["code"] for flag in result.flags]


def previewed():
    text = pastes.diskinfo(FAST_FLASH, description="NVME SAMPLE", path="/dev/nvd0")
    (run,) = preview_text(text).found.runs
    return run


def test_the_first_published_card_is_ranked_with_a_note_on_its_timer():
    result = receive_submission(pastes.FIRST_PASTE, Sender()).submission.results.get()
    assert result.is_ranked
    assert [(flag["code"], flag["effect"]) for flag in result.flags] == [("timer_tick", "noted")]


def test_flash_that_is_too_fast_is_held_and_takes_no_part():
    result = receive(1, FAST_FLASH)
    assert codes(result) == ["cached_flash"]
    assert not result.is_ranked
    assert result.not_ranked_reason == result.flags[0]["message"]
    assert not DeviceRanking.objects.exists()


def test_a_product_with_protection_may_be_that_fast():
    make_product(patterns=["^NVME SAMPLE"], plp="yes", plp_statements=[SHEET])
    assert codes(receive(1, FAST_FLASH)) == []


def test_a_unit_far_from_the_others_is_noted_and_one_absurdly_far_is_held():
    def curve(factor):
        return [factor * (1000 + size / 300) for size in (512 << slot for slot in range(15))]

    for number in range(3):
        assert codes(receive(number, curve(1))) == []
    assert (codes(receive(4, curve(4))), Result.objects.latest("pk").is_ranked) == (["far_from_others"], True)
    assert (codes(receive(5, curve(20))), Result.objects.latest("pk").is_ranked) == (
        ["far_from_others"],
        False,
    )


def test_the_preview_says_what_would_be_held():
    run = previewed()
    assert [flag.code for flag in run.flags] == ["cached_flash"]
    assert run.not_ranked_reason


def test_the_preview_of_a_new_device_knows_its_product():
    make_product(patterns=["^NVME SAMPLE"], plp="yes", plp_statements=[SHEET])
    assert previewed().flags == ()
    assert not Device.objects.exists()


def test_the_preview_of_a_merged_spelling_is_of_its_device():
    product = make_product(plp="yes", plp_statements=[SHEET])
    known = {"capacity_bytes": 24_575_868_928, "product": product}
    spelling = make_device(model_name="NVME SAMPLE", capacity_bytes=24_575_868_928)
    merge_devices(spelling, make_device(model_name="SAMPLE", **known), reason="the same")
    assert previewed().flags == ()


def test_a_description_of_another_device_is_noted():
    text = pastes.diskinfo(description="NVME SAMPLE", path="/dev/nvd0") + pastes.smartctl(serial="OTHER1234")
    flags = receive_submission(text, Sender()).submission.results.get().flags
    assert ("different_devices", "noted") in [(flag["code"], flag["effect"]) for flag in flags]
