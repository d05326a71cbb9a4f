"""Boards ranked on request: they have few devices and follow the rules of stored boards."""

from collections.abc import Iterable, Mapping, Sequence
from math import exp, log
from statistics import median
from typing import Any, NamedTuple

from django.db.models import Count, Q
from django.db.models.lookups import Exact

from results.kinds.flags import Effect
from results.kinds.registry import KINDS
from results.models import Result
from results.models.result import ResultQuerySet
from results.ranking.intervals import GUESSED_SPREAD, MAX_PAIRS, MIN_DEVICES, median_interval, pooled_spread
from results.ranking.ranked_lists import LiveList
from results.ranking.senders import Candidate, candidates_by_device, counted, independent_units
from results.ranking.ties import Place, Span, find_places, order_ends


class LiveRanking(NamedTuple):
    """A device's place, the median over its independent units with its interval, and its newest result."""

    device_id: int
    result_id: int
    score: float
    low: float
    high: float
    unit_count: int
    result_count: int
    place: Place


def find_loads(listed: LiveList) -> list[tuple[list[Any], int]]:
    """The loads of a list with the number of their devices, most first. One query."""
    counts = _results(listed).values_list(*listed.load).annotate(devices=Count("device", distinct=True))
    return sorted(((load, count) for *load, count in counts.order_by()), key=lambda item: (-item[1], item[0]))


def rank_live(listed: LiveList, load: Sequence[Any]) -> list[LiveRanking]:
    """The devices of a list that were measured under this load, the best first. One query."""
    results = _results(listed).filter(*(Exact(*pair) for pair in zip(listed.load, load, strict=True)))
    figure = f"{listed.kind}__{listed.metric_key}"
    return rank_by_figure(
        candidates_by_device(results, figure), is_lower_better=listed.metric.is_lower_better
    )


def _results(listed: LiveList) -> ResultQuerySet:
    """The results that count, unless others are vouched for (results.ranking.senders)."""
    waits = Q(flags__contains=[{"effect": Effect.WAITS.value}], submission__is_approved=False)
    published = Result.objects.published().filter(method__in=KINDS[listed.kind].methods, copy_of=None)
    return published.filter(~waits, listed.counted)


def rank_by_figure(results: Mapping[int, Sequence[Candidate]], *, is_lower_better: bool) -> list[LiveRanking]:
    """The devices in the order of the worse ends of their intervals, by methods that measure alike.

    Rates get their places by their reciprocals, which are times: lower is better.
    """
    shown = {device_id: counted(candidates) for device_id, candidates in results.items()}
    units = {
        device_id: [
            median(map(log, values)) for values in independent_units(result.measured for result in candidates)
        ]
        for device_id, candidates in shown.items()
    }
    spread = _spread_between(units.values())
    intervals = {
        device_id: median_interval(exp(median(logs)), _deviation(logs), len(logs), spread=spread)
        for device_id, logs in units.items()
    }
    spans = {
        device_id: Span("", low, high) if is_lower_better else Span("", 1 / high, 1 / low)
        for device_id, (low, high) in intervals.items()
    }
    spans = dict(sorted(spans.items(), key=lambda item: (item[1].high, item[0])))
    places = find_places(order_ends(spans.values()), spans.values())
    return [
        LiveRanking(
            device_id,
            max(result.result_id for result in shown[device_id]),
            exp(median(units[device_id])),
            *intervals[device_id],
            len(units[device_id]),
            len(shown[device_id]),
            place,
        )
        for device_id, place in zip(spans, places, strict=True)
    ]


def _deviation(logs: Sequence[float]) -> float:
    return median(abs(unit - median(logs)) for unit in logs)


def _spread_between(units: Iterable[Sequence[float]]) -> float:
    """The deviation between units of one device, as in a pass (results.ranking.boards); a guess from few devices."""
    pairs = [list(zip(logs[::2], logs[1::2], strict=False))[:MAX_PAIRS] for logs in units if len(logs) > 1]
    if len(pairs) < MIN_DEVICES:
        return GUESSED_SPREAD
    return pooled_spread(
        median(abs(first - second) for device_pairs in pairs for first, second in device_pairs)
    )
