"""What products can be bought as: stored facts, prices and measurements as results.advice reads them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from parsers.base.readings import DeviceClass
from parsers.base.units import MEBIBYTE, MEGABYTE, TERABYTE
from results.advice.criteria import Bus, Claimed, Measured, Option, Price
from results.advice.lifetime import WARRANTY_YEARS, rated_bytes
from results.catalogue.claims import is_same_capacity
from results.catalogue.prices import Sighting
from results.kinds.latency_curve.checks import fastest_link, link_of_interface
from results.models.choices import ClaimQuantity, Plp, ProductFlag, StatedBy

CLAIMS_READ = (
    ClaimQuantity.SEQUENTIAL_WRITE,
    ClaimQuantity.ENDURANCE_TBW,
    ClaimQuantity.ENDURANCE_DWPD,
    ClaimQuantity.FORM_FACTOR,
)
PLP_FLAGS = (ProductFlag.PLP_PARTLY_STATED, ProductFlag.PLATFORM_DEPENDENT, ProductFlag.LIMITED_HOLD)


class ProductRow(NamedTuple):
    """Columns of Product, by these names."""

    id: int
    slug: str
    vendor__name: str
    name: str
    device_class: str
    plp: str
    interface: str
    form_factors: str
    endurance_dwpd_low: Decimal | None
    endurance_years: int | None
    endurance_tbw: list[dict[str, int | None]]
    flags: list[str]

    @property
    def full_name(self) -> str:
        return f"{self.vendor__name} {self.name}"


class ClaimRow(NamedTuple):
    """Columns of Claim, by these names."""

    product_id: int
    capacity_bytes: int | None
    quantity: str
    value: Decimal | None
    text: str
    stated_by: str
    note: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What is stored for one product."""

    product: ProductRow | None  # None for a device that the catalogue doesn't have
    claims: Sequence[ClaimRow] = ()
    sightings: Sequence[Sighting] = ()
    today: date = field(default_factory=date.today)

    def capacities(self) -> list[int]:
        """Those that any fact is about, smallest first."""
        rated = [one["capacity_bytes"] for one in self.product.endurance_tbw] if self.product else []
        claimed = [one.capacity_bytes for one in self.claims]
        offered = [one.capacity_bytes for one in self.sightings]
        return sorted({one for one in (*rated, *claimed, *offered) if one is not None})

    def option(self, capacity_bytes: int | None, measured: Measured | None = None) -> Option:
        """At one capacity; None if nobody states any."""
        if self.product is None:
            return Option(plp=Plp.UNKNOWN, capacity_bytes=capacity_bytes, measured=measured)
        return Option(
            plp=self.product.plp,
            capacity_bytes=capacity_bytes,
            form_factors=self._form_factors(capacity_bytes),
            interface=self.product.interface,
            bus=_bus(self.product.interface, self.product.device_class),
            written_bytes=self._written_bytes(capacity_bytes),
            claimed=self._claimed(capacity_bytes),
            measured=measured,
            price=self._price(capacity_bytes),
        )

    def marketed(self, capacity_bytes: int | None) -> int | None:
        """The stated capacity that a device's own count of bytes stands for, else the count itself."""
        same = (one for one in self.capacities() if is_same_capacity(one, capacity_bytes))
        return min(same, key=lambda one: abs(one - (capacity_bytes or 0)), default=capacity_bytes)

    def _stated(self, quantity: ClaimQuantity, capacity_bytes: int | None) -> list[ClaimRow]:
        """Claims for the capacity; without any, those for the line."""
        found = [one for one in self.claims if one.quantity == quantity]
        of_capacity = [one for one in found if one.capacity_bytes == capacity_bytes is not None]
        return of_capacity or [one for one in found if one.capacity_bytes is None]

    def _form_factors(self, capacity_bytes: int | None) -> str:
        stated = self.product.form_factors if self.product else ""
        claims = self._stated(ClaimQuantity.FORM_FACTOR, capacity_bytes)
        return ", ".join(dict.fromkeys(filter(None, [stated, *(one.text for one in claims)])))

    def _claimed(self, capacity_bytes: int | None) -> Claimed | None:
        """Of several figures the lowest."""
        claims = self._stated(ClaimQuantity.SEQUENTIAL_WRITE, capacity_bytes)
        lowest = min(claims, key=lambda one: one.value or 0, default=None)
        if lowest is None or lowest.value is None:
            return None
        return Claimed(
            mib_s=float(lowest.value * MEGABYTE / MEBIBYTE),
            mb_s=lowest.value,
            stated_by=StatedBy(lowest.stated_by).label,
            note=lowest.note,
            is_of_line=lowest.capacity_bytes is None,
        )

    def _written_bytes(self, capacity_bytes: int | None) -> int | None:
        """As rated for the capacity; else by drive writes a day. Of several ratings the lowest."""
        if self.product is None or capacity_bytes is None:
            return None
        rated = [
            one["written_bytes"]
            for one in self.product.endurance_tbw
            if one["capacity_bytes"] == capacity_bytes
        ]
        claims = [one for one in self.claims if one.capacity_bytes == capacity_bytes]
        claimed = [
            int(one.value * TERABYTE)
            for one in claims
            if one.quantity == ClaimQuantity.ENDURANCE_TBW and one.value is not None
        ]
        stated = [one for one in rated if one is not None] or claimed
        return min(stated, default=None) or self._by_drive_writes(capacity_bytes)

    def _by_drive_writes(self, capacity_bytes: int) -> int | None:
        claims = self._stated(ClaimQuantity.ENDURANCE_DWPD, capacity_bytes)
        claimed = min((one.value for one in claims if one.value is not None), default=None)
        of_line = self.product.endurance_dwpd_low if self.product else None
        dwpd = claimed if of_line is None else of_line
        years = (self.product.endurance_years if self.product else None) or WARRANTY_YEARS
        return None if dwpd is None else rated_bytes(dwpd, capacity_bytes=capacity_bytes, years=years)

    def _price(self, capacity_bytes: int | None) -> Price | None:
        """The newest; of several of the last twelve months the cheapest."""
        of_capacity = [one for one in self.sightings if one.capacity_bytes in {None, capacity_bytes}]
        fresh = [one for one in of_capacity if one.is_fresh(self.today)]
        if fresh:
            return self._as_price(min(fresh, key=lambda one: one.price))
        latest = max(of_capacity, key=lambda one: (one.counted_on, -one.price), default=None)
        return self._as_price(latest) if latest else None

    def _as_price(self, one: Sighting) -> Price:
        return Price(
            amount=one.price,
            currency=one.currency,
            offer=one.offer or "",
            condition=one.condition,
            age=one.age(self.today),
            is_fresh=one.is_fresh(self.today),
            seen_on=one.seen_on,
            source_url=one.source_url,
        )


