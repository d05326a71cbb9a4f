"""Which device each run belongs to: by serial number, by model and capacity, by node, or as the only ones."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from parsers.base.readings import (
    DiskinfoReading,
    FioReading,
    Notice,
    PairedDevice,
    PgTestFsyncReading,
    PveperfReading,
    Reading,
    SlogprobeReading,
    SmartctlReading,
)
from parsers.base.target import Target, is_same_disk, node_of
from parsers.classify.rules import Catalogue, classify, diskinfo_evidence, merge_classes
from parsers.descriptions import Drive, find_drives, is_about_equal, is_same_model, model_of, same_node

NodeRun = FioReading | SlogprobeReading  # name a device by its node alone
NOT_DESCRIBED = SmartctlReading(first_line=0, last_line=0)


@dataclass(frozen=True, slots=True)
class Pairing:
    """The units of a paste, and notices about them."""

    devices: tuple[PairedDevice, ...]
    notices: tuple[Notice, ...]


def pair_readings(
    readings: Sequence[Reading], unit_digests: Mapping[str, str], catalogue: Catalogue | None = None
) -> Pairing:
    """Pair each run with the smartctl readings of its unit, then add those left over.

    `unit_digests` gives the digest for the mask of a serial number, `catalogue` the class of some model names.
    """
    drives, notices = find_drives(readings, unit_digests)
    runs = [reading for reading in readings if isinstance(reading, DiskinfoReading)]
    node_runs = [reading for reading in readings if isinstance(reading, NodeRun)]
    written = {run.path for run in node_runs}
    is_one_node = len(node_runs) == 1 or (len(written) == 1 and None not in written)
    seen = Counter[str]()  # of the serial numbers of runs
    devices: list[PairedDevice] = []
    paired: list[Drive] = []
    for at, reading in enumerate(readings):
        if isinstance(reading, DiskinfoReading):
            drive = _same_serial(reading, drives, seen) or _partner(reading, drives, is_only=len(runs) == 1)
            if drive is None and len(runs) == len(drives) == 1:
                notices.append(_different_devices(reading, drives[0]))
            unit, disputed = _unit_of_diskinfo(
                at, reading, drive, catalogue=catalogue, unit_digests=unit_digests
            )
            devices.append(unit)
            notices += disputed
        elif isinstance(reading, NodeRun):
            drive = _partner_of_node(reading, drives, is_only=is_one_node)
            if drive is None and _has_one_device(reading):
                notices += _other_disk(reading, drives)
            devices.append(_unit_of_smartctl(drive, unit_digests, **{reading.kind: at}))
        else:
            continue
        paired += [] if drive is None else [drive]
    found = {id(drive) for drive in paired}
    devices += [_unit_of_smartctl(drive, unit_digests) for drive in drives if id(drive) not in found]
    devices = _with_described_by_diskinfo(devices, readings)
    return Pairing(tuple(_with_file_runs(devices, readings)), tuple(notices))


def _with_described_by_diskinfo(
    devices: Sequence[PairedDevice], readings: Sequence[Reading]
) -> list[PairedDevice]:
    """The devices, with each run of a node that smartctl doesn't describe named by diskinfo's output of that node."""
    named = [device for device in devices if device.diskinfo is not None and device.model_name]

    def name(device: PairedDevice) -> PairedDevice:
        run = None if device.node_run is None or device.smartctl is not None else readings[device.node_run]
        if not isinstance(run, NodeRun) or not _has_one_device(run):
            return device
        same = [
            device
            for device in named
            if is_same_disk(node_of(_path(readings[device.diskinfo or 0])), node_of(run.path))
        ]
        return (
            _named_as(same[0], device)
            if len({device.unit or device.diskinfo for device in same}) == 1
            else device
        )

    return [name(device) for device in devices]


def _path(reading: Reading) -> str | None:
    return reading.path if isinstance(reading, DiskinfoReading | SmartctlReading) else None


def _with_file_runs(devices: Sequence[PairedDevice], readings: Sequence[Reading]) -> list[PairedDevice]:
    """The devices, with runs on files assigned to the only device that the paste names, else separate."""
    named = [device for device in devices if device.smartctl is not None or device.diskinfo is not None]
    is_one = (
        len(
            {
                device.unit or (device.smartctl, device.smartctl is None and device.diskinfo)
                for device in named
            }
        )
        == 1
    )
    pg_test_fsync = tuple(
        at for at, reading in enumerate(readings) if isinstance(reading, PgTestFsyncReading)
    )
    pveperf = tuple(at for at, reading in enumerate(readings) if isinstance(reading, PveperfReading))
    if not is_one:
        alone = [PairedDevice(pg_test_fsync=(at,)) for at in pg_test_fsync]
        return [*devices, *alone, *(PairedDevice(pveperf=(at,)) for at in pveperf)]
    elsewhere = tuple(at for at in pveperf if _is_mounted_from_another(readings[at], named[0], readings))
    units = [_named_as(named[0], device) if _is_on_file(device, readings) else device for device in devices]
    if any(unit.node_run is not None and unit.smartctl is not None for unit in units):
        units = [
            unit
            for unit in units
            if unit.node_run is not None or unit.diskinfo is not None or unit.smartctl is None
        ]
    first = next(
        at for at, unit in enumerate(units) if unit.smartctl is not None or unit.diskinfo is not None
    )
    here = tuple(at for at in pveperf if at not in elsewhere)
    units[first] = replace(units[first], pg_test_fsync=pg_test_fsync, pveperf=here)
    return [*units, *(PairedDevice(pveperf=(at,)) for at in elsewhere)]


def _is_mounted_from_another(run: Reading, named: PairedDevice, readings: Sequence[Reading]) -> bool:
    """Whether pveperf names a disk as mounted there that the device isn't."""
    source = run.source if isinstance(run, PveperfReading) else None
    described = (named.diskinfo, named.smartctl, *named.also_smartctl)
    paths = [path for at in described if at is not None and (path := _path(readings[at]))]
    return same_node(paths, source) is False


