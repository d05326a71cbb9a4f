"""Drives by power-loss protection: the strips of the chart, and what they show in words."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db.models import (
    Case,
    CharField,
    Count,
    F,
    FloatField,
    Func,
    IntegerField,
    Max,
    Min,
    Q,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Floor, Ln

from results.charts.strip import Gap, How, Strip, StripMark
from results.core.addresses import drive_address
from results.core.formats import format_count, format_times, latency_label
from results.core.subject import drive_name_from_row
from results.models.choices import PLP_TONES, PROTECTED, Segment
from results.models.device import for_device
from results.ranking.bands import SOURCE_URL, Band, read_bands
from results.ranking.standing import in_a_sentence, main_rows

MAX_RANKED = 60  # marks of a strip: of more drives the first, the last, and as many between them
MAX_NAMED = 3

SAFE, UNKNOWN, UNSAFE = "good", "muted", "bad"  # the strips, by the CSS class of their color
_LABELS = {SAFE: "Protected", UNKNOWN: "Partly protected or unknown", UNSAFE: "Not protected"}
_BUCKETS = 6  # for each factor of e: at most MAX_RANKED from 1 µs to 20 ms

_OF_DEVICE = for_device(
    "slug", "page", "model_name", "capacity_bytes", "product__vendor__name", "product__name", "product__plp"
)
_STRIP = Case(
    *(When(device__product__plp__in=values, then=Value(tone)) for tone, values in PLP_TONES.items()),
    default=Value(UNKNOWN),
    output_field=CharField(),
)


# How well a drive is known: by its results, and by the names that are in use for it
_NAMES = Func(F("device__product__aliases"), function="cardinality", output_field=IntegerField())
_FAME = F("result_count") + Coalesce(_NAMES, 0)


_PAIR = ArrayField(FloatField())


class _ValuePair(Func):
    """Two values as an array, so that a minimum or maximum of the first comes with the second."""

    template = "ARRAY[%(expressions)s::double precision]"
    arg_joiner = "::double precision, "


@dataclass(frozen=True, slots=True)
class Group:
    """The ranked drives of a strip: `marks` may be a selection of them, the fastest first, with the ends of all."""

    tone: str
    count: int
    marks: Sequence[StripMark]

    @property
    def range_text(self) -> str:
        """As in "2.93 to 182 µs"; "" without a ranked drive."""
        marks = self.marks
        if len(marks) < 2:
            return marks[0].latency if marks else ""
        return f"{marks[0].latency_number} to {marks[-1].latency}"

    @property
    def summary(self) -> str:
        """As in "18 drives, 2.93 to 182 µs"."""
        return ", ".join(filter(None, [format_count(self.count, "drive"), self.range_text]))


@dataclass(frozen=True, slots=True)
class Exceptions:
    """What the headline leaves out: slow protected drives, and a talk's slow class."""

    slow: Sequence[StripMark]
    band: Band | None

    @property
    def band_name(self) -> str:
        """In a sentence: "enterprise SATA SSDs"."""
        return in_a_sentence(self.band.label) if self.band else ""

    @property
    def band_latency(self) -> str:
        """As in "1 ms"."""
        return latency_label(self.band.low_us) if self.band and self.band.low_us else ""

    @property
    def source_url(self) -> str:
        return SOURCE_URL


