"""fio's normal output, as each version prints its numbers.

Sources: stat.c (`show_ddir_status`, `display_lat`, `show_clat_percentiles`), lib/num2str.c (until 1.20 in stat.c and
time.c) and init.c (`add_job`) of fio 1.9 to 3.40.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from tests.parsers.formats.cases import Case, grouped

MICROSECONDS = {"nsec": Decimal("0.001"), "usec": Decimal(1), "msec": Decimal(1000)}


@dataclass(frozen=True, slots=True)
class Number:
    """A number as num2str() prints it, and what that says."""

    text: str
    value: Decimal


Printer = Callable[..., Number]


@dataclass(frozen=True, slots=True)
class Run:
    """What one job measured."""

    bytes_s: int
    iops: int
    min_us: int
    max_us: int
    mean_us: Decimal
    runtime_ms: int = 60002

    @property
    def stdev_us(self) -> Decimal:
        return self.mean_us / 3


RUNS = {
    "slow": Run(107325, 26, 4012, 22610123, Decimal("38160.73")),
    "stalls": Run(107325, 26, 4, 22610123, Decimal("38160.73")),
    "disk": Run(450560, 110, 8301, 41250, Decimal("9090.91")),
    "sata": Run(33931264, 8284, 98, 15204, Decimal("119.47")),
    "nvme": Run(287309824, 70144, 11, 1302456, Decimal("13.52")),
    "optane": Run(1835008000, 448000, 7, 999999, Decimal("8.25")),
    "array": Run(12884901888, 3145728, 5, 98765, Decimal("20.05")),
}


def blank_unit(number: int, longest: int, *, thousand: int) -> Number:
    """1.21 to 2.0.13: digits of the remainder, not of a fraction, and a blank without a prefix."""
    return _cheesy(number, longest, thousand, " KMGPE")


def no_blank(number: int, longest: int, *, thousand: int) -> Number:
    """2.0.14 to 2.17."""
    return _cheesy(number, longest, thousand, ["", *"KMGPE"])


def _cheesy(number: int, longest: int, thousand: int, prefixes: Sequence[str]) -> Number:
    remainder = power = 0
    while len(str(number)) > longest:
        number, remainder = divmod(number, thousand)
        power += 1
    prefix = prefixes[power]
    room = longest - len(str(number))
    if not power or room <= 1:
        number += bool(power) and remainder >= thousand // 2
        return Number(f"{number}{prefix}", Decimal(number) * thousand**power)
    while len(str(remainder)) > room - 1:
        remainder = (remainder + 9) // 10
    return Number(f"{number}.{remainder}{prefix}", Decimal(f"{number}.{remainder}") * thousand**power)


def grouping(number: int, longest: int, *, thousand: int) -> Number:
    """1.10 to 1.20: rounded to a whole number, in groups since the locale is en_US if none is set."""
    power = 0
    while len(grouped(number, ",")) > longest:
        number = number // thousand + (number % thousand >= thousand // 2)
        power += 1
    return Number(grouped(number, ",") + ["", *"KMGPE"][power], Decimal(number) * thousand**power)


def exact(number: int, longest: int, *, thousand: int, unit: str = "") -> Number:
    """2.18 to 3.40: digits of the fraction, `KiB` or `kB`."""
    remainder = power = 0
    while len(str(number)) > longest:
        number, remainder = divmod(number, thousand)
        power += 1
    prefix = ["", "Ki", "Mi", "Gi", "Ti"][power] if thousand == 1024 else ["", *"kMGT"][power]
    room = longest - len(str(number))
    if not power or room <= 1:
        number += bool(power) and remainder >= thousand // 2
        return Number(f"{number}{prefix}{unit}", Decimal(number) * thousand**power)
    fraction = f"{remainder / thousand:.{room - 1}f}"[2:]
    return Number(f"{number}.{fraction}{prefix}{unit}", Decimal(f"{number}.{fraction}") * thousand**power)


def in_unit(run: Run, units: tuple[str, ...]) -> tuple[str, Decimal]:
    """The unit that fio prints latencies in: the largest in which all four are above 1000 of the one below."""
    for unit, below in pairwise(units):
        if all(
            value / MICROSECONDS[below] > 1000
            for value in (run.min_us, run.max_us, run.mean_us, run.stdev_us)
        ):
            return unit, MICROSECONDS[unit]
    return units[-1], MICROSECONDS[units[-1]]


OLD_UNITS = ("msec", "usec")
UNITS = ("msec", "usec", "nsec")
HEAD = "slog: (groupid=0, jobs=1): err= 0: pid=2898"
SINCE_2 = ": Tue Jan  7 16:54:26 2014"
COMMAND = "# fio --name=slog --filename=/dev/sdb --rw=write --bs=4k --sync=1 --direct=1 --ioengine=psync --runtime=60"
CPU = "  cpu          : usr=0.10%, sys=0.66%, ctx=40642, majf=0, minf=11"
DEPTHS = "  IO depths    : 1=100.0%, 2=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%"


def latency(name: str, run: Run, units: tuple[str, ...], number: Printer, *, glued: bool = False) -> str:
    unit, factor = in_unit(run, units)
    least, most = (int(value / factor) for value in (run.min_us, run.max_us))
    mean, stdev = run.mean_us / factor, run.stdev_us / factor
    texts = [number(value, 6, thousand=1000).text for value in (least, most)]
    comma = "," if glued else ", "
    return f"    {name} ({unit}): min={texts[0]}, max={texts[1]}, avg={mean:5.2f}{comma}stdev={stdev:5.2f}"


def latency_figures(run: Run, units: tuple[str, ...], number: Printer) -> dict[str, Decimal]:
    _unit, factor = in_unit(run, units)
    most = number(int(run.max_us / factor), 6, thousand=1000).value
    return {
        "jobs.0.write_latency_us": Decimal(f"{run.mean_us / factor:.2f}") * factor,
        "jobs.0.write_latency_max_us": most * factor,
    }


def text(setup: str, version: str, head: str, *lines: str) -> str:
    above = [COMMAND, f"slog: (g=0): rw=write, {setup}, ioengine=psync, iodepth=1", version]
    return "\n".join([*above, "Starting 1 process", "", head, *lines, CPU, DEPTHS, ""])


def rate_2(run: Run, number: Printer, version: str, *, bits: bool = False) -> tuple[str, dict[str, object]]:
    """`io=6288KB, bw=107325 B/s, iops=26 , runt= 60002msec`; num2str() gets bytes, or bits."""
    unit = "bit" if bits else "B"
    size = number(run.bytes_s * run.runtime_ms // 1000, 6, thousand=1024).text
    rate = number(run.bytes_s * (8 if bits else 1), 6, thousand=1024)
    iops = number(run.iops, 6, thousand=1000)
    line = f"  write: io={size}B, bw={rate.text}{unit}/s, iops={iops.text}, runt={run.runtime_ms:6}msec"
    bytes_s = round(rate.value / 8 if bits else rate.value)
    return line, {
        "tool_version": version,
        "jobs.0.iops": iops.value,
        "jobs.0.throughput_bytes_s": bytes_s,
        "jobs.0.block_size": 4096,
    }


def old_cases() -> Iterator[Case]:
    for name, run in RUNS.items():
        # 1.10 to 1.20: KiB/s from a count of KiB, plain figures of latency
        kib_s = run.bytes_s // 1024
        rate, iops = grouping(kib_s, 6, thousand=1024), grouping(run.iops, 6, thousand=1000)
        for version, unit in (("fio 1.17", "iB"), ("fio 1.20", "B")):
            digits = rate.text.rstrip("KM")  # of KiB, so that its prefix is one higher
            prefixed = digits + {"": "K", "K": "M", "M": "G"}[rate.text[len(digits) :]]
            lat, factor = in_unit(run, OLD_UNITS)
            least, most = int(run.min_us / factor), int(run.max_us / factor)
            mean = Decimal(f"{run.mean_us / factor:.2f}")
            clat = f"({lat}): min={least:5}, max={most:5}, avg={mean:5}, stdev={run.stdev_us / factor:5.2f}"
            yield Case(
                f"fio-{version[4:]}-{name}",
                text(
                    "bs=4K-4K/4K-4K",
                    version,
                    HEAD,
                    f"  write: io=1,024M{unit}, bw={prefixed}{unit}/s, iops={iops.text}, runt={run.runtime_ms:6}msec",
                    f"    clat {clat}",
                    f"     lat {clat}",
                ),
                (
                    {
                        "tool_version": version,
                        "jobs.0.iops": iops.value,
                        "jobs.0.throughput_bytes_s": round(rate.value * 1024),
                        "jobs.0.write_latency_us": mean * factor,
                        "jobs.0.write_latency_max_us": most * factor,
                        "jobs.0.block_size": 4096,
                    },
                ),
            )


def cases_2() -> Iterator[Case]:
    for name, run in RUNS.items():
        for version, number, head, setup in (
            ("fio 1.59", blank_unit, HEAD, "bs=4K-4K/4K-4K"),
            ("fio 2.0.9", blank_unit, HEAD + SINCE_2, "bs=4K-4K/4K-4K"),
            ("fio-2.0.13", blank_unit, HEAD + SINCE_2, "bs=4K-4K/4K-4K/4K-4K"),
            ("fio-2.1.11", no_blank, HEAD + SINCE_2, "bs=4K-4K/4K-4K/4K-4K"),
            ("fio-2.2.10", no_blank, HEAD + SINCE_2, "bs(seq/rand)=4K-4K/4K-4K"),
            ("fio-2.17", no_blank, HEAD + SINCE_2, "bs=4096B-4096B,4096B-4096B,4096B-4096B"),
        ):
            for glued in (False, True):
                line, figures = rate_2(run, number, version)
                lines = [latency(" lat", run, OLD_UNITS, number, glued=glued)]
                if not glued:
                    lines = [latency("clat", run, OLD_UNITS, number), *lines]
                yield Case(
                    f"{version.replace(' ', '-')}-{name}{'-glued' if glued else ''}",
                    text(setup, version, head, line, *lines),
                    (figures | latency_figures(run, OLD_UNITS, number),),
                )
        line, figures = rate_2(run, no_blank, "fio-2.1.3", bits=True)
        yield Case(
            f"fio-2.1.3-unit_base=1-{name}",
            text("bs=4K-4K/4K-4K/4K-4K", "fio-2.1.3", HEAD + SINCE_2, line),
            (figures,),
            ("gtod_reduce",),
        )


def cases_3() -> Iterator[Case]:
    bs_3 = "bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B"
    for name, run in RUNS.items():
        for version, figs, base, bits, zones in (
            ("fio-2.18", 6, 1024, False, ""),
            ("fio-2.99", 6, 1024, False, ""),
            ("fio-3.0", 4, 1024, False, ""),
            ("fio-3.1", 4, 1000, False, ""),
            ("fio-3.16", 4, 1024, False, "; 0 zone resets"),
            ("fio-3.28", 4, 1024, True, ""),
            ("fio-3.35", 10, 1024, False, "; 0 zone resets"),
            ("fio-3.40", 4, 1000, True, "; 0 zone resets"),
        ):
            unit, factor = ("bit", 8) if bits else ("B", 1)
            rate = exact(run.bytes_s * factor, figs, thousand=base, unit=unit)
            other = exact(run.bytes_s * factor, figs, thousand=2024 - base, unit=unit)
            size = exact(run.bytes_s * 60, figs, thousand=base, unit="B")
            iops = exact(run.iops, figs, thousand=1000)
            units = UNITS if version >= "fio-3" else OLD_UNITS
            setup = bs_3 if version >= "fio-2.99" else "bs=4096B-4096B,4096B-4096B,4096B-4096B"
            yield Case(
                f"{version}-{name}",
                text(
                    setup,
                    version,
                    HEAD + SINCE_2,
                    f"  write: IOPS={iops.text}, BW={rate.text}/s ({other.text}/s)({size.text}/60002msec){zones}",
                    latency("clat", run, units, exact),
                    latency(" lat", run, units, exact),
                ),
                (
                    {
                        "tool_version": version,
                        "jobs.0.block_size": 4096,
                        "jobs.0.iops": iops.value,
                        "jobs.0.throughput_bytes_s": round(rate.value / factor),
                        **latency_figures(run, units, exact),
                    },
                ),
            )


def percentile_cases() -> Iterator[Case]:
    """Percentiles of the writes and of the flushes, in the units and widths of each version."""
    ranks = ("50.00", "90.00", "99.00", "99.50", "99.90", "99.95", "99.99")
    for at, values in enumerate(
        [
            (11, 14, 22, 25, 31, 40, 95),
            (2278, 2540, 4080, 5014, 8979, 12125, 104334),
            (1, 1, 2, 2, 3, 5, 2000),
        ]
    ):
        for unit, width in (("nsec", 5), ("usec", 5), ("msec", 5), ("usec", 9)):
            pairs = zip(ranks, values, strict=True)
            cells = [f"{rank}th=[{value:{width}}]" for rank, value in pairs]
            clat = ["     | " + ", ".join(cells[:3]) + ",", "     | " + ", ".join(cells[3:])]
            run = RUNS["sata"]
            rows = [
                "  write: IOPS=8284, BW=32.4MiB/s (33.9MB/s)(1942MiB/60002msec)",
                latency(" lat", run, UNITS, exact),
                f"    clat percentiles ({unit}):",
                *clat,
                "  fsync/fdatasync/sync_file_range:",
                "    sync (usec): min=11, max=15k, avg=41.31, stdev=9.50",
                f"    sync percentiles ({unit}):",
                *clat,
            ]
            factor = MICROSECONDS[unit]
            tails = {"p99": values[2], "p999": values[4], "p9999": values[6]}
            yield Case(
                f"fio-3.33-percentiles-{unit}-{width}-{at}",
                text(
                    "bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B", "fio-3.33", HEAD + SINCE_2, *rows
                ),
                (
                    {f"jobs.0.write_latency_{name}_us": value * factor for name, value in tails.items()}
                    | {f"jobs.0.flush_latency_{name}_us": value * factor for name, value in tails.items()}
                    | {"jobs.0.flush_latency_us": Decimal("41.31"), "jobs.0.flush_latency_max_us": 15000},
                ),
            )
        # 1.58 to 2.0.2: no brackets, four a line, the first behind the title
        cells = [f"{rank}th={value}" for rank, value in zip(ranks, values, strict=True)]
        run = RUNS["sata"]
        line, figures = rate_2(run, blank_unit, "fio 2.0.1")
        yield Case(
            f"fio-2.0.1-percentiles-{at}",
            text(
                "bs=4K-4K/4K-4K",
                "fio 2.0.1",
                HEAD,
                line,
                latency(" lat", run, OLD_UNITS, blank_unit),
                "    clat percentiles (usec) : " + ", ".join(cells[:4]) + ",",
                " " * 30 + ", ".join(cells[4:]),
            ),
            (
                figures
                | {
                    "jobs.0.write_latency_p99_us": values[2],
                    "jobs.0.write_latency_p999_us": values[4],
                    "jobs.0.write_latency_p9999_us": values[6],
                },
            ),
        )


def block_size_cases() -> Iterator[Case]:
    """The block size as to_kmg(), fio_uint_to_kmg() and num2str() print it."""
    for size in (512, 4096, 16384, 131072, 1048576, 4194304):
        old = f"{size // 1048576}M" if size >= 1048576 else f"{size // 1024}K" if size >= 1024 else str(size)
        for version, setup in (
            ("fio 1.50", f"bs={old}-{old}/{old}-{old}"),
            ("fio-2.1.11", f"bs={old}-{old}/{old}-{old}/{old}-{old}"),
            ("fio-2.2.10", f"bs(seq/rand)={old}-{old}/{old}-{old}"),
            ("fio-3.1", None),
        ):
            if setup is None:
                new = exact(size, 4, thousand=1024, unit="B").text
                setup = f"bs=(R) {new}-{new}, (W) {new}-{new}, (T) {new}-{new}"
            line, _figures = rate_2(RUNS["sata"], no_blank, version)
            yield Case(
                f"{version.replace(' ', '-')}-bs-{size}",
                text(setup, version, HEAD, line, latency(" lat", RUNS["sata"], OLD_UNITS, no_blank)).replace(
                    "--bs=4k", f"--bs={size}"
                ),
                ({"jobs.0.block_size": size},),
            )


def by_order_case() -> Iterator[Case]:
    """Block sizes of sequential and of random I/O: fio 2.2 doesn't say which of them it used."""
    line, _figures = rate_2(RUNS["sata"], no_blank, "fio-2.2.10")
    setup = "bs(seq/rand)=4K-4K/64K-64K"
    lines = text(setup, "fio-2.2.10", HEAD, line, latency(" lat", RUNS["sata"], OLD_UNITS, no_blank))
    yield Case("fio-2.2.10-bs-by-order", lines, ({"jobs.0.block_size": None},), ("mixed_block_sizes",))


