"""The pools that a text describes, and which of them a run is on."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from parsers.base.readings import (
    FioReading,
    ParsedPaste,
    SmartctlReading,
    ZfsPropertiesReading,
    ZpoolIostatReading,
    ZpoolStatusReading,
    ZpoolVdev,
)
from parsers.base.target import NamedModel, Target, is_same_disk, model_of, node_of
from parsers.classify.rules import ClassEvidence, classify
from results.kinds.envelope import (
    DescribedPool,
    Run,
    Stated,
    UnnamedDeviceError,
    describe_device,
    fitting_condition,
    fitting_text,
)
from results.kinds.pool.questions import stated_layout
from results.models import lengths
from results.models.pool import POOL_PROPERTIES

LOG = "log"
_HOLDERS = {"mnt", "media", "home", "Volumes", "srv", "root", "export"}
LONGEST_VALUE = 40  # of a property
MAX_VDEVS = 500
MAX_LOGS = 50
POOL_MASK = re.compile(r"\[pool-[0-9]{1,6}\]")
_SERIAL_MASK = re.compile(r"\[serial-[0-9]{1,6}\]")
# Layers that aren't ZFS
_FILE_SYSTEMS = {"ext4", "xfs", "btrfs", "ufs", "apfs", "ntfs", "lvm", "md", "guest"}


OfPool = ZpoolStatusReading | ZfsPropertiesReading | ZpoolIostatReading


Settings = dict[str, dict[str, list[tuple[int, str]]]]  # by dataset and property: lines and values


@dataclass(frozen=True, slots=True)
class FoundPool:
    """A pool of the text: the mask of its name, its tables, and the properties of its datasets by their masks.

    A text may show a pool several times, before and after a log device was added or `sync` was set: what is nearest
    above a run is true of it.
    """

    mask: str
    statuses: tuple[ZpoolStatusReading, ...] = ()  # in the order of the text
    settings: Settings = field(default_factory=dict)

    @property
    def status(self) -> ZpoolStatusReading | None:
        """The fullest of its tables, the first of equal ones."""
        return max(self.statuses, key=lambda status: len(status.vdevs), default=None)

    def status_at(self, line: int | None) -> ZpoolStatusReading | None:
        """The nearest complete table above the line, else the fullest of those below."""
        above = [
            status
            for status in self.statuses
            if line is not None and status.first_line < line and status.vdevs
        ]
        return next(
            (reading for reading in reversed(above) if reading.complete), above[-1] if above else self.status
        )

    def logs_at(self, line: int | None) -> tuple[ZpoolVdev, ...]:
        status = self.status_at(line)
        return tuple(vdev for vdev in (status.vdevs if status else ()) if vdev.role == LOG)

    @property
    def log_vdevs(self) -> tuple[ZpoolVdev, ...]:
        """The log vdevs of all of its tables."""
        found = (vdev for status in self.statuses for vdev in status.vdevs if vdev.role == LOG)
        return tuple(dict.fromkeys(found))

    def property_of(self, path: str, name: str, line: int | None = None) -> str:
        """A property of the dataset that holds `path`; else the value that all datasets of the pool share.

        It is the value at that line: stated nearest above, else nearest below. Without a line it is "" if it changed.
        """
        folders = POOL_MASK.findall(path)
        for depth in range(len(folders), 0, -1):
            found = self.settings.get("/".join(folders[:depth]), {}).get(name)
            if found:
                return fitting_text(_value_at(found, line), longest=LONGEST_VALUE)
        values = {_value_at(setting[name], line) for setting in self.settings.values() if name in setting}
        return fitting_text(values.pop(), longest=LONGEST_VALUE) if len(values) == 1 else ""


def _value_at(stated: Sequence[tuple[int, str]], line: int | None) -> str:
    if line is None:
        values = {value for _, value in stated}
        return values.pop() if len(values) == 1 else ""
    return stated[max(0, bisect_left(stated, (line, "")) - 1)][1]


def pools_of(paste: ParsedPaste) -> list[FoundPool]:
    """The pools that the text names, in its order: by their tables, datasets and statistics."""
    readings = [reading for reading in paste.readings if isinstance(reading, OfPool)]
    masks = list(dict.fromkeys(map(_mask_of, readings)))
    if "" in masks and len(masks) == 2:  # what states no name is about the only pool that has one
        (mask,) = (placeholder for placeholder in masks if placeholder)
        return [_pool_of(mask, readings)]
    return [_pool_of(mask, [reading for reading in readings if _mask_of(reading) == mask]) for mask in masks]


def _pool_of(mask: str, readings: Sequence[OfPool]) -> FoundPool:
    settings: Settings = {}
    for reading in sorted(readings, key=lambda reading: reading.first_line):
        if isinstance(reading, ZfsPropertiesReading):
            for_data_set = settings.setdefault(reading.name or mask, {})
            for name, value in reading.properties.items():
                if value:
                    for_data_set.setdefault(name, []).append((reading.first_line, value))
    statuses = tuple(reading for reading in readings if isinstance(reading, ZpoolStatusReading))
    return FoundPool(mask, statuses, settings)


def _mask_of(reading: OfPool) -> str:
    if isinstance(reading, ZpoolStatusReading):
        return reading.pool or ""
    if isinstance(reading, ZfsPropertiesReading):
        return (reading.name or "").partition("/")[0]
    return next((row.name for row in reading.rows if row.depth == 0), "")


def is_on_pool(reading: FioReading, paste: ParsedPaste, stated: Stated) -> bool:
    """Whether fio wrote to a file or zvol of a pool: the text shows a pool, or its sender describes one."""
    if reading.target not in (Target.FILE, Target.ZVOL) or reading.layer in _FILE_SYSTEMS:
        return False
    return any(isinstance(other, OfPool) for other in paste.readings) or bool(
        stated_layout(stated.answers.about())
    )


def pool_at(path: str, pools: Sequence[FoundPool], answers: Mapping[str, str]) -> int | None:
    """The index of the pool that the path is on: as the sender states, by its folders, or the only one."""
    if (chosen := answers.get("pool", "")) and int(chosen) <= len(pools):
        return int(chosen) - 1
    folders = set(POOL_MASK.findall(path))
    named = [at for at, pool in enumerate(pools) if pool.mask in folders]
    if len(named) == 1:
        return named[0]
    return 0 if len(pools) == 1 else None


def mount_of(path: str) -> str:
    """The folder in which a pool may be mounted: the first of the path, behind those that only hold mounts."""
    folders = [part for part in path.split("/")[:-1] if part]
    if not path.startswith("/") or not folders:
        return ""
    return "/".join(folders[:2] if folders[0] in _HOLDERS else folders[:1])


def describe_pool(at: int, pools: Sequence[FoundPool], paste: ParsedPaste, stated: Stated) -> DescribedPool:
    """The pool at that index as the text describes it; its sender describes what the text doesn't."""
    pool, layout = pools[at], stated_layout(stated.answers.about())
    vdevs = pool.status.vdevs if pool.status else ()
    shown = tuple(
        {"role": vdev.role, "type": vdev.type, "members": vdev.members} for vdev in vdevs[:MAX_VDEVS]
    )
    for_sender = layout if len(pools) == 1 else ()
    return DescribedPool(
        position=at + 1,
        layout=shown or for_sender,
        is_told=bool(for_sender) and not shown,
        health=fitting_text(pool.status.state if pool.status else "", longest=20),
        properties={key: value for key in POOL_PROPERTIES if (value := pool.property_of("", key))},
        logs=tuple(described_logs(pool.log_vdevs, paste)),
        **_told(paste, stated),
    )


