"""How worn the measured units of a device were, and whether the worn ones are slower."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from statistics import NormalDist
from typing import NamedTuple

from django.db.models import F, Q

from results.models import DeviceRanking, Result
from results.models.choices import Method
from results.models.fields import SLOT_OF_BLOCK_SIZE
from results.ranking.intervals import CONFIDENCE, GUESSED_SPREAD

MOST_UNITS = 200
_HAS_WEAR = (
    Q(percentage_used__isnull=False) | Q(power_on_hours__isnull=False) | Q(host_bytes_written__isnull=False)
)


class WornUnit(NamedTuple):
    """The latest ranked run of one unit that says anything of its wear; latency in µs as the board ranks it."""

    public_id: str
    measured_on: date | None
    percentage_used: int | None
    host_bytes_written: int | None
    power_on_hours: int | None
    latency_us: float


class WearMeasure(Enum):
    """What wear is read off, the one that says most first."""

    PERCENTAGE_USED = "percentage_used"
    HOST_BYTES_WRITTEN = "host_bytes_written"
    POWER_ON_HOURS = "power_on_hours"


@dataclass(frozen=True, slots=True)
class WearContrast:
    """The most worn unit beside the least worn one, and by what factor two units of the board usually differ."""

    least: WornUnit
    most: WornUnit
    usual_factor: float

    @property
    def factor(self) -> float:
        """How many times as long the most worn one takes."""
        return self.most.latency_us / self.least.latency_us

    @property
    def is_beyond_usual(self) -> bool:
        return abs(math.log(self.factor)) > math.log(self.usual_factor)


def find_worn_units(ranking: DeviceRanking) -> list[WornUnit]:
    """The units of which a ranked run states any wear, by the latest such run; at most MOST_UNITS. One query."""
    is_fio = ranking.method == Method.FIO
    column = f"latency_us__{SLOT_OF_BLOCK_SIZE[4096]}" if is_fio else "zil_latency_us"
    latest = (
        Result.objects.filter(_HAS_WEAR, device=ranking.device_id, method=ranking.method, is_ranked=True)
        .order_by("ranking_unit", F("measured_on").desc(nulls_last=True), "-id")
        .distinct("ranking_unit")
    )
    rows = latest.values_list(
        "public_id", "measured_on", "percentage_used", "host_bytes_written", "power_on_hours", column
    )
    return [WornUnit(*row) for row in rows[:MOST_UNITS]]


def pick_measure(units: Sequence[WornUnit]) -> WearMeasure | None:
    """The first measure by which at least two units differ; None where there is none."""
    return next((measure for measure in WearMeasure if len(set(_stated(units, measure))) > 1), None)


def order_by_wear(units: Sequence[WornUnit], measure: WearMeasure) -> list[tuple[float, WornUnit]]:
    """The units that state this measure, each with its value, the least worn first."""
    stated = [(float(value), unit) for unit in units if (value := getattr(unit, measure.value)) is not None]
    return sorted(stated, key=lambda pair: pair[0])


def contrast_wear(ordered: Sequence[tuple[float, WornUnit]], board_spread: float | None) -> WearContrast:
    """Of at least two units by wear, the ends beside each other, held against the spread between units of one device.

    Two logs differ by their spread times the square root of 2; in CONFIDENCE of all cases by no more than `usual`.
    """
    spread = board_spread or GUESSED_SPREAD
    usual = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * math.sqrt(2) * spread
    return WearContrast(ordered[0][1], ordered[-1][1], math.exp(usual))


def _stated(units: Sequence[WornUnit], measure: WearMeasure) -> list[float]:
    return [value for unit in units if (value := getattr(unit, measure.value)) is not None]