def _named_as(named: PairedDevice, run: PairedDevice) -> PairedDevice:
    """A run on a node or a file, assigned to the device that another reading names."""
    return replace(named, diskinfo=None, fio=run.fio, slogprobe=run.slogprobe)


def _is_on_file(device: PairedDevice, readings: Sequence[Reading]) -> bool:
    run = None if device.node_run is None else readings[device.node_run]
    return isinstance(run, NodeRun) and run.target in (Target.FILE, Target.ZVOL) and device.smartctl is None


def _has_one_device(run: NodeRun) -> bool:
    return isinstance(run, SlogprobeReading) or (run.hosts == 1 and not run.targets)


def _same_serial(reading: DiskinfoReading, drives: Iterable[Drive], seen: Counter[str]) -> Drive | None:
    """The drive of the same serial number.

    Two units can share the visible part of a serial number: then the model decides, and the order.
    """
    if reading.serial is None:
        return None
    found = [drive for drive in drives if drive.stated.serial == reading.serial]
    found = [drive for drive in found if is_same_model(reading.description, drive.stated)] or found
    nth = seen[reading.serial]
    seen[reading.serial] += 1
    return found[min(nth, len(found) - 1)] if found else None


def _partner(reading: DiskinfoReading, drives: Sequence[Drive], *, is_only: bool) -> Drive | None:
    """The drive of the same model, and capacity where models don't tell; that of the same node; or the only one."""
    candidates = [drive for drive in drives if not _serials_differ(reading, drive)]
    same_model = [
        candidate for candidate in candidates if is_same_model(reading.description, candidate.stated)
    ]
    same_model = [drive for drive in same_model if _is_same_capacity(reading, drive)] or same_model
    same_model = [drive for drive in same_model if same_node(drive.paths, reading.path)] or same_model
    if same_model:
        return same_model[0] if len(same_model) == 1 else None
    same = [candidate for candidate in candidates if same_node(candidate.paths, reading.path)]
    possible = same if same or not is_only else drives
    return possible[0] if len(possible) == 1 and not _is_other_device(reading, possible[0]) else None


def _partner_of_node(reading: NodeRun, drives: Sequence[Drive], *, is_only: bool) -> Drive | None:
    """The drive whose serial number the path has, that of the same node, or the only one."""
    if not _has_one_device(reading):
        return None
    path = reading.path or ""
    by_serial = [drive for drive in drives if drive.stated.serial and drive.stated.serial in path]
    same = by_serial or [drive for drive in drives if same_node(drive.paths, reading.path)]
    if len(same) == 1:
        return same[0]
    is_other = not drives or same_node(drives[0].paths, reading.path) is False
    return drives[0] if is_only and len(drives) == 1 and not is_other else None


def _serials_differ(reading: DiskinfoReading, drive: Drive) -> bool:
    return None not in (reading.serial, drive.stated.serial) and reading.serial != drive.stated.serial


