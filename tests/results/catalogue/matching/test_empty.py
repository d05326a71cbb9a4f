"""A device is removed with its last result, and only then."""

import pytest
from django.db.models.functions import Now

from parsers.base.device_class import DeviceClass
from results.catalogue.matching.merge import merge_devices
from results.catalogue.matching.rematch import rematch_devices
from results.models import Device, DeviceRanking, Firmware, RepresentativePin, Submission
from results.ranking.boards import ALL_CLASSES, dirty_boards
from results.ranking.medians import rerank_devices
from results.submissions.edit import erase_submission, restore, withdraw
from results.submissions.intake.receive import Sender, receive_submission
from results.submissions.intake.store import Reading, store_readings
from tests import pastes
from tests.factories import make_device, make_product, make_result, make_verified_member, rank_everything
from tests.results.catalogue.matching.test_devices import run
from tests.sessions import sign_in_with

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]
NAME = "GREGORS SECRET 7"
PLACES = (
    "/leaderboard/",
    "/sitemap-devices-1.xml",
    "/compare/?add=gregors",
    "/api/v1/devices/",
    "/api/v1/leaderboard/",
    "/api/v1/search/?q=gregors",
)


@pytest.fixture
def member(client):
    made = make_verified_member()
    sign_in_with(client, made, "password")
    return made


@pytest.fixture
def sent(member):
    """The only result of a device without a product."""
    make_result()
    text = pastes.diskinfo(description=f"ATA {NAME}") + pastes.smartctl(model=NAME)
    submission = receive_submission(text, Sender(owner=member)).submission
    rank_everything()
    return submission


def device_of(submission):
    return submission.results.select_related("device").get().device


def mentions_of(client, device):
    """Whether the device has a page, and where else its slug appears."""
    found = [place for place in PLACES if device.slug in client.get(place).text]
    statuses = {
        client.get(f"{device.get_absolute_url()}{rest}").status_code
        for rest in ("", "chart.svg", "badge.svg")
    }
    return statuses, found


def is_stored(device):
    for_device = [model.objects.filter(device_id=device.pk) for model in (DeviceRanking, Firmware)]
    return any(rows.exists() for rows in [Device.objects.filter(pk=device.pk), *for_device])


def test_device_is_removed_with_the_account_of_its_only_result(client, sent):
    device = device_of(sent)
    assert Firmware.objects.filter(device=device).exists()
    statuses, found = mentions_of(client, device)
    assert (statuses, found) == ({200}, [place for place in PLACES if place != "/compare/?add=gregors"])
    client.post("/account/data/", {"results": "erase", "confirm": "on"})
    assert mentions_of(client, device) == ({404}, [])
    assert not is_stored(device)
    assert {board.device_class for board in dirty_boards()} == {device.device_class, ALL_CLASSES}
    rank_everything()
    assert client.get("/").status_code == 200


def test_device_is_removed_with_a_result_that_was_withdrawn_and_erased(client, member, sent):
    device = device_of(sent)
    withdraw(sent, member)
    assert mentions_of(client, device) == ({404}, [])
    assert is_stored(device)
    client.post(f"/account/results/{sent.public_id}/erase/", {"confirm": "yes"})
    assert Submission.objects.get(pk=sent.pk).state == "erased"
    assert not is_stored(device)


def test_restored_result_returns_to_its_device(client, member, sent):
    device = device_of(sent)
    withdraw(sent, member)
    restore(sent, member)
    assert mentions_of(client, device)[0] == {200}
    assert device_of(sent) == device


def test_device_is_created_again_by_a_later_submission(client, sent):
    device = device_of(sent)
    erase_submission(sent, reason="mine")
    again = receive_submission(
        pastes.diskinfo(description=f"ATA {NAME}"), Sender(sender_digest="net")
    ).submission
    assert device_of(again).pk != device.pk
    assert mentions_of(client, device_of(again))[0] == {200}


def pinned(device):
    RepresentativePin.objects.create(device=device, device_class=device.device_class, reason="typical")


def with_product(device):
    Device.objects.filter(pk=device.pk).update(product=make_product())


def with_alias(device):
    merge_devices([make_device(model_name="GREGOR'S", capacity_bytes=None)], device, reason="the same")


def with_held_result(device):
    make_result(device=device, submission__state="held", not_ranked_reason="Held")


@pytest.mark.parametrize(
    "give_a_reason_to_stay", [make_result, pinned, with_product, with_alias, with_held_result]
)
def test_referenced_device_stays(sent, give_a_reason_to_stay):
    device = device_of(sent)
    give_a_reason_to_stay(device=device)
    erase_submission(sent, reason="mine")
    assert Device.objects.filter(pk=device.pk).exists()


@pytest.mark.parametrize("defer_from", [None, 1], ids=["one result", "many results"])
@pytest.mark.parametrize("names", [["SECRET 7"], []], ids=["to another", "to none"])
def test_device_is_removed_when_a_reread_takes_its_only_result_away(client, sent, names, defer_from):
    """As with parsers that identify other devices, or no run."""
    device = device_of(sent)
    runs = [run(name, device_class=DeviceClass.NVME) for name in names]
    store_readings([Reading(sent, runs)], defer_from=defer_from)
    assert device.device_class in {board.device_class for board in dirty_boards()}
    assert mentions_of(client, device) == ({404}, [])
    assert not is_stored(device)
    assert not Device.objects.dirty().exists()
    assert [mentions_of(client, result.device)[0] for result in sent.results.all()] == [{200}] * len(names)


def test_dirty_device_is_removed(sent):
    device = device_of(sent)
    Device.objects.update(dirty_since=Now())
    erase_submission(sent, reason="mine")
    assert not is_stored(device)


def test_empty_device_is_removed_with_its_product():
    product = make_product(patterns=["^PX04"])
    result = make_result(device__model_name="PX0400", device__product=product)
    rerank_devices([result.device_id])
    erase_submission(result.submission, reason="mine")
    assert is_stored(result.device)
    product.patterns = []
    product.save()
    rematch_devices()
    assert not is_stored(result.device)
