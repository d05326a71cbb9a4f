"""The text that the tools would print for a made-up run, so that it can be parsed like any other."""

from functools import lru_cache

from parsers.base.units import GIGABYTE, MEBIBYTE, TERABYTE
from results.demo.draw import DemoDevice, DemoRun
from results.models.fields import BLOCK_SIZES

SERIAL_MASK = "[serial-1]"


def run_text(run: DemoRun) -> str:
    """A kept paste of `diskinfo -wS` and of the top of `smartctl -a`."""
    return "\n".join([*_diskinfo(run), "", *smartctl_lines(run), ""])


def last_line(run: DemoRun) -> int:
    """The last line of the run in its text, counted from one."""
    return len(_header(run.device)) + len(run.curve) - run.curve.count(None)


# The text before each size's latency, and the dividend of its throughput.
_POINTS = [
    (f"\t{block_size / 1024:4.4g} kbytes: ", block_size / MEBIBYTE * 1e6) for block_size in BLOCK_SIZES
]


def _diskinfo(run: DemoRun) -> list[str]:
    points = [
        f"{size}{latency_us:8.1f} usec/IO = {amount / latency_us:8.1f} Mbytes/s"
        for (size, amount), latency_us in zip(_POINTS, run.curve, strict=True)
        if latency_us is not None
    ]
    return [*_header(run.device), *points]


@lru_cache(maxsize=2**15)
def _header(device: DemoDevice) -> tuple[str, ...]:
    header = [
        (device.sector_size, "sectorsize"),
        (device.capacity_bytes, f"mediasize in bytes ({device.capacity_bytes >> 30}G)"),
        (device.capacity_bytes // device.sector_size, "mediasize in sectors"),
        (device.model_name, "Disk descr."),
        (SERIAL_MASK, "Disk ident."),
        ("Yes", "TRIM/UNMAP support"),
        (device.range.rotation_rate_rpm, "Rotation rate in RPM"),
    ]
    lines = (f"\t{value!s:<12}\t# {comment}" for value, comment in header)
    return (path_of(device), *lines, "", "Synchronous random writes:")


def path_of(device: DemoDevice) -> str:
    """The device's path on its host."""
    return f"/dev/{device.range.disk}"


def smartctl_lines(run: DemoRun) -> list[str]:
    """The top of `smartctl -a`; empty for an NVDIMM, which smartctl doesn't support."""
    command_set = run.device.range.command_set
    if command_set is None:
        return []
    banner = f"smartctl 7.4 2023-08-01 r5530 [{run.system}] (local build)"
    return [banner, "", "=== START OF INFORMATION SECTION ===", *_FIELDS[command_set](run)]


def _ata_fields(run: DemoRun) -> list[str]:
    device = run.device
    rotation = (
        f"{device.range.rotation_rate_rpm} rpm" if device.range.rotation_rate_rpm else "Solid State Device"
    )
    return [
        f"Device Model:     {device.model_name}",
        f"Serial Number:    {SERIAL_MASK}",
        f"Firmware Version: {run.firmware_version}",
        f"User Capacity:    {device.capacity_bytes:,} bytes",
        f"Rotation Rate:    {rotation}",
        "",
        "ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE  UPDATED  WHEN_FAILED RAW_VALUE",
        f"  9 Power_On_Hours          0x0032   100   100   000    Old_age   Always   -       {run.power_on_hours}",
    ]


def _nvme_fields(run: DemoRun) -> list[str]:
    device = run.device
    return [
        f"Model Number:                       {device.model_name}",
        f"Serial Number:                      {SERIAL_MASK}",
        f"Firmware Version:                   {run.firmware_version}",
        f"Namespace 1 Size/Capacity:          {device.capacity_bytes:,} [{device.capacity_bytes // GIGABYTE} GB]",
        "",
        "SMART/Health Information (NVMe Log 0x02)",
        f"Percentage Used:                    {run.percentage_used}%",
        f"Data Units Written:                 {run.host_bytes_written // 512_000:,} "
        f"[{run.host_bytes_written / TERABYTE:.1f} TB]",
        f"Power On Hours:                     {run.power_on_hours:,}",
    ]


def _scsi_fields(run: DemoRun) -> list[str]:
    device = run.device
    product = device.model_name.removeprefix(device.vendor).strip()
    return [
        f"Vendor:               {device.vendor}",
        f"Product:              {product}",
        f"Revision:             {run.firmware_version}",
        f"User Capacity:        {device.capacity_bytes:,} bytes",
        "Rotation Rate:        Solid State Device",
        f"Serial number:        {SERIAL_MASK}",
        "Device type:          disk",
        "Transport protocol:   SAS (SPL-3)",
        f"Percentage used endurance indicator: {run.percentage_used}%",
    ]


_FIELDS = {"ata": _ata_fields, "nvme": _nvme_fields, "scsi": _scsi_fields}
