"""Find or create the devices and firmware versions of runs.

Devices are identified by model name and capacity. A DeviceAlias resolves to the device that it was merged into.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import QuerySet
from django.utils.text import slugify

from parsers.base.device_class import DeviceClass
from results.catalogue.matching.match import current_matcher, find_named, match_product
from results.catalogue.matching.pages import assign_pages
from results.catalogue.matching.patterns import KnownModel, Matcher
from results.core.formats import format_capacity
from results.kinds.envelope import Run
from results.models import Device, DeviceAlias, Firmware
from results.models.device import LOCK_ORDER
from results.models.submission import draw_public_id

SLUG_LIMIT = 120

Identity = tuple[str, int | None]  # model name and capacity


def match_devices(runs: Iterable[Run], *, losing: Collection[int] = ()) -> dict[Identity, Device]:
    """Find or create the runs' devices by identity, and lock them.

    Devices with the ids `losing`, which lose a result, are locked as well. All are locked in one order, so that two
    pastes about the same devices can't deadlock.
    """
    wanted = _by_identity(runs)
    if len(wanted) == 1 and not losing:
        return {identity: _match_device(run) for identity, run in wanted.items()}
    lost = (
        set(Device.objects.filter(pk__in=losing).values_list("model_name", "capacity_bytes"))
        if losing
        else ()
    )
    resolved = resolve_identities({*wanted, *lost})
    if known := _lock_known(wanted, resolved):
        return known
    devices = {}
    for identity in sorted({*wanted, *lost}, key=lambda pk: _sort_key(resolved[pk])):
        if identity in wanted:
            devices[identity] = _match_device(wanted[identity])
        else:
            _find_device(identity)
    return devices


def _by_identity(runs: Iterable[Run]) -> dict[Identity, Run]:
    """One run per device, preferably one with a known class."""
    wanted: dict[Identity, Run] = {}
    for run in runs:
        if run.identity not in wanted or run.read_class != DeviceClass.UNKNOWN:
            wanted[run.identity] = run
    return wanted


def _lock_known(
    wanted: Mapping[Identity, Run], resolved: Mapping[Identity, Identity]
) -> dict[Identity, Device]:
    """Lock all devices with one query if all are known; else lock nothing."""
    ids = _ids_of(resolved.values())
    if not ids.keys() >= set(resolved.values()):
        return {}
    ordered = _locking().filter(pk__in=ids.values()).order_by(*LOCK_ORDER)
    locked = {(device.model_name, device.capacity_bytes): device for device in ordered}
    if not locked.keys() >= set(resolved.values()):  # one was merged or removed in between
        return {}
    for identity, run in wanted.items():
        _fill_in_class(locked[resolved[identity]], run)
    return {identity: locked[resolved[identity]] for identity in wanted}


def _ids_of(identities: Collection[Identity]) -> dict[Identity, int]:
    devices = Device.objects.filter(model_name__in=_model_names(identities))
    rows = devices.values_list("model_name", "capacity_bytes", "pk")
    return {(name, capacity): pk for name, capacity, pk in rows if (name, capacity) in identities}


def _model_names(identities: Iterable[Identity]) -> set[str]:
    return {name for name, _ in identities}


def look_up_device(run: Run, devices: QuerySet[Device]) -> Device:
    """The run's device, as `devices` selects it, neither locked nor, if it is new, stored."""
    named: dict[str, Any] = {"model_name": run.model_name, "capacity_bytes": run.capacity_bytes}
    known = devices.filter(**named).first()
    if known is None:
        known = devices.filter(**{f"aliases__{name}": value for name, value in named.items()}).first()
    return known or Device(**named, **_stated(run))


def class_with(device: Device, run: Run) -> str:
    """The class that the device would have with this run."""
    current = DeviceClass.UNKNOWN if device.pk is None else device.device_class
    return run.device_class.value if current == DeviceClass.UNKNOWN else current


def make_missing_devices(runs: Iterable[Run]) -> None:
    """Create missing devices in one statement, so that match_devices finds them.

    Call it outside a transaction, as a new row is a lock, too, which is then held for this statement only. A device
    whose slug is taken is left to match_devices.
    """
    wanted = _by_identity(runs)
    resolved = resolve_identities(wanted)
    known = _ids_of(set(resolved.values()))
    missing = {_slug_base(run): run for identity, run in wanted.items() if resolved[identity] not in known}
    if not missing:
        return
    for table in (Device, DeviceAlias):
        for slug in table.objects.filter(slug__in=missing).values_list("slug", flat=True):
            del missing[slug]
    matcher = current_matcher()
    ordered = sorted(missing.items(), key=lambda item: _sort_key(item[1].identity))
    devices = [
        Device(
            model_name=run.model_name, capacity_bytes=run.capacity_bytes, slug=slug, **_stated(run, matcher)
        )
        for slug, run in ordered
    ]
    assign_pages(devices)
    Device.objects.bulk_create(devices, ignore_conflicts=True)


