"""pveperf's rows, as each version prints them.

Source: bin/pveperf of pve-manager 1.9 to 8.4 (`printf` of each row; a time of 0 isn't printed).
"""

from collections.abc import Iterator
from decimal import Decimal

from tests.parsers.formats.cases import Case, localized

HOSTS = {
    "disk": ("28799.92", "1650321", "94.49", "128.31", "9.72", "38.02"),
    "sata": ("121369.44", "7314912", "10885.91", "495.06", "0.12", "2914.26"),
    "nvme": ("352000.00", "4211678", "0.98", "3121.77", "0.04", "12345.67"),
    "slow": ("3999.00", "98765", "199999.50", "7.01", "102.50", "0.87"),
}
ROWS = (
    ("cpu_bogomips", "CPU BOGOMIPS:      {}"),
    ("regex_s", "REGEX/SECOND:      {}"),
    ("hd_size_gb", "HD SIZE:           {} GB (/dev/mapper/pve-root)"),
    ("buffered_reads_mb_s", "BUFFERED READS:    {} MB/sec"),
    ("average_seek_ms", "AVERAGE SEEK TIME: {} ms"),
    ("fsyncs_s", "FSYNCS/SECOND:     {}"),
)


def cases() -> Iterator[Case]:
    for name, values in HOSTS.items():
        for is_zfs in (False, True):
            for mark in (".", ","):
                lines, figures = [], {}
                for (field, shape), value in zip(ROWS, values, strict=True):
                    if is_zfs and field in ("buffered_reads_mb_s", "average_seek_ms"):
                        figures[field] = None
                        continue
                    line = shape.replace("/dev/mapper/pve-root", "rpool/ROOT/pve-1") if is_zfs else shape
                    lines.append(line.format(localized(value, mark)))
                    figures[field] = Decimal(value)
                yield Case(
                    f"pveperf-{name}{'-zfs' if is_zfs else ''}{'-comma' if mark == ',' else ''}",
                    "# pveperf\n" + "\n".join(lines) + "\nDNS EXT:           28.81 ms\n",
                    (figures,),
                )


CASES = list(cases())
