"""Reading a text: seconds for a MiB of the worst kinds, how they grow, and microseconds for one of each document."""

import time
import timeit
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from bench.bars import BenchmarkError, Row
from parsers.paste import parse_paste
from parsers.text.decode import MAX_LINES, MAX_SIZE

SECONDS_PER_MIB = 2.0
GROWTH = 5.0  # for four times the text; linear is four, quadratic sixteen
ROUNDS = 200  # short ones: some of them pass without another process coming between
SECONDS_A_ROUND = 0.003
DOCUMENTS = Path(__file__).parent / "documents"
# What keeps a pattern busiest, of those that tests/parsers/worst_cases.py found.
WORST = {
    "points": "1 kbytes: 1.0 usec/IO = 1.0 Mbytes/s             \n",
    "banners": "smartctl 7.2 2020 [x] (y)                         \n",
    "serial labels": "Serial Number: ",
    "entities": "a&#9;",
    "one long word": "x",
}


class Reading(NamedTuple):
    """Seconds of the processor for a MiB of a kind of text, and for four times as much beside once."""

    per_mib_s: float
    growth: float


def measure() -> list[Row]:
    """The slowest and the steepest of all kinds at the largest size of a paste; then one of each document."""
    documents = {path.stem: path.read_text(encoding="utf-8") for path in sorted(DOCUMENTS.iterdir())}
    return [
        *rows({name: _read_largest(text) for name, text in (WORST | documents).items()}),
        *(Row(f"reading {name}", best_us(_reader(text.encode())), "µs") for name, text in documents.items()),
    ]


def rows(readings: Mapping[str, Reading]) -> list[Row]:
    """The kind that takes longest and the one that grows fastest."""
    slowest = max(readings, key=lambda name: readings[name].per_mib_s)
    steepest = max(readings, key=lambda name: readings[name].growth)
    return [
        Row(f"reading a MiB of {slowest}, the slowest", readings[slowest].per_mib_s, "s", SECONDS_PER_MIB),
        Row(
            f"reading four times as much of {steepest}, the steepest",
            readings[steepest].growth,
            "times",
            GROWTH,
        ),
    ]


def _read_largest(piece: str) -> Reading:
    """The best of three: what else the machine does can only make one slower."""
    whole = largest_paste(piece)
    quarter = whole[: len(whole) // 4]
    quarter_s, whole_s = (min(_seconds(raw) for _ in range(3)) for raw in (quarter, whole))
    return Reading(whole_s * 2**20 / len(whole), whole_s / quarter_s)


def largest_paste(piece: str) -> bytes:
    """The piece again and again, to the most bytes and lines that a paste may have."""
    times = MAX_SIZE // len(piece.encode())
    if lines := piece.count("\n"):
        times = min(times, MAX_LINES // lines)
    return piece.encode() * times


def _seconds(raw: bytes) -> float:
    began = time.process_time()
    if not parse_paste(raw, unit_key=b"bench").text:
        raise BenchmarkError(f"a text of {len(raw):,} bytes was refused: {raw[:40]!r}")
    return time.process_time() - began


def _reader(raw: bytes) -> Callable[[], object]:
    return lambda: parse_paste(raw, unit_key=b"bench")


def best_us(work: Callable[[], object]) -> float:
    """The fastest round's microseconds for one call."""
    timer = timeit.Timer(work)
    once = max(timer.timeit(3) / 3, 1e-7)
    calls = max(int(SECONDS_A_ROUND / once), 1)
    return min(timer.repeat(ROUNDS, calls)) / calls * 1e6
