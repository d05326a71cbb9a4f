"""iozone's tables, reports and sums, as each version prints them.

Source: iozone.c of 3.1 to 3.506 (the splash lines, `auto_test`, `write_perf_test`, `dump_excel`, `throughput_test`).
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from tests.parsers.formats.cases import Case

TESTS = {
    0: ("write", "rewrite"),
    1: ("read", "reread"),
    2: ("random_read", "random_write"),
    3: ("bkwd_read",),
    4: ("record_rewrite",),
    5: ("stride_read",),
    6: ("fwrite", "frewrite"),
    7: ("fread", "freread"),
}
OPERATIONS = [name for test in TESTS.values() for name in test]
RATES = (
    (7, 12, 9, 101, 88, 95, 64, 70, 81, 99, 100, 102, 97),
    (33135, 41288, 1024000, 998877, 765432, 52341, 876543, 43210, 654321, 98765, 87654, 765432, 654321),
    (
        1999999,
        2345678,
        12345678,
        9999999,
        8765432,
        2222222,
        7654321,
        1111111,
        6543210,
        555555,
        4444444,
        3333333,
        2,
    ),
)
UNITS = {  # of the head and of the figures, by version
    "3.263": ("KB", "Kbytes/sec", "KB/sec"),
    "3.408": ("KB", "Kbytes/sec", "KB/sec"),
    "3.506": ("kB", "kBytes/sec", "kB/sec"),
}


def head(version: str, options: str, *lines: str) -> str:
    size, unit, _per = UNITS[version]
    tabbed = [
        "Run began: Sat Jun  3 12:34:56 2023",
        "",
        *lines,
        f"File size set to 1048576 {size}",
        f"Record Size 4 {size}",
        f"Command line used: iozone {options}",
        *([] if any("Output is" in line for line in lines) else [f"Output is in {unit}"]),
        "Time Resolution = 0.000001 seconds.",
        f"Processor cache size set to 1024 {'kBytes' if size == 'kB' else 'Kbytes'}.",
        "Processor cache line size set to 32 bytes.",
        "File stride size set to 17 * record size.",
    ]
    return (
        "\tIozone: Performance Test of File I/O\n"
        f"\t        Version $Revision: {version} $\n\t\tCompiled for 64 bit mode.\n\t\tBuild: linux-AMD64 \n\n"
        + "".join(f"\t{line}\n" if line else "\n" for line in tabbed)
    )


# The names of the columns until 3.42 and since; the right edge of a figure is that of its name
COLUMNS = {
    "KB": (
        "                                                            random  random    bkwd   record   stride\n",
        "              KB  reclen   write rewrite    read    reread    read   write    read  rewrite     read"
        "   fwrite frewrite   fread  freread\n",
        (32, 40, 49, 58, 66, 74, 82, 91, 100, 109, 118, 126, 135),
    ),
    "kB": (
        "                                                              random    random     bkwd    record"
        "    stride\n",
        "              kB  reclen    write  rewrite    read    reread    read     write     read   rewrite      read"
        "   fwrite frewrite    fread  freread\n",
        (33, 42, 51, 60, 69, 78, 87, 97, 107, 116, 125, 134, 143),
    ),
}


def table(size: str, figures: Mapping[str, int]) -> str:
    above, names, edges = COLUMNS[size]
    row = f"{1048576:16}{4:8}"
    for name, edge in zip(OPERATIONS, edges, strict=True):
        row += str(figures.get(name, "")).rjust(edge - len(row))
    return f"{above}{names}{row}\n"


def table_cases() -> Iterator[Case]:
    for version, (size, _unit, _per) in UNITS.items():
        for at, rates in enumerate(RATES if size == "kB" else RATES[:2]):
            for tests in ((0,), (0, 1), (0, 2), (0, 1, 2), tuple(TESTS)):
                names = [name for test in tests for name in TESTS[test]]
                figures = {name: rate for name, rate in zip(OPERATIONS, rates, strict=True) if name in names}
                chosen = "" if len(tests) == len(TESTS) else "".join(f"-i {test} " for test in tests)
                for options, lines, flags in (
                    ("-s 1g -r 4k", (), (False, False, False)),
                    (
                        "-I -o -e -s 1g -r 4k",
                        ("O_DIRECT feature enabled", "SYNC Mode. ", "Include fsync in write timing"),
                        (True, True, True),
                    ),
                ):
                    yield Case(
                        f"iozone-{version}-{at}-i{''.join(map(str, tests))}{'-sync' if lines else ''}",
                        head(version, f"{chosen}{options}", *lines)
                        + table(size, figures)
                        + "\niozone test complete.\n",
                        (
                            {
                                "unit": "kB/s",
                                "tool_version": version,
                                "is_direct": flags[0],
                                "is_sync": flags[1],
                                "includes_flush": flags[2],
                                "rows.0.file_kb": Decimal(1048576),
                                "rows.0.reclen_kb": Decimal(4),
                                **{f"rows.0.figures.{name}": Decimal(rate) for name, rate in figures.items()},
                            },
                        ),
                    )


def ops_cases() -> Iterator[Case]:
    for version, (size, _unit, _per) in UNITS.items():
        figures = dict(zip(OPERATIONS, RATES[0], strict=True))
        yield Case(
            f"iozone-{version}-ops",
            head(version, "-O -a", "OPS Mode. Output is in operations per second.")
            + table(size, figures)
            + "\niozone test complete.\n",
            ({"unit": "ops/s", "rows.0.figures.write": Decimal(7), "rows.0.figures.freread": Decimal(97)},),
        )
        yield Case(
            f"iozone-{version}-microseconds",
            head(version, "-N -a", "Microseconds/op Mode. Output is in microseconds per operation.")
            + table(size, figures)
            + "\niozone test complete.\n",
            (),
            ("microseconds",),
        )


def throughput_cases() -> Iterator[Case]:
    names = {
        "initial writers": "write",
        "rewriters": "rewrite",
        "readers": "read",
        "re-readers": "reread",
        "random readers": "random_read",
        "random writers": "random_write",
    }
    for version, (size, _unit, per) in UNITS.items():
        for processes in (1, 2, 16):
            for mark in (".", ","):
                blocks, figures = [], {}
                for at, (label, name) in enumerate(names.items()):
                    rate = f"{10 ** (at + 2) * processes + 0.25 + at:.2f}"
                    figures[f"rows.0.figures.{name}"] = Decimal(rate)
                    shown = rate.replace(".", mark)
                    blocks.append(
                        f"\tChildren see throughput for {processes:2} {label:16}\t= {shown:>10} {per}\n"
                        f"\tParent sees throughput for {processes:2} {label:16}\t= {shown:>10} {per}\n"
                        f"\tMin throughput per process \t\t\t= {shown:>10} {per} \n"
                        f"\tMax throughput per process \t\t\t= {shown:>10} {per}\n"
                        f"\tAvg throughput per process \t\t\t= {shown:>10} {per}\n"
                        f"\tMin xfer \t\t\t\t\t= 1048576{mark}00 {size}\n\n"
                    )
                plural = "process" if processes == 1 else "processes"
                yield Case(
                    f"iozone-{version}-t{processes}{'-comma' if mark == ',' else ''}",
                    head(version, f"-t {processes} -s 1g -r 4k")
                    + f"\tThroughput test with {processes} {plural}\n"
                    f"\tEach process writes a 1048576 {'kByte' if size == 'kB' else 'Kbyte'} file in 4 "
                    f"{'kByte' if size == 'kB' else 'Kbyte'} records\n\n"
                    + "".join(blocks)
                    + "\niozone test complete.\n",
                    (
                        {
                            "mode": "throughput",
                            "unit": "kB/s",
                            "rows.0.processes": Decimal(processes),
                            **figures,
                        },
                    ),
                )


def excel_cases() -> Iterator[Case]:
    reports: Sequence[tuple[str, str]] = (
        ("Writer", "write"), ("Re-writer", "rewrite"), ("Reader", "read"), ("Re-Reader", "reread"),
        ("Random read", "random_read"), ("Random write", "random_write"), ("Backward read", "bkwd_read"),
        ("Record rewrite", "record_rewrite"), ("Stride read", "stride_read"), ("Fwrite", "fwrite"),
        ("Re-Fwrite", "frewrite"), ("Fread", "fread"), ("Re-Fread", "freread"),
    )  # fmt: skip
    for version in UNITS:
        figures, text = {}, ""
        for at, (label, name) in enumerate(reports):
            rates = [RATES[1][at], RATES[2][at]]
            text += f'"{label} report"\n        "4"  "8"\n"1024"   {rates[0]}  {rates[1]} \n\n'
            figures |= {f"rows.{row}.figures.{name}": Decimal(rate) for row, rate in enumerate(rates)}
        yield Case(
            f"iozone-{version}-excel",
            head(version, "-R -a", "Excel chart generation enabled", "Auto Mode")
            + "Excel output is below:\n\n"
            + text,
            ({"rows.1.reclen_kb": Decimal(8), **figures},),
        )


CASES = [*table_cases(), *ops_cases(), *throughput_cases(), *excel_cases()]
