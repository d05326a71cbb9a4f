"""What the figures allow to be said of a device as a SLOG: pure, without a query and without words for a page.

Nothing here is a score. A device is held against what was measured of others (places, intervals), against what links
carry, and against what the catalogue states of its class; where one of these is missing, so is the verdict.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from results.models import DeviceRanking
from results.models.catalogue_values import Plp
from results.ranking.recommend import is_too_slow
from results.ranking.score import MIB
from results.ranking.ties import Place

FEWEST_TO_COMPARE = 4  # devices of a class: with fewer there are no quarters
_BITS_A_BYTE = 8


class Speed(StrEnum):
    """Where in its class a device stands, as far as its interval tells."""

    UNKNOWN = "unknown"  # nothing of it is ranked
    TOO_FEW = "too few"
    FASTEST_QUARTER = "fastest quarter"
    FASTER_HALF = "faster half"
    OPEN = "open"
    SLOWER_HALF = "slower half"
    SLOWEST_QUARTER = "slowest quarter"


class Safety(StrEnum):
    """What a power cut does to acknowledged writes, in three words and one for not knowing."""

    SAFE = "safe"
    CONDITIONAL = "conditional"
    UNSAFE = "unsafe"
    UNKNOWN = "unknown"


class Overall(StrEnum):
    """What a buyer has to know first."""

    FIT = "fit"
    SAFE_UNMEASURED = "safe, not measured"
    SAFE_TOO_FEW = "safe, too few results"
    SAFE_TOO_SLOW = "safe, too slow for its class"
    SAFE_NO_GAIN = "safe, no gain"
    CONDITIONAL = "conditional"
    UNSAFE = "unsafe"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Link:
    """A link that synchronous writes come over, and the payload that its line rate leaves at most."""

    label: str
    gbit_s: float

    @property
    def mib_s(self) -> float:
        return self.gbit_s * 1e9 / _BITS_A_BYTE / MIB


LINKS = (Link("1 Gbit/s", 1), Link("2.5 Gbit/s", 2.5), Link("10 Gbit/s", 10), Link("25 Gbit/s", 25))

_SAFETY = {
    Plp.YES: Safety.SAFE,
    Plp.BY_DESIGN: Safety.SAFE,
    Plp.EXTERNAL: Safety.CONDITIONAL,
    Plp.PARTIAL: Safety.CONDITIONAL,
    Plp.DISPUTED: Safety.CONDITIONAL,
    Plp.NO: Safety.UNSAFE,
    Plp.UNKNOWN: Safety.UNKNOWN,
}


def judge_speed(place: Place | None, device_count: int) -> Speed:
    """The part of its class that a device is in for sure: all the places that its interval leaves open are in it."""
    if place is None:
        return Speed.UNKNOWN
    if device_count < FEWEST_TO_COMPARE:
        return Speed.TOO_FEW
    first, last = (place.first_possible - 1) / device_count, place.last_possible / device_count
    parts = (
        (last <= 1 / 4, Speed.FASTEST_QUARTER),
        (last <= 1 / 2, Speed.FASTER_HALF),
        (first >= 3 / 4, Speed.SLOWEST_QUARTER),
        (first >= 1 / 2, Speed.SLOWER_HALF),
    )
    return next((speed for holds, speed in parts if holds), Speed.OPEN)


def judge_safety(plp: str | None) -> Safety:
    """None is a device of no product."""
    return _SAFETY[Plp(plp or Plp.UNKNOWN)]


def fastest_link(throughput_mib_s: float | None) -> Link | None:
    """The fastest link whose whole payload the device takes, or None when it takes not even the slowest's."""
    fed = [link for link in LINKS if throughput_mib_s is not None and throughput_mib_s >= link.mib_s]
    return fed[-1] if fed else None


def judge_overall(
    safety: Safety, ranking: DeviceRanking | None, times_faster_than_disks: float | None
) -> Overall:
    """Safety first: what can lose acknowledged writes is no SLOG, however fast.

    Only what passes the bar of results.ranking.recommend is called fit. `times_faster_than_disks` is how many times
    as long the middle hard disk takes, None where nothing tells.
    """
    if safety != Safety.SAFE:
        return Overall(safety.value)
    if ranking is None:
        return Overall.SAFE_UNMEASURED
    if is_too_slow(ranking.device_class, ranking.latency_4k_us):
        return Overall.SAFE_TOO_SLOW
    if ranking.recommended_high_us is None:
        return Overall.SAFE_TOO_FEW
    is_faster = times_faster_than_disks is None or times_faster_than_disks > 1
    return Overall.FIT if is_faster else Overall.SAFE_NO_GAIN


@dataclass(frozen=True, slots=True)
class Rating:
    """How many of the lines of its class with a stated rating are rated lower, and how many have one."""

    lower_count: int
    line_count: int


def rate_endurance(drive_writes_a_day: float | None, of_class: Sequence[float]) -> Rating | None:
    """`of_class` holds the stated drive writes a day of all lines of the class, this one's too, in any order."""
    if drive_writes_a_day is None:
        return None
    return Rating(bisect_left(sorted(of_class), drive_writes_a_day), len(of_class))
