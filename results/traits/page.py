"""The page that compares products by their traits."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from results.catalogue.endurance import name_choices
from results.core.addresses import address, compare_url, with_query
from results.core.head import Social
from results.core.public import public_page
from results.models import Product
from results.traits.query import (
    MAX_EACH,
    MAX_PRODUCTS,
    TRAITS,
    KnownTrait,
    Trait,
    TraitSubject,
    UnknownProductsError,
    default_slugs,
    find_subjects,
    known_of,
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
    added = request.GET.get("add", "").strip()
    wanted = list(dict.fromkeys([*given, added] if added else given))
    canonical = _url(wanted)
    fault = ""
    subjects: list[TraitSubject] = []
    try:
        if len(wanted) > MAX_PRODUCTS:
            fault = f"At most {MAX_PRODUCTS} products at a time. Remove one first."
        else:
            subjects = find_subjects(wanted or default_slugs())
    except UnknownProductsError as error:
        fault = f"We have no product {', '.join(slug[:LONGEST] for slug in error.slugs)}. Choose one from the list."
    if not fault and canonical != request.get_full_path():
        return redirect(canonical)
    chosen = [subject.product.slug for subject in subjects]
    measured = [subject.ranking.device.slug for subject in subjects if subject.ranking]
    rows = [
        TraitRow(trait, [TraitCell(subject, known_of(trait, subject)) for subject in subjects])
        for trait in TRAITS
    ]
    known = [row for row in rows if row.known_count]
    context = {
        "fault": fault,
        "is_default": not wanted,
        "products": [
            (subject.product, _url(slug for slug in chosen if slug != subject.product.slug))
            for subject in subjects
        ],
        "rows": sorted(known, key=lambda row: -row.known_count),
        "unknown": [row.trait.label for row in rows if not row.known_count],
        "chosen": ",".join(chosen),
        "is_full": len(chosen) >= MAX_PRODUCTS,
        "choices": [
            (slug, name) for slug, name in name_choices(Product.objects.all()) if slug not in set(chosen)
        ],
        "paper_url": _url(PAPER),
        "compare_url": compare_url(measured) if len(measured) > 1 else "",
        "api_url": with_query(address("api-traits"), products=",".join(chosen) if wanted else ""),
        "social": Social(TITLE, DESCRIPTION, address("traits")),
    }
    return render(request, "results/traits/page.html", context, status=400 if fault else 200)


def split_slugs(text: str) -> list[str]:
    """The slugs of a list, each once."""
    return list(dict.fromkeys(slug.strip() for slug in text.split(",") if slug.strip()))


def _url(slugs: Any) -> str:
    return with_query(address("traits"), products=",".join(slugs))


class TraitCell(NamedTuple):
    """What is known of a product by a trait; the first few are shown."""

    subject: TraitSubject
    known: Sequence[KnownTrait]

    @property
    def shown(self) -> Sequence[KnownTrait]:
        return self.known[:MAX_EACH]

    @property
    def more_count(self) -> int:
        return max(0, len(self.known) - MAX_EACH)


class TraitRow(NamedTuple):
    """A trait of each product."""

    trait: Trait
    cells: Sequence[TraitCell]

    @property
    def known_count(self) -> int:
        """The number of products for which it is known."""
        return sum(bool(cell.known) for cell in self.cells)
