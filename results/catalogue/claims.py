"""Figures that makers and reviewers state for products: reading their file, storing them, and what checks use."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from decimal import Decimal
from pathlib import Path

from results.catalogue.file import CatalogueError, LineError, check_url, read_rows
from results.catalogue.merge import CAPACITY_TOLERANCE
from results.models import Claim, Product, lengths

CLAIM_FILE_NAME = "claims.csv"
CLAIM_COLUMNS = ("slug", "capacity_bytes", "quantity", "value", "unit", "stated_by", "source_url", "note")
STATED_BY = ("maker", "reviewer", "distributor")
WRITE_LATENCY = "write_latency_us"
LONGEST_UNIT = 10
LONGEST_NOTE = 200
_QUANTITY = re.compile(r"[a-z][a-z0-9_]{0,39}")
_VALUE = re.compile(r"\d{1,13}(?:\.\d{1,3})?")
_CAPACITY = re.compile(r"[1-9]\d{0,17}")
# Other latencies: under sustained load, without the cache, or for sequential writes.
_OTHER_LATENCY = re.compile(r"sequential|steady|disabled|maximum|\bmax\b")


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """One figure for one product; without a capacity it is for the whole product line."""

    slug: str
    capacity_bytes: int | None
    quantity: str
    value: Decimal
    unit: str
    stated_by: str
    source_url: str
    note: str


def read_claims(path: Path, slugs: Collection[str]) -> list[ClaimLine]:
    """Every line of the file, in order, each for a product in `slugs`; raises CatalogueError."""
    lines: list[ClaimLine] = []
    seen: dict[tuple[object, ...], int] = {}
    for number, row in read_rows(path, CLAIM_COLUMNS):
        where = f"{path.name}, line {number}"
        try:
            line = _read_cells(row, slugs)
        except LineError as error:
            raise CatalogueError(f"{where}: {error}") from error
        key = line.slug, line.capacity_bytes, line.quantity, line.source_url
        if key in seen:
            raise CatalogueError(f"{where}: this source's {line.quantity} is already on line {seen[key]}")
        seen[key] = number
        lines.append(line)
    return lines


def _read_cells(row: dict[str, str], slugs: Collection[str]) -> ClaimLine:
    if row["slug"] not in slugs:
        raise LineError(f"slug: {row['slug']!r} is not in the catalogue")
    if row["capacity_bytes"] and not _CAPACITY.fullmatch(row["capacity_bytes"]):
        raise LineError(f"capacity_bytes: {row['capacity_bytes']!r} is not a number of bytes")
    if not _QUANTITY.fullmatch(row["quantity"]):
        raise LineError(f"quantity: {row['quantity']!r} is not a name such as {WRITE_LATENCY}")
    if not _VALUE.fullmatch(row["value"]) or not Decimal(row["value"]):
        raise LineError(f"value: {row['value']!r} is not a number above 0")
    if not 0 < len(row["unit"]) <= LONGEST_UNIT or (row["quantity"].endswith("_us") and row["unit"] != "us"):
        raise LineError(f"unit: {row['unit']!r} is not a unit of {row['quantity']}")
    if row["stated_by"] not in STATED_BY:
        raise LineError(f"stated_by: {row['stated_by']!r} is not one of {', '.join(STATED_BY)}")
    if len(check_url(row["source_url"])) > lengths.ADDRESS or len(row["note"]) > LONGEST_NOTE:
        raise LineError("source_url or note: too long")
    capacity = int(row["capacity_bytes"]) if row["capacity_bytes"] else None
    value = Decimal(row["value"])
    stated = {name: row[name] for name in ("slug", "quantity", "unit", "stated_by", "source_url", "note")}
    return ClaimLine(capacity_bytes=capacity, value=value, **stated)


def store_claims(lines: Iterable[ClaimLine]) -> list[str]:
    """Make the stored claims equal `lines`; the slugs of the products that changed. Idempotent."""
    columns = [field.name for field in fields(ClaimLine)[1:]]
    held = {ClaimLine(*row): pk for pk, *row in Claim.objects.values_list("pk", "product__slug", *columns)}
    wanted = set(lines)
    gone, new = held.keys() - wanted, wanted - held.keys()
    Claim.objects.filter(pk__in=[held[one] for one in gone]).delete()
    ids = dict(Product.objects.filter(slug__in={one.slug for one in new}).values_list("slug", "id"))
    Claim.objects.bulk_create(
        Claim(product_id=ids[one.slug], **{column: getattr(one, column) for column in columns}) for one in new
    )
    return sorted({one.slug for one in gone | new})


def rated_random_write_latency_us(product: Product, capacity_bytes: int | None) -> float | None:
    """The typical random write latency the product is rated for, if a source states exactly that.

    A figure for the capacity takes precedence over one for the whole line; of several, the lowest counts. Without
    a capacity all of them are considered. One query, or none with `prefetch_related_objects(products, "claims")`.
    """
    rated = [claim for claim in product.claims.all() if is_typical_random_write(claim)]
    of_capacity = [claim for claim in rated if _is_about(claim.capacity_bytes, capacity_bytes)]
    of_line = [claim for claim in rated if claim.capacity_bytes is None]
    chosen = rated if capacity_bytes is None else of_capacity or of_line
    return min((float(claim.value) for claim in chosen), default=None)


def is_typical_random_write(claim: Claim) -> bool:
    """Whether a claim is a latency for random writes that its note calls typical."""
    words = set(re.findall(r"[a-z]+", claim.note.lower()))
    is_other = _OTHER_LATENCY.search(claim.note.lower()) is not None
    return claim.quantity == WRITE_LATENCY and {"typical", "random"} <= words and not is_other


def _is_about(stated: int | None, capacity_bytes: int | None) -> bool:
    """Whether a marketed capacity is this one; tools count slightly differently."""
    if stated is None or capacity_bytes is None:
        return False
    return abs(stated - capacity_bytes) <= CAPACITY_TOLERANCE * max(stated, capacity_bytes)
