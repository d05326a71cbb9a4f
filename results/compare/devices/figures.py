"""Figures of compared devices: the best, ties, and multiples of a baseline."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from results.advice.comparison import (
    ASSUMED_SPREAD,
    MEASURED_SPREAD,
    Comparable,
    Comparison,
    Mark,
    Reading,
)
from results.compare.devices.query import ComparedDevice
from results.core.formats import DASH, format_block_size, format_number
from results.kinds.curve.metrics import METRICS, fit_curve, throughput_mib_s
from results.kinds.metric import Metric
from results.models import DeviceRanking
from results.models.fields import BLOCK_4K, BLOCK_SIZES, SLOT_OF_BLOCK_SIZE
from results.ranking.standing import RankedDevice

Values = tuple[float | None, ...]


class Figure(NamedTuple):
    """A figure of a ranked device: a metric, a point, or a parameter of the fitted curve."""

    key: str
    label: str
    unit: str
    is_lower_better: bool
    read: Callable[[DeviceRanking], float | None]
    block_size: int | None = None
    is_of_one_figure: bool = False  # as that of a Metric

    @property
    def full_label(self) -> str:
        """With its unit."""
        return f"{self.label}, {self.unit}" if self.unit else self.label


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One figure of all devices, in their order.

    `marks`: "best" is surely better than all others, "tie" shares the lead, "" neither. `times` are multiples of the
    baseline's value; empty without one. `texts` are shown: those multiples, or the values.
    """

    figure: Figure
    values: Values
    marks: tuple[Mark, ...]
    texts: tuple[str, ...]
    times: Values = ()

    @property
    def is_all_tied(self) -> bool:
        """Whether all devices are tied by this figure."""
        return all(mark == "tie" for mark in self.marks)


def ranked_reading(row: DeviceRanking | RankedDevice) -> Reading:
    """The ranked latency."""
    text = format_number(row.score, row.digits)
    noise = ASSUMED_SPREAD if row.assumed_spread else MEASURED_SPREAD
    return Reading(row.score, row.low, row.high, True, noise, row.method, text)


def _figures() -> list[Figure]:
    """The metrics, and the parameters of the fitted curve."""
    return [
        *map(_metric, METRICS.values()),
        Figure("flush_floor", "Flush floor", "µs", True, lambda row: _fitted(row)[0]),
        Figure("bandwidth", "Bandwidth ceiling", "MiB/s", False, lambda row: _fitted(row)[1]),
    ]


def _metric(metric: Metric) -> Figure:
    return Figure(
        metric.key,
        metric.label,
        metric.unit,
        metric.is_lower_better,
        lambda row: None if metric.is_of_all_sizes and _has_one_point(row) else row.metrics.get(metric.key),
        is_of_one_figure=metric.is_of_one_figure,
    )


def _has_one_point(row: DeviceRanking) -> bool:
    return sum(latency_us is not None for latency_us in row.median_us) == 1


def metric_rows(compared: Sequence[ComparedDevice], *, baseline: str = "") -> list[FigureRow]:
    """The figures that sum a device up, without those that no device has.

    `baseline` is a slug.
    """
    return _rows(_figures(), compared, baseline)


def point_rows(
    compared: Sequence[ComparedDevice], *, baseline: str = "", is_throughput: bool = False
) -> list[FigureRow]:
    """A row per block size, of latency or of throughput."""
    points = [_point(size, is_throughput=is_throughput) for size in BLOCK_SIZES]
    return _rows(points, compared, baseline)


def _rows(figures: Sequence[Figure], compared: Sequence[ComparedDevice], baseline: str) -> list[FigureRow]:
    comparables = [
        Comparable(drive.name, drive, _readings(drive.ranking, figures) if drive.ranking else {})
        for drive in compared
    ]
    comparison = Comparison(comparables, max((drive.factor for drive in compared), default=1.0))
    return [_row(figure, comparison, baseline) for figure in figures if comparison.known(figure)]


def _row(figure: Figure, comparison: Comparison[ComparedDevice, Figure], baseline: str) -> FigureRow:
    compared = [comparable.subject for comparable in comparison.comparables]
    readings = [comparable.readings.get(figure) for comparable in comparison.comparables]
    values = tuple(reading.value if reading else None for reading in readings)
    texts = [reading.text if reading else DASH for reading in readings]
    times = _times(compared, values, baseline)
    for number, multiple in enumerate(times):
        if compared[number].device.slug != baseline:
            texts[number] = DASH if multiple is None else f"{format_number(multiple)}×"
    return FigureRow(figure, values, comparison.marks(figure), tuple(texts), times)


def _readings(row: DeviceRanking, figures: Iterable[Figure]) -> dict[Figure, Reading]:
    """The values with intervals as wide, in proportion, as that of the ranking.

    Only the ranked latency has an interval of its own: the spread between units is not known for other figures.
    """
    down, up = row.low / row.score, row.high / row.score
    readings = {}
    for figure in figures:
        if (value := figure.read(row)) is not None:
            low, high = (value * down, value * up) if figure.is_lower_better else (value / up, value / down)
            text = format_number(value, row.digits if figure.is_of_one_figure else None)
            readings[figure] = Reading(value, low, high, figure.is_lower_better, method=row.method, text=text)
    return readings


def _times(compared: Sequence[ComparedDevice], values: Values, baseline: str) -> Values:
    """Multiples of the baseline's value; None for values of another method."""
    if not baseline:
        return ()
    position = next(number for number, drive in enumerate(compared) if drive.device.slug == baseline)
    base, method = values[position], compared[position].method
    return tuple(
        None if base is None or value is None or drive.method != method else value / base
        for drive, value in zip(compared, values, strict=True)
    )


def _point(block_size: int, *, is_throughput: bool) -> Figure:
    def read(row: DeviceRanking) -> float | None:
        latency_us = row.median_us[SLOT_OF_BLOCK_SIZE[block_size]]
        return throughput_mib_s(block_size, latency_us) if is_throughput and latency_us else latency_us

    quantity, unit = ("throughput", "MiB/s") if is_throughput else ("latency", "µs")
    key, is_of_one_figure = f"{quantity}_{block_size}", block_size == BLOCK_4K
    return Figure(
        key, format_block_size(block_size), unit, not is_throughput, read, block_size, is_of_one_figure
    )


def _fitted(row: DeviceRanking) -> tuple[float | None, float | None]:
    fit = fit_curve(row.median_us)
    return (fit.flush_floor_us, fit.bandwidth_mib_s) if fit else (None, None)
