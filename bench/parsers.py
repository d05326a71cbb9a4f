"""Microseconds a document for each kind of paste, beside splitting it into lines.

Everything is in it: decoding, cleaning, masking, reading, pairing. The best of several rounds is printed: what
else the machine does can only make a round slower.
"""

import sys
import timeit
from collections.abc import Callable, Sequence
from pathlib import Path

from parsers.paste import parse_paste

ROUNDS = 200  # short ones: some of them pass without another process coming between
SECONDS_A_ROUND = 0.003
DOCUMENTS = Path(__file__).parent / "documents"


def main(arguments: Sequence[str]) -> int:
    """`arguments`: files to read, if not the documents of the folder."""
    paths = [Path(name) for name in arguments] or sorted(DOCUMENTS.iterdir())
    sys.stdout.write("| document | bytes | split into lines, µs | parsed, µs | times the floor |\n")
    sys.stdout.write("|---|---:|---:|---:|---:|\n")
    for path in paths:
        sys.stdout.write(measure(path.stem, path.read_bytes()))
    return 0


def measure(name: str, raw: bytes) -> str:
    """One row of the table."""
    text = raw.decode()
    floor_us = best_us(text.splitlines)
    parsed_us = best_us(lambda: parse_paste(raw, unit_key=b"bench"))
    return f"| {name} | {len(raw)} | {floor_us:.1f} | {parsed_us:.0f} | {parsed_us / floor_us:.0f} |\n"


def best_us(work: Callable[[], object]) -> float:
    """The fastest round's microseconds for one call."""
    timer = timeit.Timer(work)
    once = max(timer.timeit(3) / 3, 1e-7)
    calls = max(int(SECONDS_A_ROUND / once), 1)
    return min(timer.repeat(ROUNDS, calls)) / calls * 1e6
