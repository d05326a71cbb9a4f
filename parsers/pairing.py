"""Pair the readings of one unit: by serial number, by model, or as the only ones."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from parsers.base.readings import (
    DiskinfoReading,
    FioReading,
    Notice,
    PairedDevice,
    PgTestFsyncReading,
    PveperfReading,
    Reading,
    SmartctlReading,
)
from parsers.base.target import Target
from parsers.classify.rules import Catalogue, classify, diskinfo_evidence, merge_classes

ATA_VENDOR = "ATA "  # in place of a vendor that CAM lacks; the model after it is cut to 16 characters
MIN_CUT_MODEL = 8
Described = dict[int, SmartctlReading]  # by index into the readings
NOT_DESCRIBED = SmartctlReading(first_line=0, last_line=0)


@dataclass(frozen=True, slots=True)
class Pairing:
    """The units of a paste, and notices about them."""

    devices: tuple[PairedDevice, ...]
    notices: tuple[Notice, ...]


def pair_readings(
    readings: Sequence[Reading], unit_digests: Mapping[str, str], catalogue: Catalogue | None = None
) -> Pairing:
    """Pair each run with the smartctl reading of its unit, then add those left over.

    `unit_digests` gives the digest for the mask of a serial number, `catalogue` the class of some model names.
    """
    described = {at: one for at, one in enumerate(readings) if isinstance(one, SmartctlReading)}
    runs = [one for one in readings if isinstance(one, DiskinfoReading)]
    seen = Counter[str]()  # of the serial numbers of runs
    fio_runs = [one for one in readings if isinstance(one, FioReading)]
    devices: list[PairedDevice] = []
    notices: list[Notice] = []
    for at, reading in enumerate(readings):
        if isinstance(reading, DiskinfoReading):
            partner = _same_serial(reading, described, seen)
            if partner is None:
                partner = _partner(reading, described, is_only=len(runs) == 1)
            if partner is None and len(runs) == len(described) == 1:
                notices.append(_different_devices(reading, *described.values()))
            unit, disputed = _unit_of_diskinfo(
                at, reading, partner, described=described, catalogue=catalogue, unit_digests=unit_digests
            )
            devices.append(unit)
            notices += disputed
        elif isinstance(reading, FioReading):
            partner = _partner_of_fio(reading, described, is_only=len(fio_runs) == 1)
            devices.append(_unit_of_smartctl(partner, described, unit_digests, fio=at))
    paired = {device.smartctl for device in devices}
    devices += [_unit_of_smartctl(at, described, unit_digests) for at in described if at not in paired]
    return Pairing(tuple(_with_file_runs(devices, readings)), tuple(notices))


def _with_file_runs(devices: Sequence[PairedDevice], readings: Sequence[Reading]) -> list[PairedDevice]:
    """The devices, with runs on files assigned to the only device that the paste names, else separate."""
    named = [one for one in devices if one.smartctl is not None or one.diskinfo is not None]
    is_one = len({one.unit or (one.smartctl, one.smartctl is None and one.diskinfo) for one in named}) == 1
    pg_test_fsync = tuple(at for at, one in enumerate(readings) if isinstance(one, PgTestFsyncReading))
    pveperf = tuple(at for at, one in enumerate(readings) if isinstance(one, PveperfReading))
    if not is_one:
        alone = [PairedDevice(pg_test_fsync=(at,)) for at in pg_test_fsync]
        return [*devices, *alone, *(PairedDevice(pveperf=(at,)) for at in pveperf)]
    units = [_named_as(named[0], one) if _is_on_file(one, readings) else one for one in devices]
    if any(one.fio is not None and one.smartctl is not None for one in units):
        units = [
            one for one in units if one.fio is not None or one.diskinfo is not None or one.smartctl is None
        ]
    first = next(at for at, one in enumerate(units) if one.smartctl is not None or one.diskinfo is not None)
    units[first] = replace(units[first], pg_test_fsync=pg_test_fsync, pveperf=pveperf)
    return units


def _named_as(named: PairedDevice, run: PairedDevice) -> PairedDevice:
    """A fio run, assigned to the device that another reading names."""
    return replace(named, diskinfo=None, fio=run.fio)


def _is_on_file(device: PairedDevice, readings: Sequence[Reading]) -> bool:
    run = None if device.fio is None else readings[device.fio]
    return (
        isinstance(run, FioReading) and run.target in (Target.FILE, Target.ZVOL) and device.smartctl is None
    )


def _same_serial(reading: DiskinfoReading, described: Described, seen: Counter[str]) -> int | None:
    """The smartctl reading of the same serial number.

    Two units can share the visible part of a serial number: then the model decides, and the order.
    """
    if reading.serial is None:
        return None
    found = [at for at, one in described.items() if one.serial == reading.serial]
    found = [at for at in found if _is_same_model(reading, described[at])] or found
    nth = seen[reading.serial]
    seen[reading.serial] += 1
    return found[min(nth, len(found) - 1)] if found else None


def _partner(reading: DiskinfoReading, described: Described, *, is_only: bool) -> int | None:
    """The smartctl reading of the same model, or the only one."""
    same_model = [
        at
        for at, one in described.items()
        if _is_same_model(reading, one) and not _serials_differ(reading, one)
    ]
    if len(same_model) == 1:
        return same_model[0]
    if is_only and len(described) == 1:
        at, one = next(iter(described.items()))
        return None if _is_other_device(reading, one) else at
    return None


def _partner_of_fio(reading: FioReading, described: Described, *, is_only: bool) -> int | None:
    same_path = [at for at, one in described.items() if reading.path and one.path == reading.path]
    if len(same_path) == 1:
        return same_path[0]
    return next(iter(described)) if is_only and len(described) == 1 else None


def _serials_differ(reading: DiskinfoReading, described: SmartctlReading) -> bool:
    return None not in (reading.serial, described.serial) and reading.serial != described.serial


def _is_same_model(reading: DiskinfoReading, described: SmartctlReading) -> bool:
    """Whether the description is the model's; a SAS adapter may cut it short."""
    description, model = _words(reading.description), _words(described.model_name)
    if not description or not model:
        return False
    if description in (model, f"{_words(described.vendor)} {model}"):
        return True
    cut = description.removeprefix(ATA_VENDOR)
    return description.startswith(ATA_VENDOR) and len(cut) >= MIN_CUT_MODEL and model.startswith(cut)


