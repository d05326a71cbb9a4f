"""The page that compares products by their traits."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from results.core.addresses import address, compare_url, with_query
from results.core.head import Social
from results.core.public import public_page
from results.traits.query import (
    MOST_EACH,
    MOST_PRODUCTS,
    TRAITS,
    Known,
    Subject,
    Trait,
    UnknownProductsError,
    default_slugs,
    find_subjects,
    known_of,
    product_choices,
)

TITLE = "Products by trait"
DESCRIPTION = (
    "What matters in a SLOG besides speed: wear, alignment, TRIM, power, warranty. Each cell has its source."
)
LONGEST = 60  # characters of a slug
PAPER = ("ocz-vertex2-pro-ex", "ddrdrive-x1")  # that the table of 2010 compares


@public_page("products", "add")
def traits(request: HttpRequest) -> HttpResponse:
    given = split_slugs(request.GET.get("products", ""))
    added = request.GET.get("add", "").replace("\0", "").strip()
    wanted = list(dict.fromkeys([*given, added] if added else given))
    canonical = _url(wanted)
    fault = ""
    subjects: list[Subject] = []
    try:
        if len(wanted) > MOST_PRODUCTS:
            fault = f"At most {MOST_PRODUCTS} products at a time. Remove one first."
        else:
            subjects = find_subjects(wanted or default_slugs())
    except UnknownProductsError as error:
        fault = (
            f"We have no product {', '.join(one[:LONGEST] for one in error.slugs)}. Choose one from the list."
        )
    if not fault and canonical != request.get_full_path():
        return redirect(canonical)
    chosen = [one.product.slug for one in subjects]
    rows = [TraitRow(trait, [Cell(one, known_of(trait, one)) for one in subjects]) for trait in TRAITS]
    known = [row for row in rows if row.known_count]
    context = {
        "fault": fault,
        "is_default": not wanted,
        "products": [
            (one.product, _url(slug for slug in chosen if slug != one.product.slug)) for one in subjects
        ],
        "rows": sorted(known, key=lambda row: -row.known_count),
        "unknown": [row.trait.label for row in rows if not row.known_count],
        "chosen": ",".join(chosen),
        "is_full": len(chosen) >= MOST_PRODUCTS,
        "choices": [(slug, name) for slug, name in product_choices() if slug not in set(chosen)],
        "paper_url": _url(PAPER),
        "compare_url": compare_url(_device_slugs(subjects)) if len(_device_slugs(subjects)) > 1 else "",
        "api_url": with_query(address("api-traits"), products=",".join(chosen) if wanted else ""),
        "social": Social(TITLE, DESCRIPTION, address("traits")),
    }
    return render(request, "results/traits/page.html", context, status=400 if fault else 200)


def split_slugs(text: str) -> list[str]:
    """The slugs of a list, each once."""
    return list(dict.fromkeys(one.strip() for one in text.replace("\0", "").split(",") if one.strip()))


def _url(slugs: Any) -> str:
    return with_query(address("traits"), products=",".join(slugs))


def _device_slugs(subjects: list[Subject]) -> list[str]:
    return [one.ranking.device.slug for one in subjects if one.ranking]


class Cell(NamedTuple):
    """What is known of a product by a trait; the first few are shown."""

    subject: Subject
    known: Sequence[Known]

    @property
    def shown(self) -> Sequence[Known]:
        return self.known[:MOST_EACH]

    @property
    def more_count(self) -> int:
        return max(0, len(self.known) - MOST_EACH)


class TraitRow(NamedTuple):
    """A trait of each product."""

    trait: Trait
    cells: Sequence[Cell]

    @property
    def known_count(self) -> int:
        """The number of products for which it is known."""
        return sum(bool(cell.known) for cell in self.cells)
