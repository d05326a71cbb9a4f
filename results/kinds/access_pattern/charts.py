"""The charts of an access pattern, as SVG that needs no script, and the tables of their figures."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from django.utils.safestring import SafeString

from parsers.base.units import KIBIBYTE
from results.charts.histogram import HistogramBar, HistogramMark, bar_chart
from results.core.formats import format_block_size, format_number, latency_label, round_figure
from results.kinds.access_pattern.metrics import drives_buckets
from results.kinds.metric import Payload

SECTOR = 512  # bytes, of seeksize's distances
MAX_LISTED = 100  # rows of a table below its chart
_PARTS = {
    "disk": "what the drive takes",
    "queue": "waiting in ZFS’s queue of sync writes",
    "total": "both together",
    "io": "what the drive takes",
}


@dataclass(frozen=True, slots=True)
class PatternChart:
    """A chart with its figures as a table, of which the first are listed."""

    key: str
    heading: str
    svg: SafeString
    note: str
    columns: Sequence[str]
    figures: Sequence[Sequence[str]]

    @property
    def rows(self) -> Sequence[Sequence[str]]:
        return self.figures[:MAX_LISTED]

    @property
    def more(self) -> int:
        return max(len(self.figures) - MAX_LISTED, 0)


def charts_of(payload: Payload, own: tuple[str, float] | None = None) -> list[PatternChart]:
    """The charts that the pattern has data for; `own` is a drive's name and its latency of 4 KiB in µs."""
    charts = (
        _randomness(payload),
        _seeks(payload["seeks"]),
        _sizes(payload["sizes"]),
        _latencies(payload, own),
    )
    return [chart for chart in charts if chart and chart.svg]


def _randomness(payload: Payload) -> PatternChart | None:
    rows = [row for row in payload["rows"] if row.get("percent_random") is not None]
    active = [row["percent_random"] for row in rows if row.get("count")]
    if not active:
        return None
    middle = median(active)
    heading = "How random the writes are, row by row"
    svg = bar_chart(
        [
            HistogramBar(
                str(number), row["percent_random"], f"Row {number}: {row['percent_random']} % random"
            )
            for number, row in enumerate(rows, start=1)
        ],
        title=heading,
        description=f"Median {middle:.3g} % of {len(active)} rows, from {min(active)} to {max(active)} %",
        name="row of the output",
        unit=" %",
        top=100,
        level=middle,
    )
    note = f"Share of random I/Os, by iopattern. The line is the median, {middle:.3g} %."
    listed = [
        [
            str(number),
            f"{row['percent_random']} %",
            f"{row.get('count') or 0:,}",
            *(_kib(row.get(name)) for name in ("min_bytes", "mean_bytes", "max_bytes")),
            f"{row.get('write_kb') or 0:,}",
        ]
        for number, row in enumerate(rows, start=1)
    ]
    columns = ("Row", "Random", "I/Os", "Smallest KiB", "Mean KiB", "Largest KiB", "Written KiB")
    # A pattern without any random write has bars of no height, and still its table
    svg = svg or _flat(heading, len(rows))
    return PatternChart("randomness", heading, svg, note, columns, listed)


def _flat(heading: str, count: int) -> SafeString:
    bars = [HistogramBar("", 1e-9, f"Row {number}: 0 % random") for number in range(1, count + 1)]
    return bar_chart(bars, title=heading, description="0 % in all rows", name="row", unit=" %", top=100)


def _kib(size: int | None) -> str:
    return "" if size is None else format_number(size / KIBIBYTE)


def _seeks(seeks: Sequence[Mapping[str, int]]) -> PatternChart | None:
    """Mirrored around 0: back on the left, ahead on the right, by powers of two."""
    counts: dict[int, int] = {}
    for seek in seeks:
        counts[seek["sectors"]] = counts.get(seek["sectors"], 0) + seek["count"]
    known = [abs(value) for value, count in counts.items() if value and count]
    total = sum(counts.values())
    if not total:
        return None
    steps = [1 << step for step in range(max(known, default=1).bit_length())]
    values = [*(-step for step in reversed(steps)), 0, *steps]
    bars = [
        HistogramBar(
            _distance(value),
            counts.get(value, 0),
            f"{_in_words(value)}: {counts.get(value, 0):,}",
            value == 0,
        )
        for value in values
    ]
    zero = f"{100 * counts.get(0, 0) / total:.3g}"
    svg = bar_chart(
        bars,
        title="Distance from the end of the previous write",
        description=f"{zero} % of {total:,} begin where the previous one ended",
        name="sectors, back (−) and ahead",
        is_log=True,
        center=len(steps),
    )
    listed = [[_distance(value), f"{counts[value]:,}"] for value in values if counts.get(value)]
    note = (
        f"{zero} % of {total:,} begin where the previous one ended (0). The others jump back (left) or ahead "
        f"(right); each bar covers twice the distance of the one before. A sector has {SECTOR} bytes. The scale is "
        "logarithmic: each line is ten times the one below."
    )
    return PatternChart("seeks", "How far the drive has to jump", svg, note, ("Sectors", "Writes"), listed)