def json_cases() -> Iterator[Case]:
    """--output-format=json: KiB/s and microseconds until 2.99, then bytes and nanoseconds besides."""
    for name, run in RUNS.items():
        for version in ("fio-2.0.12", "fio-2.1.11", "fio-2.2.10", "fio-3.0", "fio-3.40"):
            is_2, kib_s = version < "fio-3", run.bytes_s // 1024
            factor = 1 if is_2 else 1000
            iops: object = run.iops if version < "fio-2.1" else run.iops + 0.25
            times = {
                "min": run.min_us * factor,
                "max": run.max_us * factor,
                "mean": float(run.mean_us * factor),
                "N": 1000,
            }
            write = {
                "io_bytes": kib_s * 60 if is_2 else run.bytes_s * 60,
                **({} if is_2 else {"io_kbytes": kib_s * 60, "bw_bytes": run.bytes_s}),
                "bw": kib_s,
                "iops": iops,
                "runtime": 60002,
                "total_ios": run.iops * 60,
                **({"clat": times, "lat": times} if is_2 else {"clat_ns": times, "lat_ns": times}),
            }
            job = {
                "jobname": "slog",
                "groupid": 0,
                "error": 0,
                "job options": {
                    "rw": "write",
                    "bs": "4k",
                    "sync": "1",
                    "ioengine": "psync",
                    "filename": "/dev/sdb",
                },
                "write": write,
            }
            document = {"fio version": version, "jobs": [job]}
            yield Case(
                f"{version}-json-{name}",
                f"{COMMAND} --output-format=json\n" + json.dumps(document, indent=2, separators=(",", " : ")),
                (
                    {
                        "tool_version": version,
                        "jobs.0.iops": Decimal(str(iops)),
                        "jobs.0.throughput_bytes_s": kib_s * 1024 if is_2 else run.bytes_s,
                        "jobs.0.write_latency_us": run.mean_us,
                        "jobs.0.write_latency_max_us": run.max_us,
                    },
                ),
            )


def decimal_commas(case: Case) -> Case:
    """The case with the decimal marks of another locale, as a program around fio makes them."""
    lines = [
        re.sub(r"(?<=\d)\.(?=\d)", ",", line) if re.match(r" +(?:write|c?lat|sync)\b", line) else line
        for line in case.text.splitlines(keepends=True)
    ]
    return replace(case, name=f"{case.name}-commas", text="".join(lines))


CASES = [
    *old_cases(),
    *cases_2(),
    *cases_3(),
    *percentile_cases(),
    *block_size_cases(),
    *by_order_case(),
    *json_cases(),
]
CASES += [decimal_commas(case) for case in CASES if case.name.startswith(("fio-2.17-", "fio-3.16-"))]
