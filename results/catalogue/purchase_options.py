"""Build purchase options from stored facts, prices and measurements."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from django.db.models import QuerySet

from results.advice.criteria import Need, Option
from results.advice.form_factor import forms_of, split_forms
from results.advice.link import Bus, Reached, Throughput
from results.catalogue.endurance import RATINGS, find_endurance
from results.catalogue.prices import load_shown, offer_order
from results.catalogue.product_facts import FACTS, PRODUCTS, expressions
from results.catalogue.protection import protection_key
from results.catalogue.throughput import bus_of, claims_about, write_claims
from results.core.drive_names import DriveName
from results.core.prices import Sighting
from results.models import Claim, Product
from results.models.choices import PLP_FLAGS, PROTECTED, ClaimQuantity, Plp, is_probably_protected
from results.models.fact import is_same_capacity

LATENCIES = (ClaimQuantity.WRITE_LATENCY_QD1, ClaimQuantity.WRITE_LATENCY)  # the best comparable first
CLAIMS_READ = (ClaimQuantity.SEQUENTIAL_WRITE, *RATINGS, ClaimQuantity.FORM_FACTOR, *LATENCIES)


class ProductRow(NamedTuple):
    """Columns and a fact of Product, by these names."""

    id: int
    slug: str
    vendor__name: str
    name: str
    device_class: str
    plp: str
    plp_statements: list[dict[str, str]]
    interface: str
    form_factors: str
    endurance_dwpd_low: Decimal | None
    endurance_dwpd_high: Decimal | None
    endurance_years: int | None
    endurance_tbw: list[dict[str, int | None]]
    endurance_source_url: str
    flags: list[str]
    fact_launch_year: int | None

    @property
    def drive_name(self) -> DriveName:
        return DriveName(vendor=self.vendor__name, line=self.name)

    @property
    def is_probably_protected(self) -> bool:
        return is_probably_protected(self.plp, self.plp_statements)

    @property
    def bus(self) -> Bus | None:
        return bus_of(self.interface, self.device_class)

    @property
    def protection_checks(self) -> list[str]:
        """What is uncertain about its power-loss protection."""
        return [flag.label for flag in PLP_FLAGS if flag.value in self.flags]


_OF_PRODUCT = attrgetter(*(name.replace("__", ".") for name in ProductRow._fields))


def with_launch_year(products: QuerySet[Product]) -> QuerySet[Product]:
    """These products, annotated with the fact that a ProductRow needs."""
    return products.annotate(**expressions([FACTS["launch_year"]], PRODUCTS))


def product_rows(products: QuerySet[Product]) -> list[ProductRow]:
    """The rows of these products. One query."""
    return [ProductRow(*row) for row in with_launch_year(products).values_list(*ProductRow._fields)]


def row_of(product: Product) -> ProductRow:
    """The row of a product of `with_launch_year`."""
    return ProductRow(*_OF_PRODUCT(product))


class ClaimRow(NamedTuple):
    """Columns of Claim, by these names."""

    product_id: int
    capacity_bytes: int | None
    variant: str
    quantity: str
    value: Decimal | None
    text: str
    stated_by: str
    note: str
    source_url: str


class Facts:
    """The stored facts of a product; `prices` are those that match the need, `others` those in another condition."""

    def __init__(
        self,
        product: ProductRow,
        claims: Iterable[ClaimRow],
        prices: Iterable[Sighting],
        sold: Iterable[int | None] = (),
        others: Iterable[Sighting] = (),
    ) -> None:
        self.product = product
        self._claims: dict[tuple[str, int | None], list[ClaimRow]] = defaultdict(list)
        for claim in claims:
            self._claims[claim.quantity, claim.capacity_bytes].append(claim)
        self._endurance = find_endurance(product, chain.from_iterable(self._claims.values()))
        self._write_claims = write_claims(chain.from_iterable(self._claims.values()))
        self._prices, self._other_prices = _by_capacity(prices), _by_capacity(others)
        rated = [row["capacity_bytes"] for row in product.endurance_tbw]
        stated = {*rated, *(capacity for _, capacity in self._claims), *self._prices, *sold}
        self.capacities = sorted(value for value in stated if value is not None)
        self._on_paper: dict[int | None, Option] = {}

    def rated_bytes(self, capacity_bytes: int | None) -> int | None:
        """How many bytes may be written to a drive of a stated capacity; None if no source says so."""
        written = self._endurance.of(capacity_bytes)
        return written and written.bytes

    @property
    def rating_sources(self) -> list[str]:
        """Where its ratings are stated."""
        return self._endurance.source_urls

    def on_paper(self) -> Sequence[Option]:
        """An option for each stated capacity, or one without a capacity."""
        return [self.option(capacity) for capacity in self.capacities or (None,)]

    def option(self, capacity_bytes: int | None) -> Option:
        """The option for a capacity; None if no source states any."""
        if capacity_bytes not in self._on_paper:
            self._on_paper[capacity_bytes] = self._stated_option(capacity_bytes)
        return self._on_paper[capacity_bytes]

    def _stated_option(self, capacity_bytes: int | None) -> Option:
        """What sources state for a capacity."""
        product, written = self.product, self._endurance.of(capacity_bytes)
        return Option(
            plp=product.plp,
            protection_key=protection_key(product.plp, product.plp_statements),
            launch_year=product.fact_launch_year,
            capacity_bytes=capacity_bytes,
            form_factors=self._form_factors(capacity_bytes),
            interface=product.interface,
            throughput=self._throughput(capacity_bytes),
            claimed_latency_us=self._latency_us(capacity_bytes),
            written_bytes=written and written.bytes,
            written_from_dwpd=written and written.dwpd,
            written_most=self._endurance.for_largest,
            price=self._price(self._prices, capacity_bytes),
            other_price=self._price(self._other_prices, capacity_bytes),
        )

    def marketed(self, capacity_bytes: int) -> int:
        """The stated capacity that matches a device's byte count, else the count."""
        same = (capacity for capacity in self.capacities if is_same_capacity(capacity, capacity_bytes))
        return min(same, key=lambda capacity: abs(capacity - capacity_bytes), default=capacity_bytes)

    def _stated(self, quantity: ClaimQuantity, capacity_bytes: int | None) -> list[ClaimRow]:
        """Claims for the capacity; without any, those for the line."""
        return self._claims.get((quantity, capacity_bytes)) or self._claims.get((quantity, None), [])

    def _form_factors(self, capacity_bytes: int | None) -> str:
        claims = self._stated(ClaimQuantity.FORM_FACTOR, capacity_bytes)
        forms = split_forms(self.product.form_factors, *(claim.text for claim in claims))
        return ", ".join(forms_of(forms, capacity_bytes))

    def _throughput(self, capacity_bytes: int | None) -> Throughput:
        vendor = self.product.vendor__name
        claims, line_claims = claims_about(self._write_claims, capacity_bytes, vendor)
        return Throughput(
            claims=claims,
            line_claims=line_claims,
            bus=self.product.bus,
            is_cached=self.product.plp not in PROTECTED,
        )

    def _latency_us(self, capacity_bytes: int | None) -> float | None:
        """The slowest claimed latency; None for unprotected drives, whose claims describe their cache."""
        stated = (self._stated(quantity, capacity_bytes) for quantity in LATENCIES)
        values = next(
            ([float(claim.value) for claim in found if claim.value] for found in stated if found), []
        )
        return max(values, default=None) if self.product.plp in PROTECTED else None

    @staticmethod
    def _price(
        prices: Mapping[int | None, Sequence[Sighting]], capacity_bytes: int | None
    ) -> Sighting | None:
        """The first in the order of offers, new or used."""
        for_line = prices.get(None, [])
        seen = for_line if capacity_bytes is None else [*for_line, *prices.get(capacity_bytes, [])]
        return min(seen, key=offer_order, default=None)


