"""A moderator merges a device into the one that it is."""

import pytest

from results.models import AuditEntry, Device, lengths
from results.models.choices import Action
from tests.factories import make_product, make_result
from tests.page import Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def spelling():
    return make_result(40, device__slug="px-04", device__model_name="PX 04").device


@pytest.fixture
def device():
    return make_result(20, device__slug="px04", device__model_name="PX04").device


def merge(client, into, reason="same part number"):
    return client.post("/moderation/devices/px-04/", {"into": into, "reason": reason}, follow=True)


@pytest.mark.parametrize("into", ["/devices/px04/", "https://example.org/devices/px04/?chart=log#share"])
def test_a_device_is_merged_by_the_address_of_the_other(client, moderator, spelling, device, into):
    assert "Merged PX 04 into PX04." in Page(merge(client, into)).text
    assert list(Device.objects.values_list("slug", "result_count")) == [("px04", 2)]
    assert client.get("/devices/px-04/").headers["Location"] == "/devices/px04/"
    entry = AuditEntry.objects.get(action=Action.MERGED)
    assert (entry.actor_name, entry.device, entry.reason) == (
        str(moderator), "px04", "Merged PX 04 into it: same part number",
    )  # fmt: skip


def test_the_page_below_a_product_is_an_address_too(client, moderator, spelling):
    product = make_product(slug="toshiba-px04", name="PX04")
    device = make_result(20, device__slug="px04", device__product=product).device
    merge(client, f"https://example.org{device.get_absolute_url()}")
    assert device.page == "toshiba-px04/480-gb"
    assert Device.objects.get() == device


@pytest.mark.parametrize(
    ("into", "fault"),
    [
        ("https://example.org/devices/none/", "There is no device at this address."),
        ("https://[", "There is no device at this address."),
        ("/products/px04/", "There is no device at this address."),
        ("/results/px04/", "There is no device at this address."),
        ("/devices/px-04/", "A device can't be merged into itself."),
        ("/devices/px08/", "Their capacities differ"),
        ("", "This field is required."),
    ],
)
def test_nothing_is_merged_into_what_it_is_not(client, moderator, spelling, into, fault):
    spelling.capacity_bytes = 400 * 10**9
    spelling.save()
    make_result(20, device__slug="px08", device__capacity_bytes=800 * 10**9)
    answer = merge(client, into)
    assert answer.status_code == 422
    assert fault in Page(answer).text
    assert Device.objects.count() == 2


def test_the_whole_reason_is_in_the_log(client, moderator, spelling, device):
    Device.objects.filter(pk=spelling.pk).update(model_name="X" * lengths.MODEL_NAME)
    most = Page(client.get("/moderation/devices/px-04/")).root.xpath(".//*[@name='reason']/@maxlength")[0]
    merge(client, "/devices/px04/", reason="y" * int(most))
    assert AuditEntry.objects.get(action=Action.MERGED).reason.endswith("y" * int(most))
