"""The wear of a device's measured units, and whether worn ones are slower: a chart, a table, a sentence."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Any, NamedTuple

from django.db.models import F
from django.utils.safestring import SafeString

from parsers.base.units import TERABYTE
from results.advice.comparison import pair_factor
from results.charts.dots import Dot, wear_chart
from results.core.formats import format_number
from results.kinds.curve.metrics import ranked_metric
from results.models import DeviceRanking, Result
from results.models.fields import LATENCY_4K
from results.models.result import HAS_WEAR
from results.ranking.intervals import GUESSED_SPREAD

MAX_UNITS = 200


class WornUnit(NamedTuple):
    """The latest ranked run of a unit that states its wear; `latency_us` is the ranked latency."""

    public_id: str
    measured_on: date | None
    wear_percent: int | None
    host_bytes_written: int | None
    power_on_hours: int | None
    latency_us: float

    @property
    def written_tb(self) -> float | None:
        return None if self.host_bytes_written is None else self.host_bytes_written / TERABYTE


class WearMeasure(Enum):
    """The measures of wear, the most meaningful first."""

    WEAR_PERCENT = "wear_percent"
    HOST_BYTES_WRITTEN = "host_bytes_written"
    POWER_ON_HOURS = "power_on_hours"


@dataclass(frozen=True, slots=True)
class WearContrast:
    """The most and the least worn unit, and the factor by which two units of the board usually differ."""

    least: WornUnit
    most: WornUnit
    usual_factor: float

    @property
    def factor(self) -> float:
        """How many times as long the most worn unit takes."""
        return self.most.latency_us / self.least.latency_us

    @property
    def is_beyond_usual(self) -> bool:
        return abs(math.log(self.factor)) > math.log(self.usual_factor)


def find_worn_units(ranking: DeviceRanking) -> list[WornUnit]:
    """The latest ranked run of each unit that states any wear; at most MAX_UNITS. One query.

    A subquery finds them in an index alone.
    """
    latest = (
        Result.objects.filter(HAS_WEAR, device=ranking.device_id, method=ranking.method)
        .order_by("ranking_unit", F("measured_on").desc(nulls_last=True), F("id").desc())
        .distinct("ranking_unit")
    )
    found = Result.objects.filter(pk__in=latest.values("pk")[:MAX_UNITS]).order_by("ranking_unit")
    rows: Iterable[Any] = found.values_list(
        "public_id", "measured_on", "wear_percent", "host_bytes_written", "power_on_hours", LATENCY_4K
    )
    return [WornUnit(*row) for row in rows]


def pick_measure(units: Sequence[WornUnit]) -> WearMeasure | None:
    """The first measure by which at least two units differ; None if there is none."""
    for measure in WearMeasure:
        if len({value for value, _ in order_by_wear(units, measure)}) > 1:
            return measure
    return None


def order_by_wear(units: Sequence[WornUnit], measure: WearMeasure) -> list[tuple[float, WornUnit]]:
    """The units that state this measure, each with its value, the least worn first."""
    stated = [(float(value), unit) for unit in units if (value := getattr(unit, measure.value)) is not None]
    return sorted(stated, key=lambda pair: pair[0])


def contrast_wear(ordered: Sequence[tuple[float, WornUnit]], board_spread: float | None) -> WearContrast:
    """Compare the ends of at least two units ordered by wear, given the spread between units of one device."""
    return WearContrast(ordered[0][1], ordered[-1][1], pair_factor(board_spread or GUESSED_SPREAD))


_NAMES = {
    WearMeasure.WEAR_PERCENT: ("endurance used", "%", 1.0),
    WearMeasure.HOST_BYTES_WRITTEN: ("written by hosts", "TB", 1.0 / TERABYTE),
    WearMeasure.POWER_ON_HOURS: ("power-on time", "h", 1.0),
}
_STEPS = (1, 2, 4, 8)  # ends of the axis within a decade: their quarters are round numbers


@dataclass(frozen=True, slots=True)
class Wear:
    """What devices/wear.html shows: units in the order of a measure of wear."""

    svg: SafeString
    metric: str
    measure: str
    summary: str
    units: Sequence[WornUnit]


def describe_wear(units: Sequence[WornUnit], ranking: DeviceRanking) -> Wear | None:
    """None unless two units state their wear and differ in it."""
    measure = pick_measure(units)
    if measure is None:
        return None
    ordered = order_by_wear(units, measure)
    name, unit, _ = _NAMES[measure]
    metric = ranked_metric(ranking.board).label
    return Wear(
        _draw(ordered, measure, metric),
        metric,
        f"{name} in {unit}",
        _summary(contrast_wear(ordered, ranking.board_spread), len(ordered)),
        [worn for _, worn in ordered],
    )


def _summary(contrast: WearContrast, unit_count: int) -> str:
    usual = format_number(contrast.usual_factor)
    factor = format_number(contrast.factor)
    found = f"The most worn of {unit_count} units takes {factor} times as long as the least worn one"
    if not contrast.is_beyond_usual:
        return f"{found}. Two units usually differ by up to {usual} times anyway, so this shows no effect of wear."
    beyond = f"{found}, where two units usually differ by no more than {usual} times."
    return f"{beyond} Look at their other conditions, too."


def _draw(ordered: Sequence[tuple[float, WornUnit]], measure: WearMeasure, metric: str) -> SafeString:
    name, unit, scale = _NAMES[measure]
    most = ordered[-1][0] * scale
    decade = 10.0 ** math.floor(math.log10(most))
    end = next((step * decade for step in _STEPS if step * decade >= most), 10 * decade)
    dots = []
    for value, worn in ordered:
        label = f"{value * scale:,.4g} {unit} {name}: {format_number(worn.latency_us)} µs"
        dots.append(Dot(value * scale, worn.latency_us, label))
    title, description = f"{metric} over {name}", f"A dot for each of {len(dots)} units."
    return wear_chart(dots, end, f"{name}, {unit}", title=title, description=description)
