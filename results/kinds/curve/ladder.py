"""The fio ladder of a device or paste: writes per second by number of writers."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

from django.db.models import BooleanField, F, Func, Q
from django.utils.safestring import SafeString

from results.charts.dots import Dot, ladder_chart
from results.core.addresses import address
from results.core.formats import format_block_size, format_count, format_number
from results.kinds.curve.metrics import Curve, iops
from results.kinds.flags import Effect
from results.models import DeviceRanking, Result
from results.models.choices import Board, Method
from results.models.conditions import FLUSH_OFF
from results.models.fields import BLOCK_SIZES, SLOT_4K
from results.models.result import ResultQuerySet

MAX_RESULTS = 500  # of a device: the newest
# Flags that don't exclude a result from a ladder, in which nothing is ranked.
HARMLESS = ("several_writers", "unknown_model")
_COLUMNS = ("public_id", "writers", "latency_us", "submission__figure_digits")


class Rung(NamedTuple):
    """The latency by block size for each of `writers` concurrent writers.

    `url` is that of the newest result; `digits` are the fewest of published figures among the results.
    """

    writers: int
    latency_us: Curve
    result_count: int
    url: str
    digits: int | None


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A rung at the ladder's block size."""

    rung: Rung
    latency_us: float

    @property
    def iops(self) -> float:
        return iops(self.latency_us, self.rung.writers)

    @property
    def text(self) -> str:
        digits = self.rung.digits
        return (
            f"{format_count(self.rung.writers, 'writer')}: {format_number(self.iops, digits)} writes per second, "
            f"{format_number(self.latency_us, digits)} µs each"
        )


@dataclass(frozen=True, slots=True)
class Ladder:
    """Writes per second by number of writers, ascending."""

    block_size: int
    rows: Sequence[LadderRow]

    @property
    def svg(self) -> SafeString:
        return ladder_chart(
            [Dot(row.rung.writers, row.iops, row.text) for row in self.rows],
            title=f"Writes per second by number of writers, {format_block_size(self.block_size)}",
            description="; ".join(row.text for row in self.rows),
        )

    @property
    def times(self) -> list[tuple[LadderRow, float]]:
        """Each row with its writes per second as a multiple of the first."""
        return [(row, row.iops / self.rows[0].iops) for row in self.rows]

    @property
    def summary(self) -> str:
        """A sentence that compares most writers with one; "" if one wasn't measured."""
        first, last = self.rows[0], self.rows[-1]
        if first.rung.writers != 1 or last.rung.writers == 1:
            return ""
        more, longer = last.iops / first.iops, last.latency_us / first.latency_us
        return (
            f"{last.rung.writers} writers at the same time get {format_number(more)} times as many "
            f"{format_block_size(self.block_size)} writes per second done as one, and each of them waits "
            f"{format_number(longer)} times as long."
        )


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
    for_fio = Result.objects.published().filter(method=Method.FIO, copy_of=None)
    return for_fio.filter(~Q(_HasFlag(Effect.NOT_RANKED)), is_checked)


def device_ladder(device_id: int) -> Ladder | None:
    """The ladder of a device; None without several writers.

    Where someone is accountable for some results by that many writers, the others don't count.
    """
    results = ladder_results().filter(device=device_id).with_accountable()
    newest = results.order_by("-id").values(*_COLUMNS, "is_accountable")
    several = _rungs(newest.filter(writers__isnull=False)[:MAX_RESULTS])
    if not several:
        return None
    single = _rungs(newest.filter(writers=None)[:MAX_RESULTS])
    ranking = DeviceRanking.objects.filter(
        board=Board.SYNC_WRITE, device=device_id, method=Method.FIO
    ).first()
    if ranking is not None and single:
        for_ranking = {name: getattr(ranking, name) for name in ("result_count", "digits")}
        single = [single[0]._replace(latency_us=ranking.median_us, **for_ranking)]
    return _ladder([*single, *several])


def paste_ladder(found: Result) -> Ladder | None:
    """The ladder of a device's results in one paste; None without several writers."""
    if found.method != Method.FIO or found.sync_method == FLUSH_OFF:
        return None
    rows = Result.objects.filter(
        submission=found.submission_id, device=found.device_id, method=Method.FIO
    ).exclude(sync_method=FLUSH_OFF)
    rungs = _rungs(rows.order_by("-id").values(*_COLUMNS))
    return _ladder(rungs) if any(rung.writers > 1 for rung in rungs) else None


def _rungs(rows: Iterable[Mapping[str, Any]]) -> list[Rung]:
    """The medians of the rows, newest first, by ascending number of writers."""
    by_writers: defaultdict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        by_writers[row["writers"] or 1].append(row)
    for writers, for_writers in by_writers.items():
        by_writers[writers] = [row for row in for_writers if row.get("is_accountable")] or for_writers
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


def _ladder(rungs: Sequence[Rung]) -> Ladder:
    """The rungs at their most common block size; in a tie, 4 KiB is preferred."""
    slot = max(
        range(len(BLOCK_SIZES)),
        key=lambda slot: (sum(rung.latency_us[slot] is not None for rung in rungs), slot == SLOT_4K, -slot),
    )
    found = [(rung, latency_us) for rung in rungs if (latency_us := rung.latency_us[slot]) is not None]
    return Ladder(BLOCK_SIZES[slot], [LadderRow(rung, latency_us) for rung, latency_us in found])
