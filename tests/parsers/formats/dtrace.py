"""What DTrace's scripts print: distributions, iopattern and zilstat.

Sources: lib/libdtrace/common/dt_consume.c (`dt_print_quantize`, `dt_print_quantline`), iopattern of the DTraceToolkit
0.99 and zilstat.ksh of 2010 to 2015 (`printf` of the columns).
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from tests.parsers.formats.cases import Case

COUNTS = {
    "short": (512, (0, 1, 0, 2, 39, 0)),
    "long": (16, (0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 76947, 0)),
    "large": (4096, (0, 123456789, 7, 0)),
}


def bars(count: int, total: int) -> str:
    return "@" * round(40 * count / total)


def quantize_cases() -> Iterator[Case]:
    for name, (first, counts) in COUNTS.items():
        for width in (0, 9):  # of the count, since Solaris 11 and FreeBSD
            rows = "".join(
                f"{first << at:16} |{bars(count, sum(counts)):40} {count:<{width}}\n"
                for at, count in enumerate(counts)
            )
            yield Case(
                f"dtrace-bitesize-{name}-{width}",
                "# ./bitesize.d\nTracing... Hit Ctrl-C to end.\n^C\n\n     PID  CMD\n"
                "    7312  dd if=/dev/zero of=/dev/null bs=1048576\\0\n\n"
                "           value  ------------- Distribution ------------- count    \n" + rows + "\n",
                (
                    {
                        f"processes.0.buckets.{at}.{place}": Decimal(figure)
                        for at, count in enumerate(counts)
                        for place, figure in enumerate((first << at, count))
                    },
                ),
            )


IOPATTERN = (
    "percent_random", "percent_sequential", "count", "min_bytes", "max_bytes", "mean_bytes", "read_kb", "write_kb",
)  # fmt: skip
ZILSTAT = (
    "bytes", "bytes_s", "bytes_max_rate", "buffer_bytes", "buffer_bytes_s", "buffer_bytes_max_rate", "ops",
    "ops_le_4kb", "ops_4_32kb", "ops_ge_32kb",
)  # fmt: skip


def _figures(names: Sequence[str], values: Sequence[int], factor: int = 1) -> dict[str, Decimal]:
    return {
        f"rows.0.figures.{name}": Decimal(value * (factor if "bytes" in name else 1))
        for name, value in zip(names, values, strict=True)
    }


def iopattern_cases() -> Iterator[Case]:
    """`%4d %4d %6d …`, with -v behind a time, with -d behind a device."""
    for at, values in enumerate(
        (
            (1, 99, 465, 4096, 57344, 52992, 23916, 148),
            (0, 0, 0, 0, 0, 0, 0, 0),
            (100, 0, 123456, 512, 1048576, 131072, 12345678, 98765432),
        )
    ):
        row = "".join(
            f" {value:{width}}" for value, width in zip(values, (4, 4, 6, 6, 6, 6, 6, 6), strict=True)
        )
        head = "%RAN %SEQ  COUNT    MIN    MAX    AVG     KR     KW"
        for option, title, lead in (
            ("", "", ""),
            (" -v", "TIME                 ", "2005 Jul 25 20:40:55"),
            (" -d", "DEVICE    ", "sd0      "),
        ):
            yield Case(
                f"dtrace-iopattern{option.replace(' ', '')}-{at}",
                f"# iopattern{option}\n{title}{head}\n{lead}{row}\n",
                ({"kind": "iopattern", **_figures(IOPATTERN, values)},),
            )


def zilstat_cases() -> Iterator[Case]:
    """`%10d` of bytes or, with -M, of megabytes of 10^6 bytes, `%6d` of operations, behind a time or a group."""
    for at, values in enumerate(
        (
            (0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
            (1249632, 1249632, 1249632, 2686976, 2686976, 2686976, 41, 3, 9, 29),
            (987654321, 987654321, 123456789, 1073741824, 1073741824, 536870912, 99999, 1, 2, 99996),
        )
    ):
        for unit, option in (("Bytes", ""), ("MB", " -M")):
            shown = values if unit == "Bytes" else (*(value // 10**6 for value in values[:6]), *values[6:])
            names = (f"N-{unit}", f"N-{unit}/s", "N-Max-Rate", f"B-{unit}", f"B-{unit}/s", "B-Max-Rate")
            head = "".join(f"{name:>11}" for name in names) + "    ops  <=4kB 4-32kB >=32kB"
            row = "".join(f" {value:{10 if place < 6 else 6}}" for place, value in enumerate(shown))
            for kind, title, lead in (
                ("", "", ""),
                ("-t", "TIME                ", "2011 Oct 16 19:33:08"),
                ("-txg", "       txg", "    804311"),
            ):
                figures = _figures(ZILSTAT, shown, 1 if unit == "Bytes" else 10**6)
                yield Case(
                    f"dtrace-zilstat{option.strip()}{kind}-{at}",
                    f"# ./zilstat{option}\n{title}{head}\n{lead}{row}\n",
                    ({"kind": "zilstat", **figures},),
                )


CASES = [*quantize_cases(), *iopattern_cases(), *zilstat_cases()]
