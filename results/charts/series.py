"""What a latency chart draws, named curves of points, and the same figures as plain data for its script."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

STYLES = 8  # dash, marker and colour combinations in static/css/charts.css


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The latency of one block size; `low_us` and `high_us` bound its spread where it is known."""

    block_size: int
    latency_us: float
    low_us: float | None = None
    high_us: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """One curve, its points by ascending block size. `mark` is what stands at its end, as short as a rank."""

    label: str
    points: tuple[CurvePoint, ...]
    mark: str = ""


class SeriesData(TypedDict):
    """A curve as JSON, for the chart's script: arrays of one length, null where a spread is not known."""

    label: str
    mark: str
    block_size: list[int]
    latency_us: list[float]
    low_us: list[float | None]
    high_us: list[float | None]


def series_data(series: Sequence[Series]) -> list[SeriesData]:
    """The curves as plain values that json can write, figures rounded to a hundredth of a microsecond."""
    return [
        SeriesData(
            label=one.label,
            mark=one.mark,
            block_size=[point.block_size for point in one.points],
            latency_us=[round(point.latency_us, 2) for point in one.points],
            low_us=[_rounded(point.low_us) for point in one.points],
            high_us=[_rounded(point.high_us) for point in one.points],
        )
        for one in series
    ]


def _rounded(latency_us: float | None) -> float | None:
    return None if latency_us is None else round(latency_us, 2)
