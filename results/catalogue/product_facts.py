"""Product facts, each defined once, as metrics are for measurements.

A fact is an SQL expression, so lists filter and sort by the definition that they show. A page adds the
chosen ones to its query, only for the rows that it shows.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from django.db.models import (
    BigIntegerField,
    CharField,
    F,
    FloatField,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Coalesce, Greatest, NullIf, Round
from django.utils.text import Truncator

from parsers.base.units import GIGABYTE, TERABYTE
from results.advice.lifetime import DAYS_A_YEAR, WARRANTY_YEARS
from results.advice.link import LINKS
from results.catalogue.endurance import COUNTED
from results.catalogue.prices import (
    DEFAULT_CURRENCY,
    LATEST_YEAR,
    OFFERS,
    in_offer_order,
    launch_year,
    line_price,
)
from results.catalogue.throughput import Paths, claimed_mib_s, measured_mib_s
from results.core.formats import DASH, format_price, least_shown_as
from results.core.prices import is_seen_fresh, seen_in_words
from results.kinds.curve.metrics import stored_metric
from results.models import Claim, Device, DeviceRanking, LifeCycle, PriceSighting
from results.models.choices import Board, ClaimQuantity
from results.models.fact import has_capacity_of

DIGITS = 4  # after the point, in the API
_TEXT_LIMIT = 60  # characters of a text in a table's cell


@dataclass(frozen=True, slots=True)
class Scope:
    """The rows that facts are added to, and whose prices count.

    `product` is the path of the product's key and `columns` that of its columns. `capacity` is the path of the
    capacity; without it a fact covers the entire line: the highest endurance, the lowest price. `rankings` is the
    field of a ranking that names the row; empty for rows that are rankings. `vendor` is the path of the name that
    stands in for the product's vendor.
    """

    product: str
    columns: str
    capacity: str
    rankings: str
    vendor: str = ""
    currency: str = DEFAULT_CURRENCY
    offers: tuple[str, ...] = OFFERS

    @property
    def paths(self) -> Paths:
        device = {"": "device", "device": "pk"}.get(self.rankings, "")
        return Paths(device, self.product, self.capacity)

    def column(self, name: str) -> F:
        return F(f"{self.columns}{name}")

    def for_capacity(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """The rows for the capacity, or for the entire line."""
        if not self.capacity:
            return rows
        return rows.filter(has_capacity_of(self.capacity) | Q(capacity_bytes=None))

    def claimed(
        self, quantity: ClaimQuantity, *, is_of_line: bool = True, is_lowest: bool = False
    ) -> Subquery:
        """The lowest claimed rating for the capacity; of a product line, the highest unless `is_lowest`.

        Unless `is_of_line`, claims for the entire line don't apply to a capacity.
        """
        counted = Claim.objects.filter(COUNTED, product=OuterRef(self.product), quantity=quantity)
        claims = self.for_capacity(counted)
        if self.capacity and not is_of_line:
            claims = claims.filter(capacity_bytes__isnull=False)
        first = claims.order_by("value" if self.capacity or is_lowest else "-value")
        return Subquery(first.values(figure=Cast("value", FloatField()))[:1])

    def life_cycle(self) -> QuerySet[LifeCycle]:
        return LifeCycle.objects.filter(product=OuterRef(self.product))

    def prices(self) -> QuerySet[PriceSighting]:
        """The shown prices of each capacity in the currency."""
        prices = PriceSighting.objects.filter(
            product=OuterRef(self.product), currency=self.currency, shown_as__in=self.offers
        )
        return self.for_capacity(prices)

    def latest_price(self) -> QuerySet[PriceSighting]:
        """The first of the capacity's prices in the order of offers, or the one that mark_shown chose for a line."""
        if self.capacity:
            return in_offer_order(self.prices())[:1]
        return self.prices().filter(**line_price(self.offers))[:1]

    def has_result(self, any_of: Iterable[Mapping[str, str]]) -> Q:
        """The rows with a ranked result measured under any of these sets of conditions."""
        if not self.paths.device:
            devices = Device.objects.shown().filter(DEVICES.has_result(any_of), product__isnull=False)
            return Q(**{f"{self.product}__in": devices.values("product")})
        path = "" if self.rankings else "device__"
        return reduce(or_, (Q(**{f"{path}conditions__contains": [dict(statement)]}) for statement in any_of))

    def throughput_mib_s(self) -> Combinable:
        """The throughput at 128 KiB; of several devices, the best."""
        metric = stored_metric("throughput_128k_mib_s")
        if not self.rankings:
            return metric
        rankings = DeviceRanking.objects.filter(
            **{self.rankings: OuterRef("pk")}, board=Board.SYNC_WRITE, is_main=True
        )
        best = rankings.order_by(metric.desc(nulls_last=True))
        return Subquery(best.values(throughput=metric)[:1])


