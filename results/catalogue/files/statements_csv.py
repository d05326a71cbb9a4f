"""Read and store what sources state about products, apart from the catalogue.

There is a file per kind, with a source's fact on each line. Lines have the columns of their table, with the product's
slug.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Generic, TypeVar

from django.db.models import Model

from results.catalogue.files.products_csv import (
    FIRST_YEAR,
    LAST_YEAR,
    LineError,
    check_choice,
    check_url,
    check_words,
    read_lines,
)
from results.catalogue.prices import CURRENCIES, mark_shown
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

_CAPACITY = re.compile(r"[1-9]\d{0,17}", re.ASCII)
_FIGURE = re.compile(r"(<?)(\d{1,13}(?:\.\d{1,3})?)", re.ASCII)
_PRICE = re.compile(r"\d{1,7}(?:\.\d{1,2})?", re.ASCII)
_LONGEST_SUMMARY = 300
_LONGEST_FIRMWARE = 60
_OF_OTHER_CELLS = {"is_below", "text"}  # read from a claim’s value


@dataclass(frozen=True, slots=True)
class FactLine:
    """A fact of one product."""

    slug: str


@dataclass(frozen=True, slots=True)
class ClaimLine(FactLine):
    """One figure or text; without a capacity and a variant it is for the whole product line."""

    capacity_bytes: int | None
    variant: str
    quantity: str
    value: Decimal | None
    is_below: bool
    text: str
    unit: str
    stated_by: str
    source_url: str
    note: str


@dataclass(frozen=True, slots=True)
class PriceLine(FactLine):
    """A price as a page showed it; `seen_on` is a date, or the known part of one."""

    capacity_bytes: int | None
    price: Decimal
    currency: str
    condition: str
    seller_kind: str
    seen_on: str
    source_url: str


@dataclass(frozen=True, slots=True)
class LifeCycleLine(FactLine):
    """Launch, end of sale and successor; the successor is a slug."""

    launched_on: str
    end_of_sale: str
    successor_id: str | None
    source_url: str
    note: str


@dataclass(frozen=True, slots=True)
class CaveatLine(FactLine):
    """A known problem."""

    kind: str
    summary: str
    fixed_in_firmware: str
    source_url: str


Line = TypeVar("Line", bound=FactLine)
Cells = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FactKind(Generic[Line]):
    """A kind of fact: its file, its table, and a reader that raises LineError."""

    plural: str
    file_name: str
    read: Callable[[Cells, Collection[str]], Line]
    line: type[Line]
    model: type[Model]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the file."""
        return tuple(
            field.name.removesuffix("_id") for field in fields(self.line) if field.name not in _OF_OTHER_CELLS
        )

    @property
    def fields(self) -> tuple[str, ...]:
        """The columns of the table, without the product."""
        return tuple(field.name for field in fields(self.line)[1:])


def read_facts(kind: FactKind[Line], path: Path, slugs: Collection[str]) -> list[Line]:
    """Read the file's lines, each for a product in `slugs`; raises CatalogueError."""

    def key(line: Line) -> tuple[object, ...]:
        return tuple(getattr(line, field.name) for field in fields(line) if field.name != "note")

    numbered = read_lines(
        path,
        kind.columns,
        lambda row: kind.read(row, slugs),
        key=key,
        named=lambda _: "this source's statement",
    )
    return [line for _, line in numbered]


def store_facts(kind: FactKind[Line], lines: Iterable[Line]) -> list[str]:
    """Make the stored facts equal `lines`; return the products' slugs that changed.

    Idempotent. Prices that `manage.py load_prices` added stay.
    """
    table: Any = kind.model._default_manager
    stored = {kind.line(*row): pk for pk, *row in table.values_list("pk", "product__slug", *kind.fields)}
    wanted = dict.fromkeys(lines)  # an ordered set
    added = set(table.filter(is_added=True).values_list("pk", flat=True)) if kind is PRICES else ()
    gone = [line for line, pk in stored.items() if line not in wanted and pk not in added]
    new = [line for line in wanted if line not in stored]
    table.filter(pk__in=[stored[line] for line in gone]).delete()
    changed = {line.slug for line in (*gone, *new)}
    ids = dict(Product.objects.filter(slug__in=changed).values_list("slug", "id"))
    table.bulk_create(
        kind.model(product_id=ids[line.slug], **{column: getattr(line, column) for column in kind.fields})
        for line in new
    )
    if kind is PRICES:
        mark_shown(
            Product.objects.values_list("pk", flat=True)
        )  # all: the rule may be newer than their marks
    return sorted(changed)


def _read_claim(cells: Cells, slugs: Collection[str]) -> ClaimLine:
    quantity = ClaimQuantity(check_choice(cells["quantity"], ClaimQuantity.values, "quantity"))
    unit = CLAIM_UNITS.get(quantity, "")
    if cells["unit"] != unit:
        raise LineError(f"unit: {cells['unit']!r} is not {unit!r}, the unit of {quantity}")
    value, is_below = _figure(cells["value"], quantity) if unit else (None, False)
    return ClaimLine(
        slug=_slug(cells["slug"], slugs),
        capacity_bytes=_capacity(cells["capacity_bytes"]),
        variant=_few_words(cells, "variant", lengths.VARIANT),
        quantity=quantity.value,
        value=value,
        is_below=is_below,
        text="" if unit else check_words(cells["value"], "value", lengths.FACT),
        unit=unit,
        stated_by=check_choice(cells["stated_by"], StatedBy.values, "stated_by"),
        source_url=_address(cells["source_url"]),
        note=_few_words(cells, "note", lengths.FACT),
    )


