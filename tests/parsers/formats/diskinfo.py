"""diskinfo's header and its table of synchronous writes, as FreeBSD prints them.

Source: usr.sbin/diskinfo/diskinfo.c of FreeBSD 6 to 15 (`main`, `slogbench`, `TS`; the table since 11.1).
"""

from collections.abc import Iterator
from decimal import Decimal

from tests.parsers.formats.cases import Case

DISKS = {  # bytes and mean microseconds of a write of 512 bytes
    "disk": (4000787030016, Decimal("8333.3")),
    "sata": (200049647616, Decimal("123.4")),
    "optane": (118410444800, Decimal("9.8")),
    "slow": (21474836480, Decimal("1234567.8")),
    "array": (1000000000000000, Decimal("45.6")),
}


def humanized(size: int) -> str:
    """humanize_number() with four characters: one decimal below ten."""
    power = 0
    while size >= 1000 * 1024**power:
        power += 1
    value = size / 1024**power
    return f"{value:.1f}{'BKMGTPE'[power]}" if value < 9.95 else f"{value:.0f}{'BKMGTPE'[power]}"


def cases() -> Iterator[Case]:
    for name, (size, latency) in DISKS.items():
        for sector in (512, 4096):
            for version in ("11", "13"):
                extra = (
                    f"\t{'EXAMPLE 200':12}\t# Disk descr.\n\t{'Yes':12}\t# TRIM/UNMAP support\n"
                    f"\t{'0':12}\t# Rotation rate in RPM\n\t{'Not_Zoned':12}\t# Zone Mode\n"
                    if version == "13"
                    else ""
                )
                text = (
                    f"# diskinfo -wS /dev/ada3\n/dev/ada3\n\t{sector:<12}\t# sectorsize\n"
                    f"\t{size:<12}\t# mediasize in bytes ({humanized(size)})\n"
                    f"\t{size // sector:<12}\t# mediasize in sectors\n\t{0:<12}\t# stripesize\n"
                    f"\t{0:<12}\t# stripeoffset\n{extra}\nSynchronous random writes:\n"
                )
                figures: dict[str, object] = {
                    "sector_size": Decimal(sector),
                    "media_size": Decimal(size),
                    "complete": True,
                }
                first = 9 if sector == 512 else 12
                for row, power in enumerate(range(first, 24)):
                    us = latency + Decimal(1 << (power - 9)) / 4
                    shown = f"{us:.1f}"
                    rate = f"{(1 << power) / float(us) * 1e6 / 2**20:.1f}"
                    label = " 0.5" if power == 9 else f"{1 << power - 10:4}"
                    text += f"\t{label} kbytes: {shown:>8} usec/IO = {rate:>8} Mbytes/s\n"
                    figures |= {
                        f"points.{row}.block_size": Decimal(1 << power),
                        f"points.{row}.latency_us": Decimal(shown),
                        f"points.{row}.throughput_mib_s": Decimal(rate),
                    }
                yield Case(f"diskinfo-{version}-{name}-{sector}", text, (figures,))


CASES = list(cases())
