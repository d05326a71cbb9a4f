"""The lines of fio's normal output, read one by one.

Versions 1.x and 2.x print `iops=8283`, 3.x prints `IOPS=18.6k`.

A function returns None for a line that does not fit. Source: fio's stat.c (`show_thread_status_normal`,
`show_ddir_status`, `display_lat`, `show_clat_percentiles`) and init.c (`add_job`).
"""

import re
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from parsers.base.dates import read_asctime
from parsers.base.units import KIBIBYTE, MICROSECONDS, bytes_of, parse_count, scaled
from parsers.text.messages import read_messages

TERSE = re.compile(r"[2-5];fio-\d")
MESSAGES = read_messages(__file__, "fio")
NUMBER = r"\d{1,15}(?:\.\d{1,9})?"
_RANGE = rf"{NUMBER}[kKMGT]?i?B?-{NUMBER}[kKMGT]?i?B?"
_BS = rf"\(R\) {_RANGE}, \(W\) {_RANGE}(?:, \(T\) {_RANGE}|, bs_is_seq_rand)?|{_RANGE}(?:[/,]{_RANGE}){{0,2}}"
SETUP = re.compile(
    rf": \(g=(?P<group>\d{{1,9}})\): rw=(?P<rw>[\w:]+), bs(?P<by_order>\(seq/rand\))?=(?P<bs>{_BS}),"
    r" ioengine=(?P<ioengine>[\w-]{1,30}), iodepth=(?P<iodepth>\d{1,6}(?!\d))"
)
# The same, cut off behind the block size or anywhere in front of it
CUT_SETUP = re.compile(
    r": \(g=(?P<group>\d{1,9})\): rw=(?P<rw>[\w:]{4,40}),"
    r"(?: bs=(?P<bs>\(R\) [\d.kKMGiB-]{1,40}, \(W\) [\d.kKMGiB-]{1,40}|[\d.kKMGiB/-]{1,60}),)?"
)
ROW = re.compile(
    r": \(groupid=\s*(?P<group>\d{1,9}), jobs=\s*(?P<jobs>\d{1,9})\): err=\s*(?P<error>\d{1,9})\b"
    r"(?:(?: \([^)]{1,200}\))?: pid=\s*(?P<pid>\d{1,9})(?:: (?P<ended>.{1,40}))?)?"
)
# "22610K"; before 1.21 with grouped digits ("1,750M"), before 2.0.14 with a blank in place of a prefix ("26 ")
_COUNT = r"\d{1,3}(?:,\d{3}){1,4}|\d{1,15}(?:[.,]\d{1,9})?"
RATE = re.compile(
    rf"write\s*: IOPS=(?P<iops>{_COUNT})(?P<suffix>[kMG]?), BW=(?P<rate>{_COUNT})"
    rf"(?P<unit>[kKMGT]?i?(?:(?:B|bit)(?=/s\b)|(?= \()))(?:/s)?\b.*"  # a sum of all clients has no "B/s"
)
RATE_2X = re.compile(
    rf"write\s*: io=.+?, bw=\s*(?P<rate>{_COUNT}) ?(?P<unit>[KMGPE]?i?(?:B|bit))/s,"
    rf" iops=\s*(?P<iops>{_COUNT})(?P<suffix>[KMG]?)\s*,.+"
)
LATENCY = re.compile(
    rf"(?P<name>c?lat|sync) \((?P<unit>[num]sec)\): min=.+?, max=\s*(?P<max>{_COUNT})(?P<suffix>[kKMG]?)\s*,"
    rf"\s?avg=\s*(?P<mean>{_COUNT}),\s?(?:st)?dev=.+"
)
PERCENTILES = re.compile(r"(?P<name>\w.*) percentiles \((?P<unit>[num]sec)\)\s*:.*")
PERCENTILE = re.compile(r"(?<!\d)(?P<rank>99(?:\.\d{1,6})?)th=(?:\[\s*>?=?)?(?P<value>\d{1,15})(?=\s*[],]|$)")
TAILS = {Decimal("99"): "p99", Decimal("99.9"): "p999", Decimal("99.99"): "p9999"}  # the ranks that are read
LEVEL = re.compile(rf"=({NUMBER})%")
ISSUED = re.compile(r"issued[^:]*: total=(?:r=)?\d+[,/](?:w=)?(?P<writes>\d{1,15})[,/].*")
DISK = re.compile(r"\S+: ios=\d+/(?P<writes>\d{1,15}),.*")
STARTED = re.compile(r"(?P<count>\d{1,9}) (?:process(?:es)?|threads?)\b")
SIZE = re.compile(rf"(?P<count>{NUMBER})(?P<unit>[kKMG]?i?B?)")


