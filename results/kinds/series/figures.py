"""What a device or a product sustains, for its page: each series, the claim on the box, and what an IOPS costs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from parsers.base.units import MEGABYTE
from results.core.addresses import address
from results.core.formats import DASH, format_block_size, format_capacity, format_number
from results.core.prices import SIGHTING_COLUMNS, Sighting
from results.kinds.dates import DATE_FIELDS, date_of_run
from results.kinds.series.charts import SeriesChart, SeriesLine, draw_series, line_of
from results.kinds.series.models import COLUMNS, FIGURE, METHODS
from results.kinds.series.steady import STEADY, VERDICTS
from results.models import Claim, PriceSighting, Result
from results.models.choices import CLAIM_UNITS, ClaimQuantity
from results.models.conditions import FLUSH_OFF
from results.models.fact import is_about, is_same_capacity
from results.models.fields import BLOCK_4K

SHOWN = 12  # results on a page
CURRENCY = "USD"
CLAIMED = (ClaimQuantity.RANDOM_WRITE, ClaimQuantity.RANDOM_WRITE_STEADY)
STEADY_CLAIM = ClaimQuantity.RANDOM_WRITE_STEADY
MINUTES_AN_HOUR = 60
_RANDOM = 100  # percent
_VALUES = (
    "public_id",
    "method",
    "sync_method",
    "block_align",
    "writers",
    "metrics",
    "submission__source_url",
    "device__capacity_bytes",
    "device__slug",
    "device__model_name",
    "device__result_count",
    "device__elsewhere_count",
    *DATE_FIELDS,
    *(f"sustained__{name}" for name in COLUMNS),
)
_LARGE = {"sustained__points", "sustained__phases"}
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class IopsPrice:
    """Sustained IOPS of 4 KiB per unit of currency, with the price."""

    iops: float
    seen: Sighting


@dataclass(frozen=True, slots=True)
class ListedSeries:
    """A result of a device with its price, if both are known."""

    row: Row
    price: IopsPrice | None

    @property
    def load(self) -> str:
        return stated_load(self.row)

    @property
    def first(self) -> str:
        return format_rate(self.row["metrics"].get("first_minute_iops"), self.row)

    @property
    def sustained(self) -> str:
        return format_rate(self.row["metrics"].get("sustained_iops"), self.row)

    @property
    def percent(self) -> float | None:
        """What it sustains of its first minute."""
        return self.row["metrics"].get("sustained_percent")  # type: ignore[no-any-return] # as stored

    @property
    def verdict(self) -> str:
        unjudged = "no series" if self.row["metrics"].get("sustained_iops") else "latencies only"
        return VERDICTS.get(self.row["sustained__verdict"], unjudged)

    @property
    def date(self) -> str:
        return date_of_run(self.row)


@dataclass(frozen=True, slots=True)
class SustainedSection:
    """The results of a device, what they make of claims, and their charts."""

    claims: Sequence[str]
    series: Sequence[ListedSeries]
    charts: Sequence[SeriesChart]

    @property
    def has_prices(self) -> bool:
        return any(listed.price for listed in self.series)


def device_section(device_id: int) -> SustainedSection | None:
    """The section of a device; None without a result. At most three queries."""
    published = Result.objects.published().filter(device=device_id, method__in=METHODS, copy_of=None)
    rows = list(published.order_by("-id").values("device__product_id", *_VALUES)[:SHOWN])
    if not rows:
        return None
    product_id = rows[0]["device__product_id"]
    claims = list(Claim.objects.filter(product=product_id, quantity__in=CLAIMED)) if product_id else []
    shown = PriceSighting.objects.filter(product=product_id, currency=CURRENCY).exclude(shown_as="")
    latest_first = shown.order_by("-seen_on", "price").values_list(*SIGHTING_COLUMNS)
    prices = [Sighting(*seen) for seen in latest_first] if product_id else []
    return SustainedSection(
        claim_sentences(rows, claims),
        [ListedSeries(row, price_of_iops(row, prices)) for row in rows],
        _charts(rows),
    )


def price_for(capacity_bytes: int | None, prices: Iterable[Sighting]) -> Sighting | None:
    """The first of the prices that is for a device of that capacity."""
    return next((price for price in prices if is_same_capacity(price.capacity_bytes, capacity_bytes)), None)


def price_of_iops(row: Row, prices: Iterable[Sighting]) -> IopsPrice | None:
    """None without a figure of 4 KiB or without a price."""
    iops, seen = row["metrics"].get("sustained_iops"), price_for(row["device__capacity_bytes"], prices)
    if iops is None or seen is None or not has_usual_size(row):
        return None
    return IopsPrice(iops / float(seen.amount), seen)


def has_usual_size(row: Row) -> bool:
    """Whether it wrote 4 KiB, so that its IOPS can be set against others and against claims."""
    return bool(row["sustained__transfer_size"] == BLOCK_4K)


def format_rate(iops: float | None, row: Row) -> str:
    """IOPS of 4 KiB or of an unknown size; of other sizes MB/s, which can be compared."""
    size = row["sustained__transfer_size"]
    if iops is None:
        return DASH
    if size is None or has_usual_size(row):
        return f"{format_number(iops)} IOPS"
    return f"{format_number(iops * size / MEGABYTE)} MB/s"


def pattern_label(random_percent: int | None) -> str:
    """The order of the writes in words: "half random", "30 % random"."""
    named = {None: "", 0: "sequential", 50: "half random", 100: "random"}
    return named.get(random_percent, f"{random_percent} % random")


def load_in_words(row: Row) -> str:
    """How a series was written: "half random, 4 KiB, 4 KiB aligned, 64 in flight, not synced"."""
    size, align = row["sustained__transfer_size"], row["block_align"]
    depth, workers = row["sustained__queue_depth"], row["sustained__workers"]
    sync = row["sync_method"]
    parts = [
        pattern_label(row["sustained__random_percent"]),
        format_block_size(size) if size else "",
        f"{format_block_size(align)} aligned" if align else "",
        f"{(depth or 1) * (workers or 1)} in flight" if depth or workers else "",
        "not synced" if sync == FLUSH_OFF else f"each write by {sync}" if sync else "",
    ]
    return ", ".join(filter(None, parts))


def stated_load(row: Row) -> str:
    """The same, or that nothing of it is stated."""
    return load_in_words(row) or "conditions not stated"


def newest_sustained(of: Q) -> list[Row]:
    """The newest of these results with sustained IOPS of each device, a steady one if there is any.

    Steady ones come first, then the newest. One query.
    """
    results = Result.objects.published().filter(
        of, method__in=METHODS, copy_of=None, sustained__sustained_iops__isnull=False
    )
    names = (name for name in _VALUES if name not in _LARGE)
    ordered = results.order_by("device_id", "-sustained__is_on_board", "-id").distinct("device_id")
    rows = ordered.values("id", "device_id", "device__product_id", *names)
    return sorted(rows, key=lambda row: (row["sustained__is_on_board"], row["id"]), reverse=True)


@dataclass(frozen=True, slots=True)
class Lasting:
    """What a product sustains, what it makes of its price, and the result."""

    text: str
    per_price: str
    url: str


def lasting(
    rows: Iterable[Row], product_id: int, capacity_bytes: int | None, price: Sighting | None
) -> Lasting | None:
    """The first of the rows of a product at a capacity, and what it makes of a dollar; None without one."""
    for row in rows:
        size = row["device__capacity_bytes"]
        if row["device__product_id"] != product_id or not is_same_capacity(size, capacity_bytes):
            continue
        iops, per_price = row["metrics"]["sustained_iops"], ""
        if price and has_usual_size(row):
            a_unit = format_number(iops / float(price.amount))
            per_price = f"{a_unit} IOPS per {price.currency} at the price {price.age}"
        text = f"Sustains {format_rate(iops, row)} ({stated_load(row)})"
        return Lasting(text, per_price, address("result", row["public_id"]))
    return None


def claim_sentences(rows: Iterable[Row], claims: Iterable[Claim]) -> list[str]:
    """What the maker claims, against what lasts: a sentence for each result and each claim that differs.

    Claims are about random writes of 4 KiB, so they aren't set against IOPS of another size.
    """
    measured = [row for row in rows if row["metrics"].get("sustained_iops") and has_usual_size(row)]
    found = []
    for claim in _distinct(claims):
        for row in measured[:3]:
            if not is_about(claim.capacity_bytes, row["device__capacity_bytes"]):
                continue
            iops = row["metrics"]["sustained_iops"]
            when = ", ".join(filter(None, [_when(row), load_in_words(row)]))
            is_random = row["sustained__random_percent"] == _RANDOM
            differs = "" if is_random else "; the claim is about random writes of 4 KiB"
            found.append(f"{_claimed(claim)} claimed; {format_number(iops)} {when}{differs}.")
    return found[:4]


def _distinct(claims: Iterable[Claim]) -> list[Claim]:
    """The claims without those that repeat a figure, the highest first."""
    by_figure = {
        (claim.quantity, claim.value, claim.capacity_bytes): claim for claim in claims if claim.value
    }
    return sorted(by_figure.values(), key=lambda entry: -(entry.value or 0))


def _claimed(claim: Claim) -> str:
    figure = f"{format_number(float(claim.value or 0))} {CLAIM_UNITS[ClaimQuantity(claim.quantity)]}"
    capacity = f" ({format_capacity(claim.capacity_bytes)})" if claim.capacity_bytes else ""
    if claim.quantity == STEADY_CLAIM:
        return f"{figure} in steady state{capacity}"
    return f"Up to {figure}{capacity}"


def _when(row: Row) -> str:
    """When in a series the figure is from: "in its third hour", "after 65 minutes (steady)"."""
    minute = row["sustained__at_minute"]
    if minute:
        hour = -(-minute // MINUTES_AN_HOUR)
        return f"in its {ORDINALS[hour]} hour" if hour in ORDINALS else f"after {minute} minutes"
    if row["method"] == FIGURE:
        return "measured"
    start = row["sustained__window_start_s"] or 0
    minutes = round(start / 60) + 5
    verdict = VERDICTS.get(row["sustained__verdict"], "")
    return f"after {minutes} minutes" + (f" ({verdict})" if verdict != VERDICTS[STEADY] else " (steady)")


ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}


def _charts(rows: Iterable[Row]) -> list[SeriesChart]:
    """Small charts side by side: one for each pattern, alignment and content, with up to six series in each."""
    groups: dict[tuple[Any, ...], list[SeriesLine]] = {}
    titles: dict[tuple[Any, ...], str] = {}
    for row in rows:
        payload = {name: row[f"sustained__{name}"] for name in COLUMNS}
        name = f"{row['device__model_name']}, {date_of_run(row)}"
        line = line_of(payload, name, url=address("result", row["public_id"]))
        if line is None or line.is_latency:
            continue
        key = (payload["random_percent"], row["block_align"], payload["content"])
        groups.setdefault(key, []).append(line)
        titles.setdefault(key, stated_load(row))
    charts = (
        draw_series(lines, titles[key], anchor=f"series-{number}", heading=titles[key])
        for number, (key, lines) in enumerate(groups.items(), start=1)
    )
    return [chart for chart in charts if chart]
