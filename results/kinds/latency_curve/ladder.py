"""The fio ladder of a device or paste: writes per second by number of writers."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from django.db.models import BooleanField, F, Func, Q
from django.utils.safestring import mark_safe

from results.charts.description import Step
from results.charts.svg import ladder_chart
from results.core.addresses import address
from results.core.formats import format_block_size, format_count, format_number
from results.kinds.flags import Effect
from results.kinds.latency_curve.metrics import iops
from results.models import DeviceRanking, Result
from results.models.choices import Board, Method
from results.models.conditions import FLUSH_OFF
from results.models.fields import BLOCK_SIZES, SLOT_4K
from results.models.result import ResultQuerySet

MAX_RESULTS = 500  # of a device: the newest
# Flags that don't exclude a result from a ladder, in which nothing is ranked.
HARMLESS = ("several_writers", "unknown_model")
_COLUMNS = ("public_id", "writers", "latency_us", "submission__figure_digits")

Curve = Sequence[float | None]


class Rung(NamedTuple):
    """The latency by block size for each of `writers` concurrent writers.

    `url` is that of the newest result; `digits` are the fewest of published figures among the results.
    """

    writers: int
    latency_us: Curve
    result_count: int
    url: str
    digits: int | None


class _HasFlag(Func):
    """Whether the flags have one of this effect that isn't HARMLESS."""

    function = "jsonb_path_exists"
    template = "%(function)s(%(expressions)s, '$[*] ? (@.effect == \"%(effect)s\"%(others)s)')"
    output_field = BooleanField()

    def __init__(self, effect: Effect) -> None:
        others = "".join(f' && @.code != "{code}"' for code in HARMLESS)
        super().__init__(F("flags"), effect=effect.value, others=others)


def ladder_results() -> ResultQuerySet:
    """The published results by fio, by any number of writers, without copies and excluding flags."""
    is_checked = Q(submission__is_approved=True) | ~Q(_HasFlag(Effect.WAITS))
    of_fio = Result.objects.published().filter(method=Method.FIO, copy_of=None)
    return of_fio.filter(~Q(_HasFlag(Effect.NOT_RANKED)), is_checked)


def device_ladder(device_id: int) -> dict[str, Any]:
    """The context of the section on a device's page; empty without several writers.

    Where someone is accountable for some results by that many writers, the others don't count.
    """
    results = ladder_results().filter(device=device_id).with_accountable()
    newest = results.order_by("-id").values(*_COLUMNS, "is_accountable")
    several = _rungs(newest.filter(writers__isnull=False)[:MAX_RESULTS])
    if not several:
        return {}
    single = _rungs(newest.filter(writers=None)[:MAX_RESULTS])
    ranking = DeviceRanking.objects.filter(
        board=Board.SYNC_WRITE, device=device_id, method=Method.FIO
    ).first()
    if ranking is not None and single:
        of_ranking = {name: getattr(ranking, name) for name in ("result_count", "digits")}
        single = [single[0]._replace(latency_us=ranking.median_us, **of_ranking)]
    return {"ladder": _context([*single, *several])}


def paste_ladder(found: Result) -> dict[str, Any]:
    """The context for a device's results in one paste; empty without several writers."""
    if found.method != Method.FIO or found.sync_method == FLUSH_OFF:
        return {}
    rows = Result.objects.filter(
        submission=found.submission_id, device=found.device_id, method=Method.FIO
    ).exclude(sync_method=FLUSH_OFF)
    rungs = _rungs(rows.order_by("-id").values(*_COLUMNS))
    if not any(rung.writers > 1 for rung in rungs):
        return {}
    return {"ladder": _context(rungs)}


def _rungs(rows: Iterable[Mapping[str, Any]]) -> list[Rung]:
    """The medians of the rows, newest first, by ascending number of writers."""
    by_writers: defaultdict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        by_writers[row["writers"] or 1].append(row)
    for writers, of_writers in by_writers.items():
        by_writers[writers] = [row for row in of_writers if row.get("is_accountable")] or of_writers
    return [
        Rung(
            writers,
            [_median(values) for values in zip(*(row["latency_us"] for row in found), strict=True)],
            len(found),
            address("result", found[0]["public_id"]),
            min(filter(None, (row["submission__figure_digits"] for row in found)), default=None),
        )
        for writers, found in sorted(by_writers.items())
    ]


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None


def _context(rungs: Sequence[Rung]) -> dict[str, Any]:
    """The context of kinds/latency_curve/ladder.html, at the most common block size.

    In a tie, 4 KiB is preferred.
    """
    slot = max(
        range(len(BLOCK_SIZES)),
        key=lambda slot: (sum(rung.latency_us[slot] is not None for rung in rungs), slot == SLOT_4K, -slot),
    )
    size = format_block_size(BLOCK_SIZES[slot])
    found = [(rung, latency_us) for rung in rungs if (latency_us := rung.latency_us[slot]) is not None]
    rates = [iops(latency_us, rung.writers) for rung, latency_us in found]
    steps = [
        Step(
            rung.writers,
            rate,
            f"{format_count(rung.writers, 'writer')}: {format_number(rate, rung.digits)} writes per second, "
            f"{format_number(latency_us, rung.digits)} µs each",
        )
        for (rung, latency_us), rate in zip(found, rates, strict=True)
    ]
    svg = ladder_chart(
        steps,
        title=f"Writes per second by number of writers, {size}",
        description="; ".join(step.text for step in steps),
    )
    return {
        "size": size,
        "svg": mark_safe(svg),  # noqa: S308 - results.charts escapes every text that it writes
        "summary": _summary(found, rates, size),
        "rows": [
            {
                "writers": rung.writers,
                "iops": format_number(rate, rung.digits),
                "times": f"{format_number(rate / rates[0])}×",
                "latency": format_number(latency_us, rung.digits),
                "count": format_count(rung.result_count, "result"),
                "url": rung.url,
            }
            for (rung, latency_us), rate in zip(found, rates, strict=True)
        ],
        "base": found[0][0].writers,
    }


def _summary(found: Sequence[tuple[Rung, float]], rates: Sequence[float], size: str) -> str:
    """A sentence that compares most writers with one; "" if one wasn't measured."""
    (first, first_us), (last, last_us) = found[0], found[-1]
    if first.writers != 1 or last.writers == 1:
        return ""
    return (
        f"{last.writers} writers at the same time get {format_number(rates[-1] / rates[0])} times as many {size} "
        f"writes per second done as one, and each of them waits {format_number(last_us / first_us)} times as long."
    )
