"""The verdict on a drive as a SLOG, derived from its figures: pure functions, and the texts of the page.

Nothing here is a score. A device is compared with measurements of others (places, intervals), with the speed of
links, and with the catalogue's ratings of its class; without one of these there is no verdict on it.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.text import capfirst

from parsers.base.device_class import DeviceClass
from parsers.base.units import TERABYTE
from results.advice.link import Throughput, fastest_links, keeps_up_with
from results.catalogue.protection import RatedEndurance, instead_url, product_protection
from results.core.addresses import address
from results.core.formats import format_capacity, format_count, format_number, format_range
from results.devices.wear import WornUnit
from results.models import Product
from results.ranking.overall import GOOD_ENOUGH, OVERALL_TEXTS, Overall, judge_overall
from results.ranking.standing import Figures, Standing
from results.ranking.ties import Place, format_places, sureness

MIN_DEVICES = 4  # devices of a class: fewer have no quarters


class Speed(StrEnum):
    """The part of its class that a device is in, as far as its interval shows."""

    UNKNOWN = "unknown"  # without ranked results
    TOO_FEW = "too few"
    FASTEST_QUARTER = "fastest quarter"
    FASTER_HALF = "faster half"
    OPEN = "open"
    SLOWER_HALF = "slower half"
    SLOWEST_QUARTER = "slowest quarter"


def judge_speed(place: Place | None, device_count: int) -> Speed:
    """The part of its class that contains all of a device's possible places."""
    if place is None:
        return Speed.UNKNOWN
    if device_count < MIN_DEVICES:
        return Speed.TOO_FEW
    first, last = (place.first_possible - 1) / device_count, place.last_possible / device_count
    parts = (
        (last <= 1 / 4, Speed.FASTEST_QUARTER),
        (last <= 1 / 2, Speed.FASTER_HALF),
        (first >= 3 / 4, Speed.SLOWEST_QUARTER),
        (first >= 1 / 2, Speed.SLOWER_HALF),
    )
    return next((speed for is_surely_in, speed in parts if is_surely_in), Speed.OPEN)


@dataclass(frozen=True, slots=True)
class Rating:
    """The number of product lines of its class that are rated lower, and of those that have a rating."""

    lower_count: int
    line_count: int


def rate_endurance(drive_writes_a_day: float | None, for_class: Sequence[float]) -> Rating | None:
    """`for_class` has the stated drive writes per day of all lines of the class, including this one, in any order."""
    if drive_writes_a_day is None:
        return None
    return Rating(bisect_left(sorted(for_class), drive_writes_a_day), len(for_class))


_SPEED_TEXTS = {
    Speed.UNKNOWN: "Not ranked yet.",
    Speed.TOO_FEW: "Too few devices of its class have been measured to judge its speed.",
    Speed.FASTEST_QUARTER: "In the fastest quarter of its class.",
    Speed.FASTER_HALF: "In the faster half of its class.",
    Speed.OPEN: "About average for its class.",
    Speed.SLOWER_HALF: "In the slower half of its class.",
    Speed.SLOWEST_QUARTER: "In the slowest quarter of its class.",
}
_MISSING: dict[str, str] = {
    Overall.SAFE_UNMEASURED: "One result confirmed by a moderator is enough, or two from different owners.",
    Overall.SAFE_TOO_FEW: "We need two independent units, one of them from a member, or one result confirmed "
    "by a moderator.",
    Overall.SAFE_TOO_SLOW: "At 4 KiB it takes more than three times as long as the slowest device "
    "of its class should.",
}


@dataclass(frozen=True, slots=True)
class VerdictInputs:
    """Everything that a verdict is based on; None or empty if missing."""

    figures: Figures
    throughput: Throughput
    endurance: RatedEndurance | None
    worn_units: Sequence[WornUnit] = ()

    @property
    def standing(self) -> Standing | None:
        return self.figures.standing

    @property
    def product(self) -> Product | None:
        return self.figures.device.product


@dataclass(frozen=True, slots=True)
class Need:
    """What a SLOG needs: how well the drive has it in a sentence, and what that rests on."""

    label: str
    summary: str
    evidence: Sequence[str]
    how_url: str
    how_text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether it is a good SLOG; `tone` is "good", "warn", "bad" or ""."""

    headline: str
    tone: str
    missing: str  # for a recommendation
    instead_url: str  # where to find a better drive, unless it is good enough
    speed: Need
    throughput: Need
    endurance: Need


def find_verdict(inputs: VerdictInputs) -> Verdict:
    product = inputs.product
    overall = judge_overall(product_protection(product).safety, inputs.figures.ranking, _times_faster(inputs))
    headline, tone = OVERALL_TEXTS[overall]
    return Verdict(
        headline=headline,
        tone=tone,
        missing=_MISSING.get(overall, ""),
        instead_url="" if overall in GOOD_ENOUGH else instead_url(product),
        speed=_flushes(inputs),
        throughput=_throughput(inputs),
        endurance=_life(inputs),
    )


def class_ratings(product: Product) -> Sequence[float]:
    """The stated drive writes per day of all lines of the product's class, unordered. One query."""
    lines = Product.objects.filter(device_class=product.device_class)
    stated = lines.values_list("endurance_dwpd_low", flat=True)
    return [float(value) for value in stated if value is not None]


