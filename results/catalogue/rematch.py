"""After the catalogue has changed: every device's product anew, and what follows from it for its class."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Coalesce, Collate

from results.catalogue.match import Known, current_matcher
from results.catalogue.patterns import names_to_try
from results.catalogue.rejudge import forget_judgement, forget_judgement_of_newer
from results.data_version import bump_data_version
from results.models import Device
from results.models.choices import DeviceClassChoice
from results.ranking.places import Board
from results.ranking.rerank import rerank_devices

# Classes that no tool tells apart from others: there the catalogue knows more than what was read.
_TOLD_BY_NAME_ONLY = {DeviceClassChoice.OPTANE, DeviceClassChoice.NVDIMM, DeviceClassChoice.NVRAM}


@dataclass(frozen=True, slots=True)
class Rematched:
    """The devices whose product or class is another now, and the boards that wait for a pass.

    `to_judge` are these and the devices of the changed products: their results were judged by what was known before.
    """

    device_ids: list[int]
    boards: list[Board]
    to_judge: list[int] = field(default_factory=list)


def refine_class(read_class: str, known_class: str) -> str:
    """The class of a device by what was read and by its product: as parsers.classify would decide."""
    if read_class == DeviceClassChoice.UNKNOWN or known_class in _TOLD_BY_NAME_ONLY:
        return known_class
    is_hybrid = known_class == DeviceClassChoice.SSHD and read_class == DeviceClassChoice.HDD
    return known_class if is_hybrid else read_class


@transaction.atomic
def rematch_devices(*, changed_slugs: Collection[str] = ()) -> Rematched:
    """Look up every device in the catalogue again, after the products of `changed_slugs` have changed. Idempotent.

    Texts are locked first, then devices, as by everybody who reads a text again.
    """
    matcher = current_matcher()
    devices = Device.objects.only("model_name", "vendor", "product_id", "read_class", "known_class")
    found = {one.pk: matcher.find(names_to_try(one.model_name, one.vendor)) for one in devices}
    moved = [one.pk for one in devices if _held(one) != _known_as(found[one.pk], one)]
    of_changed = Device.objects.filter(product__slug__in=changed_slugs).values_list("id", flat=True)
    to_judge = sorted({*moved, *of_changed})
    forget_judgement(to_judge)
    reclassed = set()
    for device in lock_devices(moved):
        before = device.known_class or device.read_class
        device.product_id, device.known_class = _known_as(found[device.pk], device)
        if (device.known_class or device.read_class) != before:
            reclassed.add(device.pk)
        device.save(update_fields=["product", "known_class"])
    forget_judgement_of_newer(moved)
    boards = rerank_devices(reclassed)
    bump_data_version()
    return Rematched(moved, boards, to_judge)


def _held(device: Device) -> tuple[int | None, str]:
    return device.product_id, device.known_class


def _known_as(known: Known | None, device: Device) -> tuple[int | None, str]:
    """The product that the device is, and its class with that; both empty where it is none."""
    if known is None:
        return None, ""
    told = known.device_class.value
    as_read_with_it = device.known_class == told  # the parsers decide by more than the class that came of it
    return known.product_id, told if as_read_with_it else refine_class(device.read_class, told)


def lock_devices(device_ids: Collection[int] | QuerySet[Any, Any]) -> list[Device]:
    """These devices, locked in the order in which ingest locks them.

    By a query of their ids they are what it finds once no merge goes on any more.
    """
    chosen = Device.objects.select_for_update(no_key=True).filter(pk__in=device_ids)
    return list(chosen.order_by(Collate("model_name", "C"), Coalesce("capacity_bytes", 0)))
