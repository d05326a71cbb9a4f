"""A run that measured a curve."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from parsers.base.readings import LatencyPoint
from parsers.base.target import Target
from results.kinds.curve.metrics import Tails
from results.kinds.envelope import Run
from results.models.choices import Method
from results.models.fields import BLOCK_SIZES

Curve = tuple[Decimal | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveRun(Run):
    """A run that measured a latency for each of several block sizes."""

    method: Method
    curve: Curve
    tails: Tails | None = None
    target: Target = Target.DEVICE
    measured_capacity_bytes: int | None = None  # as diskinfo or slogprobe states it
    # How many the disk completed, and how many were sent to it, where they are counted
    flushes: tuple[int, int] | None = None

    @property
    def payload(self) -> Mapping[str, Any]:
        return {"latency_us": list(self.latencies), "tails": self.tails, "writers": self.writers}

    @property
    def latencies(self) -> tuple[float | None, ...]:
        return tuple(None if latency is None else float(latency) for latency in self.curve)


def curve_of(points: Iterable[LatencyPoint]) -> Curve:
    """The latencies by slot of BLOCK_SIZES; other sizes are dropped."""
    latencies = {point.block_size: point.latency_us for point in points}
    return tuple(latencies.get(block_size) for block_size in BLOCK_SIZES)
