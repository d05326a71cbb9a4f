"""Prices that an operator adds, from a file in the format of prices.csv.

The file may be large and untrusted: it is read line by line, and an invalid line is refused with its number and the
reason, while the rest is stored.
"""

import csv
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote_plus, urlsplit

from django.db import transaction

from results.catalogue.files.statements_csv import PRICES, PriceLine, check_slugs
from results.catalogue.prices import mark_shown
from results.core.data_version import bump_data_version
from results.core.lines import CatalogueError, LineError, read_line
from results.models import PriceSighting, Product
from results.models.choices import SellerKind

LONGEST_LINE = 4096  # bytes
_STORED_AT_ONCE = 1000
_LONGEST_REASON = 200  # characters; reasons quote cells

# Parameters that identify where a visitor came from, not the page. Names are compared in lower case.
_TRACKING = re.compile(
    r"utm_.*|mtm_.*|pk_.*|_ga|_gl|gad_.*|gbraid|wbraid|srsltid|(g|d|fb|tw|tt|y)clid|msclkid|irclickid|li_fat_id|igshid|"
    r"mc_[ce]id|_trk.*|mkcid|mkevt|mkrid|campid|customid|toolid|ascsubtag|linkcode|linkid|p[df]_rd_.*|"
    r"aff|aff_?id|affiliate(_?id)?"
)
_TRACKING_BY_SHOPS = re.compile(r"tag|ref|ref_|qid|sr|camp|creative|creativeasin")
_REFERRER_SEGMENT = re.compile(r"/ref=[^/]*")  # of a path in a shop


@dataclass(frozen=True, slots=True)
class Added:
    """The numbers of prices read, of new ones, and of refused lines."""

    read: int
    new: int
    refused: int


@transaction.atomic
def add_prices(path: Path, refuse: Callable[[int, str], None]) -> Added:
    """Store the file's prices that aren't stored yet. Idempotent.

    Calls `refuse` with the number of each invalid line, and the reason. Raises CatalogueError for a file
    with other columns, OSError for one that can't be read.
    """
    locked = Product.objects.select_for_update(no_key=True)  # as in load_catalogue: one load at a time
    ids = dict(locked.values_list("slug", "pk"))
    before, read, refused, slugs = PriceSighting.objects.count(), 0, 0, set[str]()
    with path.open("rb") as file:
        lines = _read_lines(file, path.name, ids)
        while batch := list(islice(lines, _STORED_AT_ONCE)):
            prices = [line for _, line in batch if isinstance(line, PriceLine)]
            for number, reason in batch:
                if isinstance(reason, str):
                    refuse(number, reason)
            rows = [PRICES.row(price, ids[price.slug], is_added=True) for price in prices]
            PriceSighting.objects.bulk_create(rows, ignore_conflicts=True)
            read, refused = read + len(prices), refused + len(batch) - len(prices)
            slugs.update(price.slug for price in prices)
    new = PriceSighting.objects.count() - before
    if new:
        mark_shown(ids[slug] for slug in slugs)
        bump_data_version()
    return Added(read, new, refused)


def _read_lines(
    file: BinaryIO, file_name: str, slugs: Collection[str]
) -> Iterator[tuple[int, PriceLine | str]]:
    """Yield each line's number with its price, or why it is refused; skip empty lines.

    No cell contains a line break, so each line is parsed separately: a stray quotation mark affects no other line.
    """
    for number, line in enumerate(_bounded_lines(file), start=1):
        try:
            cells = _cells(line)
            if number == 1:
                _check_columns(cells, file_name)
            elif cells:
                yield number, _price(cells, slugs)
        except LineError as error:
            if number == 1:
                raise CatalogueError(f"{file_name}, line 1: {error}") from error
            yield number, str(error)[:_LONGEST_REASON]


def _bounded_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield each line, cut just above the limit if it is too long."""
    while line := file.readline(LONGEST_LINE + 1):
        yield line
        while len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            line = file.readline(LONGEST_LINE + 1)


def _cells(line: bytes) -> list[str]:
    if len(line) > LONGEST_LINE:
        raise LineError(f"longer than {LONGEST_LINE:,} bytes")
    try:
        return next(csv.reader([line.decode("utf-8-sig").rstrip("\r\n")], strict=True), [])
    except UnicodeDecodeError as error:
        raise LineError("not UTF-8") from error
    except csv.Error as error:
        raise LineError(f"not CSV: {error}") from error


def _check_columns(cells: list[str], file_name: str) -> None:
    if tuple(cells) != PRICES.columns:
        raise CatalogueError(f"{file_name}, line 1: the columns are not {', '.join(PRICES.columns)}")


def _price(cells: list[str], slugs: Collection[str]) -> PriceLine:
    if len(cells) != len(PRICES.columns):
        raise LineError(f"{len(cells)} cells instead of {len(PRICES.columns)}")
    price = read_line(dict(zip(PRICES.columns, cells, strict=True)), PriceLine)
    check_slugs(price, slugs)
    is_shop = price.seller_kind != SellerKind.PRESS
    return replace(price, source_url=without_tracking(price.source_url, is_shop=is_shop))


def without_tracking(url: str, *, is_shop: bool) -> str:
    """Remove tracking parameters from a URL; the rest is unchanged.

    In a shop's URL, names such as `tag` and `ref` are for tracking. Elsewhere they can identify the page.
    """

    def identifies_page(parameter: str) -> bool:
        name = unquote_plus(parameter.partition("=")[0]).lower()
        return not (_TRACKING.fullmatch(name) or (is_shop and _TRACKING_BY_SHOPS.fullmatch(name)))

    parts = urlsplit(url)
    return parts._replace(
        path=_REFERRER_SEGMENT.sub("", parts.path) if is_shop else parts.path,
        query="&".join(filter(identifies_page, parts.query.split("&"))),
        fragment="&".join(filter(identifies_page, parts.fragment.split("&"))),
    ).geturl()
