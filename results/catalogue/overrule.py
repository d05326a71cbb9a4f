"""A moderator's word on a device's class: it stands above what is read, now and after every reread."""

from django.db import transaction

from results.data_version import bump_data_version
from results.models import Device
from results.models.choices import DeviceClassChoice
from results.ranking.rerank import rerank_devices


@transaction.atomic
def overrule_class(device: Device, device_class: DeviceClassChoice | None, *, reason: str) -> None:
    """Put `device_class` in force, or with None the class that was read."""
    locked = Device.objects.select_for_update(no_key=True).get(pk=device.pk)
    locked.class_overrule = device_class or ""
    locked.class_overrule_reason = reason if device_class else ""
    locked.save(update_fields=["class_overrule", "class_overrule_reason"])
    rerank_devices({locked.pk})
    bump_data_version()