def resolve_identities(identities: Collection[Identity]) -> dict[Identity, Identity]:
    """Map each identity to its device's; they differ if the device was merged."""
    aliases = DeviceAlias.objects.filter(model_name__in=_model_names(identities))
    rows = aliases.values_list("model_name", "capacity_bytes", "device__model_name", "device__capacity_bytes")
    merged = {
        (name, capacity): (target_name, target_capacity)
        for name, capacity, target_name, target_capacity in rows
    }
    return {identity: merged.get(identity, identity) for identity in identities}


def _sort_key(identity: Identity) -> tuple[str, int]:
    return identity[0], identity[1] or 0


def _match_device(run: Run) -> Device:
    device = _find_device(run.identity) or _make_device(run)
    _fill_in_class(device, run)
    return device


def _fill_in_class(device: Device, run: Run) -> None:
    if device.read_class == DeviceClass.UNKNOWN and run.read_class != DeviceClass.UNKNOWN:
        for name, value in (classes := _classes(run, device.product_id)).items():
            setattr(device, name, value)
        device.save(update_fields=list(classes))


def _classes(run: Run, product_id: int | None) -> dict[str, str]:
    """The device's classes by a run, as columns of Device."""
    known = "" if product_id is None else run.device_class.value
    return {"read_class": run.read_class.value, "known_class": known}


def _find_device(identity: Identity) -> Device | None:
    """The device with this identity, or the one it was merged into; locked."""
    named = {"model_name": identity[0], "capacity_bytes": identity[1]}
    device = _locking().filter(**named).first()
    if device is None:
        alias = DeviceAlias.objects.filter(**named).values_list("device_id", flat=True).first()
        device = _locking().filter(pk=alias).first() if alias else None
    return device


def _locking() -> QuerySet[Device]:
    """Devices with their products; rows are locked when read."""
    return Device.objects.select_for_update(no_key=True, of=("self",)).select_related("product")


def _make_device(run: Run) -> Device:
    base, named = _slug_base(run), {"model_name": run.model_name, "capacity_bytes": run.capacity_bytes}
    stated = _stated(run)
    # A concurrent transaction may take the free slug in between.
    for slug in (_free_slug(base), f"{base}-{draw_public_id()}"):
        made = Device(slug=slug, **named, **stated)
        assign_pages([made])
        Device.objects.bulk_create([made], ignore_conflicts=True)
        if (device := _locking().filter(**named).first()) is not None:
            return device
    raise Device.DoesNotExist(run.model_name)


def _stated(run: Run, matcher: Matcher[KnownModel] | None = None) -> dict[str, Any]:
    product_id = match_product(run.model_name, run.vendor, matcher=matcher)
    if product_id is None and run.is_published:
        named = find_named(run.model_name, run.vendor, run.read_class)
        if named is not None:
            classes = {"read_class": run.read_class.value, "known_class": named.device_class.value}
            return {"vendor": run.vendor, "product_id": named.product_id, **classes}
    return {"vendor": run.vendor, "product_id": product_id, **_classes(run, product_id)}


def match_firmwares(versions: Collection[tuple[int, str]]) -> dict[tuple[int, str], int]:
    """Find or create the firmware of each device id and non-empty version."""
    wanted = {(device_id, version) for device_id, version in versions if version}
    found = _find_firmwares(wanted)
    missing = sorted(wanted - found.keys())
    if not missing:
        return found
    Firmware.objects.bulk_create(
        (Firmware(device_id=device_id, version=version) for device_id, version in missing),
        ignore_conflicts=True,
    )
    return _find_firmwares(wanted)


def _find_firmwares(wanted: Collection[tuple[int, str]]) -> dict[tuple[int, str], int]:
    if not wanted:
        return {}
    devices, versions = zip(*wanted, strict=True)
    rows = Firmware.objects.filter(device__in=set(devices), version__in=set(versions))
    return {
        (device_id, version): pk
        for device_id, version, pk in rows.values_list("device_id", "version", "pk")
        if (device_id, version) in wanted
    }


def _slug_base(run: Run) -> str:
    words = f"{run.model_name} {format_capacity(run.capacity_bytes)}".replace("/", "-").replace(".", "-")
    return slugify(words)[:SLUG_LIMIT].strip("-") or "device"


def _free_slug(base: str) -> str:
    for_devices, for_aliases = (
        table.objects.filter(slug__startswith=base).values_list("slug", flat=True)
        for table in (Device, DeviceAlias)
    )
    taken = set(for_devices.union(for_aliases))
    if base not in taken:
        return base
    return next(slug for number in range(2, len(taken) + 3) if (slug := f"{base}-{number}") not in taken)