def _is_same_capacity(reading: DiskinfoReading, drive: Drive) -> bool | None:
    """Whether the two state one capacity: the visible one, or the one that the drive was made with.

    None where one of them is unknown, or a part of the drive was measured.
    """
    stated = drive.stated
    if reading.target is not Target.DEVICE:
        return None
    equal = [
        is_about_equal(reading.media_size, each) for each in (stated.user_capacity, stated.native_capacity)
    ]
    return True if True in equal else equal[0]


def _is_other_device(reading: DiskinfoReading, drive: Drive) -> bool:
    """Whether the two contradict each other in serial number, node, model or capacity.

    Names that differ at the same capacity are those of adapters and bridges.
    """
    if _serials_differ(reading, drive) or same_node(drive.paths, reading.path) is False:
        return True
    if is_same_model(reading.description, drive.stated):
        return False
    equal = _is_same_capacity(reading, drive)
    if reading.description and model_of(drive.stated):
        return not equal
    return equal is False


def _different_devices(reading: DiskinfoReading, drive: Drive) -> Notice:
    """A notice of what differs; naming what is equal or unstated would only confuse."""
    described = drive.stated
    model, size = reading.description, reading.media_size
    differences = []
    if _serials_differ(reading, drive):
        differences.append("the serial numbers differ")
    if same_node(drive.paths, reading.path) is False:
        differences.append(f"the device nodes differ, {reading.path} and {drive.paths[0]}")
    if model and model_of(described) and not is_same_model(model, described):
        differences.append(f"the models differ, {model!r} and {described.model_name!r}")
    if None not in (size, described.user_capacity) and not is_about_equal(size, described.user_capacity):
        differences.append(f"the capacities differ, {size:,} and {described.user_capacity:,} bytes")
    message = f"diskinfo and smartctl are about different devices: {'; '.join(differences)}"
    return Notice("different_devices", message, reading.first_line)


def _other_disk(reading: NodeRun, drives: Sequence[Drive]) -> list[Notice]:
    """A notice if every drive that is described is another one than the run wrote to."""
    if not drives or any(same_node(drive.paths, reading.path) is not False for drive in drives):
        return []
    shown = ", ".join(drive.paths[0] for drive in drives[:3]) + (", …" if len(drives) > 3 else "")
    message = (
        f"{reading.kind} wrote to {reading.path}, but smartctl describes another device ({shown}): paste the output"
        f" of smartctl -a for {reading.path} as well"
    )
    return [Notice("different_devices", message, reading.first_line)]


def _unit_of_diskinfo(
    at: int,
    reading: DiskinfoReading,
    drive: Drive | None,
    *,
    catalogue: Catalogue | None,
    unit_digests: Mapping[str, str],
) -> tuple[PairedDevice, list[Notice]]:
    """The unit, and a notice where its two readings are of different classes."""
    other = NOT_DESCRIBED if drive is None else drive.stated
    evidence = diskinfo_evidence(reading)
    seen = classify(evidence, catalogue)
    merged = merge_classes(other.device_class, seen)
    notices = []
    if merged.is_disputed:
        message = f"smartctl's output says {other.device_class.value}, diskinfo's says {seen.value}"
        notices.append(Notice("class_disputed", message, reading.first_line))
    smartctl, also_smartctl = _indices(drive)
    unit = PairedDevice(
        diskinfo=at,
        smartctl=smartctl,
        also_smartctl=also_smartctl,
        unit=unit_digests.get(other.serial or reading.serial or ""),
        device_class=merged.device_class,
        printed_class=merge_classes(other.printed_class, classify(evidence)).device_class,
        model_name=model_of(other) or reading.description,
        firmware_version=other.firmware_version,
        capacity=other.user_capacity or reading.media_size,
    )
    return unit, notices


def _unit_of_smartctl(
    drive: Drive | None,
    unit_digests: Mapping[str, str],
    *,
    fio: int | None = None,
    slogprobe: int | None = None,
) -> PairedDevice:
    if drive is None:
        return PairedDevice(fio=fio, slogprobe=slogprobe)
    reading = drive.stated
    smartctl, also_smartctl = _indices(drive)
    return PairedDevice(
        smartctl=smartctl,
        also_smartctl=also_smartctl,
        fio=fio,
        slogprobe=slogprobe,
        unit=unit_digests.get(reading.serial or ""),
        device_class=reading.device_class,
        printed_class=reading.printed_class,
        model_name=model_of(reading),
        firmware_version=reading.firmware_version,
        capacity=reading.user_capacity,
    )


def _indices(drive: Drive | None) -> tuple[int | None, tuple[int, ...]]:
    return (None, ()) if drive is None else (drive.indices[0], tuple(drive.indices[1:]))
