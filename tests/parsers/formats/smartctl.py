"""smartctl's figures, as each version and each locale prints them.

Sources: utility.cpp (`format_with_thousands_sep`, `format_capacity`), atacmds.cpp (`ata_format_attr_raw_value`),
ataprint.cpp (`print_drive_info`, `PrintSmartAttribWithThres`, `print_device_statistics_page`), nvmeprint.cpp
(`print_smart_log`) and scsiprint.cpp (`scsiPrintErrorCounterLog`) of smartmontools 5.33 to 7.5.
"""

from collections.abc import Iterator
from decimal import Decimal

from tests.parsers.formats.cases import Case, grouped, localized

# The marks of groups and of decimals of en_US, de_DE, C (5.33 to 5.39 knows no other), fr_FR, de_CH and cs_CZ
LOCALES = {
    "en": (",", "."),
    "de": (".", ","),
    "fr": ("\u202f", ","),
    "ch": ("’", "."),
    "cs": ("\u00a0", ","),
    "blank": (" ", ","),
}
CAPACITIES = (2000398934016, 200049647616, 58977157120, 9999999999, 1000204886016000)
UNITS_WRITTEN = {1: 7, 999: 999, 1234567: 8000, 98765432109: 123456}  # and hours


def capacity(size: int, mark: str) -> str:
    """Three digits, cut off and not rounded."""
    power = 0
    while size >= 1000 ** (power + 1) and power < 5:
        power += 1
    whole, rest = divmod(size, 1000**power)
    unit = " KMGTP"[power].strip()
    if power and whole < 100:
        places = 2 if whole < 10 else 1
        return f"{whole}{mark}{rest * 10**places // 1000**power:0{places}} {unit}B"
    return f"{whole} {unit}B"


def banner(version: str) -> str:
    if version < "6":
        return f"smartctl version {version} [i686-pc-linux-gnu] Copyright (C) 2002-8 Bruce Allen\n\n"
    return f"smartctl {version} 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build)\n\n"


def ata(version: str, size: str, *rows: str) -> str:
    return (
        f"{banner(version)}=== START OF INFORMATION SECTION ===\nDevice Model:     EXAMPLE SATA 200\n"
        f"Serial Number:    EXS2006600AB77\nFirmware Version: EX01\nUser Capacity:    {size}\n"
        + ("Sector Size:      512 bytes logical/physical\n" if version >= "5.4" else "")
        + "\n=== START OF READ SMART DATA SECTION ===\n"
        "SMART overall-health self-assessment test result: PASSED\n\n" + "".join(f"{row}\n" for row in rows)
    )


def capacity_cases() -> Iterator[Case]:
    for size in CAPACITIES:
        for locale, (mark, point) in LOCALES.items():
            exact, rounded = grouped(size, mark), capacity(size, point)
            for version, shown in (
                ("5.38", f"{exact} bytes"),
                ("7.5", f"{exact} bytes [{rounded}]"),
            ):
                yield Case(
                    f"smartctl-{version}-ata-{locale}-{size}",
                    ata(version, shown),
                    ({"user_capacity": Decimal(size), "model_name": "EXAMPLE SATA 200"},),
                )


HEAD = "ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE"
BRIEF = "ID# ATTRIBUTE_NAME          FLAGS    VALUE WORST THRESH FAIL RAW_VALUE"


def classic(identity: int, name: str, raw: str) -> str:
    return f"{identity:3} {name:24}0x0032   100   100   000    Old_age   Always       -       {raw}"


def brief(identity: int, name: str, raw: str) -> str:
    return f"{identity:3} {name:24}-O--CK   100   100   000    -    {raw}"


# -v 9,...: minutes, seconds, half minutes, milliseconds and hours; "raw24(raw8)" is the default since 5.41
HOURS = {
    "raw48": "20123",
    "raw24": "20123 (11 22 33)",
    "minutes": "20123h+07m",
    "minutes-more": "20123h+07m (5)",
    "seconds": "20123h+07m+09s",
    "milliseconds": "20123h+07m+09.123s",
}
DEGREES = {
    "raw": ("29", 29),
    "min-max": ("29 (Min/Max 18/45)", 29),
    "lifetime": ("29 (Lifetime Min/Max 18/45)", 29),
    "count": ("29 (Min/Max 18/45 #12)", 29),
    "below-zero": ("-5 (Min/Max -12/45)", -5),
    "bytes": ("29 (0 45 0 18 0)", 29),
    "tenths": ("29.4", 29),
}


def attribute_cases() -> Iterator[Case]:
    for version in ("5.38", "6.6", "7.5"):
        for shape, (head, row) in {"classic": (HEAD, classic), "brief": (BRIEF, brief)}.items():
            if version < "6" and shape == "brief":
                continue
            for name, raw in HOURS.items():
                yield Case(
                    f"smartctl-{version}-{shape}-hours-{name}",
                    ata(
                        version,
                        "200,049,647,616 bytes",
                        head,
                        row(9, "Power_On_Hours", raw),
                        row(12, "Power_Cycle_Count", "57"),
                    ),
                    ({"power_on_hours": Decimal(20123), "power_cycle_count": Decimal(57)},),
                )
            for name, (raw, degrees) in DEGREES.items():
                yield Case(
                    f"smartctl-{version}-{shape}-degrees-{name}",
                    ata(version, "200,049,647,616 bytes", head, row(194, "Temperature_Celsius", raw)),
                    ({"temperature_c": Decimal(degrees)},),
                )


