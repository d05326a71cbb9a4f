"""What sources state about a product: problems, life cycle, prices, claims."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, TypeVar

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, CharField, F, OuterRef, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, JSONObject

from results.catalogue.claims import is_comparable
from results.catalogue.files.statements_csv import CAVEATS, CLAIMS, LIFE_CYCLES, PRICES, FactKind
from results.catalogue.prices import launch_year_of_price, newest_first
from results.catalogue.prices_on_pages import SeenPrices, seen_prices
from results.core.formats import format_range
from results.core.prices import Sighting
from results.kinds.curve.metrics import METRICS, iops
from results.models import Caveat, Claim, LifeCycle, Product, Vendor
from results.models.choices import CaveatKind, ClaimQuantity
from results.models.fact import is_about

_QUANTITIES = [quantity.value for quantity in ClaimQuantity]
_CAVEAT_KINDS = [kind.value for kind in CaveatKind]
MAX_PRICES = 100  # of one product: the shown of each capacity, then the newest
_LIFE_CYCLE_ORDER = ("Launched", "Note", "End of sale", "Successor")
# By quantity: the metric that measures the same for sync writes, and how to convert it to the claim's unit.
_MEASURED_AS: dict[str, tuple[str, Callable[[float], float], str]] = {
    ClaimQuantity.WRITE_LATENCY: ("latency_4k_us", float, "µs"),
    ClaimQuantity.WRITE_LATENCY_QD1: ("latency_4k_us", float, "µs"),
    ClaimQuantity.RANDOM_WRITE_QD1: ("latency_4k_us", iops, "IOPS"),
    ClaimQuantity.RANDOM_WRITE_STEADY: ("latency_4k_us", iops, "IOPS"),
    ClaimQuantity.RANDOM_WRITE: ("latency_4k_us", iops, "IOPS"),
    ClaimQuantity.SEQUENTIAL_WRITE: ("throughput_128k_mib_s", float, "MiB/s"),
}
Fact = TypeVar("Fact", Claim, Sighting)


@dataclass(frozen=True, slots=True)
class StatedFacts:
    """The facts of a product: caveats and claims by kind, prices newest first."""

    caveats: Sequence[Caveat]
    life_cycle: Sequence[LifeCycle]
    prices: Sequence[Sighting]
    claims: Sequence[Claim]

    def about(self, capacity_bytes: int | None) -> "StatedFacts":
        """Of claims and prices, those for a capacity and for the entire line; all, if the capacity isn't known."""
        if capacity_bytes is None:
            return self
        prices, claims = _about(self.prices, capacity_bytes), _about(self.claims, capacity_bytes)
        return replace(self, prices=prices, claims=claims)


def stated_facts(product_id: int) -> StatedFacts:
    """Load the facts of a product, at most MAX_PRICES prices. One query."""
    row = Product.objects.values(
        caveats_rows=_rows(CAVEATS, "summary", "source_url"),
        life_cycle_rows=_rows(
            LIFE_CYCLES,
            *("launched_on", "end_of_sale", "source_url", "note"),
            successor_name=F("successor__name"),
            vendor_name=F("successor__vendor__name"),
        ),
        prices_rows=_rows(
            PRICES,
            *(Case(When(shown_as="", then=1), default=0), "-seen_on", "pk"),
            most=MAX_PRICES,
            price=Cast("price", CharField()),  # JSON has no decimals
            shown_as=F("shown_as"),
            launch_year=launch_year_of_price(),
        ),
        claims_rows=_rows(
            CLAIMS, "capacity_bytes", F("value").asc(), "source_url", value=Cast("value", CharField())
        ),
    ).get(pk=product_id)
    caveats = [Caveat(**caveat) for caveat in row["caveats_rows"]]
    prices = [
        Sighting(product_id=product_id, amount=Decimal(price.pop("price")), **price)
        for price in row["prices_rows"]
    ]
    claims = [
        Claim(**{**claim, "value": claim["value"] and Decimal(claim["value"])})
        for claim in row["claims_rows"]
    ]
    return StatedFacts(
        caveats=sorted(caveats, key=lambda caveat: _CAVEAT_KINDS.index(caveat.kind)),
        life_cycle=[_as_life_cycle(**line) for line in row["life_cycle_rows"]],
        prices=newest_first(prices),
        claims=sorted(claims, key=lambda claim: _QUANTITIES.index(claim.quantity)),
    )


