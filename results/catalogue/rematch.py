"""Match devices to products again after the catalogue has changed."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from results.catalogue.empty import drop_devices, lock_empty_devices
from results.catalogue.match import (
    current_matcher,
    current_names,
    find_named,
    names_to_try,
    refine_class,
)
from results.catalogue.matcher import Known
from results.catalogue.rejudge import mark_for_reread, mark_newer_for_reread
from results.core.data_version import bump_data_version
from results.models import Device, Result
from results.models.device import LOCK_ORDER
from results.ranking.medians import rerank_devices


@dataclass(frozen=True, slots=True)
class Rematched:
    """The devices whose product or class has changed.

    `to_judge` are these and the devices of changed products: their results were judged by the previous catalogue.
    """

    device_ids: list[int]
    to_judge: list[int] = field(default_factory=list)


@transaction.atomic
def rematch_devices(*, changed_slugs: Collection[str] = ()) -> Rematched:
    """Match every device again after these products have changed. Idempotent.

    Texts are locked first, then devices, as in rereads. A device that is empty without its product is removed.
    """
    devices = Device.objects.only("model_name", "vendor", "product_id", "read_class", "known_class")
    found = _find_products(devices)
    moved = [one.pk for one in devices if _stored(one) != _known_as(found[one.pk], one)]
    of_changed = Device.objects.filter(product__slug__in=changed_slugs).values_list("id", flat=True)
    to_judge = sorted({*moved, *of_changed})
    mark_for_reread(to_judge)
    reclassed = set()
    for device in lock_devices(moved):
        before = device.known_class or device.read_class
        device.product_id, device.known_class = _known_as(found[device.pk], device)
        if (device.known_class or device.read_class) != before:
            reclassed.add(device.pk)
        device.save(update_fields=["product", "known_class"])
    mark_newer_for_reread(moved)
    empty = lock_empty_devices(moved)
    rerank_devices(reclassed | empty)
    drop_devices(empty)
    bump_data_version()
    return Rematched(moved, to_judge)


def _find_products(devices: Iterable[Device]) -> dict[int, Known | None]:
    """The product and class of each device in the catalogue, by device id.

    A device with a published result is matched by that result's name, whatever else is measured for it: no tool's
    output can take its product away.
    """
    matcher, names = current_matcher(), current_names()
    results = Result.objects.filter(submission__survey_id__isnull=False)
    published = set(results.values_list("device_id", flat=True))
    found = {}
    for one in devices:
        known = matcher.find(names_to_try(one.model_name, one.vendor))
        if known is None and one.pk in published:
            known = find_named(one.model_name, one.vendor, one.read_class, names=names)
        found[one.pk] = known
    return found


def _stored(device: Device) -> tuple[int | None, str]:
    return device.product_id, device.known_class


def _known_as(known: Known | None, device: Device) -> tuple[int | None, str]:
    """The device's product and its class with that; both empty without a product."""
    if known is None:
        return None, ""
    known_class = known.device_class.value
    is_unchanged = device.known_class == known_class  # the parsers decided by more than the resulting class
    return known.product_id, known_class if is_unchanged else refine_class(device.read_class, known_class)


def lock_devices(device_ids: Collection[int] | QuerySet[Any, Any]) -> list[Device]:
    """Lock these devices in the common order.

    Pass a query of their ids to evaluate it after running merges have ended.
    """
    chosen = Device.objects.select_for_update(no_key=True).filter(pk__in=device_ids)
    return list(chosen.order_by(*LOCK_ORDER))
