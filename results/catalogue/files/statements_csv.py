"""Read and store what sources state about products, apart from the catalogue.

There is a file per kind, with a source's fact on each line. Lines have the columns of their table, with the product's
slug.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

from django.db.models import Model

from results.catalogue.prices import CURRENCIES, mark_shown
from results.core.lines import (
    Cells,
    FileLine,
    LineError,
    check_url,
    compare,
    matching,
    one_of,
    read_lines,
    words,
)
from results.core.today import today
from results.models import Caveat, Claim, LifeCycle, PriceSighting, Product, lengths
from results.models.choices import (
    CLAIM_UNITS,
    CaveatKind,
    ClaimQuantity,
    PriceCondition,
    SellerKind,
    StatedBy,
)
from results.models.fact import DATE_PREFIX, HIGHEST_PRICE
from results.models.product import CATALOGUE_CLASSES

FIRST_YEAR, LAST_YEAR = 1980, 2100


def _date(cell: str) -> str:
    """The cell if it is a date, or the month or year of one; raises ValueError."""
    if not re.fullmatch(DATE_PREFIX, cell):
        raise LineError(f"{cell!r} is not a date such as 2018-01-30, 2018-01 or 2018")
    try:
        day = date.fromisoformat(cell + "-01-01"[len(cell) - 4 :])
    except ValueError as error:
        raise LineError(f"{cell!r}: {error}") from error
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise LineError(f"{cell!r} is not from {FIRST_YEAR} to {LAST_YEAR}")
    return cell


def _past_date(cell: str) -> str:
    """The cell if it is such a date whose period has begun; raises LineError."""
    if _date(cell) > today().isoformat()[: len(cell)]:
        raise LineError(f"{cell!r} is in the future")
    return cell


def _address(cell: str) -> str:
    if len(check_url(cell)) > lengths.ADDRESS:
        raise LineError("too long")
    return cell


Capacity = Annotated[int | None, matching(r"[1-9]\d{0,17}", "a number of bytes")]
Address = Annotated[str, _address]
FewWords = Annotated[str, words(lengths.FACT, may_be_empty=True)]


@dataclass(frozen=True, slots=True)
class FactLine(FileLine):
    """A fact of one product."""

    slug: str

    def identity(self) -> tuple[Any, ...]:
        """A source states a fact once; the note may differ."""
        others = (getattr(self, field.name) for field in fields(self) if field.name != "note")
        return ("this source's statement", *others)


@dataclass(frozen=True, slots=True)
class ClaimLine(FactLine):
    """One figure or text; without a capacity and a variant it is for the whole product line."""

    capacity_bytes: Capacity
    variant: Annotated[str, words(lengths.VARIANT, may_be_empty=True)]
    quantity: ClaimQuantity
    value: Annotated[Decimal | None, matching(r"\d{1,13}(?:\.\d{1,3})?", "a number above 0")]
    is_below: Annotated[bool, "value"]
    text: Annotated[str, "value", words(lengths.FACT, may_be_empty=True)]
    unit: str
    stated_by: StatedBy
    source_url: Address
    note: FewWords

    @classmethod
    def split(cls, cells: Cells) -> Mapping[str, Any]:
        """A quantity with a unit has a figure, perhaps an upper bound; any other has a text."""
        if cells["unit"]:
            value = cells["value"]
            return {"value": value.removeprefix("<"), "is_below": value.startswith("<"), "text": ""}
        return {"value": "", "is_below": False}

    def check(self) -> None:
        """Require the quantity's unit and a figure or text; only a cache may be 0."""
        unit = CLAIM_UNITS.get(self.quantity, "")
        if self.unit != unit:
            raise LineError(f"unit: {self.unit!r} is not {unit!r}, the unit of {self.quantity}")
        if not self.text and (self.value is None or not (self.value or self.quantity == ClaimQuantity.CACHE)):
            raise LineError("value: missing" + (", or not a number above 0" if unit else ""))


@dataclass(frozen=True, slots=True)
class PriceLine(FactLine):
    """A price as a page showed it; `seen_on` is a date, or the known part of one."""

    capacity_bytes: Capacity
    price: Annotated[Decimal, matching(r"(?=.*[1-9])\d{1,7}(?:\.\d{1,2})?", "an amount above 0")]
    currency: Annotated[str, one_of(sorted(CURRENCIES))]
    condition: Annotated[str, one_of(["", *PriceCondition.values])]
    seller_kind: SellerKind
    seen_on: Annotated[str, _past_date]
    source_url: Address

    def check(self) -> None:
        """Refuse typing errors."""
        if self.price > HIGHEST_PRICE:
            raise LineError(f"price: '{self.price}' is above {HIGHEST_PRICE:,}")


