"""Which of smartctl's outputs are about one drive, and what they say together.

A drive is described twice by `-i` and then `-A`, before and after a run, or as text and as JSON.
"""

from bisect import bisect
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from parsers.base.device_class import DeviceClass
from parsers.base.fillers import is_filler
from parsers.base.readings import ROUNDED_AWAY, Notice, PairedDevice, Reading, SmartctlReading
from parsers.base.target import is_same_disk, node_of

ATA_VENDOR = "ATA "  # in place of a vendor that SCSI layers lack; the model after it is cut to 16 characters
MIN_CUT_MODEL = 8
# Drives that share a serial number's visible part, a node or a model; more aren't compared
MAX_CANDIDATES = 8
MAX_RUN_HOURS = 24  # between a description before a run and one after it
MAX_WRITTEN_BYTES = 2 * 10**12  # by that run

_NOT_STATEMENTS = frozenset({"first_line", "last_line", "format", "kind"})
_STATEMENTS = tuple(field.name for field in fields(SmartctlReading) if field.name not in _NOT_STATEMENTS)
# What stays the same, and how a notice names it
_LASTING = {"model_name": "models", "firmware_version": "firmware versions", "user_capacity": "capacities"}


@dataclass(slots=True, eq=False)
class Drive:
    """One drive: the indices of its descriptions, the fullest first, and what they say together."""

    indices: list[int]
    stated: SmartctlReading
    paths: list[str]
    last: int = 0  # the index of the last one in the text

    def add(self, at: int, reading: SmartctlReading) -> None:
        """Add a description; the fuller one's statements count."""
        self.last = max(at, self.last)
        is_fuller = _fullness(reading) > _fullness(self.stated)
        self.indices.insert(0 if is_fuller else len(self.indices), at)
        self.stated = _merge(reading, self.stated) if is_fuller else _merge(self.stated, reading)
        if reading.path and reading.path not in self.paths:
            self.paths.append(reading.path)


def find_drives(
    readings: Sequence[Reading], unit_digests: Mapping[str, str]
) -> tuple[list[Drive], list[Notice]]:
    """Group the descriptions by drive, in the order of the text; notices say where those of one drive differ."""
    drives: list[Drive] = []
    candidates: defaultdict[object, deque[Drive]] = defaultdict(lambda: deque(maxlen=MAX_CANDIDATES))
    notices: list[Notice] = []
    described = [(at, reading) for at, reading in enumerate(readings) if isinstance(reading, SmartctlReading)]
    unnamed: list[tuple[int, SmartctlReading]] = []
    for at, reading in described:
        if model_of(reading) is None and reading.serial is None and reading.path is None:
            unnamed.append((at, reading))
            continue
        keys = [reading.serial, node_of(reading.path) or reading.path, words_of(model_of(reading))]
        known = (each for key in filter(None, keys) for each in reversed(candidates[key]))
        drive = next((each for each in known if _is_same(each, at, reading, readings, unit_digests)), None)
        if drive is None:
            drives.append(drive := Drive([at], reading, [reading.path] if reading.path else [], at))
        else:
            notices += _differences(drive.stated, reading)
            drive.add(at, reading)
        for key in filter(None, keys):
            if drive not in candidates[key]:
                candidates[key].append(drive)
    named = sorted(drives, key=lambda each: min(each.indices))
    begins = [min(each.indices) for each in named]
    for at, reading in unnamed:
        above = named[0] if len(named) == 1 else named[place - 1] if (place := bisect(begins, at)) else None
        if above is None or not _is_part_of(above, reading, is_only=len(named) == 1):
            drives.append(Drive([at], reading, [], at))
        else:
            above.add(at, reading)
    drives.sort(key=lambda each: min(each.indices))
    return drives, notices


def description_of(device: PairedDevice, readings: Sequence[Reading]) -> SmartctlReading | None:
    """What all of a device's descriptions say together; None without any."""
    stated = None
    for at in () if device.smartctl is None else (device.smartctl, *device.also_smartctl):
        reading = readings[at]
        if isinstance(reading, SmartctlReading):
            stated = reading if stated is None else _merge(stated, reading)
    return stated


def model_of(reading: SmartctlReading) -> str | None:
    """The model, unless somebody crossed it out."""
    return _name_of(reading.model_name)


@lru_cache(maxsize=256)
def _name_of(name: str | None) -> str | None:
    return None if not name or is_filler(name) else name


def is_same_model(description: str | None, described: SmartctlReading) -> bool:
    """Whether a name is the described model's; a SAS adapter may cut it short."""
    name, model = words_of(description), words_of(model_of(described))
    if not name or not model:
        return False
    if name in (model, f"{words_of(described.vendor)} {model}"):
        return True
    cut = name.removeprefix(ATA_VENDOR)
    return name.startswith(ATA_VENDOR) and len(cut) >= MIN_CUT_MODEL and model.startswith(cut)


