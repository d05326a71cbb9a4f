"""The verdict on a device in words: the three needs of a SLOG and its safety, each with what it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from results.addresses import address
from results.models import Product
from results.models.catalogue_values import Plp
from results.models.choices import DeviceClassChoice, Method
from results.presentation import format_capacity, format_number, format_places, format_range
from results.ranking.standing import Standing
from results.ranking.verdict import (
    Overall,
    Rating,
    Safety,
    Speed,
    fastest_link,
    judge_overall,
    judge_safety,
    judge_speed,
    rate_endurance,
)
from results.ranking.wear import WornUnit
from results.web.figures import Figures
from results.web.safety import plp_badge

_BYTES_A_TERABYTE = 10**12

_SPEED = {
    Speed.UNKNOWN: "Not known: no result of it takes part in the ranking.",
    Speed.TOO_FEW: "Too few devices of its class are measured to call it fast or slow among them.",
    Speed.FASTEST_QUARTER: "In the fastest quarter of its class.",
    Speed.FASTER_HALF: "In the faster half of its class.",
    Speed.OPEN: "Neither surely in the faster nor surely in the slower half of its class.",
    Speed.SLOWER_HALF: "In the slower half of its class.",
    Speed.SLOWEST_QUARTER: "In the slowest quarter of its class.",
}
_OVERALL = {
    Overall.FIT: ("Good SLOG, based on the data we have", "good"),
    Overall.SAFE_UNMEASURED: ("Protected, but no result counts yet, so we can’t judge speed", ""),
    Overall.SAFE_TOO_FEW: ("Protected, but too few results to judge speed", ""),
    Overall.SAFE_TOO_SLOW: ("Protected, but far slower than its class should be", "warn"),
    Overall.SAFE_NO_GAIN: ("Protected, but may be no faster than a hard disk", "warn"),
    Overall.CONDITIONAL: (
        "Good SLOG only under certain conditions: check what its protection depends on",
        "warn",
    ),
    Overall.UNSAFE: ("Not a safe SLOG: it can lose acknowledged writes", "bad"),
    Overall.UNKNOWN: ("Don’t trust it as a SLOG yet: we don’t know if it is safe", "warn"),
}
_MISSING = {
    Overall.SAFE_UNMEASURED: "One result confirmed by a moderator is enough, or two from different owners.",
    Overall.SAFE_TOO_FEW: "We need two independent units, one of them from a member, or one result confirmed "
    "by a moderator.",
    Overall.SAFE_TOO_SLOW: "At 4 KiB it takes more than three times as long as the slowest device "
    "of its class should.",
}
_SAFETY = {
    Safety.SAFE: "A write that was acknowledged survives a power cut, by what is cited.",
    Safety.CONDITIONAL: "Whether a write that was acknowledged survives a power cut depends on something.",
    Safety.UNSAFE: "A write that was acknowledged can be lost in a power cut.",
    Safety.UNKNOWN: "Nothing says whether a write that was acknowledged survives a power cut.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Everything that a verdict rests on; None and empty where it is missing."""

    figures: Figures
    standing: Standing | None = None
    endurance: dict[str, Any] | None = None  # results.web.safety.endurance_context
    class_ratings: Sequence[float] = ()
    worn_units: Sequence[WornUnit] = ()


def verdict_context(known: Known) -> dict[str, Any]:
    """What partials/verdict.html needs."""
    safety = judge_safety(known.figures.device.product.plp if known.figures.device.product else None)
    overall = judge_overall(safety, known.figures.ranking, _times_faster(known))
    headline, tone = _OVERALL[overall]
    return {
        "headline": headline,
        "tone": tone,
        "missing": _MISSING.get(overall, ""),
        "needs": [_flushes(known), _throughput(known), _life(known), _safety(known, safety)],
    }


def class_ratings(product: Product | None) -> Sequence[float]:
    """The stated drive writes a day of all lines of the product's class, in no order. One query, none without one."""
    if product is None:
        return []
    lines = Product.objects.filter(device_class=product.device_class)
    stated = lines.values_list("endurance_dwpd_low", flat=True)
    return [float(value) for value in stated if value is not None]


def _need(label: str, says: str, *, evidence: Sequence[str], how: tuple[str, str]) -> dict[str, Any]:
    how_url, how_text = how
    return {"label": label, "says": says, "evidence": evidence, "how_url": how_url, "how_text": how_text}


def _flushes(known: Known) -> dict[str, Any]:
    says = _SPEED[judge_speed(known.figures.place, known.figures.device_count)]
    evidence = [*_rank(known), *_against_all(known), *_against_disks(known)]
    return _need(
        "Fast flushes", says, evidence=evidence, how=(f"{address('about')}#formula", "How the rank is made")
    )


