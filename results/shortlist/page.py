"""Help me choose: a short form, and a shortlist with reasons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from parsers.base.device_class import DeviceClass
from results.advice.criteria import Criterion, Finding, describe, explain_one
from results.advice.shortlist import Refusal, Relaxation
from results.catalogue.protection import source_link
from results.core.addresses import address, drive_address, with_query
from results.core.formats import format_count, format_device, format_origin
from results.core.forms import canonical_redirect, faults, field_rows
from results.core.head import page_social
from results.core.public import public_page
from results.core.today import today
from results.kinds.pool_io.found_sets import set_urls_of_products
from results.kinds.sustained.on_device import Row, lasting, newest_sustained
from results.shortlist.forms import DEFAULTS, ShortlistPageForm
from results.shortlist.query import Entry, Section, Shortlist, TooSmall, find_shortlist

HINTS = {
    "link_gbit": ("", "the total of all links that carry sync writes"),
    "link_share": ("%", "50 if you don’t know; zilstat shows how much it is"),
    "mib_s": ("MiB/s", "instead of a network link, if you know it"),
    "gb_per_day": ("GB", "sync writes only; zpool iostat -v shows what goes to the log"),
    "years": ("years", "5 if left blank"),
    "mirror": ("", "with a mirror, the budget covers both drives"),
    "budget": ("", "for everything you buy"),
    "platform": ("", "notes what wasn’t measured there; rules nothing out"),
}
TITLE = "Help me choose"
DESCRIPTION = (
    "Which SLOG to buy for your network, writes and budget: measured devices first, with the reasons."
)


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """The context of templates/results/shortlist/entry.html."""

    name: str
    part_number: str
    url: str
    class_label: str
    origin: str
    is_recommended: bool
    sentences: Sequence[Mapping[str, str]]
    uncertain: Sequence[str]
    price_source: Mapping[str, str] | None
    is_price_old: bool
    lasts: Mapping[str, str] | None
    set_url: str  # of runs of a pool with and without it, or ""


@dataclass(frozen=True, slots=True)
class ListedSection:
    """The context of templates/results/shortlist/section.html.

    `more` counts entries that aren't shown.
    """

    key: str
    title: str
    order: str
    entries: Sequence[ListedEntry]
    more: int
    to_check: Sequence[ListedEntry]
    to_check_count: int
    more_to_check: int


@public_page(ShortlistPageForm)
def shortlist(request: HttpRequest) -> HttpResponse:
    form = ShortlistPageForm({**DEFAULTS, **request.GET.dict()})
    moved = canonical_redirect(request, ShortlistPageForm, DEFAULTS, form.plain())
    if moved is not None:
        return moved
    context = {**page_social(TITLE, DESCRIPTION, address("shortlist")), "title": TITLE}
    if not form.is_valid():
        context |= {"fields": _fields(form), "faults": faults(form)}
        return render(request, "results/shortlist/page.html", context, status=400)
    found = find_shortlist(form.need(), today=today())
    context |= {"fields": _fields(form), "is_stated": bool(request.GET), **_answer(found, request.GET.dict())}
    return render(request, "results/shortlist/page.html", context)


def _fields(form: ShortlistPageForm) -> list[dict[str, Any]]:
    return field_rows(form, HINTS)


def _answer(found: Shortlist, stated: Mapping[str, str]) -> dict[str, Any]:
    entries = [
        entry
        for section in (found.measured, found.on_paper)
        for entry in (*section.entries, *section.to_check)
    ]
    ids = {entry.product.id for entry in entries if entry.product}
    sustained = newest_sustained(Q(device__product__in=ids)) if ids else []
    return {
        "headline": found.headline,
        "need": ", ".join(describe(found.need)) or "none",
        "is_any": found.count > 0,
        "to_check": found.to_check_count > 0,
        "sections": _sections(found, sustained),
        "near_misses": [
            *(_near_miss(one, found) for one in found.near_misses),
            *(_too_small(one, found) for one in found.too_small),
        ],
        "relaxations": [_relaxation(one, stated) for one in found.relaxations],
        "why_not": [_refusal(one, found) for one in found.why_not],
        "unknown_protection": format_count(found.unknown_protection_count, "product line")
        if found.unknown_protection_count
        else "",
        "any_protection_url": with_query(address("shortlist"), **{**stated, "plp": "any"}),
    }


_TITLES = {"measured": "Measured", "paper": "On paper"}
_ORDERS = {
    "measured": "recent prices first, then the fastest sync writes; without a price, the smallest first",
    "paper": "by total price, recent prices first; without a price, the smallest first",
}


def _sections(found: Shortlist, sustained: Sequence[Row]) -> list[ListedSection]:
    both = {"measured": found.measured, "paper": found.on_paper}
    entries = [one for section in both.values() for one in (*section.entries, *section.to_check)]
    first = next((one for one in found.measured.entries if one.is_recommended), None)
    set_urls = set_urls_of_products({one.product.id for one in entries if one.product})
    return [_section(key, section, sustained, set_urls, first) for key, section in both.items()]


def _section(
    key: str, section: Section, sustained: Sequence[Row], set_urls: Mapping[int, str], first: Entry | None
) -> ListedSection:
    """A list of entries; `first` is the only one that is called recommended."""
    return ListedSection(
        key=key,
        title=_TITLES[key],
        order=_ORDERS[key],
        entries=[_entry(one, sustained, set_urls, is_first=one is first) for one in section.entries],
        more=section.count - len(section.entries),
        to_check=[_entry(one, sustained, set_urls) for one in section.to_check],
        to_check_count=section.to_check_count,
        more_to_check=section.to_check_count - len(section.to_check),
    )


def _entry(
    entry: Entry, sustained: Sequence[Row], set_urls: Mapping[int, str], *, is_first: bool = False
) -> ListedEntry:
    device, product, price = entry.device, entry.product, entry.option.price
    device_class = device.device_class if device else product.device_class if product else ""
    return ListedEntry(
        name=entry.name,
        part_number=entry.part_number,
        url=entry.url,
        class_label=DeviceClass(device_class).label,
        origin=format_origin(device.device__elsewhere_count, device.device__result_count) if device else "",
        is_recommended=is_first,
        sentences=[_sentence(one) for one in entry.findings],
        uncertain=entry.uncertain,
        price_source=source_link(price.source_url) if price else None,
        is_price_old=price is not None and not price.is_fresh,
        lasts=lasting(sustained, product.id, entry.option.capacity_bytes, price) if product else None,
        set_url=set_urls.get(product.id, "") if product else "",
    )


def _sentence(finding: Finding) -> dict[str, str]:
    return {"text": finding.sentence, "fit": finding.fit.value, "criterion": finding.criterion.value}


def _relaxation(one: Relaxation, stated: Mapping[str, str]) -> dict[str, str]:
    return {
        "sentence": one.sentence,
        "url": with_query(address("shortlist"), **{**stated, **one.changes}),
    }


def _near_miss(one: Refusal, found: Shortlist) -> dict[str, str]:
    """A refusal with its capacity and price."""
    refusal = _refusal(one, found)
    price = explain_one(one.option, found.need, Criterion.PRICE).sentence
    return {
        **refusal,
        "name": format_device(refusal["name"], one.option.capacity_bytes),
        "reason": f"{refusal['reason']}. {price}",
    }


def _too_small(one: TooSmall, found: Shortlist) -> dict[str, str]:
    price = explain_one(one.option, found.need, Criterion.PRICE).sentence
    return {
        "name": one.name,
        "url": drive_address(one.device.device__page, one.device.device__slug),
        "reason": f"{one.reason.sentence}. {price}",
    }


def _refusal(one: Refusal, found: Shortlist) -> dict[str, str]:
    product = found.products[one.candidate.id]
    return {
        "name": product.short_name,
        "url": address("product", product.slug),
        "reason": one.reason.sentence,
    }
