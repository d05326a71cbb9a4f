"""The method page: what the numbers mean, with a real example of a ranking."""

import math
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from results.advice.felt import ROUND_TRIP_US, STACK_US, ZIL_US, client_iops
from results.core.addresses import address
from results.core.formats import format_date, format_number, format_range, format_rounded
from results.core.head import page_social
from results.core.public import public_page
from results.guide.felt import predictions
from results.kinds.flags import EFFECT_LABELS, FLAGS
from results.kinds.latency_curve.metrics import CONFIDENCE, FORMULA_CHANGES, FORMULA_VERSION, ranked_metric
from results.kinds.registry import all_metrics
from results.models import ClassRanking, DeviceRanking, Result
from results.models.choices import Board
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
from results.ranking.recommend import SLOWEST_FACTOR
from results.ranking.senders import candidates_by_device, counted, independent_units
from results.ranking.standing import main_rows, span_of
from results.ranking.tiers import TIERS
from results.ranking.ties import METHOD_FACTOR, MIN_COMPARED, WAYS_FACTOR, Place, find_place, format_places

FELT_EXAMPLES_US = (12, 30, 116, 1000, 10_000)
MOST_UNITS = 7  # a page lists each of them


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


def ranking_example() -> Example | None:
    """The device with most units that fit on the page; None before the first ranking."""
    ranking = _choose()
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


def _choose() -> DeviceRanking | None:
    rankings = main_rows().select_related("device")
    few = rankings.filter(unit_count__lte=MOST_UNITS).order_by("-unit_count", "high", "device_id").first()
    return few or rankings.order_by("unit_count", "high", "device_id").first()


def _units(ranking: DeviceRanking) -> tuple[Unit, ...]:
    results = Result.objects.filter(device=ranking.device_id, is_ranked=True)
    ranked = candidates_by_device(results, LATENCY_4K)[ranking.device_id]
    own = [one for one in ranked if one.method == ranking.method]
    found = independent_units(one.measured for one in counted(own, ranked))
    units = (Unit(len(latencies), math.exp(median(map(math.log, latencies)))) for latencies in found)
    return tuple(sorted(units, key=lambda unit: unit.latency_us))


ABOUT_DESCRIPTION = "How we measure and rank SLOG devices, and what the numbers don’t show."
SPREAD_SOURCES = {
    "class": "of its class",
    "all": "of all classes, as its own has too few devices with several units",
    "guess": "that we assume until there are enough devices with several units",
}


@public_page()
def about(request: HttpRequest) -> HttpResponse:
    example = ranking_example()
    context = {
        "nav": "about",
        "metrics": all_metrics().values(),
        "formula": _formula(),
        "boards": [_board(board) for board in Board],
        "tiers": TIERS,
        "flag_effects": [{**words, "meanings": FLAGS[effect]} for effect, words in EFFECT_LABELS.items()],
        "recommendations": {"slowest_factor": SLOWEST_FACTOR},
        "felt": {
            "round_trip": f"{ROUND_TRIP_US:g}",
            "stack": f"{STACK_US:g}",
            "zil": f"{ZIL_US:g}",
            "examples": [
                {"latency": format_number(one), "iops": format_rounded(client_iops(one))}
                for one in FELT_EXAMPLES_US
            ],
            "pools": predictions(),
        },
        "example": _example(example) if example else None,
        **page_social("What the numbers mean", ABOUT_DESCRIPTION, address("about")),
    }
    return render(request, "results/guide/method.html", context)


BOARD_MEANINGS = {
    Board.SYNC_WRITE: "One durable write of 4 KiB to the raw device: any single writer, by diskinfo or fio.",
    Board.ZIL: "The sizes that the ZIL writes: runs that measured all of them, by diskinfo or fio.",
}


def _board(board: Board) -> dict[str, Any]:
    return {
        "key": board.value,
        "label": board.label,
        "metric": ranked_metric(board),
        "meaning": BOARD_MEANINGS[board],
        "factor": f"{factor_of(board):g}",
    }


def _formula() -> dict[str, Any]:
    changes = [
        {"version": change.version, "date": format_date(change.made_on), "text": change.text}
        for change in reversed(FORMULA_CHANGES)
    ]
    return {
        "version": FORMULA_VERSION,
        "changes": changes,
        "prior_weight": PRIOR_WEIGHT,
        "quantile": f"{(1 + CONFIDENCE) * 50:.4g} %",
        "fewest_devices": MIN_DEVICES,
        "assumed_factor": f"{METHOD_FACTOR:g}",
        "ways_factor": f"{WAYS_FACTOR:g}",
        "fewest_compared": MIN_COMPARED,
        "guessed_spread": f"{GUESSED_SPREAD:g}",
    }


def _example(example: Example) -> dict[str, Any]:
    ranking = example.ranking
    return {
        "model_name": ranking.device.model_name,
        "url": ranking.device.get_absolute_url(),
        "class_label": ranking.get_device_class_display(),
        "units": [
            {"number": number, "n_results": unit.result_count, "latency": format_number(unit.latency_us)}
            for number, unit in enumerate(example.units, start=1)
        ],
        "n_units": ranking.unit_count,
        "median": format_number(ranking.score, ranking.digits),
        "board_spread": f"{example.board_spread:.3f}",
        "spread_source": SPREAD_SOURCES[example.spread_source],
        "own_spread": "" if example.own_spread is None else f"{example.own_spread:.3f}",
        "spread": f"{example.spread:.3f}",
        "spread_percent": _percent(example.spread),
        "half_width": f"{example.half_width:.3f}",
        "factor": f"{math.exp(example.half_width):.3f}",
        "low": format_number(example.interval.low, ranking.digits),
        "high": format_number(example.interval.high, ranking.digits),
        "range": format_range(example.interval.low, example.interval.high, ranking.digits),
        "places": format_places(example.place),
        "device_count": f"{example.device_count:,}",
    }


def _percent(spread: float) -> str:
    """A spread on the log scale as the percentage above: 0.3 is 35 %."""
    return f"{math.expm1(spread) * 100:.0f} %"