@cache
def _bus(interface: str, device_class: str) -> Bus | None:
    link = link_of_interface(interface) or fastest_link(DeviceClass(device_class))
    return Bus(link.name, link.ceiling_mib_s) if link else None


def paper_options(facts: Facts) -> list[Option]:
    """One for each capacity that is stated, or one without."""
    return [facts.option(one) for one in facts.capacities()] or [facts.option(None)]


def measured_options(facts: Facts, capacity_bytes: int | None, measured: Measured) -> list[Option]:
    """What a measured device is; one of which nobody stated the capacity may be any of the line."""
    if capacity_bytes is None:
        return [replace(one, measured=measured) for one in paper_options(facts)]
    return [facts.option(facts.marketed(capacity_bytes), measured)]


def group_facts(
    products: Iterable[ProductRow],
    claims: Iterable[ClaimRow],
    sightings: Iterable[Sighting],
    *,
    today: date,
) -> dict[int, Facts]:
    """By product."""
    claims_of: Mapping[int, list[ClaimRow]] = defaultdict(list)
    for claim in claims:
        claims_of[claim.product_id].append(claim)
    seen_of: Mapping[int, list[Sighting]] = defaultdict(list)
    for sighting in sightings:
        seen_of[sighting.product_id].append(sighting)
    return {one.id: Facts(one, claims_of.get(one.id, ()), seen_of.get(one.id, ()), today) for one in products}


def flag_labels(flags: Collection[str]) -> list[str]:
    """What of a product's protection is uncertain."""
    return [flag.label for flag in PLP_FLAGS if flag.value in flags]