@dataclass(frozen=True, slots=True)
class Setup:
    """The options of a job as fio prints them before it starts the job."""

    name: str
    group: int
    rw: str | None
    block_size: int | None  # of the writes; None where it is a range
    ioengine: str | None
    iodepth: int | None
    line: int | None = None  # of the paste

    def agreed_with(self, other: "Setup") -> "Setup":
        """Return the options on which both agree: the set-up of a group reported as one."""
        return replace(
            self,
            rw=self.rw if self.rw == other.rw else None,
            block_size=self.block_size if self.block_size == other.block_size else None,
            ioengine=self.ioengine if self.ioengine == other.ioengine else None,
            iodepth=self.iodepth if self.iodepth == other.iodepth else None,
        )


@dataclass(frozen=True, slots=True)
class RowHead:
    """The first line of a result."""

    name: str
    group: int
    jobs: int
    error: int
    pid: int | None
    ended_on: date | None = None  # local

    def job(self) -> tuple[str, int, int] | None:
        """Return what identifies a job: all its results share it, including snapshots of its run."""
        return None if self.pid is None else (self.name, self.group, self.pid)


@dataclass(frozen=True, slots=True)
class Rate:
    """Writes and bytes a second."""

    iops: Decimal
    bytes_s: int


@dataclass(frozen=True, slots=True)
class Time:
    """A mean and its maximum, or the unit of percentiles, and what they are of: "lat", "clat", "sync"."""

    name: str
    microseconds: Decimal
    max_us: Decimal | None = None


def read_setup(line: str) -> Setup | None:
    """Read the set-up line of a job.

    `name: (g=0): rw=write, bs=(R) 4096B-4096B, (W) ..., ioengine=psync, iodepth=1`
    """
    return _setup(_behind_name(SETUP, line))


def read_cut_setup(line: str) -> Setup | None:
    """Read what is left of a set-up line that was cut at a column: name, `rw` and perhaps `bs`."""
    return _setup(_behind_name(CUT_SETUP, line))


def _behind_name(pattern: re.Pattern[str], line: str) -> re.Match[str] | None:
    colon = line.find(": (g")
    return pattern.match(line, colon) if colon > 0 else None


def _setup(match: re.Match[str] | None) -> Setup | None:
    if match is None:
        return None
    stated = match.groupdict()
    is_one_size = not stated.get("by_order") or len(set(stated["bs"].split("/"))) == 1
    return Setup(
        name=_job_name(match),
        group=int(stated["group"]),
        rw=stated["rw"],
        block_size=_write_block_size(stated["bs"] or "") if is_one_size else None,
        ioengine=stated.get("ioengine"),
        iodepth=int(stated["iodepth"]) if "iodepth" in stated else None,
    )


def read_row_head(line: str) -> RowHead | None:
    """Read `name: (groupid=0, jobs=1): err= 0: pid=4239: ...`."""
    match = _behind_name(ROW, line)
    if match is None:
        return None
    return RowHead(
        name=_job_name(match),
        group=int(match["group"]),
        jobs=int(match["jobs"]),
        error=int(match["error"]),
        pid=int(match["pid"]) if match["pid"] else None,
        ended_on=read_asctime(match["ended"]) if match["ended"] else None,
    )


