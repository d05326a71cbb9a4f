"""zpool's tables, as each version prints its numbers.

Sources: lib/libzutil/zutil_nicenum.c (`zfs_nicenum_format`; until 0.7 `zfs_nicenum` in libzfs_util.c) and
cmd/zpool/zpool_main.c (`print_one_stat`, `print_iostat_header`, `print_histogram`) of OpenZFS 0.6.0 to 2.4.0.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal

from tests.parsers.formats.cases import Case, localized

Printer = Callable[[int], str]
UNITS = ("", "K", "M", "G", "T", "P", "E")
TIMES = ("ns", "us", "ms", "s")


def nicenum(number: int) -> str:
    """Five characters: an even multiple of its unit has no decimals, others as many as fit, at most two."""
    power = 0
    while number >= 1024 ** (power + 1):
        power += 1
    if power == 0 or number % 1024**power == 0:
        return f"{number // 1024**power}{UNITS[power]}"
    value = number / 1024**power
    return next(
        (text for places in (2, 1) if len(text := f"{value:.{places}f}{UNITS[power]}") <= 5),
        f"{value:.0f}{UNITS[power]}",
    )


def nicetime(number: int) -> str:
    """No decimals, and a dash for none."""
    power = 0
    while number >= 1000 ** (power + 1) and power < len(TIMES) - 1:
        power += 1
    return f"{number // 1000**power}{TIMES[power]}" if number else "-"


def raw(number: int) -> str:
    return str(number)


def raw_time(number: int) -> str:
    return str(number) if number else "-"


def value_of(text: str) -> Decimal | None:
    """What a cell says."""
    if text == "-":
        return None
    for unit, factor in (("ns", 1), ("us", 10**3), ("ms", 10**6), ("s", 10**9)):
        if text.endswith(unit):
            return Decimal(text.removesuffix(unit)) * factor
    digits = text.rstrip("KMGTPE")
    return Decimal(digits) * 1024 ** UNITS.index(text[len(digits) :])


POOLS = {
    "small": (0, 1023, 1, 999, 512, 4096),
    "edges": (1024, 10239, 1025, 1000, 10240, 1047552),
    "usual": (429983334, 1992864825344, 18, 1742, 1303, 34812345),
    "large": (18911599997747, 57000000000000, 11468, 66048, 1879048192, 8589934592),
    "larger": (1125899906842624, 2251799813685248, 999999, 1048576, 10737418240, 10995116277),
}
WAITS = {
    "none": (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    "flash": (98304, 999, 87000, 45678, 1500, 2047, 1000, 24576, 999999, 1000000, 12),
    "disk": (8388608, 12345678, 7000000, 999500, 24000, 2500000, 0, 987654321, 1000000000, 0, 61000000000),
}
CAPACITY = "              capacity     operations     bandwidth"
PLAIN = ("alloc_bytes", "free_bytes", "read_ops_s", "write_ops_s", "read_bytes_s", "write_bytes_s")


def _figures(names: Sequence[str], cells: Sequence[str]) -> Mapping[str, Decimal | None]:
    return {f"rows.0.figures.{name}": value_of(cell) for name, cell in zip(names, cells, strict=True)}


def plain_cases() -> Iterator[Case]:
    for name, figures in POOLS.items():
        for version, alloc, free, printers, gap in (
            ("v28", "used", "avail", (nicenum,) * 6, "  "),
            ("0.6.5", "alloc", "free", (nicenum,) * 6, "  "),
            ("0.7.0", "alloc", "free", (nicenum,) * 6, "  "),
            ("2.4.0", "alloc", "free", (nicenum,) * 6, "  "),
            ("2.1.0-p", "alloc", "free", (raw,) * 6, "  "),
        ):
            cells = [printer(figure) for printer, figure in zip(printers, figures, strict=True)]
            for mark in (".", ","):
                shown = [localized(cell, mark) for cell in cells]
                if mark == "," and shown == cells:
                    continue
                text = (
                    f"{CAPACITY}\n"
                    f"pool        {alloc:>5}  {free:>5}   read  write   read  write\n"
                    "----------  -----  -----  -----  -----  -----  -----\n"
                    f"tank        {gap.join(f'{cell:>5}' for cell in shown)}\n"
                    "----------  -----  -----  -----  -----  -----  -----\n"
                )
                yield Case(
                    f"zpool-{version}-iostat-{name}{'-comma' if mark == ',' else ''}",
                    text,
                    ({"form": "plain", **_figures(PLAIN, cells)},),
                )


def verbose_cases() -> Iterator[Case]:
    """-v: devices have dashes in place of a capacity, with -p zeros; -T puts a time in front."""
    for name, figures in POOLS.items():
        for option, printer, none in (("v", nicenum, "-"), ("vp", raw, "0")):
            cells = [printer(figure) for figure in figures]
            below = [none, none, *cells[2:]]
            lines = [("tank", cells), ("  mirror-0", cells), ("    ada0", below), ("    ada1", below)]
            shown = "".join(
                f"{label:10}  {'  '.join(f'{cell:>5}' for cell in row)}\n" for label, row in lines
            )
            ruler = "----------  -----  -----  -----  -----  -----  -----\n"
            head = f"{CAPACITY}\npool        alloc   free   read  write   read  write\n{ruler}"
            for stamp in ("", "Sat Jun  3 12:34:56 UTC 2023\n", "1685795696\n"):
                expected = {"form": "verbose", **_figures(PLAIN, cells)}
                expected |= {
                    f"rows.2.figures.{column}": value_of(cell)
                    for column, cell in zip(PLAIN, below, strict=True)
                }
                yield Case(
                    f"zpool-iostat-{option}-{name}-{len(stamp)}", f"{stamp}{head}{shown}{ruler}", (expected,)
                )


def latency_cases() -> Iterator[Case]:
    waits = ("total_wait", "disk_wait", "syncq_wait", "asyncq_wait")
    for name, figures in WAITS.items():
        for version, singles, printer in (
            ("0.7.0", ("scrub",), nicetime),
            ("0.8.0", ("scrub", "trim"), nicetime),
            ("2.2.0", ("scrub", "trim", "rebuild"), nicetime),
            ("2.2.0-p", ("scrub", "trim", "rebuild"), raw_time),
        ):
            times = [printer(figure) for figure in figures[: 8 + len(singles)]]
            cells = [*map(nicenum, POOLS["usual"]), *times]
            groups = "".join(f"{wait:^14}" for wait in waits) + "  ".join(
                f"{single:>5}" for single in singles
            )
            labels = "   read  write" * 6 + "   wait" * len(singles)
            names = [
                *PLAIN,
                *(f"{wait}_{side}_ns" for wait in waits for side in ("read", "write")),
                *(f"{single}_wait_ns" for single in singles),
            ]
            yield Case(
                f"zpool-{version}-iostat-l-{name}",
                f"{CAPACITY}    {groups}\npool        alloc   free{labels}\n"
                + "  ".join(["----------", *["-----"] * len(cells)])
                + "\ntank        "
                + "  ".join(f"{cell:>5}" for cell in cells)
                + "\n",
                ({"form": "latency", **_figures(names, cells)},),
            )


def queue_cases() -> Iterator[Case]:
    names = ("syncq_read", "syncq_write", "asyncq_read", "asyncq_write", "scrubq_read", "trimq_write")
    for version, queues in (("0.7.0", names[:5]), ("0.8.0", names), ("2.2.0", (*names, "rebuildq_write"))):
        for figures in ((0, 1), (1023, 1024), (1500, 12)):
            cells = [
                *map(nicenum, POOLS["usual"]),
                *(nicenum(figure) for _queue in queues for figure in figures),
            ]
            columns = [*PLAIN, *(f"{queue}_{side}" for queue in queues for side in ("pending", "active"))]
            yield Case(
                f"zpool-{version}-iostat-q-{figures[0]}",
                f"{CAPACITY}    " + "".join(f"{queue:^16}" for queue in queues) + "\n"
                "pool        alloc   free   read  write   read  write"
                + "   pend  activ" * len(queues)
                + "\n"
                + "  ".join(["----------", *["-----"] * len(cells)])
                + "\ntank        "
                + "  ".join(f"{cell:>5}" for cell in cells)
                + "\n",
                ({"form": "queue", **_figures(columns, cells)},),
            )


def histogram_cases() -> Iterator[Case]:
    counts = (0, 7, 999, 1023, 1024, 10239, 1048575, 123456789)
    for version, singles in (
        ("0.7.0", ("scrub",)),
        ("0.8.0", ("scrub", "trim")),
        ("2.2.0", ("scrub", "trim", "rebuild")),
    ):
        for parsable in (False, True):
            count = raw if parsable else nicenum
            columns = ("total_wait", "disk_wait", "syncq_wait", "asyncq_wait")
            width = 2 * len(columns) + len(singles)
            time = raw_time if parsable else nicetime
            bounds = [2**power - 1 for power in (0, 9, 10, 17, 20, 29, 30, 36)]
            rows = [
                (time(bound), [count(bucket)] * width) for bound, bucket in zip(bounds, counts, strict=True)
            ]
            rows = [(bound if bound != "-" else "0ns", cells) for bound, cells in rows]
            yield Case(
                f"zpool-{version}-iostat-w{'p' if parsable else ''}",
                "tank         " + "".join(f"{column:^14}" for column in columns) + "\n"
                "latency      "
                + "read  write   " * len(columns)
                + "  ".join(singles)
                + "\n"
                + "  ".join(["----------", *["-----"] * width])
                + "\n"
                + "".join(
                    f"{bound:<11} {'  '.join(f'{cell:>5}' for cell in cells)}\n" for bound, cells in rows
                )
                + "-" * 60
                + "\n",
                (
                    {
                        f"buckets.{at}.{name}": value
                        for at, (bound, cells) in enumerate(rows)
                        for name, value in (
                            ("high_ns", value_of(bound)),
                            ("total_wait_read", value_of(cells[0])),
                        )
                    },
                ),
            )
            sizes = ("sync_read", "sync_write", "async_read", "async_write", *singles)
            size_rows = [
                ((raw if parsable else nicenum)(2**power), [count(bucket)] * (2 * len(sizes)))
                for power, bucket in zip((9, 10, 12, 13, 17, 20, 23, 24), counts, strict=True)
            ]
            yield Case(
                f"zpool-{version}-iostat-r{'p' if parsable else ''}",
                "tank         " + "".join(f"{size:^14}" for size in sizes) + "\n"
                "req_size     "
                + "ind    agg    " * len(sizes)
                + "\n"
                + "  ".join(["----------", *["-----"] * (2 * len(sizes))])
                + "\n"
                + "".join(
                    f"{bound:<11} {'  '.join(f'{cell:>5}' for cell in cells)}\n" for bound, cells in size_rows
                ),
                (
                    {
                        f"buckets.{at}.{name}": value
                        for at, (bound, cells) in enumerate(size_rows)
                        for name, value in (
                            ("low_bytes", value_of(bound)),
                            ("sync_read_ind", value_of(cells[0])),
                        )
                    },
                ),
            )


def status_cases() -> Iterator[Case]:
    """Counts of errors, nicenum() or -p; since 0.8 with slow I/Os (-s)."""
    for count in (0, 1, 999, 1024, 1536, 10239, 5242880):
        for printer, slow in ((nicenum, ""), (raw, ""), (nicenum, "  SLOW"), (nicenum, "-")):
            cell = printer(count)
            last = f"{cell:>6}" if slow == "  SLOW" else f"{'-':>6}" if slow else ""
            head = "  SLOW" if slow else ""
            text = (
                "  pool: tank\n state: ONLINE\nconfig:\n\n"
                f"\tNAME        STATE     READ WRITE CKSUM{head}\n"
                f"\ttank        ONLINE    {cell:>5} {cell:>5} {cell:>5}{last}\n"
                f"\t  mirror-0  ONLINE    {cell:>5} {cell:>5} {cell:>5}{last}\n"
                f"\t    ada0    ONLINE    {cell:>5} {cell:>5} {cell:>5}{last}\n"
                f"\t    ada1    ONLINE    {cell:>5} {cell:>5} {cell:>5}{last}\n\nerrors: No known data errors\n"
            )
            kind = {"": "", "  SLOW": "-s", "-": "-s-none"}[slow] + ("-p" if printer is raw else "")
            yield Case(
                f"zpool-status{kind}-{count}",
                text,
                ({"state": "ONLINE", "vdevs.0.members": Decimal(2), "complete": True},),
            )


CASES = list(
    {
        case.name: case
        for cases in (plain_cases, verbose_cases, latency_cases, queue_cases, histogram_cases, status_cases)
        for case in cases()
    }.values()
)
