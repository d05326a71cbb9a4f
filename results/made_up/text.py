"""The text that the tools would have printed for a made-up run, so that it can be read like any other."""

from parsers.kinds import DeviceClass
from results.made_up.draw import MadeDevice, MadeRun
from results.models.fields import BLOCK_SIZES
from results.ranking.score import throughput_mib_s

SERIAL_MASK = "[serial-1]"
ATA_CLASSES = {DeviceClass.SATA_SSD, DeviceClass.HDD}


def run_text(run: MadeRun) -> str:
    """A masked paste of `diskinfo -wS` and of the top of `smartctl -a`."""
    return "\n".join([*_diskinfo(run), "", *_smartctl(run), ""])


def _diskinfo(run: MadeRun) -> list[str]:
    device = run.device
    header = [
        (device.sector_size, "sectorsize"),
        (device.capacity_bytes, f"mediasize in bytes ({device.capacity_bytes >> 30}G)"),
        (device.capacity_bytes // device.sector_size, "mediasize in sectors"),
        (device.model_name, "Disk descr."),
        (SERIAL_MASK, "Disk ident."),
        ("Yes", "TRIM/UNMAP support"),
        (device.range.rotation_rate_rpm, "Rotation rate in RPM"),
    ]
    points = [
        f"\t{block_size / 1024:4.4g} kbytes: {latency_us:8.1f} usec/IO = "
        f"{throughput_mib_s(block_size, latency_us):8.1f} Mbytes/s"
        for block_size, latency_us in zip(BLOCK_SIZES, run.curve, strict=True)
        if latency_us is not None
    ]
    lines = [f"\t{value!s:<12}\t# {comment}" for value, comment in header]
    return [_path(device), *lines, "", "Synchronous random writes:", *points]


def _path(device: MadeDevice) -> str:
    names = {DeviceClass.NVDIMM: "pmem0", DeviceClass.NVME: "nvd0", DeviceClass.OPTANE: "nvd0"}
    return f"/dev/{names.get(device.range.device_class, 'da0')}"


def _smartctl(run: MadeRun) -> list[str]:
    banner = f"smartctl 7.4 2023-08-01 r5530 [{run.system}] (local build)"
    section = "=== START OF INFORMATION SECTION ==="
    device_class = run.device.range.device_class
    if device_class is DeviceClass.NVDIMM:
        return []
    if device_class is DeviceClass.SAS_SSD:
        return [banner, "", section, *_scsi_fields(run)]
    return [banner, "", section, *(_ata_fields(run) if device_class in ATA_CLASSES else _nvme_fields(run))]


def _ata_fields(run: MadeRun) -> list[str]:
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


def _nvme_fields(run: MadeRun) -> list[str]:
    device = run.device
    return [
        f"Model Number:                       {device.model_name}",
        f"Serial Number:                      {SERIAL_MASK}",
        f"Firmware Version:                   {run.firmware_version}",
        f"Namespace 1 Size/Capacity:          {device.capacity_bytes:,}",
        "",
        "SMART/Health Information (NVMe Log 0x02)",
        f"Percentage Used:                    {run.percentage_used}%",
        f"Data Units Written:                 {run.host_bytes_written // 512_000:,}",
        f"Power On Hours:                     {run.power_on_hours:,}",
    ]


def _scsi_fields(run: MadeRun) -> list[str]:
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