def _read_price(cells: Cells, slugs: Collection[str]) -> PriceLine:
    if not _PRICE.fullmatch(cells["price"]) or not Decimal(cells["price"]):
        raise LineError(f"price: {cells['price']!r} is not an amount above 0")
    if Decimal(cells["price"]) > HIGHEST_PRICE:
        raise LineError(f"price: {cells['price']!r} is above {HIGHEST_PRICE:,}")
    return PriceLine(
        slug=_slug(cells["slug"], slugs),
        capacity_bytes=_capacity(cells["capacity_bytes"]),
        price=Decimal(cells["price"]),
        currency=check_choice(cells["currency"], CURRENCIES, "currency"),
        condition=check_choice(cells["condition"], ["", *PriceCondition.values], "condition"),
        seller_kind=check_choice(cells["seller_kind"], SellerKind.values, "seller_kind"),
        seen_on=_past_date(cells["seen_on"], "seen_on"),
        source_url=_address(cells["source_url"]),
    )


def _read_life_cycle(cells: Cells, slugs: Collection[str]) -> LifeCycleLine:
    line = LifeCycleLine(
        slug=_slug(cells["slug"], slugs),
        launched_on=cells["launched_on"] and _date(cells["launched_on"], "launched_on"),
        end_of_sale=_few_words(cells, "end_of_sale", lengths.FACT),
        successor_id=_slug(cells["successor"], slugs, "successor") if cells["successor"] else None,
        source_url=_address(cells["source_url"]),
        note=_few_words(cells, "note", lengths.FACT),
    )
    if not (line.launched_on or line.end_of_sale or line.successor_id or line.note):
        raise LineError("launched_on: missing, and so is everything else")
    if line.successor_id == line.slug:
        raise LineError(f"successor: {line.slug!r} is the product itself")
    return line


def _read_caveat(cells: Cells, slugs: Collection[str]) -> CaveatLine:
    return CaveatLine(
        slug=_slug(cells["slug"], slugs),
        kind=check_choice(cells["kind"], CaveatKind.values, "kind"),
        summary=check_words(cells["summary"], "summary", _LONGEST_SUMMARY),
        fixed_in_firmware=_few_words(cells, "fixed_in_firmware", _LONGEST_FIRMWARE),
        source_url=_address(cells["source_url"]),
    )


def _slug(cell: str, slugs: Collection[str], column: str = "slug") -> str:
    if cell not in slugs:
        raise LineError(f"{column}: {cell!r} is not in the catalogue")
    return cell


def _capacity(cell: str) -> int | None:
    if cell and not _CAPACITY.fullmatch(cell):
        raise LineError(f"capacity_bytes: {cell!r} is not a number of bytes")
    return int(cell) if cell else None


def _figure(cell: str, quantity: ClaimQuantity) -> tuple[Decimal, bool]:
    """A number, and whether it is an upper bound; only a cache may be 0."""
    match = _FIGURE.fullmatch(cell)
    if match is None or not (Decimal(match[2]) or (cell == "0" and quantity == ClaimQuantity.CACHE)):
        raise LineError(f"value: {cell!r} is not a number above 0")
    return Decimal(match[2]), bool(match[1])


def _date(cell: str, column: str) -> str:
    """The cell if it is a date, or the month or year of one; raises LineError."""
    if not re.fullmatch(DATE_PREFIX, cell):
        raise LineError(f"{column}: {cell!r} is not a date such as 2018-01-30, 2018-01 or 2018")
    try:
        day = date.fromisoformat(cell + "-01-01"[len(cell) - 4 :])
    except ValueError as error:
        raise LineError(f"{column}: {cell!r}: {error}") from error
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise LineError(f"{column}: {cell!r} is not from {FIRST_YEAR} to {LAST_YEAR}")
    return cell


def _past_date(cell: str, column: str) -> str:
    """The cell if it is such a date whose period has begun; raises LineError."""
    if _date(cell, column) > today().isoformat()[: len(cell)]:
        raise LineError(f"{column}: {cell!r} is in the future")
    return cell


def _address(cell: str) -> str:
    if len(check_url(cell)) > lengths.ADDRESS:
        raise LineError("source_url: too long")
    return cell


def _few_words(cells: Cells, column: str, longest: int) -> str:
    return cells[column] and check_words(cells[column], column, longest)


CLAIMS = FactKind(
    plural="claims",
    file_name="claims.csv",
    read=_read_claim,
    line=ClaimLine,
    model=Claim,
)
PRICES = FactKind(
    plural="prices",
    file_name="prices.csv",
    read=_read_price,
    line=PriceLine,
    model=PriceSighting,
)
LIFE_CYCLES = FactKind(
    plural="life cycles",
    file_name="lifecycle.csv",
    read=_read_life_cycle,
    line=LifeCycleLine,
    model=LifeCycle,
)
CAVEATS = FactKind(
    plural="caveats",
    file_name="caveats.csv",
    read=_read_caveat,
    line=CaveatLine,
    model=Caveat,
)
FACT_KINDS: tuple[FactKind[Any], ...] = (CLAIMS, PRICES, LIFE_CYCLES, CAVEATS)