@lru_cache(maxsize=256)
def words_of(name: str | None) -> str:
    return " ".join((name or "").upper().split())


def is_about_equal(first: int | None, other: int | None) -> bool | None:
    """Whether two capacities are the same but for rounding; None where one is unknown."""
    return None if first is None or other is None else abs(first - other) <= ROUNDED_AWAY * max(first, other)


def same_node(paths: Sequence[str], path: str | None) -> bool | None:
    """Whether a path is one of a drive's nodes; None where names don't tell."""
    if path and path in paths:
        return True
    found = [is_same_disk(node_of(other), node_of(path)) for other in paths]
    return True if True in found else False if False in found else None


def _is_same(
    drive: Drive,
    at: int,
    reading: SmartctlReading,
    readings: Sequence[Reading],
    unit_digests: Mapping[str, str],
) -> bool:
    """Whether a description is of the drive: by serial number, else by node, else before and after a run."""
    stated = drive.stated
    is_other_model = None not in (model_of(stated), model_of(reading)) and not _models_agree(stated, reading)
    if is_other_model or _differ(stated.serial, reading.serial):
        return False
    same = same_node(drive.paths, reading.path) if stated.slot == reading.slot else False
    if stated.serial is not None and stated.serial == reading.serial:
        return same is not False or reading.serial in unit_digests
    if same is not None:
        return same
    return stated.serial == reading.serial and _is_later_state(drive, at, reading, readings)


def _models_agree(reading: SmartctlReading, other: SmartctlReading) -> bool:
    """Whether the models are one; through SCSI an ATA drive's name is cut short."""
    for first, second in ((reading, other), (other, reading)):
        prefix = ATA_VENDOR if first.vendor == ATA_VENDOR.strip() else ""
        if is_same_model(f"{prefix}{first.model_name}", second):
            return True
    return False


def _is_later_state(drive: Drive, at: int, reading: SmartctlReading, readings: Sequence[Reading]) -> bool:
    """Whether the description is of the drive after a run: the same, and a little older.

    Two drives of one model are described one after another, not with a run in between.
    """
    stated = drive.stated
    if model_of(reading) is None or all(
        isinstance(each, SmartctlReading) for each in readings[drive.last + 1 : at]
    ):
        return False
    same = (stated.firmware_version, stated.user_capacity, stated.power_cycle_count, stated.health) == (
        reading.firmware_version, reading.user_capacity, reading.power_cycle_count, reading.health,
    )  # fmt: skip
    hours = (reading.power_on_hours or 0) - (stated.power_on_hours or 0)
    written = (reading.host_bytes_written or 0) - (stated.host_bytes_written or 0)
    return same and 0 <= hours <= MAX_RUN_HOURS and 0 <= written <= MAX_WRITTEN_BYTES


def _is_part_of(drive: Drive, part: SmartctlReading, *, is_only: bool) -> bool:
    """Whether an output that names no drive is of the only one, or of the one above, if that lacks figures."""
    stated = drive.stated
    if _differ(stated.transport, part.transport) or stated.slot != part.slot:
        return False
    return is_about_equal(stated.user_capacity, part.user_capacity) is not False and (
        is_only or not _has_figures(stated)
    )


def _has_figures(reading: SmartctlReading) -> bool:
    return any(
        each is not None
        for each in (reading.power_on_hours, reading.wear_percent, reading.temperature_c, reading.health)
    )


def _differ(value: object, other: object) -> bool:
    return None not in (value, other) and value != other


def _fullness(reading: SmartctlReading) -> int:
    return sum(_states(getattr(reading, name)) for name in _STATEMENTS)


def _states(value: object) -> bool:
    return value is not None and value is not DeviceClass.UNKNOWN


def _merge(fuller: SmartctlReading, other: SmartctlReading) -> SmartctlReading:
    """The fuller description, with what only the other one states."""
    missing = {
        name: value
        for name in _STATEMENTS
        if not _states(getattr(fuller, name)) and _states(value := getattr(other, name))
    }
    if "wear_percent" not in missing:
        missing.pop("wear_source", None)
    return replace(fuller, **missing) if missing else fuller


def _differences(stated: SmartctlReading, reading: SmartctlReading) -> Iterator[Notice]:
    found = []
    for name, plural in _LASTING.items():
        earlier, later = getattr(stated, name), getattr(reading, name)
        is_rounded = name == "user_capacity" and is_about_equal(earlier, later)
        is_cut = name == "model_name" and _models_agree(stated, reading)
        if _differ(earlier, later) and not (is_rounded or is_cut):
            printed = (
                f"{each:,} bytes" if isinstance(each, int) else repr(each) for each in (earlier, later)
            )
            found.append(f"the {plural} differ, {' and '.join(printed)}")
    if found:
        message = (
            f"two outputs of smartctl for one drive contradict each other: {'; '.join(found)}; we use the"
            " fuller one"
        )
        yield Notice("descriptions_differ", message, reading.first_line)
