"""pg_test_fsync's rows, as each version prints them.

Source: pg_test_fsync.c of PostgreSQL 9.1 to 18, in contrib until 9.4 (`print_elapse`, `OPS_FORMAT`, `LABEL_FORMAT`).
"""

from collections.abc import Iterator
from decimal import Decimal

from tests.parsers.formats.cases import Case, localized

SPEEDS = {  # operations a second
    "disk": "118.723",
    "slow": "0.987",
    "sata": "4242.105",
    "optane": "98765.432",
    "cached": "1234567.891",
}
METHODS = ("open_datasync", "fdatasync", "fsync", "fsync_writethrough", "open_sync")


def ops(version: str, text: str) -> str:
    """`%13.3f ops/sec  %6.0f usecs/op` since 9.3, the times since then only."""
    value = Decimal(text)
    usecs = f"{1_000_000 / value:6.0f}"
    return {
        "9.1": f"{value:11.3f} ops/sec",
        "9.3": f"{value:11.3f} ops/sec  {usecs} usecs/op",
        "10": f"{value:13.3f} ops/sec  {usecs} usecs/op",
        "18": f"{value:13.3f} ops/sec  {usecs} usecs/op",
    }[version]


def output(version: str, speed: str, mark: str) -> str:
    rate = localized(ops(version, speed), mark)
    width = 32 if version in ("9.1", "9.3") else 30
    none = "                 n/a"

    def row(label: str, shown: str = rate) -> str:
        return f"        {label:{width}}{shown}\n"

    direct = "O_DIRECT supported on this platform for open_datasync and open_sync.\n"
    sync = "".join(row(method, none if method == "fsync_writethrough" else rate) for method in METHODS)
    order = "(in wal_sync_method preference order, except fdatasync is Linux's default)\n"
    sizes = "".join(
        row(f"{16 // size:2} * {size:2}kB open_sync write{'s' if size < 16 else ''}")
        for size in (16, 8, 4, 2, 1)
    )
    return (
        f"5 seconds per test\n{direct}\n"
        f"Compare file sync methods using one 8kB write:\n{order}{sync}\n"
        f"Compare file sync methods using two 8kB writes:\n{order}{sync}\n"
        "Compare open_sync with different write sizes:\n"
        "(This is designed to compare the cost of writing 16kB in different write\nopen_sync sizes.)\n"
        f"{sizes}\n"
        "Test if fsync on non-write file descriptor is honored:\n"
        "(If the times are similar, fsync() can sync data written on a different\ndescriptor.)\n"
        f"{row('write, fsync, close')}{row('write, close, fsync')}\n"
        f"Non-sync'ed 8kB writes:\n{row('write')}"
    )


def cases() -> Iterator[Case]:
    for version in ("9.1", "9.3", "10", "18"):
        for name, speed in SPEEDS.items():
            for mark in (".", ","):
                usecs = None if version == "9.1" else Decimal(f"{1_000_000 / Decimal(speed):.0f}")
                figures = {"complete": True, "seconds_per_test": Decimal(5)}
                for row, method in enumerate(METHODS):
                    is_missing = method == "fsync_writethrough"
                    figures |= {
                        f"rows.{row}.method": method,
                        f"rows.{row}.ops_s": None if is_missing else Decimal(speed),
                        f"rows.{row}.usecs_per_op": None if is_missing else usecs,
                    }
                yield Case(
                    f"pg_test_fsync-{version}-{name}{'-comma' if mark == ',' else ''}",
                    output(version, speed, mark),
                    (figures,),
                )


CASES = list(cases())