def _by_capacity(prices: Iterable[Sighting]) -> dict[int | None, list[Sighting]]:
    found: dict[int | None, list[Sighting]] = defaultdict(list)
    for price in prices:
        found[price.capacity_bytes].append(price)
    return found


def options_of_device(facts: Facts | None, capacity_bytes: int | None) -> Sequence[Option]:
    """The options of a device, as on paper: all capacities of the line if none is stated.

    Without facts, the device has no product in the catalogue.
    """
    if facts is None:
        return [Option(plp=Plp.UNKNOWN, capacity_bytes=capacity_bytes)]
    if capacity_bytes is None:
        return facts.on_paper()
    return [facts.option(facts.marketed(capacity_bytes))]


def with_reached(option: Option, reached: Reached | None) -> Option:
    """The option of a device with this measured throughput."""
    return replace(option, throughput=replace(option.throughput, measured=reached))


def load_facts(product_ids: Collection[int]) -> dict[int, Facts]:
    """The facts of these products with the shown prices, whatever the need. Three queries."""
    products = Product.objects.filter(pk__in=product_ids)
    return find_facts(product_rows(products), products, load_shown(product_ids), Need())


def find_facts(
    products: Iterable[ProductRow],
    among: QuerySet[Product] | Collection[int],
    sightings: Iterable[Sighting],
    need: Need,
) -> dict[int, Facts]:
    """The facts of these products, all in `among`, by product. One query for their claims.

    Every sighting shows that a capacity is sold; only those that match the need are prices.
    """
    claims = Claim.objects.filter(product__in=among, quantity__in=CLAIMS_READ)
    claims_of: dict[int, list[ClaimRow]] = defaultdict(list)
    for claim in map(ClaimRow._make, claims.values_list(*ClaimRow._fields)):
        claims_of[claim.product_id].append(claim)
    prices_of: dict[int, list[Sighting]] = defaultdict(list)
    others_of: dict[int, list[Sighting]] = defaultdict(list)
    sold: dict[int, list[int | None]] = defaultdict(list)
    for sighting in sightings:
        sold[sighting.product_id].append(sighting.capacity_bytes)
        if sighting.currency == need.currency:
            found = prices_of if need.offer in {"", sighting.offer} else others_of
            found[sighting.product_id].append(sighting)
    return {
        product.id: Facts(
            product,
            claims_of.get(product.id, ()),
            prices_of.get(product.id, ()),
            sold.get(product.id, ()),
            others_of.get(product.id, ()),
        )
        for product in products
    }
