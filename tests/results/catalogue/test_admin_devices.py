"""Moderators' actions on devices, and their permissions."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission

from results.models import Device, DeviceAlias
from tests.factories import make_device, make_product

pytestmark = pytest.mark.django_db
LIST = "/admin/results/device/"


def act(client, action, devices, **values):
    data = {"action": action, "_selected_action": [device.pk for device in devices], **values}
    return client.post(LIST, data, follow=True).content.decode()


def test_devices_without_a_product_can_be_filtered(admin_client, django_assert_max_num_queries):
    make_device(model_name="KNOWN 1", product=make_product())
    for number in range(5):
        make_device(model_name=f"STRANGER {number}", product=None)
    with django_assert_max_num_queries(12):  # one of the queries is for the second factor
        page = admin_client.get(LIST, {"product": "none"}).content.decode()
    assert "STRANGER 4" in page
    assert "KNOWN 1" not in page
    assert "STRANGER 4" not in admin_client.get(LIST, {"product": "some"}).content.decode()


def test_merging_a_spelling_is_logged_with_the_moderator(admin_client, admin_user):
    device, spelling = make_device(slug="px04"), make_device(slug="px-04", model_name="PX 04")
    page = act(admin_client, "merge_into", [spelling], target="px04", reason="the same")
    assert "Merged PX 04 into it: the same" in page
    assert DeviceAlias.objects.get().device == device
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id) == (admin_user, str(device.pk))
    assert "the same" in entry.change_message


def test_invalid_merge_is_refused(admin_client, subtests):
    make_device(slug="px04")
    make_device(slug="large", capacity_bytes=10**13)
    merged = make_device()
    for values, message in [
        ({"target": "nowhere", "reason": "the same"}, "There is no device with that slug."),
        ({"target": "px04", "reason": " "}, "Give a reason"),
        ({"target": "large", "reason": "the same"}, "Their capacities differ"),
    ]:
        with subtests.test(values=values):
            assert message in act(admin_client, "merge_into", [merged], **values)
            assert Device.objects.count() == 3


def test_failed_merge_rolls_back_all_others(admin_client):
    make_device(slug="px04")
    spellings = [make_device(), make_device(capacity_bytes=10**13)]
    act(admin_client, "merge_into", spellings, target="px04", reason="the same")
    assert Device.objects.count() == 3


def test_class_is_overruled_with_a_reason_and_restored(admin_client):
    device = make_device(device_class="nvme")
    assert "Give a reason" in act(admin_client, "overrule", [device], device_class="optane", reason="")
    assert Device.objects.get().device_class == "nvme"
    act(admin_client, "overrule", [device], device_class="optane", reason="I have one here")
    device.refresh_from_db()
    assert (device.device_class, device.class_overrule_reason) == ("optane", "I have one here")
    act(admin_client, "overrule", [device], device_class="", reason="it was another one")
    device.refresh_from_db()
    assert device.device_class == "nvme"
    assert LogEntry.objects.count() == 2


def test_user_with_view_permission_has_no_actions(client, django_user_model):
    user = django_user_model.objects.create_user("looker@example.org", "looker", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_device"))
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={})
    client.force_login(user)
    device = make_device(device_class="nvme")
    act(client, "overrule", [device], device_class="optane", reason="let me")
    device.refresh_from_db()
    assert device.device_class == "nvme"


def test_device_list_formats_capacities_and_loads_its_stylesheet(admin_client):
    make_device(capacity_bytes=118 * 10**9)
    page = admin_client.get(LIST).content.decode()
    assert '<td class="field-capacity">118 GB</td>' in page
    assert "css/admin" in page