@dataclass(frozen=True, slots=True)
class LifeCycleLine(FactLine):
    """Launch, end of sale and successor; the successor is a slug."""

    launched_on: Annotated[str, lambda cell: cell and _date(cell)]
    end_of_sale: FewWords
    successor_id: Annotated[str | None, "successor"]
    source_url: Address
    note: FewWords

    def check(self) -> None:
        """Require something."""
        if not (self.launched_on or self.end_of_sale or self.successor_id or self.note):
            raise LineError("launched_on: missing, and so is everything else")
        if self.successor_id == self.slug:
            raise LineError(f"successor: {self.slug!r} is the product itself")


@dataclass(frozen=True, slots=True)
class CaveatLine(FactLine):
    """A known problem; the slug may be a device class: then it is one of all its products."""

    kind: CaveatKind
    summary: Annotated[str, words(300)]
    fixed_in_firmware: Annotated[str, words(60, may_be_empty=True)]
    source_url: Address


LineOfFact = TypeVar("LineOfFact", bound=FactLine)


@dataclass(frozen=True, slots=True)
class FactKind(Generic[LineOfFact]):
    """A kind of fact: its file and its table."""

    plural: str
    file_name: str
    line: type[LineOfFact]
    model: type[Model]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the file."""
        return self.line.columns()

    @property
    def fields(self) -> tuple[str, ...]:
        """The columns of the table, without the product."""
        return tuple(field.name for field in fields(self.line)[1:])

    def row(self, line: LineOfFact, product_id: int, **values: Any) -> Any:
        """The unsaved row of a line."""
        return self.model(
            product_id=product_id, **{name: getattr(line, name) for name in self.fields}, **values
        )


def read_facts(kind: FactKind[LineOfFact], path: Path, slugs: Collection[str]) -> list[LineOfFact]:
    """Read the file's lines, each for a product in `slugs`, or a caveat of a class; raises CatalogueError."""
    known = {*slugs, *dict(CATALOGUE_CLASSES)} if kind is CAVEATS else slugs
    return [line for _, line in read_lines(path, kind.line, partial(check_slugs, slugs=known))]


def check_slugs(line: FileLine, slugs: Collection[str]) -> None:
    """Refuse a line that names a product outside `slugs`; raises LineError."""
    for column in ("slug", "successor_id"):
        slug = getattr(line, column, None)
        if slug is not None and slug not in slugs:
            raise LineError(f"{column.removesuffix('_id')}: {slug!r} is not in the catalogue")


def store_facts(kind: FactKind[LineOfFact], lines: Iterable[LineOfFact]) -> list[str]:
    """Make the stored facts equal `lines`; return the products' slugs that changed.

    Idempotent. Prices that `manage.py load_prices` added stay. A line of a class is stored for each of its products.
    """
    for_class = defaultdict[str, list[str]](list)
    for slug, device_class in Product.objects.values_list("slug", "device_class"):
        for_class[device_class].append(slug)
    wanted = [replace(line, slug=slug) for line in lines for slug in for_class.get(line.slug, [line.slug])]
    table: Any = kind.model._default_manager
    stored = {kind.line(*row): pk for pk, *row in table.values_list("pk", "product__slug", *kind.fields)}
    found = compare(dict.fromkeys(wanted), dict.fromkeys(stored))
    added = set(table.filter(is_added=True).values_list("pk", flat=True)) if kind is PRICES else ()
    gone = [line for line in found.removed if stored[line] not in added]
    table.filter(pk__in=[stored[line] for line in gone]).delete()
    changed = {line.slug for line in (*gone, *found.added)}
    ids = dict(Product.objects.filter(slug__in=changed).values_list("slug", "id"))
    table.bulk_create(kind.row(line, ids[line.slug]) for line in found.added)
    if kind is PRICES:
        # all: the rule may be newer than their marks
        mark_shown(Product.objects.values_list("pk", flat=True))
    return sorted(changed)


CLAIMS = FactKind("claims", "claims.csv", ClaimLine, Claim)
PRICES = FactKind("prices", "prices.csv", PriceLine, PriceSighting)
LIFE_CYCLES = FactKind("life cycles", "lifecycle.csv", LifeCycleLine, LifeCycle)
CAVEATS = FactKind("caveats", "caveats.csv", CaveatLine, Caveat)
FACT_KINDS: tuple[FactKind[Any], ...] = (CLAIMS, PRICES, LIFE_CYCLES, CAVEATS)
