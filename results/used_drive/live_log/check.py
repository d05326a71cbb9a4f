"""Check a live log by what the commands print: its counters, and the drives that its disks are. Stores nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from parsers.base.readings import FlushPath, Notice
from parsers.base.units import KIBIBYTE
from parsers.live_log.read import read_live_log
from results.advice.lights import Check, LogDrive, check_log
from results.catalogue.protection import product_protection
from results.core.reader import ReadingError, read_in_time
from results.kinds.curve.charts import curve_points
from results.kinds.envelope import UnnamedDeviceError
from results.kinds.registry import KINDS, find_runs
from results.ranking.standing import main_rows
from results.submissions.intake.parse import parse_text
from results.submissions.intake.receive import check_size
from results.used_drive.check import CheckedDrive, Plan, check_drives
from results.used_drive.drives import UsedDrive, read_drive
from results.used_drive.oddities import Code
from results.used_drive.records import LookedUp

COMMANDS = (Path(__file__).parent / "commands.sh").read_text(encoding="utf-8")
MODEL_SIZE = 8 * KIBIBYTE  # of a 4 KiB write in the log
_FAILING = {Code.FAILING, Code.SPARE_USED_UP, Code.SELF_TEST_FAILED}


def check_text(raw: str | bytes) -> Check:
    """The check of a log.

    Seven queries, and two to eight per disk of the log. Raises PasteTooLongError and ReadingError.
    """
    check_size(raw)
    log = read_in_time(read_live_log, raw)
    if isinstance(log, Notice):
        raise ReadingError(log)
    return check_log(log, _log_drives(list(_read_disks(log.drives.items()))))


def shared_text(raw: str | bytes) -> str:
    """The text that can be published as a result, masked; "" if it can't be. Raises ReadingError."""
    paste = parse_text(raw)
    is_check = any(run.method in KINDS["log_check"].methods for run in find_runs(paste).runs)
    return paste.text if is_check else ""


def _read_disks(
    texts: Iterable[tuple[str, str]],
) -> Iterator[tuple[str, UsedDrive, FlushPath]]:
    """Each disk that describes itself: its node, the drive, and its flush path."""
    for disk, text in texts:
        paste = parse_text(text, reads_nvme_cli=True)
        described = [device for device in paste.devices if device.smartctl is not None]
        if len(described) == 1:
            try:
                drive = read_drive(described[0], paste)
            except UnnamedDeviceError:
                continue
            yield disk, drive, described[0].flush_path or FlushPath()


def _log_drives(read: Sequence[tuple[str, UsedDrive, FlushPath]]) -> list[LogDrive]:
    checked = check_drives([drive for _, drive, _ in read], Plan(), lists_similar=False)
    measured = [LookedUp(drive, None).measured for drive in checked]
    ids = {found.id for found in measured if found}
    rows = main_rows().filter(device__in=ids)
    curves = {
        row.device_id: {point.block_size: point.latency_us for point in curve_points(row.median_us)}
        for row in rows.only("device", "median_us")
    }
    return [
        _log_drive(disk, drive, path, curves.get(found.id, {}) if found else {})
        for (disk, _, path), drive, found in zip(read, checked, measured, strict=True)
    ]


def _log_drive(disk: str, drive: CheckedDrive, path: FlushPath, curve: Mapping[int, float]) -> LogDrive:
    reading, least = drive.drive.reading, drive.life.least
    used = [reading.wear_percent] if reading.wear_percent is not None else []
    if least is not None and (rated := drive.life.known[0].rated_bytes):
        used.append(100 - 100 * least.bytes_left // rated)
    return LogDrive(
        disk=disk,
        name=drive.name,
        protection=product_protection(drive.product),
        latency_us=curve.get(MODEL_SIZE),
        curve=curve,
        used_percent=max(used, default=None),
        bytes_left=least.bytes_left if least else None,
        is_failing=any(finding.code in _FAILING for finding in drive.findings),
        works=False if reading.protection_fault else True if reading.protection_evidence else None,
        has_volatile_cache=path.has_volatile_cache,
        kernel_write_cache=path.kernel_write_cache,
    )