def read_host(line: str) -> str | None:
    """Return the server that a client's line is of: `<host> name: (g=0): ...`."""
    host, sign, _rest = line.partition("> ")
    return host[1:] if sign and host.startswith("<") else None


def _job_name(behind: re.Match[str]) -> str:
    # a client of `fio --server` writes the server's name before the lines that it passes on: "<host> name"
    text = behind.string[: behind.start()]
    return text.partition("> ")[2] if text.startswith("<") else text


def _write_block_size(text: str) -> int | None:
    """Read `(R) a-b, (W) c-d, (T) e-f` (3.x) or `a-b/c-d/e-f` (2.x)."""
    sides = [side.strip() for side in text.replace("/", ",").split(",")]
    if len(sides) < 2 or "bs_is_seq_rand" in sides:
        return None
    smallest, _, largest = sides[1].removeprefix("(W)").strip().partition("-")
    size = SIZE.fullmatch(smallest)
    if size is None or smallest != largest:
        return None
    return bytes_of(size["count"], size["unit"], kilo=KIBIBYTE)


def read_rate(line: str) -> Rate | None:
    """Read IOPS and throughput of the writes.

    `write: IOPS=18.6k, BW=72.8MiB/s (...`, or 2.x's `write: io=1941.6MB, bw=33135KB/s, iops=8283, ...`
    """
    match, kilo = RATE.fullmatch(line), 1000
    if match is None:
        match, kilo = RATE_2X.fullmatch(line), KIBIBYTE
    if match is None:
        return None
    iops = scaled(parse_count(match["iops"]), match["suffix"], kilo=1000)
    return Rate(iops, bytes_of(parse_count(match["rate"]), match["unit"], kilo=kilo))


def read_latency(line: str) -> Time | None:
    """Read a mean latency.

    `lat (usec): min=38, max=1302k, avg=146.31, stdev=999.50`, or `sync (usec): ...`
    """
    match = LATENCY.fullmatch(line)
    if match is None:
        return None
    unit = MICROSECONDS[match["unit"]]
    max_us = scaled(parse_count(match["max"]), match["suffix"], kilo=1000) * unit
    return Time(match["name"], parse_count(match["mean"]) * unit, max_us)


def read_percentiles_title(line: str) -> Time | None:
    """Read `clat percentiles (usec):`: whose they are, and their unit in microseconds."""
    match = PERCENTILES.fullmatch(line)
    return None if match is None else Time(match["name"], MICROSECONDS[match["unit"]])


def read_tails(line: str) -> dict[str, int]:
    """Read the highest percentiles, in the title's unit.

    `| 99.00th=[ 1029], 99.50th=[ 1663], ...`
    """
    found = ((Decimal(match["rank"]), int(match["value"])) for match in PERCENTILE.finditer(line))
    return {TAILS[rank]: value for rank, value in found if rank in TAILS}


def read_depth_percent(line: str) -> Decimal:
    """Add up `IO depths : 1=200.0%, 2=0.0%, ...`.

    Above 100 % are the flushes, counted along with the writes.
    """
    return sum((Decimal(level) for level in LEVEL.findall(line)), Decimal(0))


def read_issued_writes(line: str) -> int | None:
    """Read the number of writes issued.

    `issued rwts: total=0,20326,0,0 ...`, or 2.x's `issued : total=r=0/w=20326/d=0, ...`
    """
    match = ISSUED.fullmatch(line)
    return None if match is None else int(match["writes"])


def read_disk_writes(line: str) -> int | None:
    """Return the writes that the disk served, of `vda: ios=33/40854, merge=0/1, ...`."""
    match = DISK.fullmatch(line)
    return None if match is None else int(match["writes"])


def read_started_jobs(line: str) -> int | None:
    """Return how many jobs `Starting 4 processes` or `Starting 1 thread and 2 processes` counts, or None."""
    counts = [int(match["count"]) for match in STARTED.finditer(line)]
    return sum(counts) if counts else None
