"""Reading texts: seconds per MiB of the worst kinds, how they grow, and microseconds per kind of document."""

import time
import timeit
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from bench.bars import BenchmarkError, Row
from parsers.paste import parse_paste
from parsers.text.decode import MAX_LINES, MAX_SIZE, decode

SECONDS_PER_MIB = 2.0
FLOOR_S_PER_MIB = 0.0009  # of decoding on the machine that the bar is for
GROWTH = 5.0  # for four times the text; linear is four, quadratic sixteen
ROUNDS = 200  # short ones, so that some of them are undisturbed by other processes
SECONDS_A_ROUND = 0.003
DOCUMENTS = Path(__file__).parent / "documents"
# Without one in it, a text is refused before it is read whole.
RUN = b"Synchronous random writes:\n\t 0.5 kbytes:    129.3 usec/IO =      3.8 Mbytes/s\n"
# The worst inputs for a pattern, of those that a search among mixes of what the parsers look for has found.
WORST = {
    "points": "1 kbytes: 1.0 usec/IO = 1.0 Mbytes/s             \n",
    "banners": "smartctl 7.2 2020 [x] (y)                         \n",
    "serial labels": "Serial Number: ",
    "entities": "a&#9;",
    "one long word": "x",
}


class Reading(NamedTuple):
    """Processor seconds per MiB of a kind of text, and the ratio of four times as much text to once."""

    per_mib_s: float
    growth: float


def measure() -> list[Row]:
    """Rows of the slowest and the worst-scaling kind at the maximum paste size, and of one of each document."""
    documents = {path.stem: path.read_text(encoding="utf-8") for path in sorted(DOCUMENTS.iterdir())}
    floor_s = _decoding_s(largest_paste(documents["fio-json"]))
    return [
        Row("decoding a MiB", floor_s * 1000, "ms"),
        *rows({name: _read_largest(text) for name, text in (WORST | documents).items()}, floor_s=floor_s),
        *(Row(f"reading {name}", best_us(_reader(text.encode())), "µs") for name, text in documents.items()),
    ]


def _decoding_s(raw: bytes) -> float:
    """Processor seconds per MiB that finding the lines of a text takes."""
    return best_us(lambda: decode(raw)) / 1e6 * 2**20 / len(raw)


def rows(readings: Mapping[str, Reading], *, floor_s: float) -> list[Row]:
    """The rows of the slowest kind and of the one that scales worst."""
    slowest = max(readings, key=lambda name: readings[name].per_mib_s)
    steepest = max(readings, key=lambda name: readings[name].growth)
    return [
        Row(
            f"reading a MiB of {slowest}, the slowest",
            readings[slowest].per_mib_s,
            "s",
            SECONDS_PER_MIB,
            slowness=floor_s / FLOOR_S_PER_MIB,
        ),
        Row(
            f"reading four times as much of {steepest}, the steepest",
            readings[steepest].growth,
            "times",
            GROWTH,
        ),
    ]


def _read_largest(piece: str) -> Reading:
    """The best of three: other load on the machine can only slow a reading down."""
    full = largest_paste(piece)
    quarter = full[: len(full) // 4]
    quarter_s, full_s = (min(_seconds(raw) for _ in range(3)) for raw in (quarter, full))
    return Reading(full_s * 2**20 / len(full), full_s / quarter_s)


def largest_paste(piece: str) -> bytes:
    """The piece repeated below a run, up to the maximum bytes and lines of a paste."""
    times = (MAX_SIZE - len(RUN)) // len(piece.encode())
    if lines := piece.count("\n"):
        times = min(times, (MAX_LINES - RUN.count(b"\n")) // lines)
    return RUN + piece.encode() * times


def _seconds(raw: bytes) -> float:
    began = time.process_time()
    if not parse_paste(raw, unit_key=b"bench").text:
        raise BenchmarkError(f"a text of {len(raw):,} bytes was refused: {raw[:40]!r}")
    return time.process_time() - began


def _reader(raw: bytes) -> Callable[[], object]:
    return lambda: parse_paste(raw, unit_key=b"bench")


def best_us(work: Callable[[], object]) -> float:
    """Microseconds per call in the fastest round."""
    timer = timeit.Timer(work)
    once = max(timer.timeit(3) / 3, 1e-7)
    calls = max(int(SECONDS_A_ROUND / once), 1)
    return min(timer.repeat(ROUNDS, calls)) / calls * 1e6
