"""Links that carry sync writes, and whether a device keeps up with one.

A commit sends several blocks before one flush, so a measured throughput is a lower bound: a device that reaches the
rate passes, as far as the figures that are shown tell. A claim for that exact capacity passes on paper if the device
is protected: else it is about a cache that a flush has to empty. A claim for the entire line is about its largest
model: like the interface, it can only rule a device out. A latency says nothing about throughput.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from parsers.base.units import MEBIBYTE, MEGABYTE
from results.advice.fit import Fit
from results.advice.log_size import BITS_A_BYTE, GIGA
from results.core.formats import format_block_size, format_count, format_number, least_shown_as


@dataclass(frozen=True, slots=True)
class Link:
    """A link by its line rate, in Gbit/s (10^9 bits)."""

    gbit_s: Decimal

    @property
    def ethernet(self) -> str:
        """The common name: "10 GbE"."""
        return f"{self.gbit_s} GbE"

    @property
    def mib_s(self) -> float:
        """The line rate as a payload, without overhead."""
        return float(self.gbit_s * GIGA / BITS_A_BYTE / MEBIBYTE)


LINKS = tuple(Link(Decimal(rate)) for rate in ("1", "2.5", "5", "10", "25", "40", "100"))


def fastest_link(mib_s: float | None) -> Link | None:
    """The fastest link that this throughput keeps up with."""
    return next((link for link in reversed(LINKS) if mib_s and mib_s >= least_shown_as(link.mib_s)), None)


class Chip(NamedTuple):
    """Whether a drive keeps up with a link: "carried", "on-paper", "too-slow" or "unknown"; the same in words."""

    gbit_s: str
    state: str
    meaning: str


class Reached(NamedTuple):
    """A measured throughput with this many writers; `block_size` is None if it isn't known.

    `digits` are those of the published figures behind it (None: three or more).
    """

    mib_s: float
    block_size: int | None = None
    writers: int = 1
    digits: int | None = None

    @property
    def conditions(self) -> str:
        """As in "4 KiB, 5 writers"."""
        size = "" if self.block_size is None else format_block_size(self.block_size)
        return ", ".join(filter(None, [size, format_count(self.writers, "writer")]))


class Claimed(NamedTuple):
    """A claimed rate of sequential writes, in MB/s as data sheets state it."""

    mb_s: float
    stated_by: str
    note: str = ""
    source: str = ""  # the site; "" for a maker, who needs no second one

    @property
    def mib_s(self) -> float:
        return self.mb_s * MEGABYTE / MEBIBYTE


class Bus(NamedTuple):
    """The fastest interface of a product, and its limit."""

    name: str
    mib_s: float


class Limit(NamedTuple):
    """The most that a device can carry, and why: part of a sentence, without the figure."""

    mib_s: float
    of: str  # "claimed for this capacity (Intel)"
    is_of_bus: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Throughput:
    """What is known of a device's throughput; claims are ascending.

    `claims` are for this exact capacity, `line_claims` for the entire line. `is_cached`: the claims are about a cache
    without protection, so they can only rule a device out.
    """

    measured: Reached | None = None
    claims: Sequence[Claimed] = ()
    line_claims: Sequence[Claimed] = ()
    bus: Bus | None = None
    is_cached: bool = False

    @property
    def claimed(self) -> Claimed | None:
        """The lowest claim for this capacity, if it says something."""
        return self.claims[0] if self.claims and not self.is_cached else None

    @property
    def claimed_by(self) -> str:
        """Who claims it: "Intel", "a reviewer" if several sites do, or "a reviewer, one source"."""
        if self.claimed is None:
            return ""
        sources = {claim.source for claim in self.claims}
        is_only = len(sources) == 1 and "" not in sources
        return f"{self.claimed.stated_by}{', one source' if is_only else ''}"

    @property
    def is_measured(self) -> bool:
        """Whether the figure that counts was measured: no claim for the capacity is higher."""
        return self.measured is not None and self.measured.mib_s == self.mib_s

    @property
    def mib_s(self) -> float | None:
        """What it carries at least: the higher of the measured and the claimed rate."""
        return max((rate.mib_s for rate in (self.measured, self.claimed) if rate is not None), default=None)

    @property
    def limits(self) -> list[Limit]:
        """What rules out faster links, unless a measurement exceeds it."""
        limits = []
        if self.claims:
            most = self.claims[-1]
            limits.append(Limit(most.mib_s, f"claimed for this capacity ({most.stated_by})"))
        elif self.line_claims:
            most = self.line_claims[-1]
            limits.append(Limit(most.mib_s, f"claimed for the largest model ({most.stated_by})"))
        if self.bus:
            limits.append(Limit(self.bus.mib_s, self.bus.name, is_of_bus=True))
        return limits

    @property
    def limit(self) -> Limit | None:
        """The lowest of the limits that no measurement exceeds."""
        reached = self.measured.mib_s if self.measured else 0
        found = (limit for limit in self.limits if limit.mib_s >= reached)
        return min(found, key=lambda limit: limit.mib_s, default=None)

    @property
    def facts(self) -> list[str]:
        """The figures that say something about throughput, as clauses."""
        found = []
        if self.measured:
            found.append(
                f"at least {_mib_s(self.measured.mib_s, self.measured.digits)} measured ({self.measured.conditions})"
            )
        if self.claimed:
            found.append(f"{_mib_s(self.claimed.mib_s)} claimed for this capacity ({self.claimed_by})")
        elif self.line_claims and not self.is_cached:
            most = self.line_claims[-1]
            found.append(f"up to {_mib_s(most.mib_s)} (largest model, {most.stated_by})")
        return found


NOTHING_KNOWN = Throughput()


class LinkCheck(NamedTuple):
    """Whether a device keeps up with a rate.

    `is_on_paper` if only a claim says so. `mib_s` is the deciding figure, None if nothing is known.
    """

    fit: Fit
    mib_s: float | None = None
    is_on_paper: bool = False


def check_link(known: Throughput, mib_s: float) -> LinkCheck:
    """Whether a device keeps up with a rate; explain_link says why."""
    return check_rate(known, least_shown_as(mib_s))


def check_rate(known: Throughput, least: float) -> LinkCheck:
    """The same with the least rate that is shown like the one that is needed."""
    measured, claimed = known.measured, known.claimed
    if measured and measured.mib_s >= least:
        return LinkCheck(Fit.YES, measured.mib_s)
    if claimed and claimed.mib_s >= least:
        return LinkCheck(Fit.YES, claimed.mib_s, is_on_paper=True)
    limit = known.limit
    if limit and limit.mib_s < least:
        return LinkCheck(Fit.NO, limit.mib_s)
    return LinkCheck(Fit.UNKNOWN, known.mib_s)


def explain_link(known: Throughput, mib_s: float, name: str) -> str:
    """Why a device keeps up, or doesn't, with a rate called `name` ("10 GbE"); a sentence without its period."""
    check, limit = check_link(known, mib_s), known.limit
    if check.is_on_paper and known.claimed:
        paper = f"{_mib_s(known.claimed.mib_s)} claimed for this capacity ({known.claimed_by})"
        return f"Keeps up with {name} on paper: {paper}"
    if check.fit is Fit.YES:
        return f"Keeps up with {name}: {known.facts[0]}"
    if check.fit is Fit.NO and limit:
        for_need = f"{format_number(limit.mib_s)} of {_mib_s(mib_s)}"
        most = f"{limit.of} carries at most {for_need}" if limit.is_of_bus else f"{for_need} {limit.of}"
        return f"Falls short of {name}: {most}"
    why = "; ".join(known.facts) or "throughput neither measured nor claimed"
    return f"Not known to keep up with {name} ({_mib_s(mib_s)}): {why}"


