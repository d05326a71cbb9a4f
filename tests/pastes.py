"""Pastes as people send them: what the tools print, with values of our own and identifiers that nobody has."""

from collections.abc import Sequence
from zlib import crc32

MIB = 1024 * 1024

# A SATA SSD with protection, made up.
FIRST_CURVE = (
    138.4, 137.9, 151.2, 158.3, 175.7, 210.2, 274.4, 416.6,
    776.9, 1503.4, 2968.1, 5866.2, 11696.1, 23329.3, 46779.8,
)  # fmt: skip
# The first result ever published with this test (see results/data/latency_curve.csv for its source): a timer's ticks.
TICK_CURVE = (
    9990.9, 9977.0, 9986.2, 9977.1, 9991.1, 10002.9, 9854.5, 9982.3,
    7868.0, 9977.6, 9982.8, 10029.8, 19998.0, 39990.5, 70000.2,
)  # fmt: skip
SERIAL = "ZX81SPECTRUM48"


def curve_of_unit(ident: str) -> list[float]:
    """FIRST_CURVE, a little slower for each other serial number: no two units measure the same."""
    slower = 1 if ident in {"", SERIAL} else 1.001 + crc32(ident.encode()) % 10_000 / 200_000
    return [round(latency_us * slower, 1) for latency_us in FIRST_CURVE]


def diskinfo(
    curve: Sequence[float] = (),
    *,
    description: str = "ATA MARVELL SD88SA02",
    ident: str = SERIAL,
    media_size: int = 24_575_868_928,
    path: str = "/dev/da24",
) -> str:
    """One run, by default of that unit; a curve of fewer points is a table that was cut short."""
    points = [
        f"\t{size / 1024:4.4g} kbytes: {latency_us:8.1f} usec/IO = {size / latency_us * 1e6 / MIB:8.1f} Mbytes/s"
        for size, latency_us in zip(
            (512 << slot for slot in range(15)), curve or curve_of_unit(ident), strict=False
        )
    ]
    header = [
        "\t512         \t# sectorsize",
        f"\t{media_size:<12}\t# mediasize in bytes (23G)",
        f"\t{media_size // 512:<12}\t# mediasize in sectors",
        f"\t{description:<12}\t# Disk descr.",
        f"\t{ident:<12}\t# Disk ident.",
        "\tNot_Zoned   \t# Zone Mode",
    ]
    return "\n".join([path, *header, "", "Synchronous random writes:", *points, ""])


def smartctl(
    *,
    model: str = "MARVELL SD88SA02",
    serial: str = SERIAL,
    firmware: str = "D20Y",
    capacity: int = 24_575_868_928,
    rotation: str = "Solid State Device",
) -> str:
    """The top of `smartctl -a` for an ATA device."""
    lines = [
        "smartctl 7.2 2020-12-30 r5155 [FreeBSD 12.2-RELEASE-p11 amd64] (local build)",
        "Copyright (C) 2002-20, Bruce Allen, Christian Franke, www.smartmontools.org",
        "",
        "=== START OF INFORMATION SECTION ===",
        f"Device Model:     {model}",
        f"Serial Number:    {serial}",
        f"Firmware Version: {firmware}",
        f"User Capacity:    {capacity:,} bytes [24.5 GB]",
        f"Rotation Rate:    {rotation}",
        "SATA Version is:  SATA 2.6, 3.0 Gb/s",
        "",
    ]
    return "\n".join(lines)


PROBED_CURVE = (151.20, 158.31, 175.70, 210.20, 274.40, 416.60)  # from 4 KiB, of the same SSD


def slogprobe(
    target: str = "/dev/sdb",
    curve: Sequence[float] = PROBED_CURVE,
    *,
    writes: int = 20_000,
    flushes: int | None = None,
) -> str:
    """One run of slogprobe, with a warm-up of as many writes as each size has."""
    rows = [
        f"{4 << at} KiB: {writes} writes, mean {mean:.2f}, p50 {mean * 0.9:.2f}, p99 {mean * 2:.2f},"
        f" p99.9 {mean * 3:.2f}, max {mean * 9:.2f} us"
        for at, mean in enumerate(curve)
    ]
    written = writes * (len(curve) + 1)
    head = [
        "slogprobe 1",
        "system: Linux 6.6.44",
        f"target: {target}, 24575868928 bytes",
        "link: SATA 6.0 Gbps",
    ]
    how = ["flush: fdatasync", "temperature before: 30 C", "warm-up: 60 s"]
    completed = written if flushes is None else flushes
    last = ["temperature after: 41 C", f"flushes: {completed} completed for {written} writes"]
    return "\n".join([*head, *how, *rows, *last, ""])


def prompted(text: str, command: str) -> str:
    """The text below the command that printed it."""
    return f"root@freenas:~ # {command}\n{text}"


FIRST_PASTE = prompted(diskinfo(), "diskinfo -wS /dev/da24")