def _rows(
    kind: FactKind[Any], *order: str | Combinable, most: int | None = None, **others: Combinable
) -> ArraySubquery:
    """At most `most` facts of this kind, as JSON objects with its fields and others."""
    facts = kind.model._default_manager.filter(product=OuterRef("pk")).order_by(*order)
    fields: dict[str, Combinable] = {name: F(name) for name in kind.fields}
    return ArraySubquery(facts.values(row=JSONObject(**{**fields, **others}))[:most])


def _as_life_cycle(successor_id: str, successor_name: str, vendor_name: str, **stated: str) -> LifeCycle:
    """A LifeCycle with the part of its successor that pages show."""
    vendor = Vendor(name=vendor_name)
    successor = Product(slug=successor_id, name=successor_name, vendor=vendor) if successor_id else None
    return LifeCycle(**stated, successor=successor)


def _about(facts: Iterable[Fact], capacity_bytes: int) -> list[Fact]:
    return [fact for fact in facts if is_about(fact.capacity_bytes, capacity_bytes)]


@dataclass(frozen=True, slots=True)
class Stage:
    """A statement about the life of a product, once, and its sources: each address, and what else it says."""

    label: str
    value: str
    url: str
    sources: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ClaimRange:
    """The best claim of a quantity, and the range that was measured."""

    quantity: str
    claimed: str
    measured: str


@dataclass(frozen=True, slots=True)
class ShownFacts:
    """What parts/caveats.html, life_cycle.html, prices.html and claims.html show."""

    caveats: Sequence[Caveat]
    life_cycle: Sequence[Stage]
    prices: SeenPrices | None
    claims: Sequence[Claim]
    compared: Sequence[ClaimRange]


def stated_on_page(
    facts: StatedFacts,
    measured: Sequence[Mapping[str, float]] = (),
    *,
    digits: int | None = None,
    has_chart: bool = False,
) -> ShownFacts:
    """`measured` are the metrics of its ranked devices, all by one method; `digits` as in Metric.text."""
    return ShownFacts(
        facts.caveats,
        _life_cycle(facts.life_cycle),
        seen_prices(facts.prices, has_chart=has_chart),
        facts.claims,
        list(_compared(facts.claims, measured, digits)),
    )


def _compared(
    claims: Sequence[Claim], measured: Sequence[Mapping[str, float]], digits: int | None
) -> Iterator[ClaimRange]:
    for quantity, (key, convert, unit) in _MEASURED_AS.items():
        claimed = [claim for claim in claims if claim.quantity == quantity and is_comparable(claim)]
        figures = sorted(convert(metrics[key]) for metrics in measured if metrics.get(key))
        if claimed and figures:
            is_latency = unit == "µs"
            best = (min if is_latency else max)(claimed, key=lambda claim: claim.value or 0)
            shown = digits if METRICS[key].is_of_one_figure else None
            yield ClaimRange(
                best.get_quantity_display(),
                best.stated if is_latency else f"up to {best.stated}",
                f"{format_range(figures[0], figures[-1], shown)} {unit}",
            )


def _life_cycle(lines: Iterable[LifeCycle]) -> list[Stage]:
    """Each statement once with its sources; notes are on a source's first statement."""
    sources: dict[tuple[str, str, str], list[tuple[str, str]]] = {}
    for line in lines:
        stated = _stated(line)
        for position, what in enumerate(stated or [("Note", line.note, "")]):
            note = line.note if stated and position == 0 else ""
            sources.setdefault(what, []).append((line.source_url, note))
    stages = [Stage(*what, found) for what, found in sources.items()]
    return sorted(stages, key=lambda stage: _LIFE_CYCLE_ORDER.index(stage.label))


def _stated(line: LifeCycle) -> list[tuple[str, str, str]]:
    """The label, text and URL of each thing that the line states."""
    stated = [("Launched", line.launched_on, ""), ("End of sale", line.end_of_sale, "")]
    if line.successor:
        stated.append(("Successor", line.successor.full_name, line.successor.get_absolute_url()))
    return [what for what in stated if what[1]]