def other_pool(position: int, paste: ParsedPaste, stated: Stated, *, is_only: bool) -> DescribedPool:
    """A pool that only its sender describes, if it is the only one."""
    layout = stated_layout(stated.answers.about()) if is_only else ()
    return DescribedPool(position=position, layout=layout, is_told=bool(layout), **_told(paste, stated))


def _told(paste: ParsedPaste, stated: Stated) -> dict[str, Any]:
    answers = stated.answers.about()
    # Of all or single runs
    slugs = (given.get("log_device", "") for given in stated.answers.answers.values())
    return {
        "platform": answers.get("system", "") or _platform_of(paste),
        "zfs_version": answers.get("zfs_version", ""),
        "log_slugs": tuple(dict.fromkeys(filter(None, slugs))),
    }


def _platform_of(paste: ParsedPaste) -> str:
    found = {
        reading.platform
        for reading in paste.readings
        if isinstance(reading, SmartctlReading) and reading.platform
    }
    return fitting_condition(found.pop()) if len(found) == 1 else ""


def described_logs(vdevs: Iterable[ZpoolVdev], paste: ParsedPaste) -> Iterator[Run]:
    """The log devices that smartctl describes in the same text, by serial number or node; each model once.

    Others are described by their names alone, if these are names by id: then their capacity is unknown.
    """
    names = dict.fromkeys(name for vdev in vdevs for name in vdev.devices)
    found: dict[tuple[str, int | None], Run] = {}
    for device in paste.devices:
        indices = [index for index in (device.smartctl, *device.also_smartctl) if index is not None]
        readings = [paste.readings[index] for index in indices]
        if not any(
            isinstance(reading, SmartctlReading) and is_any_of(reading, names) for reading in readings
        ):
            continue
        try:
            described = describe_device(device, paste, line=readings[0].first_line)
        except UnnamedDeviceError:
            continue
        run = Run(**described, method="", is_complete=True)
        found[run.identity] = run
    described_names = {_as_in_id(model_name) for model_name, _ in found}
    for model in filter(None, map(model_of, names)):
        if _as_in_id(model.name) not in described_names:
            run = _described_by_name(model)
            found.setdefault(run.identity, run)
    yield from list(found.values())[:MAX_LOGS]


def _as_in_id(model_name: str) -> str:
    return model_name.replace(" ", "_")


def _described_by_name(model: NamedModel) -> Run:
    return Run(
        model_name=fitting_text(model.name, longest=lengths.MODEL_NAME),
        device_class=classify(ClassEvidence(model=model.name, command_set=model.bus)),
        method="",
        is_complete=True,
    )


def is_any_of(reading: SmartctlReading, names: Iterable[str]) -> bool:
    return any(_is_named(reading, name) for name in names)


def _is_named(reading: SmartctlReading, name: str) -> bool:
    if reading.serial and _SERIAL_MASK.findall(name):
        return reading.serial in name
    return is_same_disk(node_of(name), node_of(reading.path)) is True or (
        is_same_disk(node_of(f"/dev/{name}"), node_of(reading.path)) is True
    )


def log_name_of(logs: Iterable[Run]) -> str:
    """Described log devices in words; "" if no text describes them."""
    names = dict.fromkeys(log.model_name for log in logs)
    return fitting_text(", ".join(names), longest=2 * lengths.MODEL_NAME)
