"""Recommendations immediately follow changes by members, moderators and the catalogue."""

import pytest

from parsers.base.device_class import DeviceClass
from results.accounts.data import close_account
from results.catalogue.matching.merge import merge_devices, overrule_class
from results.catalogue.matching.rematch import rematch_devices
from results.models import Device
from results.models.choices import Action
from results.moderation.decide import decide
from results.ranking.recommend import recommended
from results.ranking.standing import main_rows
from results.submissions.claim import claim_submission
from results.submissions.edit import erase, restore, withdraw
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_known_member, make_member, make_moderator, make_protected_product

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def product():
    return make_protected_product(patterns=[r"^ALDERA S1-"])


def send(number, sender, latency_us=200, *, model="ALDERA S1-480"):
    curve = [latency_us + number + size / 4096 for size in (512 << slot for slot in range(15))]
    text = pastes.diskinfo(curve, description=model, ident=f"SAMPLE{number:04}", path="/dev/nvd0")
    return receive_submission(text, sender)


def anonymous(number):
    return Sender(sender_digest=f"network {number}")


def names():
    return [ranking.device.model_name for ranking in recommended()]


def is_recommended():
    return bool(names())


def test_claiming_a_result_vouches_for_it():
    tokens = [send(number, anonymous(number)).claim_token for number in range(3)]
    assert not is_recommended()
    claim_submission(tokens[0], make_member())
    assert not is_recommended()
    claim_submission(tokens[1], make_known_member())
    assert not is_recommended()  # the first member's agrees with it, but may be the same person
    claim_submission(tokens[2], make_known_member())
    assert is_recommended()


def test_two_claims_of_one_member_are_one_sender():
    tokens = [send(number, anonymous(number)).claim_token for number in range(2)]
    member = make_known_member()
    for token in tokens:
        claim_submission(token, member)
    assert not is_recommended()


def test_a_moderators_approval_is_enough_until_it_is_revoked():
    submission, moderator = send(0, anonymous(0)).submission, make_moderator()
    decide(submission, Action.APPROVED, moderator=moderator, reason="looked at the raw output")
    assert is_recommended()
    decide(submission, Action.HELD, moderator=moderator, reason="on second thought")
    assert not is_recommended()


@pytest.mark.parametrize("end", ["held", "withdrawn", "erased"])
def test_an_approval_vouches_for_all_results_of_a_member_until_it_is_revoked(end):
    member, moderator = make_member(), make_moderator()
    seen = send(0, Sender(owner=member)).submission
    send(1, Sender(owner=member), latency_us=400, model="ALDERA S1-960")
    send(2, Sender(owner=make_known_member()), latency_us=900, model="ALDERA S1-960")
    assert not is_recommended()
    decide(seen, Action.APPROVED, moderator=moderator, reason="looked at the raw output")
    assert sorted(names()) == ["ALDERA S1-480", "ALDERA S1-960"]
    if end == "held":
        decide(seen, Action.HELD, moderator=moderator, reason="on second thought")
    else:
        {"withdrawn": withdraw, "erased": erase}[end](seen, member)
    assert not is_recommended()


def test_withdrawing_and_publishing_again():
    member = make_known_member()
    submission = send(0, Sender(owner=member)).submission
    send(1, Sender(owner=make_known_member()))
    assert is_recommended()
    withdraw(submission, member)
    assert not is_recommended()
    restore(submission, member)
    assert is_recommended()
    erase(submission, member)
    assert not is_recommended()


@pytest.mark.parametrize("keeps_results", [True, False])
def test_a_closed_account_vouches_for_nothing(keeps_results):
    member = make_known_member()
    send(0, Sender(owner=member))
    send(1, Sender(owner=make_known_member()))
    assert is_recommended()
    close_account(member, keeps_results=keeps_results)
    assert not is_recommended()


def test_a_product_that_is_found_or_no_longer_protected(product):
    send(0, Sender(owner=make_moderator()), model="ALDERA NEW-480")
    assert not is_recommended()
    product.patterns = [r"^ALDERA (S1|NEW)-"]
    product.save()
    rematch_devices(changed_slugs=[product.slug])
    assert is_recommended()
    product.plp = "no"
    product.plp_statements = [{"value": "no", "evidence": "data_sheet", "url": "https://maker.example/"}]
    product.save()
    rematch_devices(changed_slugs=[product.slug])
    assert not is_recommended()


def test_the_speed_limit_depends_on_the_class():
    send(0, Sender(owner=make_moderator()), latency_us=1500)
    assert is_recommended()
    device = Device.objects.get()
    overrule_class(device, DeviceClass.SAS_SSD, reason="its data sheet")
    assert not is_recommended()  # at most 300 us there
    overrule_class(device, None, reason="")
    assert is_recommended()


def test_a_merged_spelling_contributes_its_results():
    send(0, Sender(owner=make_known_member()))
    send(1, Sender(owner=make_known_member()), model="ALDERA S1-480 REV B")
    assert not is_recommended()
    device, spelling = Device.objects.order_by("pk")
    merge_devices([spelling], device, reason="the same drive")
    assert names() == ["ALDERA S1-480"]
    assert main_rows().get().unit_count == 2