@dataclass(frozen=True, slots=True)
class Carried:
    """The fastest link that a device keeps up with as measured, and a faster one on paper; None if there is none."""

    measured: Link | None
    on_paper: Link | None

    @property
    def gbit_s(self) -> Decimal:
        """The faster of both, 0 without one."""
        return max((link.gbit_s for link in (self.measured, self.on_paper) if link), default=Decimal(0))

    @property
    def next_link(self) -> Link | None:
        """The slowest link that is faster."""
        return next((link for link in LINKS if link.gbit_s > self.gbit_s), None)


def fastest_links(known: Throughput) -> Carried:
    """The fastest links of LINKS that the device keeps up with."""
    measured, on_paper = None, None
    for link in LINKS:
        check = check_link(known, link.mib_s)
        if check.fit is Fit.YES:
            measured, on_paper = (measured, link) if check.is_on_paper else (link, None)
    return Carried(measured, on_paper)


def keeps_up_with(known: Throughput) -> str:
    """Which links it keeps up with: "Keeps up with 2.5 GbE, 10 GbE on paper"."""
    carried, slowest = fastest_links(known), LINKS[0]
    reached = [
        *([carried.measured.ethernet] if carried.measured else []),
        *([f"{carried.on_paper.ethernet} on paper"] if carried.on_paper else []),
    ]
    if reached:
        return f"Keeps up with {', '.join(reached)}"
    if check_link(known, slowest.mib_s).fit is Fit.NO:
        return f"Too slow for {slowest.ethernet}"
    return f"Not known to keep up with {slowest.ethernet}"


def _mib_s(value: float, digits: int | None = None) -> str:
    return f"{format_number(value, digits)} MiB/s"
