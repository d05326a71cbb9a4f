"""After the catalogue has changed: every device's product anew, and what follows from it for its class."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Coalesce, Collate

from results.catalogue.match import Known, current_matcher
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
    """The devices whose product or class is another now, and the boards that wait for a pass."""

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
    rows = Device.objects.values_list("id", "model_name", "vendor", "product_id", "read_class")
    found = {pk: matcher.find(names_to_try(model_name, vendor)) for pk, model_name, vendor, _, _ in rows}
    moved = [pk for pk, _, _, held, read in rows if (held, read) != _known_as(found[pk], read)]
    reclassed = set()
    for device in lock_devices(moved):
        read_class = device.read_class
        device.product_id, device.read_class = _known_as(found[device.pk], read_class)
        if device.read_class != read_class:
            reclassed.add(device.pk)
        device.save(update_fields=["product", "read_class"])
    boards = rerank_devices(reclassed)
    bump_data_version()
    return Rematched(moved, boards)


def _known_as(known: Known | None, read_class: str) -> tuple[int | None, str]:
    """The product of a device that was read as of this class, and its class with that."""
    if known is None:
        return None, read_class
    return known.product_id, refine_class(read_class, known.device_class.value)


def lock_devices(device_ids: Collection[int] | QuerySet[Any, Any]) -> list[Device]:
    """These devices, locked in the order in which ingest locks them.

    By a query of their ids they are what it finds once no merge goes on any more.
    """
    chosen = Device.objects.select_for_update(no_key=True).filter(pk__in=device_ids)
    return list(chosen.order_by(Collate("model_name", "C"), Coalesce("capacity_bytes", 0)))
