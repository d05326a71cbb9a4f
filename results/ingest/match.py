"""Which device and which firmware a run is about: found by model and capacity, made where new.

A spelling that a moderator merged into a device (DeviceAlias) leads to that device.
"""

from collections.abc import Collection, Iterable

from django.db import IntegrityError
from django.utils.text import slugify

from parsers.kinds import DeviceClass
from results.catalogue.match import match_product
from results.ingest.runs import Run
from results.models import Device, DeviceAlias, Firmware
from results.models.submission import draw_public_id
from results.presentation import format_capacity

SLUG_LIMIT = 120

Identity = tuple[str, int | None]


def match_devices(runs: Iterable[Run], *, losing: Collection[int] = ()) -> dict[Identity, Device]:
    """The devices of these runs by identity, each locked until the transaction ends.

    So are those with the ids `losing`, which lose a result. All are taken in one order, so that two pastes about
    the same devices can't wait for each other for good.
    """
    wanted = {run.identity: run for run in runs}
    left = set(Device.objects.filter(pk__in=losing).values_list("model_name", "capacity_bytes"))
    own_names = find_own_names({*wanted, *left})
    devices = {}
    for identity in sorted({*wanted, *left}, key=lambda one: _sort_key(own_names[one])):
        if identity in wanted:
            devices[identity] = _match_device(wanted[identity])
        else:
            _find_device(identity)
    return devices


def find_own_names(identities: Collection[Identity]) -> dict[Identity, Identity]:
    """By each identity that of its device: another one where it is a spelling that was merged, else the same."""
    aliases = DeviceAlias.objects.filter(model_name__in={name for name, _ in identities})
    rows = aliases.values_list("model_name", "capacity_bytes", "device__model_name", "device__capacity_bytes")
    merged = {(name, capacity): (own_name, own_capacity) for name, capacity, own_name, own_capacity in rows}
    return {identity: identity for identity in identities} | merged


def _sort_key(identity: Identity) -> tuple[str, int]:
    return identity[0], identity[1] or 0


def _match_device(run: Run) -> Device:
    device = _find_device(run.identity)
    if device is None:
        _make_device(run)
        device = Device.objects.select_for_update(no_key=True).get(
            model_name=run.model_name, capacity_bytes=run.capacity_bytes
        )
    if device.read_class == DeviceClass.UNKNOWN and run.device_class != DeviceClass.UNKNOWN:
        device.read_class = run.device_class.value
        device.save(update_fields=["read_class"])
    return device


def _find_device(identity: Identity) -> Device | None:
    """The device of that name, else the one that the name is another spelling of; locked."""
    found = Device.objects.select_for_update(no_key=True)
    named = {"model_name": identity[0], "capacity_bytes": identity[1]}
    device = found.filter(**named).first()
    if device is None:
        alias = DeviceAlias.objects.filter(**named).values_list("device_id", flat=True).first()
        device = found.filter(pk=alias).first() if alias else None
    return device


def _make_device(run: Run) -> None:
    base = _slug_base(run)
    try:
        _get_or_create_device(run, _free_slug(base))
    except IntegrityError:  # somebody else took the same slug in between
        _get_or_create_device(run, f"{base}-{draw_public_id()}")


def _get_or_create_device(run: Run, slug: str) -> None:
    Device.objects.get_or_create(
        model_name=run.model_name,
        capacity_bytes=run.capacity_bytes,
        defaults={
            "vendor": run.vendor,
            "product_id": match_product(run.model_name, run.vendor),
            "read_class": run.device_class.value,
            "slug": slug,
        },
    )


def match_firmware(device: Device, version: str) -> Firmware | None:
    """The firmware of that version, None where the paste names none."""
    if not version:
        return None
    firmware, _ = Firmware.objects.get_or_create(device=device, version=version)
    return firmware


def _slug_base(run: Run) -> str:
    words = f"{run.model_name} {format_capacity(run.capacity_bytes)}".replace("/", "-").replace(".", "-")
    return slugify(words)[:SLUG_LIMIT].strip("-") or "device"


def _free_slug(base: str) -> str:
    taken = {
        slug
        for table in (Device, DeviceAlias)
        for slug in table.objects.filter(slug__startswith=base).values_list("slug", flat=True)
    }
    if base not in taken:
        return base
    return next(slug for number in range(2, len(taken) + 3) if (slug := f"{base}-{number}") not in taken)
