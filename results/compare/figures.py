"""Figures of compared devices: the best, ties, and multiples of a baseline."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from results.compare.query import Compared
from results.core.formats import format_number
from results.kinds.latency_curve.metrics import METRICS, fit_curve, throughput_mib_s
from results.kinds.metric import Metric
from results.models import DeviceRanking
from results.models.fields import BLOCK_4K, BLOCK_SIZES, SLOT_OF_BLOCK_SIZE
from results.ranking.ties import Span, surely_better

Mark = Literal["best", "tie", ""]
Values = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One figure of all devices, in their order.

    `marks`: "best" is surely better than all others, "tie" shares the lead, "" neither. `times` are multiples of the
    baseline's value; empty without one. `digits` of each value are shown (None: three).
    """

    key: str
    label: str
    unit: str
    is_lower_better: bool
    values: Values
    marks: tuple[Mark, ...]
    digits: tuple[int | None, ...]
    times: Values = ()
    block_size: int | None = None

    @property
    def is_all_tied(self) -> bool:
        """Whether all devices are tied by this figure."""
        known = [mark for mark, value in zip(self.marks, self.values, strict=True) if value is not None]
        return len(known) == len(self.values) and all(mark == "tie" for mark in known)


class _Figure(NamedTuple):
    key: str
    label: str
    unit: str
    is_lower_better: bool
    read: Callable[[DeviceRanking], float | None]
    block_size: int | None = None
    is_of_one_figure: bool = False  # as that of a Metric

    def digits(self, ranking: DeviceRanking | None) -> int | None:
        return ranking.digits if ranking and self.is_of_one_figure else None


class Reading(NamedTuple):
    """An interval in which lower is better, and its figure as formatted."""

    span: Span
    text: str


def _figures() -> list[_Figure]:
    """The metrics, and the parameters of the fitted curve."""
    return [
        *map(_metric, METRICS.values()),
        _Figure("flush_floor", "Flush floor", "µs", True, lambda row: _fitted(row)[0]),
        _Figure("bandwidth", "Bandwidth ceiling", "MiB/s", False, lambda row: _fitted(row)[1]),
    ]


def _metric(metric: Metric) -> _Figure:
    return _Figure(
        metric.key,
        metric.label,
        metric.unit,
        metric.is_lower_better,
        lambda row: None if metric.is_of_all_sizes and _has_one_point(row) else row.metrics.get(metric.key),
        is_of_one_figure=metric.is_of_one_figure,
    )


def _has_one_point(row: DeviceRanking) -> bool:
    return sum(latency_us is not None for latency_us in row.median_us) == 1


def metric_rows(compared: Sequence[Compared], *, baseline: str = "") -> list[FigureRow]:
    """The figures that sum a device up, without those that no device has.

    `baseline` is a slug.
    """
    return _rows(_figures(), compared, baseline)


def point_rows(
    compared: Sequence[Compared], *, baseline: str = "", is_throughput: bool = False
) -> list[FigureRow]:
    """A row per block size, of latency or of throughput."""
    points = [_point(size, is_throughput=is_throughput) for size in BLOCK_SIZES]
    return _rows(points, compared, baseline)


def mark_best(readings: Sequence[Reading | None], factor: float) -> tuple[Mark, ...]:
    """Mark a sole leader "best", and several "tie"; `factor` is that between methods.

    Those lead that no other is surely better than, and those whose figure is formatted as the leader's.
    """
    known = [one for one in readings if one is not None]
    if len(known) < 2:
        return tuple("" for _ in readings)
    text = min(known, key=lambda one: one.span.high).text
    is_leading = [
        one is not None
        and (one.text == text or not any(surely_better(other.span, one.span, factor) for other in known))
        for one in readings
    ]
    mark: Mark = "best" if sum(is_leading) == 1 else "tie"
    return tuple(mark if one else "" for one in is_leading)


def _rows(figures: Iterable[_Figure], compared: Sequence[Compared], baseline: str) -> list[FigureRow]:
    rows = (_row(figure, compared, baseline=baseline) for figure in figures)
    return [row for row in rows if any(value is not None for value in row.values)]


def _row(figure: _Figure, compared: Sequence[Compared], *, baseline: str) -> FigureRow:
    values = tuple(figure.read(one.ranking) if one.ranking else None for one in compared)
    readings = [_reading(figure, one.ranking, value) for one, value in zip(compared, values, strict=True)]
    return FigureRow(
        key=figure.key,
        label=figure.label,
        unit=figure.unit,
        is_lower_better=figure.is_lower_better,
        values=values,
        marks=mark_best(readings, max(one.factor for one in compared)),
        digits=tuple(figure.digits(one.ranking) for one in compared),
        times=_times(compared, values, baseline),
        block_size=figure.block_size,
    )


def _reading(figure: _Figure, ranking: DeviceRanking | None, value: float | None) -> Reading | None:
    """The value with an interval as wide, in proportion, as that of the ranking.

    Only the ranked latency has an interval of its own: the spread between units is not known for other figures.
    Throughput is inverted.
    """
    if ranking is None or value is None:
        return None
    lower_better = value if figure.is_lower_better else 1 / value
    down, up = ranking.low / ranking.score, ranking.high / ranking.score
    text = format_number(value, figure.digits(ranking))
    return Reading(Span(ranking.method, lower_better * down, lower_better * up), text)


def _times(compared: Sequence[Compared], values: Values, baseline: str) -> Values:
    """Multiples of the baseline's value; None for values of another method."""
    if not baseline:
        return ()
    position = next(number for number, one in enumerate(compared) if one.device.slug == baseline)
    base, method = values[position], compared[position].method
    return tuple(
        None if base is None or value is None or one.method != method else value / base
        for one, value in zip(compared, values, strict=True)
    )


def _point(block_size: int, *, is_throughput: bool) -> _Figure:
    def read(row: DeviceRanking) -> float | None:
        latency_us = row.median_us[SLOT_OF_BLOCK_SIZE[block_size]]
        return throughput_mib_s(block_size, latency_us) if is_throughput and latency_us else latency_us

    quantity, unit = ("throughput", "MiB/s") if is_throughput else ("latency", "µs")
    key, is_of_one_figure = f"{quantity}_{block_size}", block_size == BLOCK_4K
    return _Figure(key, "", unit, not is_throughput, read, block_size, is_of_one_figure)


def _fitted(row: DeviceRanking) -> tuple[float | None, float | None]:
    fit = fit_curve(row.median_us)
    return (fit.flush_floor_us, fit.bandwidth_mib_s) if fit else (None, None)