@lru_cache(maxsize=256)
def _words(name: str | None) -> str:
    return " ".join((name or "").upper().split())


def _is_other_device(reading: DiskinfoReading, described: SmartctlReading) -> bool:
    """Whether the two contradict each other in serial number, or in model and size."""
    if _serials_differ(reading, described):
        return True
    if not reading.description or not described.model_name or _is_same_model(reading, described):
        return False
    return reading.media_size != described.user_capacity


def _different_devices(reading: DiskinfoReading, described: SmartctlReading) -> Notice:
    """A notice of what differs; naming what is equal or unstated would only confuse."""
    model, size = reading.description, reading.media_size
    differences = []
    if _serials_differ(reading, described):
        differences.append("the serial numbers differ")
    if model and described.model_name and not _is_same_model(reading, described):
        differences.append(f"the models differ, {model!r} and {described.model_name!r}")
    if None not in (size, described.user_capacity) and size != described.user_capacity:
        differences.append(f"the capacities differ, {size:,} and {described.user_capacity:,} bytes")
    message = f"diskinfo and smartctl are about different devices: {'; '.join(differences)}"
    return Notice("different_devices", message, reading.first_line)


def _unit_of_diskinfo(
    at: int,
    reading: DiskinfoReading,
    partner: int | None,
    *,
    described: Described,
    catalogue: Catalogue | None,
    unit_digests: Mapping[str, str],
) -> tuple[PairedDevice, list[Notice]]:
    """The unit, and a notice where its two readings are of different classes."""
    one = described.get(-1 if partner is None else partner) or NOT_DESCRIBED
    evidence = diskinfo_evidence(reading)
    seen = classify(evidence, catalogue)
    merged = merge_classes(one.device_class, seen)
    notices = []
    if merged.is_disputed:
        message = f"smartctl's output says {one.device_class.value}, diskinfo's says {seen.value}"
        notices.append(Notice("class_disputed", message, reading.first_line))
    unit = PairedDevice(
        diskinfo=at,
        smartctl=partner,
        unit=unit_digests.get(one.serial or reading.serial or ""),
        device_class=merged.device_class,
        printed_class=merge_classes(one.printed_class, classify(evidence)).device_class,
        model_name=one.model_name or reading.description,
        firmware_version=one.firmware_version,
        capacity=one.user_capacity or reading.media_size,
    )
    return unit, notices


def _unit_of_smartctl(
    at: int | None, described: Described, unit_digests: Mapping[str, str], *, fio: int | None = None
) -> PairedDevice:
    one = described.get(-1 if at is None else at)
    if one is None:
        return PairedDevice(fio=fio)
    return PairedDevice(
        smartctl=at,
        fio=fio,
        unit=unit_digests.get(one.serial or ""),
        device_class=one.device_class,
        printed_class=one.printed_class,
        model_name=one.model_name,
        firmware_version=one.firmware_version,
        capacity=one.user_capacity,
    )
