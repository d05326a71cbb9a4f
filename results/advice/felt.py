"""What a log device's latency means to one writer that waits for each of its writes.

A wait is the network's round trip, the work of the client and the server, that of ZFS for its log, and the log
device's write and flush. The constants come from published measurements of pools;
docs/methodology.md has them.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from parsers.base.units import KIBIBYTE

ROUND_TRIP_US = 100.0  # between an NFS client and its server in one room
STACK_US = 50.0  # of both ends of the network; assumed
ZIL_US = 55.0  # of ZFS for a log block, without the device
ROUND_TRIPS_US = (50, 100, 300, 1000)
SIZES = (4 * KIBIBYTE, 16 * KIBIBYTE, 64 * KIBIBYTE)
_HEADERS, _ROUNDED_TO = 2 * 192, 4 * KIBIBYTE  # `log_block` of results/data/openzfs.csv


def wait_us(log_us: float, *, network_us: float = ROUND_TRIP_US + STACK_US, pool_us: float = 0.0) -> float:
    """What one sync write of 4 KiB takes, in µs.

    `log_us` is the log device's latency at 8 KiB, which such a write takes with its header; `network_us` is 0 for a
    writer on the same machine; `pool_us` is what the same write takes with sync=disabled.
    """
    return network_us + ZIL_US + log_us + pool_us


class Felt(NamedTuple):
    """What a writer at a round trip gets, by the size of its writes: microseconds for each; None if unknown."""

    round_trip_us: int
    waits_us: Sequence[float | None]

    @property
    def cells(self) -> list[tuple[float, float] | None]:
        """Writes per second, and what each takes."""
        return [None if wait is None else (1e6 / wait, wait) for wait in self.waits_us]


class Client(NamedTuple):
    """Who waits for sync writes: writers that each send the next one when the last is safe."""

    round_trip_us: float = ROUND_TRIP_US
    size: int = SIZES[0]  # bytes of a write
    writers: int = 1

    def wait_us(self, log_us: float) -> float:
        return wait_us(log_us, network_us=self.round_trip_us + STACK_US)


def felt_table(curve: Mapping[int, float]) -> list[Felt]:
    """A row for each of ROUND_TRIPS_US, a figure for each of SIZES; `curve` has a log's latency by block size."""
    return felt_rows([logged_us(curve, size) for size in SIZES])


def felt_rows(logged: Sequence[float | None]) -> list[Felt]:
    """The same from the time that a write of each of SIZES takes in the log, in µs."""
    return [
        Felt(trip, [None if us is None else wait_us(us, network_us=trip + STACK_US) for us in logged])
        for trip in ROUND_TRIPS_US
    ]


def log_block(size: int) -> int:
    """The bytes that a write of this size takes in the log: with two headers, rounded up to 4 KiB."""
    return -(-(size + _HEADERS) // _ROUNDED_TO) * _ROUNDED_TO


def logged_us(curve: Mapping[int, float], size: int) -> float | None:
    """What a write of this size takes in a log with that curve."""
    return _latency_at(curve, log_block(size))


def _latency_at(curve: Mapping[int, float], size: int) -> float | None:
    """The latency at a size, between two measured ones on a log scale; None outside of them."""
    for (low, low_us), (high, high_us) in pairwise(sorted(curve.items())):
        if low <= size <= high:
            part = math.log(size / low) / math.log(high / low)
            return float(low_us ** (1 - part) * high_us**part)
    return None


def client_iops(log_us: float) -> float:
    """The sync writes a second of one NFS client that waits for each, with nothing else to do."""
    return 1e6 / wait_us(log_us)


def felt_iops(metrics: Mapping[str, float]) -> float | None:
    """The same by the log's figures: that at 8 KiB, else at 4 KiB; None without any."""
    log_us = metrics.get("latency_8k_us") or metrics.get("latency_4k_us")
    return client_iops(log_us) if log_us else None