def statistics_cases() -> Iterator[Case]:
    """-l devstat: until 6.3 a tilde behind normalized values, then flags, and pages in hexadecimal digits."""
    rows = (
        (1, "0x010  4", 20123, "-", "Power-on Hours"),
        (1, "0x018  6", 3906250000, "-", "Logical Sectors Written"),
        (7, "0x008  1", 7, "N", "Percentage Used Endurance Indicator"),
    )
    for version in ("5.43", "6.3", "6.5", "7.5"):
        is_old = version < "6.4"
        printed = [
            f"{page:3}  {place}{value:17}{'~' if flag == 'N' else ' '} {name}"
            if is_old
            else f"0x{page:02x}  {place}{value:16}  {flag}--  {name}"
            for page, place, value, flag, name in rows
        ]
        columns = "Page Offset Size         Value  Description"
        yield Case(
            f"smartctl-{version}-statistics",
            ata(
                version,
                "200,049,647,616 bytes [200 GB]",
                "Device Statistics (GP Log 0x04)",
                columns if is_old else "Page  Offset Size        Value Flags Description",
                *printed,
            ),
            (
                {
                    "power_on_hours": Decimal(20123),
                    "host_bytes_written": Decimal(3906250000 * 512),
                    "percentage_used": Decimal(7),
                },
            ),
        )


def nvme_cases() -> Iterator[Case]:
    for locale, (mark, point) in LOCALES.items():
        for units, hours in UNITS_WRITTEN.items():
            written = f"{grouped(units, mark)} [{capacity(units * 512000, point)}]"
            size = 400088457216
            yield Case(
                f"smartctl-nvme-{locale}-{units}-{hours}",
                f"{banner('7.3')}=== START OF INFORMATION SECTION ===\n"
                "Model Number:                       EXAMPLE NV400\n"
                "Serial Number:                      EXS2006600AB77\n"
                "Firmware Version:                   NX400001\n"
                f"Namespace 1 Size/Capacity:          {grouped(size, mark)} [{capacity(size, point)}]\n"
                "Namespace 1 Formatted LBA Size:     512\n\n"
                "=== START OF SMART DATA SECTION ===\n"
                "SMART overall-health self-assessment test result: PASSED\n\n"
                "SMART/Health Information (NVMe Log 0x02)\n"
                "Critical Warning:                   0x00\n"
                "Temperature:                        34 Celsius\n"
                "Available Spare:                    100%\n"
                "Percentage Used:                    3%\n"
                f"Data Units Written:                 {written}\n"
                f"Power Cycles:                       {grouped(hours, mark)}\n"
                f"Power On Hours:                     {grouped(hours, mark)}\n",
                (
                    {
                        "user_capacity": Decimal(size),
                        "temperature_c": Decimal(34),
                        "percentage_used": Decimal(3),
                        "host_bytes_written": Decimal(units * 512000),
                        "power_on_hours": Decimal(hours),
                        "power_cycle_count": Decimal(hours),
                    },
                ),
            )


def scsi_cases() -> Iterator[Case]:
    for locale, (mark, point) in LOCALES.items():
        for size, gigabytes in zip(CAPACITIES, ("0.512", "241.186", "85241.186"), strict=False):
            for hours in ("34120.02", "7.98"):
                is_old = hours == "7.98"
                powered = (
                    "Vendor (Seagate) factory information\n"
                    f"  number of hours powered up = {localized(hours, point)}\n"
                    if is_old
                    else "Accumulated power on time, hours:minutes 34120:01\n"
                )
                yield Case(
                    f"smartctl-scsi-{locale}-{size}-{gigabytes}-{hours}",
                    f"{banner('6.6')}=== START OF INFORMATION SECTION ===\n"
                    "Vendor:               EXAMPLE\nProduct:              SAS4KN\nRevision:             0001\n"
                    f"User Capacity:        {grouped(size, mark)} bytes [{capacity(size, point)}]\n"
                    "Logical block size:   4096 bytes\nSerial number:        EXS2006600AB77\n"
                    "Device type:          disk\nTransport protocol:   SAS (SPL-3)\n"
                    "=== START OF READ SMART DATA SECTION ===\nSMART Health Status: OK\n\n"
                    f"Current Drive Temperature:     31 C\nDrive Trip Temperature:        68 C\n\n{powered}\n"
                    "Error counter log:\n"
                    "           Errors Corrected by           Total   Correction     Gigabytes    Total\n"
                    "               ECC          rereads/    errors   algorithm      processed    uncorrected\n"
                    "           fast | delayed   rewrites  corrected  invocations   [10^9 bytes]  errors\n"
                    f"write:{0:10}{0:9}{0:10}{0:10}{0:11} {localized(gigabytes, point):>14}{0:12}\n",
                    (
                        {
                            "user_capacity": Decimal(size),
                            "temperature_c": Decimal(31),
                            "power_on_hours": Decimal(7 if is_old else 34120),
                            "host_bytes_written": Decimal(gigabytes) * 10**9,
                        },
                    ),
                )


CASES = [
    *capacity_cases(),
    *attribute_cases(),
    *statistics_cases(),
    *nvme_cases(),
    *scsi_cases(),
]
