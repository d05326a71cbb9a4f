"""Write a stored product as cells, the inverse of results.catalogue.files.products_csv."""

from decimal import Decimal

from parsers.base.units import GIGABYTE, TERABYTE
from results.catalogue.files.products_csv import LARGEST, SINGLE
from results.core.lines import SEPARATOR
from results.models import Product


def write_cells(product: Product) -> dict[str, str]:
    """The product's cells by column (results.catalogue.files.products_csv.COLUMNS)."""
    return {
        **{column: str(getattr(product, column) or "") for column in SINGLE},
        "vendor": product.vendor.name,
        "model_patterns": SEPARATOR.join(product.patterns),
        "plp_statements": SEPARATOR.join(
            f"{statement['value']} {statement['evidence']} {statement['url']} {statement.get('note', '')}".rstrip()
            for statement in product.plp_statements
        ),
        "endurance_dwpd": _range(product.endurance_dwpd_low, product.endurance_dwpd_high),
        "endurance_tbw": SEPARATOR.join(
            f"{_amount(row['capacity_bytes'])}={_amount(row['written_bytes'])}"
            for row in product.endurance_tbw
        ),
        "flags": SEPARATOR.join(product.flags),
        "sources": SEPARATOR.join(product.sources),
    }


def _range(low: Decimal | None, high: Decimal | None) -> str:
    if low is None or high is None:
        return ""
    ends = [f"{end.normalize():f}" for end in (low, high)]
    return ends[0] if low == high else "-".join(ends)


def _amount(count: int | None) -> str:
    if count is None:
        return LARGEST
    unit, size = ("TB", TERABYTE) if count >= TERABYTE else ("GB", GIGABYTE)
    return f"{(Decimal(count) / size).normalize():f} {unit}"
