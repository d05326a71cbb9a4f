"""What the site recommends: protected devices with figures from accountable sources, fastest first.

Everything that calls a device a good or the best choice uses this module. Only results that someone is accountable
for contribute to a recommendation (results.ranking.senders): a new account's may be ranked, but change none.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import reduce
from math import inf
from operator import or_
from typing import Any, NamedTuple, Protocol

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Value, Window
from django.db.models.functions import Left, Length, RowNumber

from results.core.addresses import address
from results.core.today import today
from results.kinds.curve.metrics import Curve
from results.models import Device, DeviceRanking, PriceSighting, Product
from results.models.choices import (
    PROTECTED,
    Badge,
    Board,
    PlpEvidence,
    ProductFlag,
    plp_badge,
    strength,
    strongest_statement,
)
from results.models.fact import has_capacity_of
from results.ranking.bands import slowest_by_class
from results.ranking.intervals import GUESSED_SPREAD, Interval, half_width_sql

MIN_UNITS = 2  # independent ones with results that someone is accountable for
SLOWEST_FACTOR = 3  # times the slowest 4 KiB latency expected of the class
# Matches a device's main row with enough results whose product is protected.
IS_RECOMMENDED = Q(
    board=Board.SYNC_WRITE, is_main=True, recommended_high__isnull=False, device__product__plp__in=PROTECTED
)
# A class's first choice has to work in any machine with the slot.
_IS_CHOICE = IS_RECOMMENDED & ~Q(device__product__flags__contains=[ProductFlag.PLATFORM_DEPENDENT])
# A device without a price from the last years is never the first choice if another one has such a price
PRICED_YEARS = 2
_BEST_FIRST = ("-is_sold", "recommended_high", "device_id")


# A common table expression: what results.ranking.medians finds from results that someone is accountable for, by
# device and method. `accountable_figures` is null where no other results count.
ACCOUNTABLE_SQL = f"""
    accountable AS (
        SELECT device_id, method, cardinality(scores_{Board.SYNC_WRITE}) AS accountable_count, is_confirmed,
               score_{Board.SYNC_WRITE} AS accountable_score, scores_{Board.SYNC_WRITE} AS accountable_scores,
               CASE WHEN is_of_accountable THEN jsonb_build_object(
                   'unit_count', cardinality(scores_{Board.SYNC_WRITE}), 'result_count', results_{Board.SYNC_WRITE},
                   'metrics', metrics, 'median_us', median_us
               ) END AS accountable_figures
        FROM per_device WHERE is_accountable
    )
"""  # noqa: S608 - our own expressions


# By class, in µs; classes without an expected latency are missing
_TOO_SLOW_ABOVE = {value: SLOWEST_FACTOR * slowest for value, slowest in slowest_by_class().items()}
_CASES = " ".join(f"WHEN '{value}' THEN {most}" for value, most in _TOO_SLOW_ABOVE.items())
# Whether there is enough for a recommendation, for a row with its board, its class and the columns of `accountable`.
PASSES_SQL = f"""
    board = '{Board.SYNC_WRITE}' AND (is_confirmed OR accountable_count >= {MIN_UNITS})
    AND exp(accountable_score) <= (CASE device_class {_CASES} ELSE 'infinity' END)::double precision
"""

# Half of the interval over these units. It uses the guessed spread instead of the board's, which other results could
# shift.
RECOMMENDED_HALF_SQL = half_width_sql(
    "accountable_count", "accountable_deviation", spread=repr(GUESSED_SPREAD)
)


class Rated(Protocol):
    """The column of a product that decides."""

    @property
    def plp(self) -> str: ...


def is_too_slow(device_class: str, latency_4k_us: float | None) -> bool:
    """Whether a device is so much slower than its class that something must be wrong with it or its results."""
    return latency_4k_us is not None and latency_4k_us > _TOO_SLOW_ABOVE.get(device_class, inf)


# The same for main rows of the board sync_write; `high`, which is never below the score, is indexed with the class.
IS_TOO_SLOW = reduce(
    or_,
    (Q(device_class=value, high__gt=most, score__gt=most) for value, most in _TOO_SLOW_ABOVE.items()),
)


def is_recommended(recommended_high: float | None, product: Rated | None) -> bool:
    """IS_RECOMMENDED for values of a main row and of its product that are already loaded."""
    return recommended_high is not None and product is not None and product.plp in PROTECTED


def judged_first(ranking: DeviceRanking) -> tuple[bool, float, int]:
    """A sort key of a product's devices: the first is the one that the product is judged by."""
    return ranking.recommended_high is None, ranking.score, ranking.device_id


