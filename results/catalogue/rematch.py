"""After the catalogue has changed: every device's product anew, and what follows from it for its class."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Coalesce, Collate

from results.catalogue.match import current_matcher
from results.catalogue.patterns import names_to_try
from results.data_version import bump_data_version
from results.models import Device
from results.models.choices import DeviceClassChoice
from results.ranking.places import Board
from results.ranking.rerank import rerank_devices

# Classes that no tool tells apart from others: there the catalogue knows more than what was read.
_TOLD_BY_NAME_ONLY = {DeviceClassChoice.OPTANE, DeviceClassChoice.NVDIMM, DeviceClassChoice.NVRAM}


@dataclass(frozen=True, slots=True)
class Rematched:
    """The devices that became, or ceased to be, of a product, and the boards that wait for a pass."""

    device_ids: list[int]
    boards: list[Board]


def refine_class(read_class: str, known_class: str) -> str:
    """The class of a device that was read before its product was known: as parsers.classify would decide."""
    if read_class == DeviceClassChoice.UNKNOWN or known_class in _TOLD_BY_NAME_ONLY:
        return known_class
    is_hybrid = known_class == DeviceClassChoice.SSHD and read_class == DeviceClassChoice.HDD
    return known_class if is_hybrid else read_class


@transaction.atomic
def rematch_devices() -> Rematched:
    """Look up every device in the catalogue again. Idempotent."""
    matcher = current_matcher()
    rows = Device.objects.values_list("id", "model_name", "vendor", "product_id")
    found = {pk: matcher.find(names_to_try(model_name, vendor)) for pk, model_name, vendor, _ in rows}
    moved = [pk for pk, _, _, held in rows if held != (known.product_id if (known := found[pk]) else None)]
    reclassed = set()
    for device in lock_devices(moved):
        known = found[device.pk]
        device.product_id = known.product_id if known else None
        refined = refine_class(device.read_class, known.device_class.value) if known else device.read_class
        if refined != device.read_class:
            device.read_class = refined
            reclassed.add(device.pk)
        device.save(update_fields=["product", "read_class"])
    boards = rerank_devices(reclassed)
    bump_data_version()
    return Rematched(moved, boards)


def lock_devices(device_ids: Collection[int] | QuerySet[Any, Any]) -> list[Device]:
    """These devices, locked in the order in which ingest locks them.

    By a query of their ids they are what it finds once no merge goes on any more.
    """
    chosen = Device.objects.select_for_update(no_key=True).filter(pk__in=device_ids)
    return list(chosen.order_by(Collate("model_name", "C"), Coalesce("capacity_bytes", 0)))
