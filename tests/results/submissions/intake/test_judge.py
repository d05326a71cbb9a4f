"""Runs as they are judged when they come in: with the device's other units and its product at hand."""

import pytest

from results.catalogue.matching.merge import merge_devices
from results.models import Device, Result
from results.models.choices import Action
from results.moderation.decide import decide
from results.ranking.standing import main_rows
from results.submissions.intake.receive import Sender, preview_text, receive_submission
from tests import pastes
from tests.factories import make_device, make_moderator, make_product

pytestmark = pytest.mark.django_db
SHEET = {"value": "yes", "evidence": "data_sheet", "url": "https://maker.example/sheet.pdf"}
FAST_FLASH = [15.0 + size / 3000 for size in (512 << slot for slot in range(15))]


def receive(number, curve, **values):
    ident = f"SAMPLE{number:04}"
    text = pastes.diskinfo(curve, description="NVME SAMPLE", path="/dev/nvd0", ident=ident, **values)
    return receive_submission(text, Sender(sender_digest=f"net {number}")).submission.results.get()


def codes(result):
    return [flag["code"] for flag in result.flags]


def previewed():
    text = pastes.diskinfo(FAST_FLASH, description="NVME SAMPLE", path="/dev/nvd0")
    (run,) = preview_text(text).found.runs
    return run


@pytest.mark.usefixtures("everyone_is_trusted")
def test_the_ticks_of_a_timer_are_not_ranked_and_no_approval_changes_that():
    submission = receive_submission(pastes.diskinfo(pastes.TICK_CURVE), Sender()).submission
    (flag,) = submission.results.get().flags
    assert (flag["code"], flag["effect"]) == ("timer_tick", "not_ranked")
    assert not submission.results.get().is_ranked
    decide(submission, Action.APPROVED, moderator=make_moderator(), reason="It looks fine.")
    assert not submission.results.get().is_ranked


@pytest.mark.usefixtures("everyone_is_trusted")
def test_implausibly_fast_flash_is_held_and_not_ranked():
    result = receive(1, FAST_FLASH)
    assert codes(result) == ["cached_flash"]
    assert not result.is_ranked
    assert result.not_ranked_reason == result.flags[0]["message"]
    assert not main_rows().exists()


def test_a_product_with_protection_may_be_that_fast():
    make_product(patterns=["^NVME SAMPLE"], plp="yes", plp_statements=[SHEET])
    assert codes(receive(1, FAST_FLASH)) == []


@pytest.mark.usefixtures("everyone_is_trusted")
def test_an_outlier_is_noted_and_an_extreme_one_is_held():
    def curve(factor):
        return [factor * (1000 + size / 300) for size in (512 << slot for slot in range(15))]

    for number in range(3):
        assert codes(receive(number, curve(1 + number / 50))) == []
    assert (codes(receive(4, curve(4))), Result.objects.latest("pk").is_ranked) == (["far_from_others"], True)
    assert (codes(receive(5, curve(20))), Result.objects.latest("pk").is_ranked) == (
        ["far_beyond_others"],
        False,
    )


def test_the_preview_shows_what_would_wait_and_that_the_model_is_unknown():
    run = previewed()
    assert [flag.code for flag in run.flags] == ["cached_flash", "unknown_model"]
    assert run.not_ranked_reason


def test_the_preview_of_a_new_device_knows_its_product():
    make_product(patterns=["^NVME SAMPLE"], plp="yes", plp_statements=[SHEET])
    assert previewed().flags == ()
    assert not Device.objects.exists()


def test_the_preview_of_a_merged_spelling_is_of_its_device():
    product = make_product(plp="yes", plp_statements=[SHEET])
    known = {"capacity_bytes": 24_575_868_928, "product": product}
    spelling = make_device(model_name="NVME SAMPLE", capacity_bytes=24_575_868_928)
    merge_devices([spelling], make_device(model_name="SAMPLE", **known), reason="the same")
    assert previewed().flags == ()


def test_a_description_of_another_device_is_noted():
    text = pastes.diskinfo(description="NVME SAMPLE", path="/dev/nvd0") + pastes.smartctl(serial="OTHER1234")
    flags = receive_submission(text, Sender()).submission.results.get().flags
    assert ("different_devices", "noted") in [(flag["code"], flag["effect"]) for flag in flags]