def _flushes(inputs: VerdictInputs) -> Need:
    """What the device is clearly faster than comes first, since a class may have few devices."""
    verdict = _SPEED_TEXTS[judge_speed(inputs.figures.place, inputs.figures.device_count)]
    against_all, for_class = _against_all(inputs), [verdict, *_rank(inputs)]
    is_ahead = inputs.standing is not None and inputs.standing.behind_count > 0
    first, *others = [*against_all, *for_class] if is_ahead else [*for_class, *against_all]
    evidence = [*others, *_against_disks(inputs)]
    return Need("Fast flushes", first, evidence, f"{address('about')}#formula", "How ranks are calculated")


def _rank(inputs: VerdictInputs) -> list[str]:
    ranking, place = inputs.figures.ranking, inputs.figures.place
    if ranking is None or place is None:
        return []
    label = DeviceClass(ranking.device_class).label
    for_row = f"{format_range(ranking.low, ranking.high, ranking.digits)} µs"
    found = [
        f"{capfirst(inputs.figures.tier)}.",
        f"Rank {format_places(place)} of {inputs.figures.device_count} ({label}).",
    ]
    if inputs.figures.is_recommended and not inputs.figures.latency_text.endswith(f" {for_row}"):
        found.append(f"Recommended for {inputs.figures.latency_text}, from accountable sources alone.")
    return found


def _against_all(inputs: VerdictInputs) -> list[str]:
    standing = inputs.standing
    if standing is None or standing.device_count < 2:
        return []
    others = standing.device_count - 1
    if standing.behind_count == 0:
        return ["Not clearly faster than any other device."]
    surely = capfirst(sureness(is_assumed=standing.is_assumed))
    return [f"{surely} faster than {standing.behind_count:,} of {format_count(others, 'other device')}."]


def _against_disks(inputs: VerdictInputs) -> list[str]:
    times, standing, ranking = _times_faster(inputs), inputs.standing, inputs.figures.ranking
    if times is None or not standing or not ranking or ranking.device_class == DeviceClass.HDD:
        return []
    disks = format_count(standing.disk_count, "hard disk")
    return [
        f"A typical hard disk takes about {format_number(times)} times as long, cautiously estimated "
        f"(median of {disks})."
    ]


def _times_faster(inputs: VerdictInputs) -> float | None:
    """How many times as long the median hard disk takes, by the upper ends of both intervals."""
    if inputs.figures.ranking is None or inputs.standing is None or inputs.standing.middle_disk_us is None:
        return None
    return inputs.standing.middle_disk_us / inputs.figures.ranking.high


def _throughput(inputs: VerdictInputs) -> Need:
    known = inputs.throughput
    evidence = [f"{capfirst(fact)}." for fact in known.facts]
    if next_link := fastest_links(known).next_link:
        evidence.append(f"{next_link.ethernet} needs {format_number(next_link.mib_s)} MiB/s.")
    how_url = f"{address('about')}#read"
    return Need("Throughput", f"{keeps_up_with(known)}.", evidence, how_url, "How throughput is measured")


def _life(inputs: VerdictInputs) -> Need:
    worn, product, endurance = _worn(inputs.worn_units), inputs.product, inputs.endurance
    if product is None or endurance is None:
        unknown, how_url = "Unknown: we found no endurance rating.", f"{address('about')}#limits"
        return Need("Endurance", unknown, worn, how_url, "What the test can’t show")
    low = product.endurance_dwpd_low
    rating = rate_endurance(None if low is None else float(low), class_ratings(product))
    evidence = [*_rating(rating), *_written(endurance), *_a_day(inputs), *worn]
    return Need(
        "Endurance", _rated(endurance), evidence, endurance.calculator_url, "How long does that last?"
    )


def _rated(endurance: RatedEndurance) -> str:
    if endurance.drive_writes:
        return f"Rated drive writes: {endurance.drive_writes}."
    written = endurance.written[0]
    return f"Rated for {written.amount} ({written.capacity})."


def _written(endurance: RatedEndurance) -> list[str]:
    """The bytes that drive writes amount to, unless the summary has them."""
    if not endurance.drive_writes:
        return []
    return [
        f"Rated for {written.amount} ({', '.join(filter(None, [written.capacity, written.basis]))})."
        for written in endurance.written
    ]


def _rating(rating: Rating | None) -> list[str]:
    if rating is None or rating.line_count < 2:
        return []
    lines = format_count(rating.line_count - 1, "other rated line")
    return [f"Rated higher than {rating.lower_count} of {lines} of its class."]


def _a_day(inputs: VerdictInputs) -> list[str]:
    product, capacity = inputs.product, inputs.figures.device.capacity_bytes
    if product is None or product.endurance_dwpd_low is None or capacity is None:
        return []
    written = float(product.endurance_dwpd_low) * capacity / TERABYTE
    return [f"For {format_capacity(capacity)}, that is {format_number(written)} TB of writes a day."]


def _worn(units: Sequence[WornUnit]) -> list[str]:
    used = [unit.wear_percent for unit in units if unit.wear_percent is not None]
    if not used:
        return []
    if len(used) == 1:
        return [f"The one measured unit that reports its wear had used {used[0]} % of its endurance."]
    return [f"Of {len(used)} measured units that report their wear, the most worn had used {max(used)} %."]