@dataclass(frozen=True, slots=True)
class Strips:
    """The three groups, and what they show. `ahead_count` protected drives are faster than all of `unsafe`."""

    safe: Group
    unknown: Group
    unsafe: Group
    ahead_count: int

    @property
    def groups(self) -> tuple[Group, Group, Group]:
        return self.safe, self.unknown, self.unsafe

    @property
    def count(self) -> int:
        return sum(group.count for group in self.groups)

    @property
    def drawn(self) -> list[Strip]:
        return [Strip(group.tone, _LABELS[group.tone], group.summary, group.marks) for group in self.groups]

    @property
    def is_selection(self) -> bool:
        """Whether some ranked drives have no mark."""
        return self.count > sum(len(group.marks) for group in self.groups)

    @property
    def is_apart(self) -> bool:
        """Whether every ranked protected drive is faster than every unprotected one."""
        return bool(self.ahead_count) and self.ahead_count == self.safe.count

    @property
    def compared(self) -> list[Strip]:
        """The strips that the headline is about; all, unless both of them have a drive."""
        drawn = self.drawn
        return [drawn[0], drawn[2]] if self.safe.count and self.unsafe.count else drawn

    @property
    def everything(self) -> list[Strip]:
        """All strips, those first that the headline is about."""
        safe, unknown, unsafe = self.drawn
        return [safe, unsafe, unknown]

    @property
    def gap(self) -> Gap | None:
        """Between the protected drives that are ahead and the fastest of the others; None if none is ahead."""
        if not self.ahead_count:
            return None
        fastest_unsafe = self.unsafe.marks[0].latency_us
        slowest = max(mark.latency_us for mark in self.safe.marks if mark.latency_us < fastest_unsafe)
        return Gap(slowest, fastest_unsafe, f"{format_times(fastest_unsafe / slowest)} gap")

    @property
    def headline(self) -> str:
        if not (self.safe.count and self.unsafe.count):
            return "How long one 4 KiB sync write takes"
        drives = f"{self.safe.count:,} ranked protected drives beat"
        if self.is_apart:
            return f"All {drives} all {self.unsafe.count:,} unprotected ones"
        if self.ahead_count:
            return f"{self.ahead_count:,} of {drives} every unprotected one"
        return "Protected and unprotected drives overlap"

    @property
    def detail(self) -> str:
        """The figures behind the headline, in a sentence; "" if a group has none."""
        if not (self.safe.count and self.unsafe.count):
            return ""
        uncounted = (
            f"{format_count(self.unknown.count, 'more ranked drive')} with partial or unknown protection"
        )
        return (
            f"One 4 KiB sync write takes {self.safe.range_text} on drives with power-loss protection, "
            f"{self.unsafe.range_text} on drives without it."
            + (f" Not counted: {uncounted}, {self.unknown.range_text}." if self.unknown.count else "")
        )

    @property
    def exceptions(self) -> Exceptions | None:
        """What speaks against the headline; None if it claims nothing."""
        if not self.ahead_count:
            return None
        fastest_unsafe = self.unsafe.marks[0].latency_us
        slow = [mark for mark in self.safe.marks if mark.latency_us >= fastest_unsafe]
        bands = (band for band in read_bands() if band.segment == Segment.ENTERPRISE)
        band = next((band for band in bands if band.low_us and band.low_us >= fastest_unsafe), None)
        return Exceptions(slow[-MAX_NAMED:], band)


def find_strips(always: Collection[str] = (), *, max_ranked: int = MAX_RANKED) -> Strips:
    """The ranked drives. At most four queries.

    Drives with the slugs `always` have their marks however many others there are. If a strip has more than
    `max_ranked` drives on average, a selection is drawn.
    """
    ranked = _ranked(always, max_ranked)
    safe, unknown, unsafe = (
        Group(
            tone,
            count=next((row["total"] for row in ranked if row["strip"] == tone), 0),
            marks=[_mark(row) for row in ranked if row["strip"] == tone],
        )
        for tone in _LABELS
    )
    return Strips(safe, unknown, unsafe, _count_ahead(safe, unsafe))


def _ranked(always: Collection[str], max_ranked: int) -> list[dict[str, Any]]:
    """Rows of the board: of each strip all, or of many the first and last and some between them. Three queries.

    The first two read an index alone.
    """
    rows = main_rows().annotate(strip=_STRIP, found=_ValuePair("score", "device_id", output_field=_PAIR))
    is_few = main_rows().count() <= max_ranked * len(_LABELS)
    bucket = F("device_id") if is_few else Floor(Ln("score") * _BUCKETS)
    totals: Counter[str] = Counter()
    lowest: set[float] = set()
    highest: dict[str, list[float]] = {}
    buckets = rows.annotate(bucket=bucket).values("strip", "bucket")
    counted = buckets.annotate(total=Count("device_id"), low=Min("found"), high=Max("found"))
    for strip, total, low, high in counted.values_list("strip", "total", "low", "high"):
        totals[strip] += total
        lowest.add(low[1])
        highest[strip] = max(high, highest[strip]) if strip in highest else high
    shown = {*lowest, *(device_id for _, device_id in highest.values())}
    found = rows.filter(Q(device_id__in=shown) | Q(device__slug__in=list(always))).annotate(figure=F("score"))
    values = found.annotate(fame=_FAME).order_by("figure", "device_id")
    values = values.values(*_OF_DEVICE, "strip", "figure", "digits", "method", "fame")
    return [{**row, "total": totals[row["strip"]]} for row in values]


def _mark(row: dict[str, Any]) -> StripMark:
    return StripMark(
        key=row["device__slug"],
        name=drive_name_from_row(row),
        url=drive_address(row["device__page"], row["device__slug"]),
        latency_us=row["figure"],
        how=How(row["method"]),
        digits=row["digits"],
        fame=row["fame"],
    )


def _count_ahead(safe: Group, unsafe: Group) -> int:
    """How many protected drives are faster than all of `unsafe`; 0 if that has none. One query if not all are."""
    if not (safe.count and unsafe.count):
        return 0
    fastest = unsafe.marks[0].latency_us
    if safe.marks[-1].latency_us < fastest:
        return safe.count
    return main_rows().filter(device__product__plp__in=PROTECTED, score__lt=fastest).count()