def vouched_interval(ranking: DeviceRanking) -> Interval | None:
    """The interval behind a recommendation; None if there is too little for one."""
    if ranking.recommended_low is None or ranking.recommended_high is None:
        return None
    return Interval(ranking.recommended_low, ranking.recommended_high)


def recommended_devices(device: str = "pk") -> Exists:
    """A condition for devices that pass; `device` is the key in the outer query."""
    return Exists(DeviceRanking.objects.filter(IS_RECOMMENDED, device=OuterRef(device)))


def recommended(device_class: str = "") -> QuerySet[Any]:
    """The possible choices of one class or all, best first: those that can still be bought before the others."""
    rankings: QuerySet[Any] = DeviceRanking.objects.filter(_IS_CHOICE)
    if device_class:
        rankings = rankings.filter(device_class=device_class)
    day = today()
    prices = PriceSighting.objects.exclude(shown_as="").filter(
        has_capacity_of("device__capacity_bytes") | Q(capacity_bytes=None),
        product=OuterRef("device__product"),
        # A month counts to its last day
        seen_on__gte=Left(Value(f"{day.year - PRICED_YEARS}-{day:%m-%d}"), Length("seen_on")),
    )
    priced: QuerySet[Any] = rankings.annotate(is_sold=Exists(prices))
    return priced.order_by(*_BEST_FIRST)


def best_of_each_class(count: int) -> list[int]:
    """The row keys of the best `count` devices of each class, best first. One query."""
    place = Window(RowNumber(), partition_by="device_class", order_by=_BEST_FIRST)
    best = recommended().annotate(place=place).filter(place__lte=count).order_by("device_class", "place")
    return list(best.values_list("pk", flat=True))


class ProtectedProduct(NamedTuple):
    """A product that is protected according to the catalogue, with the strongest source."""

    slug: str
    name: str
    vendor: str
    device_class: str
    plp: str
    evidence: str
    evidence_url: str
    is_measured: bool  # it has a published result

    @property
    def full_name(self) -> str:
        return f"{self.vendor} {self.name}"

    @property
    def url(self) -> str:
        return address("product", self.slug)

    @property
    def protection(self) -> Badge:
        return plp_badge(self.plp)

    @property
    def evidence_label(self) -> str:
        return PlpEvidence(self.evidence).label


def protected_products() -> dict[str, list[ProtectedProduct]]:
    """Protected products by class: measured ones first, then by strength of the source. One query."""
    measured = Device.objects.shown().filter(product=OuterRef("pk"))
    products = Product.objects.filter(plp__in=PROTECTED).annotate(is_measured=Exists(measured))
    fields = ("slug", "name", "vendor__name", "device_class", "plp", "plp_statements", "is_measured")
    rows = products.order_by(F("launch_year").desc(nulls_last=True), "vendor__name", "name")
    found: dict[str, list[ProtectedProduct]] = defaultdict(list)
    for slug, name, vendor, device_class, plp, statements, is_measured in rows.values_list(*fields):
        strongest = strongest_statement(plp, statements) or {}  # a protected one has a statement
        source = (strongest["evidence"], strongest["url"])
        found[device_class].append(
            ProtectedProduct(slug, name, vendor, device_class, plp, *source, is_measured)
        )
    for for_class in found.values():
        for_class.sort(key=lambda product: (not product.is_measured, strength(product.evidence)))
    return found


class VouchedFigures(NamedTuple):
    """The values of the DeviceRanking columns with these names."""

    unit_count: int
    result_count: int
    metrics: dict[str, float]
    median_us: Curve


def vouched_figures(row: Mapping[str, Any]) -> VouchedFigures:
    """The figures behind the recommendation of a ranking with these columns and `recommended_figures`.

    They are the row's own if no other results count.
    """
    own = {name: row[name] for name in VouchedFigures._fields}
    return VouchedFigures(**(row["recommended_figures"] or own))
