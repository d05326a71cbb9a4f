"""The method page: what the numbers mean, with a real example of a ranking."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from results.advice.comparison import OTHER_TEST
from results.advice.felt import ROUND_TRIP_US, STACK_US, ZIL_US, client_iops
from results.advice.lights import LIGHTS_VERSION, rules
from results.core.addresses import address
from results.core.head import Social
from results.core.public import public_page
from results.guide.felt import Prediction, predictions
from results.kinds.curve.metrics import (
    CONFIDENCE,
    FORMULA_CHANGES,
    FORMULA_VERSION,
    FormulaChange,
)
from results.kinds.flags import EFFECT_LABELS, FLAGS
from results.kinds.registry import all_metrics
from results.models import ClassRanking, DeviceRanking, Result
from results.models.fields import LATENCY_4K
from results.ranking.boards import ClassBoard, ends_of, factor_of
from results.ranking.intervals import (
    GUESSED_SPREAD,
    MIN_DEVICES,
    PRIOR_WEIGHT,
    Interval,
    blended_spread,
    half_width,
    interval,
    own_spread,
)
from results.ranking.ranked_lists import STORED
from results.ranking.recommend import SLOWEST_FACTOR
from results.ranking.senders import candidates_by_device, counted, independent_units
from results.ranking.standing import main_rows, span_of
from results.ranking.tiers import TIERS
from results.ranking.ties import METHOD_FACTOR, MIN_COMPARED, Place, find_place

FELT_EXAMPLES_US = (12, 30, 116, 1000, 10_000)
MAX_UNITS = 7  # a page lists each of them


class Unit(NamedTuple):
    """An independent unit: its number of results, and their median."""

    result_count: int
    latency_us: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """The formula's steps for a device; spreads and `half_width` are natural logs.

    `own_spread` is None for a device with one unit. `spread_source` is the origin of `board_spread`.
    """

    ranking: DeviceRanking
    units: tuple[Unit, ...]
    board_spread: float
    spread_source: str
    own_spread: float | None
    spread: float
    half_width: float
    interval: Interval
    place: Place
    device_count: int

    @property
    def spread_origin(self) -> str:
        return SPREAD_SOURCES[self.spread_source]

    @property
    def spread_percent(self) -> float:
        """The spread as a percentage above: 35 for 0.3 on the log scale."""
        return math.expm1(self.spread) * 100

    @property
    def factor(self) -> float:
        return math.exp(self.half_width)


def ranking_example() -> Example | None:
    """The device with most units that fit on the page; None before the first ranking."""
    rankings = main_rows().select_related("device")
    few = rankings.filter(unit_count__lte=MAX_UNITS).order_by("-unit_count", "high", "device_id").first()
    ranking = few or rankings.order_by("unit_count", "high", "device_id").first()
    if ranking is None:
        return None
    stored = ClassRanking.objects.filter(
        board=ranking.board, device_class=ranking.device_class, method=ranking.method
    ).first()
    if stored is None or stored.spread is None or ranking.board_spread is None:
        return None
    count, deviation = ranking.unit_count, ranking.unit_deviation
    device_spread = None if deviation is None else own_spread(deviation, count)
    spread = blended_spread(ranking.board_spread, device_spread, count)
    half = half_width(spread, count)
    ends = ends_of(ClassBoard(ranking.board, ranking.device_class))
    return Example(
        ranking=ranking,
        units=_units(ranking),
        board_spread=ranking.board_spread,
        spread_source=stored.spread_source,
        own_spread=device_spread,
        spread=spread,
        half_width=half,
        interval=interval(ranking.score, half),
        place=find_place(ends, span_of(ranking)),
        device_count=len(ends),
    )


def _units(ranking: DeviceRanking) -> tuple[Unit, ...]:
    results = Result.objects.filter(device=ranking.device_id, is_ranked=True)
    ranked = candidates_by_device(results, LATENCY_4K)[ranking.device_id]
    own = [measured for measured in ranked if measured.method == ranking.method]
    found = independent_units(measured.measured for measured in counted(own, ranked))
    units = (Unit(len(latencies), math.exp(median(map(math.log, latencies)))) for latencies in found)
    return tuple(sorted(units, key=lambda unit: unit.latency_us))


ABOUT_DESCRIPTION = "How we measure and rank SLOG devices, and what the numbers don’t show."
SPREAD_SOURCES = {
    "class": "of its class",
    "all": "of all classes, as its own has too few devices with several units",
    "guess": "that we assume until there are enough devices with several units",
}


@public_page(in_sitemap=True)
def about(request: HttpRequest) -> HttpResponse:
    example = ranking_example()
    context = {
        "nav": "about",
        "metrics": all_metrics().values(),
        "formula": Formula(),
        "boards": [
            (board, listed.metric, listed.meaning, factor_of(board)) for board, listed in STORED.items()
        ],
        "tiers": TIERS,
        "flag_effects": [(words, FLAGS[effect]) for effect, words in EFFECT_LABELS.items()],
        "slowest_factor": SLOWEST_FACTOR,
        "felt": Felt(
            [(latency_us, client_iops(latency_us)) for latency_us in FELT_EXAMPLES_US], predictions()
        ),
        "lights": rules().values(),
        "lights_version": LIGHTS_VERSION,
        "example": example,
        "social": Social("What the numbers mean", ABOUT_DESCRIPTION, address("about")),
    }
    return render(request, "results/guide/method.html", context)


@dataclass(frozen=True, slots=True)
class Felt:
    """What a client feels of a log device's latency: writes per second, and predictions beside measurements."""

    examples: Sequence[tuple[float, float]]
    pools: Sequence[Prediction]
    round_trip_us: float = ROUND_TRIP_US
    stack_us: float = STACK_US
    zil_us: float = ZIL_US


@dataclass(frozen=True, slots=True)
class Formula:
    """The constants of the ranking, and their changes, newest first."""

    version: int = FORMULA_VERSION
    changes: Sequence[FormulaChange] = FORMULA_CHANGES[::-1]
    prior_weight: float = PRIOR_WEIGHT
    quantile: float = (1 + CONFIDENCE) / 2
    fewest_devices: int = MIN_DEVICES
    assumed_factor: float = METHOD_FACTOR
    other_test_factor: float | None = OTHER_TEST.factor
    fewest_compared: int = MIN_COMPARED
    guessed_spread: float = GUESSED_SPREAD
