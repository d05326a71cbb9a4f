"""slogprobe's rows, printed by the program itself, from times that are known."""

from array import array
from collections.abc import Iterator
from decimal import Decimal

from results.submissions.slogprobe import row
from tests.parsers.formats.cases import Case

SIZES_KIB = (4, 8, 16, 32, 64, 128)
TIMES_NS = {"pmem": 2_940, "optane": 11_870, "flash": 612_345, "disk": 8_333_333, "stalled": 2_000_000_000}
HEAD = "slogprobe 1\nsystem: Linux 6.6.44\ntarget: /dev/nvme0n1, 58977157120 bytes\nflush: fdatasync\n"


def cases() -> Iterator[Case]:
    for name, time_ns in TIMES_NS.items():
        times = {kibibytes: array("Q", [time_ns * kibibytes] * 7) for kibibytes in SIZES_KIB}
        rows = "\n".join(row(kibibytes, taken) for kibibytes, taken in times.items())
        figures = {"complete": True, "flushes": 44}
        for at, kibibytes in enumerate(SIZES_KIB):
            shown = Decimal(time_ns * kibibytes).scaleb(-3).quantize(Decimal("0.01"))
            figures |= {f"rows.{at}.{figure}": shown for figure in ("latency_us", "p50_us", "max_us")}
            figures |= {f"rows.{at}.block_size": kibibytes * 1024, f"rows.{at}.writes": 7}
        yield Case(f"slogprobe-{name}", f"{HEAD}{rows}\nflushes: 44 completed for 43 writes\n", (figures,))


CASES = list(cases())