PRODUCTS = Scope(product="pk", columns="", capacity="", rankings="device__product")
DEVICES = Scope(
    product="product", columns="product__", capacity="capacity_bytes", rankings="device", vendor="vendor"
)
RANKINGS = Scope(
    product="device__product",
    columns="device__product__",
    capacity="device__capacity_bytes",
    rankings="",
    vendor="device__vendor",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductFact:
    """A fact that lists can show, filter and sort by; null where it isn't known."""

    key: str  # with its unit; its name in URLs and in the API
    label: str
    short_label: str  # for column heads
    meaning: str  # one sentence
    value: Callable[[Scope], Combinable]
    format: Callable[[Any, Scope], str]
    unit: str = ""
    is_lower_better: bool = False
    ends: tuple[str, str] = ("lowest", "highest")
    value_type: type[str | int | float] = float
    is_price: bool = False  # in the currency of the scope
    seen_on: Callable[[Scope], Combinable] | None = None  # of a value that ages

    def expressions(self, scope: Scope) -> dict[str, Combinable]:
        """The annotations of a query: the value, and when it was seen."""
        seen = {f"seen_{self.key}": self.seen_on(scope)} if self.seen_on else {}
        return {f"fact_{self.key}": self.value(scope), **seen}


class FactField(NamedTuple):
    """A field of a fact's record: its name, its annotation, and its meaning."""

    name: str
    expression: str
    meaning: str
    value_type: type[str | int | float] = str
    is_known: bool = False  # never null


class FactCell(NamedTuple):
    """A fact as a table shows it."""

    fact: ProductFact
    value: str
    age: str = ""
    is_stale: bool = False


_CURRENCY = FactField(
    "price_currency", "price_currency", "The currency of these prices (ISO 4217).", is_known=True
)


def expressions(facts: Iterable[ProductFact], scope: Scope) -> dict[str, Combinable]:
    """The annotations for these facts, with the currency if any is a price."""
    shown = list(facts)
    added = {name: value for fact in shown for name, value in fact.expressions(scope).items()}
    if any(fact.is_price for fact in shown):
        added[_CURRENCY.expression] = Value(scope.currency, output_field=CharField())
    return added


def read_facts(keys: Iterable[str]) -> list[ProductFact]:
    """The facts of these keys, in their order."""
    return [FACTS[key] for key in keys]


def is_known(rows: Iterable[Mapping[str, Any]], key: str) -> bool:
    """Whether any of these annotated rows has the fact of this key."""
    return any(row[f"fact_{key}"] is not None for row in rows)


def fact_cells(
    row: Mapping[str, Any], facts: Iterable[ProductFact], scope: Scope, today: date
) -> list[FactCell]:
    """A cell for each fact of an annotated row, with a dash if it isn't known."""
    return [_cell(row, fact, scope, today) for fact in facts]


def _cell(row: Mapping[str, Any], fact: ProductFact, scope: Scope, today: date) -> FactCell:
    value, seen_on = row[f"fact_{fact.key}"], row.get(f"seen_{fact.key}")
    if value is None:
        return FactCell(fact, DASH)
    if not seen_on:
        return FactCell(fact, fact.format(value, scope))
    age, is_stale = seen_in_words(seen_on, today), not is_seen_fresh(seen_on, today)
    return FactCell(fact, fact.format(value, scope), age, is_stale)


def fact_record(row: Mapping[str, Any], facts: Iterable[ProductFact]) -> dict[str, Any]:
    """The facts of an annotated row in the API, by the names of fact_fields."""
    return {field.name: plain_fact(row[field.expression]) for field in fact_fields(facts)}


def fact_fields(facts: Iterable[ProductFact]) -> list[FactField]:
    """The fields of a record: each fact, its date if any, and the currency of prices."""
    shown = list(facts)
    fields = [field for fact in shown for field in _fields(fact)]
    return [*fields, _CURRENCY] if any(fact.is_price for fact in shown) else fields


def _fields(fact: ProductFact) -> list[FactField]:
    meaning = f"{fact.meaning} In {fact.unit}." if fact.unit else fact.meaning
    value = FactField(fact.key, f"fact_{fact.key}", meaning, fact.value_type)
    if not fact.seen_on:
        return [value]
    seen = f"seen_{fact.key}"
    return [value, FactField(seen, seen, "When it was seen: a date, or the part of it that is known.")]


def plain_fact(value: Any) -> Any:
    """The value as in the API and exports: of 15 digits, rounded, halves up."""
    if value is None or isinstance(value, str | int):
        return value
    return float(Decimal(f"{value:.15g}").quantize(Decimal(1).scaleb(-DIGITS), ROUND_HALF_UP))


_RATED_BYTES = """(
    SELECT %(function)s((one->>'written_bytes')::float8)
    FROM (VALUES (%(expressions)s)) AS rated (written, capacity), jsonb_array_elements(rated.written) AS one
    WHERE rated.capacity = 0
    OR abs((one->>'capacity_bytes')::float8 - rated.capacity) <= 0.05 * rated.capacity
)"""


def most_tbw(scope: Scope) -> Combinable:
    """The rating of the capacity; of a product line, that of the capacity that is rated highest."""
    capacity = F(scope.capacity) if scope.capacity else Value(0)  # 0: any
    written = (scope.column("endurance_tbw"), Cast(capacity, BigIntegerField()))
    function = "min" if scope.capacity else "max"
    rated = Func(*written, function=function, template=_RATED_BYTES, output_field=FloatField())
    claimed = scope.claimed(ClaimQuantity.ENDURANCE_TBW, is_of_line=False)
    return Coalesce(rated / Value(float(TERABYTE)), claimed)


def _endurance_tbw(scope: Scope) -> Combinable:
    """As in results.catalogue.endurance; null for a product line, since each capacity has its own."""
    return most_tbw(scope) if scope.capacity else Value(None, output_field=FloatField())


def _endurance_dwpd(scope: Scope) -> Combinable:
    """For a capacity what its TBW allows, else the lowest of a range; for a line the highest."""
    claimed = scope.claimed(ClaimQuantity.ENDURANCE_DWPD)
    if not scope.capacity:
        return Coalesce(Cast(scope.column("endurance_dwpd_high"), FloatField()), claimed)
    days = DAYS_A_YEAR * Coalesce(scope.column("endurance_years"), Value(WARRANTY_YEARS))
    written_a_day = _endurance_tbw(scope) * Value(float(TERABYTE)) / days
    drive_writes = written_a_day / Cast(F(scope.capacity), FloatField())
    return Coalesce(Round(drive_writes, 2), Cast(scope.column("endurance_dwpd_low"), FloatField()), claimed)


def lowest_dwpd(scope: Scope) -> Combinable:
    """For a line, the lowest drive writes per day: of its range, else of what is claimed."""
    claimed = scope.claimed(ClaimQuantity.ENDURANCE_DWPD, is_lowest=True)
    return Coalesce(Cast(scope.column("endurance_dwpd_low"), FloatField()), claimed)


def _end_of_sale(scope: Scope) -> Combinable:
    stated = scope.life_cycle().exclude(end_of_sale="").order_by("source_url", "end_of_sale")
    return Subquery(stated.values("end_of_sale")[:1])


def _latest(column: str) -> Callable[[Scope], Combinable]:
    return lambda scope: Subquery(scope.latest_price().values(column))


_PER_GB = Cast("price", FloatField()) * float(GIGABYTE) / Cast("capacity_bytes", FloatField())


def _cheapest(value: Combinable) -> Callable[[Scope], Combinable]:
    return lambda scope: Subquery(_by_gb(scope).values(found=value)[:1])


def _by_gb(scope: Scope) -> QuerySet[PriceSighting]:
    prices = scope.prices().filter(capacity_bytes__gt=0)
    return in_offer_order(prices) if scope.capacity else prices.order_by(LATEST_YEAR, _PER_GB, "-seen_on")


class _FastestLink(Func):
    """The line rate in Gbit/s of the fastest link that a throughput in MiB/s keeps up with.

    An index into an array, so that the throughput, with its subqueries, is written and computed once.
    """

    template = (
        f"(ARRAY[NULL, {', '.join(str(link.gbit_s) for link in LINKS)}]::float8[])"
        "[1 + width_bucket(%(expressions)s, "
        f"ARRAY[{', '.join(str(least_shown_as(link.mib_s)) for link in LINKS)}]::float8[])]"
    )
    output_field = FloatField()


def _carries(scope: Scope) -> Combinable:
    return _FastestLink(measured_mib_s(scope.paths))


def _carries_on_paper(scope: Scope) -> Combinable:
    """By a claim for the capacity, if that link is faster than the one that was measured."""
    on_paper = _FastestLink(claimed_mib_s(scope.paths))
    measured = Coalesce(_carries(scope), Value(0.0))
    return NullIf(Greatest(on_paper, measured), measured)


def _number(value: float, scope: Scope) -> str:  # noqa: ARG001 - the signature of formats
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _text(value: str, scope: Scope) -> str:  # noqa: ARG001 - the signature of formats
    return Truncator(value).chars(_TEXT_LIMIT)


FACTS: dict[str, ProductFact] = {
    fact.key: fact
    for fact in (
        ProductFact(
            key="endurance_tbw",
            label="Endurance, written",
            short_label="TBW",
            unit="TB",
            meaning="How much may be written to it over its life, in TB (10^12 bytes), as rated or claimed for its "
            "capacity; null for a product line, since each capacity has its own rating.",
            value=_endurance_tbw,
            format=_number,
        ),
        ProductFact(
            key="endurance_dwpd",
            label="Endurance, drive writes per day",
            short_label="DWPD",
            unit="a day",
            meaning="Drive writes per day over its warranty: from its TBW, or the lowest of the line's range; for a "
            "product line, the highest.",
            value=_endurance_dwpd,
            format=_number,
        ),
        ProductFact(
            key="form_factors",
            label="Form factors",
            short_label="Form factor",
            meaning="The form factors that the product line comes in.",
            is_lower_better=True,
            value=lambda scope: NullIf(scope.column("form_factors"), Value("")),
            format=_text,
            ends=("A", "Z"),
            value_type=str,
        ),
        ProductFact(
            key="launch_year",
            label="Launched",
            short_label="Launched",
            unit="year",
            meaning="The year of its launch, according to the earliest source.",
            value=lambda scope: launch_year(scope.life_cycle(), scope.column("launch_year")),
            format=lambda value, _: str(value),
            ends=("oldest", "newest"),
            value_type=int,
        ),
        ProductFact(
            key="end_of_sale",
            label="End of sale",
            short_label="End of sale",
            meaning="What a source says about the end of its sale, often of one version only; null if none does.",
            is_lower_better=True,
            value=_end_of_sale,
            format=_text,
            ends=("A", "Z"),
            value_type=str,
        ),
        ProductFact(
            key="latest_price",
            label="Price",
            short_label="Price",
            meaning="The middle price of the twelve months that end with the newest one seen for the capacity, "
            "the higher of two; the cheaper of new and used; for a product line, that of its cheapest capacity.",
            is_lower_better=True,
            value=_latest("price"),
            format=lambda value, scope: format_price(value, scope.currency),
            is_price=True,
            seen_on=_latest("seen_on"),
        ),
        ProductFact(
            key="price_per_gb",
            label="Price per GB",
            short_label="Per GB",
            meaning="The price per GB (10^9 bytes) of capacity; for a product line, the lowest.",
            is_lower_better=True,
            value=_cheapest(_PER_GB),
            format=lambda value, scope: format_price(Decimal(f"{value:.2f}"), scope.currency),
            is_price=True,
            seen_on=_cheapest(F("seen_on")),
        ),
        ProductFact(
            key="carries_gbe",
            label="Fast enough for",
            short_label="Fast enough for",
            unit="GbE",
            meaning="The fastest Ethernet link it keeps up with, by the highest throughput measured.",
            value=_carries,
            format=lambda value, _: f"{value:g} GbE",
        ),
        ProductFact(
            key="carries_gbe_on_paper",
            label="Fast enough on paper for",
            short_label="On paper for",
            unit="GbE",
            meaning="A faster Ethernet link that it should keep up with, going by a claim for its capacity.",
            value=_carries_on_paper,
            format=lambda value, _: f"{value:g} GbE",
        ),
    )
}
