import pytest

from results.core.data_version import stored_version
from results.models import AuditEntry, RepresentativePin
from tests.factories import make_device

pytestmark = pytest.mark.django_db
ADD = "/admin/results/representativepin/add/"


def pin(device, **values):
    return RepresentativePin.objects.create(
        device=device, **{"device_class": "nvme", "reason": "the one of the talk", **values}
    )


def test_a_moderator_pins_a_device_for_its_class(admin_client):
    device, before = make_device(device_class="nvme"), stored_version()
    admin_client.post(ADD, {"device_class": "nvme", "device": device.pk, "reason": "the one of the talk"})
    assert RepresentativePin.objects.get().device == device
    assert stored_version() > before


def test_a_device_of_another_class_is_refused(admin_client):
    device = make_device(device_class="hdd")
    response = admin_client.post(ADD, {"device_class": "nvme", "device": device.pk, "reason": "a mistake"})
    assert "Its class is Hard disk." in response.text
    assert not RepresentativePin.objects.exists()


def test_all_fields_of_a_pin_are_required(admin_client, subtests):
    device = make_device(device_class="nvme")
    for field in ["device", "device_class", "reason"]:
        with subtests.test(field=field):
            admin_client.post(
                ADD, {"device_class": "nvme", "device": device.pk, "reason": "a reason", field: ""}
            )
            assert not RepresentativePin.objects.exists()


@pytest.mark.parametrize("path", ["{}/delete/", ""], ids=["one", "several"])
def test_removing_pins_bumps_the_data_version(admin_client, path):
    removed, before = pin(make_device(device_class="nvme")), stored_version()
    chosen = {"action": "delete_selected", "_selected_action": [removed.pk], "post": "yes"}
    admin_client.post(f"/admin/results/representativepin/{path.format(removed.pk)}", chosen)
    assert not RepresentativePin.objects.exists()
    assert stored_version() > before
    assert AuditEntry.objects.get().reason == f"No longer: {removed.reason}"