def _distance(value: int) -> str:
    sign = "−" if value < 0 else ""
    size = abs(value)
    for limit, unit in ((1 << 20, "M"), (1 << 10, "k")):
        if size >= limit:
            return f"{sign}{size // limit}{unit}"
    return f"{sign}{size}"


def _in_words(value: int) -> str:
    if not value:
        return "Right after the previous write"
    return f"{abs(value):,} sectors or more {'back' if value < 0 else 'ahead'}"


def _sizes(sizes: Sequence[Mapping[str, int]]) -> PatternChart | None:
    total = sum(size["count"] for size in sizes)
    if not total:
        return None
    used = [size["bytes"] for size in sizes if size["count"]]
    shown = [(size["bytes"], size["count"]) for size in sizes if min(used) <= size["bytes"] <= max(used)]
    bars = [
        HistogramBar(
            format_block_size(size),
            100 * count / total,
            f"{format_block_size(size)}: {format_number(100 * count / total)} %, {count:,} writes",
        )
        for size, count in shown
    ]
    most = max(shown, key=lambda pair: pair[1])
    svg = bar_chart(
        bars,
        title="Write sizes",
        description=f"Most are {format_block_size(most[0])}: {format_number(100 * most[1] / total)} %",
        name="write size",
        unit=" %",
    )
    listed = [
        [bar.label, format_number(bar.value), f"{count:,}"]
        for bar, (_, count) in zip(bars, shown, strict=True)
    ]
    note = f"Of {total:,} writes. Each bar covers sizes from its label up to the next."
    return PatternChart("sizes", "How large the writes are", svg, note, ("Size", "Share %", "Writes"), listed)


def _latencies(payload: Payload, own: tuple[str, float] | None) -> PatternChart | None:
    buckets = _bounds(
        drives_buckets(payload) or next((latency["buckets"] for latency in payload["latencies"]), [])
    )
    total = sum(count for _, _, count in buckets)
    if not total:
        return None
    used = [at for at, (_, _, count) in enumerate(buckets) if count]
    first, last = used[0], used[-1]
    if own is not None:  # so that the drive's figure is within the chart
        within = [at for at, (low, high, _) in enumerate(buckets) if low <= own[1] < high]
        first, last = min([first, *within]), max([last, *within])
    shown = buckets[first : last + 1]
    bars = [
        HistogramBar(
            latency_label(_round(high)),
            100 * count / total,
            f"{_range(low, high)}: {format_number(100 * count / total)} %, {count:,}",
        )
        for low, high, count in shown
    ]
    name = f"{own[0]}: {format_number(own[1])} µs" if own else ""
    svg = bar_chart(
        bars,
        title="How long the drive takes",
        description=f"Of {total:,} I/Os{f'; {name} alone, for 4 KiB' if name else ''}",
        name="up to",
        unit=" %",
        mark=_mark(shown, own),
    )
    others = [latency for latency in payload["latencies"] if latency["part"] not in {"disk", "io"}]
    counts = [{high: count for _, high, count in _bounds(latency["buckets"])} for latency in others]
    listed = [
        [_range(low, high), f"{count:,}", *(f"{for_part.get(high, 0):,}" for for_part in counts)]
        for low, high, count in shown
    ]
    note = f"Of {total:,} I/Os: {_PARTS['io']}." + (
        f" The line is what {own[0]} alone takes for a 4 KiB sync write, as measured here." if own else ""
    )
    columns = ("Time", "I/Os", *(_PARTS[latency["part"]].capitalize() for latency in others))
    return PatternChart("latencies", "How long the I/Os take", svg, note, columns, listed)


def _bounds(buckets: Sequence[Mapping[str, float]]) -> list[tuple[float, float, int]]:
    return [(bucket["from_us"], bucket["below_us"], int(bucket["count"])) for bucket in buckets]


def _mark(buckets: Sequence[Sequence[float]], own: tuple[str, float] | None) -> HistogramMark | None:
    if own is None:
        return None
    for at, (low, high, _) in enumerate(buckets):
        if low <= own[1] < high:
            share = math.log(own[1] / low) / math.log(high / low) if low else own[1] / high
            return HistogramMark((at + share) / len(buckets), "the drive alone")
    return None


def _round(latency_us: float) -> float:
    """Two digits: bounds of 1.024 µs and 1.049 ms are labeled 1 µs and 1 ms."""
    return round_figure(latency_us, 2)


def _range(low: float, high: float) -> str:
    return f"{latency_label(_round(low))} to {latency_label(_round(high))}"
