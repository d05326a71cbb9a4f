"""The page that compares products by their traits."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from results.core.addresses import address, compare_url, with_query
from results.core.formats import format_count
from results.core.head import page_social
from results.core.public import public_page
from results.models.choices import DEVICE_CLASSES
from results.traits.query import (
    MOST_EACH,
    MOST_PRODUCTS,
    RESULT,
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
    context = {
        "fault": fault,
        "is_default": not wanted,
        "products": [_product(one, chosen) for one in subjects],
        **_rows(subjects),
        "chosen": ",".join(chosen),
        "is_full": len(chosen) >= MOST_PRODUCTS,
        "choices": [
            {"slug": slug, "name": name} for slug, name in product_choices() if slug not in set(chosen)
        ],
        "paper_url": _url(PAPER),
        "compare_url": compare_url(_device_slugs(subjects)) if len(_device_slugs(subjects)) > 1 else "",
        "api_url": with_query(address("api-traits"), products=",".join(chosen) if wanted else ""),
        **page_social(TITLE, DESCRIPTION, address("traits")),
    }
    return render(request, "results/traits/page.html", context, status=400 if fault else 200)


def split_slugs(text: str) -> list[str]:
    """The slugs of a list, each once."""
    return list(dict.fromkeys(one.strip() for one in text.replace("\0", "").split(",") if one.strip()))


def _url(slugs: Any) -> str:
    return with_query(address("traits"), products=",".join(slugs))


def _device_slugs(subjects: list[Subject]) -> list[str]:
    return [one.ranking.device.slug for one in subjects if one.ranking]


def _product(one: Subject, chosen: list[str]) -> dict[str, Any]:
    product = one.product
    return {
        "name": product.full_name,
        "url": product.get_absolute_url(),
        "class_label": DEVICE_CLASSES[product.device_class],
        "remove_url": _url(slug for slug in chosen if slug != product.slug) if len(chosen) > 1 else "",
    }


def _rows(subjects: list[Subject]) -> dict[str, Any]:
    """The traits that are known of most products first; those known of none are only named."""
    rows = [_row(one, subjects) for one in TRAITS] if subjects else []
    known = [row for row in rows if row["known_count"]]
    return {
        "rows": sorted(known, key=lambda row: -row["known_count"]),
        "unknown": [row["label"] for row in rows if not row["known_count"]],
    }


def _row(trait: Trait, subjects: list[Subject]) -> dict[str, Any]:
    cells = [_cell(known_of(trait, one), one) for one in subjects]
    return {
        "key": trait.key,
        "label": trait.label,
        "meaning": trait.meaning,
        "cells": cells,
        "known_count": sum(bool(cell["known"]) for cell in cells),
    }


def _cell(found: list[Known], subject: Subject) -> dict[str, Any]:
    return {
        "product": subject.product.full_name,
        "known": [_known(one) for one in found[:MOST_EACH]],
        "more": format_count(len(found) - MOST_EACH, "other") if len(found) > MOST_EACH else "",
        "more_url": subject.product.get_absolute_url(),
    }


def _known(one: Known) -> dict[str, Any]:
    is_ours = one.basis == RESULT
    return {
        "text": one.text,
        "stated_by": one.stated_by,
        "note": one.note,
        "source_url": one.source_url,
        "is_ours": is_ours,
    }