def _rank(known: Known) -> list[str]:
    ranking, place = known.figures.ranking, known.figures.place
    if ranking is None or place is None:
        return []
    metric = "4 KiB latency" if ranking.method == Method.FIO else "ZIL latency"
    label = DeviceClassChoice(ranking.device_class).label
    units = f"{ranking.unit_count} unit{'' if ranking.unit_count == 1 else 's'}"
    interval = f"{metric} {format_range(ranking.low_us, ranking.high_us)} µs at 90 %, by {units}"
    return [f"{interval}: rank {format_places(place)} of {known.figures.device_count} ({label})."]


def _against_all(known: Known) -> list[str]:
    standing = known.standing
    if standing is None or standing.device_count < 2:
        return []
    others = standing.device_count - 1
    if standing.behind_count == 0:
        return ["Not surely faster than any other device of all classes."]
    return [f"Surely faster than {standing.behind_count:,} of the {others:,} other devices of all classes."]


def _against_disks(known: Known) -> list[str]:
    times, standing, ranking = _times_faster(known), known.standing, known.figures.ranking
    if times is None or not standing or not ranking or ranking.device_class == DeviceClassChoice.HDD:
        return []
    disks = f"the middle one of {standing.disk_count:,} hard disk{'' if standing.disk_count == 1 else 's'}"
    return [f"Both at worst, {disks} takes {format_number(times)} times as long."]


def _times_faster(known: Known) -> float | None:
    """How many times as long the middle hard disk takes, both at the upper ends of their intervals."""
    if known.figures.ranking is None or known.standing is None or known.standing.middle_disk_us is None:
        return None
    return known.standing.middle_disk_us / known.figures.ranking.high_us


def _throughput(known: Known) -> dict[str, Any]:
    how = (f"{address('about')}#read", "How throughput is measured")
    rate = known.figures.ranking.throughput_128k_mib_s if known.figures.ranking else None
    if rate is None:
        return _need("Throughput", "Not known: nothing ranked was measured at 128 KiB.", evidence=[], how=how)
    evidence = [
        f"{format_number(rate)} MiB/s in writes of 128 KiB, one after the other, each with its flush."
    ]
    link = fastest_link(rate)
    if link is None:
        return _need(
            "Throughput", "Takes less than a link of 1 Gbit/s can bring.", evidence=evidence, how=how
        )
    evidence.append(f"A link of {link.label} carries {format_number(link.mib_s)} MiB/s at most.")
    return _need(
        "Throughput", f"Takes all that a link of {link.label} can bring.", evidence=evidence, how=how
    )


def _life(known: Known) -> dict[str, Any]:
    how = (f"{address('about')}#limits", "What the test does not tell")
    worn = _worn(known.worn_units)
    if known.endurance is None:
        return _need(
            "Life under writes",
            "Not known: no rating of its endurance could be cited.",
            evidence=worn,
            how=how,
        )
    product = known.figures.device.product
    low = product.endurance_dwpd_low if product else None
    rating = rate_endurance(None if low is None else float(low), known.class_ratings)
    evidence = [*_rating(rating), *_a_day(known), *worn]
    return _need(
        "Life under writes", _rated(known.endurance), evidence=evidence, how=("#endurance", "Who rates it so")
    )


def _rated(endurance: dict[str, Any]) -> str:
    if endurance["drive_writes"]:
        return f"Rated drive writes: {endurance['drive_writes']}."
    written = endurance["written"][0]
    return f"Rated for {written['amount']} written to {written['capacity']}."


def _rating(rating: Rating | None) -> list[str]:
    if rating is None or rating.line_count < 2:
        return []
    lines = f"{rating.line_count - 1} other line{'' if rating.line_count == 2 else 's'}"
    return [f"Rated higher than {rating.lower_count} of {lines} of its class with a stated rating."]


def _a_day(known: Known) -> list[str]:
    product, capacity = known.figures.device.product, known.figures.device.capacity_bytes
    if product is None or product.endurance_dwpd_low is None or capacity is None:
        return []
    written = float(product.endurance_dwpd_low) * capacity / _BYTES_A_TERABYTE
    return [f"At {format_capacity(capacity)} that is {format_number(written)} TB of writes a day."]


def _worn(units: Sequence[WornUnit]) -> list[str]:
    used = [unit.percentage_used for unit in units if unit.percentage_used is not None]
    if not used:
        return ["No unit measured here says how worn it was."]
    if len(used) == 1:
        return [f"The one unit here that says how worn it was had used up {used[0]} % of its endurance."]
    return [
        f"Of {len(used)} units here that say how worn they were, the most worn had used up {max(used)} %."
    ]


def _safety(known: Known, safety: Safety) -> dict[str, Any]:
    product = known.figures.device.product
    badge = plp_badge(product.plp if product else None)
    count = len(product.plp_statements) if product else 0
    sources = f", by {count} source{'' if count == 1 else 's'}." if count else ": no source could be cited."
    evidence = [f"{badge['label']}{sources}"]
    if product and product.plp == Plp.BY_DESIGN:
        evidence.append("No volatile cache stands before the medium; that is not a claim of the maker.")
    return _need("Safety", _SAFETY[safety], evidence=evidence, how=("#safety", "What that rests on"))
