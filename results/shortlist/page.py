"""Help me choose: a short form, and a shortlist with reasons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from results.advice.criteria import (
    Criterion,
    Finding,
    Need,
    cost_a_year,
    describe,
    explain_one,
    format_money,
    format_years,
)
from results.advice.fit import Fit
from results.advice.lifetime import LONG_YEARS
from results.advice.link import LINKS
from results.advice.shortlist import Refusal, Relaxation
from results.catalogue.drive_card import DriveCard, Shown, drive_card
from results.catalogue.prices import DEFAULT_CURRENCY
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
    "link_gbit": ("in GbE", "the total of all links that carry sync writes"),
    "link_share": ("%", "50 if you don’t know; zilstat shows how much it is"),
    "mib_s": ("MiB/s", "instead of a network link, if you know it"),
    "gb_per_day": ("GB", "sync writes only; zpool iostat -v shows what goes to the log"),
    "years": ("years", "5 if left blank"),
    "mirror": ("", "with a mirror, the budget covers both drives"),
    "form_factor": ("", ""),
    "budget": ("", ""),
    "other_budget": ("", "for everything you buy"),
    "platform": ("", "notes what wasn’t measured there; rules nothing out"),
}
QUESTIONS = ("link_gbit", "form_factor", "budget")
BUDGETS = ("50", "100", "200", "500")
_CHIPS = {  # labels that are shorter than those of the form
    "link_gbit": {"": "any", **{f"{link.gbit_s}": f"{link.gbit_s}" for link in LINKS}},
    "form_factor": {"hhhl": "PCIe card"},
}
MOST_CARDS = 5  # the others are in a table
TITLE = "Help me choose"
DESCRIPTION = (
    "Which SLOG to buy for your network, writes and budget: measured devices first, with the reasons."
)


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """The context of templates/results/shortlist/entry.html, or of a row of the table."""

    card: DriveCard
    is_recommended: bool
    reasons: Sequence[Finding]  # what the card doesn't show
    uncertain: Sequence[str]
    lasts: Mapping[str, str] | None
    set_url: str  # of runs of a pool with and without it, or ""
    a_year: str  # its price by the years that it lasts, or ""


@dataclass(frozen=True, slots=True)
class ListedSection:
    """Measured devices, or products on paper; `more` and `more_to_check` count entries that aren't shown."""

    key: str
    title: str
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
    context = {**page_social(TITLE, DESCRIPTION, address("shortlist")), "title": TITLE, **_fields(form)}
    if not form.is_valid():
        context |= {"faults": faults(form)}
        return render(request, "results/shortlist/page.html", context, status=400)
    found = find_shortlist(form.need(), today=today())
    context |= _answer(found, request.GET.dict())
    return render(request, "results/shortlist/page.html", context)


def _fields(form: ShortlistPageForm) -> dict[str, Any]:
    """The three questions that everybody is asked, and the fields below "More", which is open if one is filled in."""
    rows = {row["name"]: row for row in field_rows(form, HINTS)}
    budget, currency = rows["budget"], rows["currency"]["value"] or DEFAULT_CURRENCY
    stated = form.plain().get("budget", budget["value"])
    amounts = ["", *BUDGETS, *([stated] if stated not in {"", *BUDGETS} else [])]
    if form.is_valid():
        amounts.sort(key=lambda one: Decimal(one or 0))
    budget["choices"] = [
        {"value": one, "label": _amount(one, currency), "is_chosen": one == stated} for one in amounts
    ]
    for name, labels in _CHIPS.items():
        for choice in rows[name]["choices"]:
            choice["label"] = labels.get(choice["value"], choice["label"])
    more = [row for name, row in rows.items() if name not in QUESTIONS]
    is_filled_in = any(row["errors"] or row["value"] not in {"", DEFAULTS.get(row["name"])} for row in more)
    return {"questions": [rows[name] for name in QUESTIONS], "more": more, "is_more_open": is_filled_in}


def _amount(text: str, currency: str) -> str:
    """As people write it; a wrong one is shown as it was typed."""
    if not text:
        return "any"
    try:
        return format_money(Decimal(text), currency)
    except InvalidOperation:
        return text


def _answer(found: Shortlist, stated: Mapping[str, str]) -> dict[str, Any]:
    sections = _sections(found)
    fitting = [entry for section in sections for entry in section.entries]
    return {
        "headline": found.headline,
        "need": ", ".join(describe(found.need)) or "none",
        "is_any": found.count > 0,
        "to_check": found.to_check_count > 0,
        "sections": sections,
        "entries": fitting[:MOST_CARDS],
        "others": fitting[MOST_CARDS:],
        "more_count": found.count - len(fitting),
        "a_year_basis": _a_year_basis(found.need),
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


@dataclass(frozen=True, slots=True)
class _Beside:
    """What is loaded for all entries at once."""

    need: Need
    sustained: Sequence[Row]
    set_urls: Mapping[int, str]
    first: Entry | None  # the only one that is called recommended


def _sections(found: Shortlist) -> list[ListedSection]:
    both = {"measured": found.measured, "paper": found.on_paper}
    entries = [one for section in both.values() for one in (*section.entries, *section.to_check)]
    ids = {entry.product.id for entry in entries if entry.product}
    beside = _Beside(
        found.need,
        newest_sustained(Q(device__product__in=ids)) if ids else [],
        set_urls_of_products(ids),
        next((one for one in found.measured.entries if one.is_recommended), None),
    )
    return [_section(key, section, beside) for key, section in both.items()]


def _section(key: str, section: Section, beside: _Beside) -> ListedSection:
    return ListedSection(
        key=key,
        title=_TITLES[key],
        entries=[_entry(one, beside) for one in section.entries],
        more=section.count - len(section.entries),
        to_check=[_entry(one, beside) for one in section.to_check],
        to_check_count=section.to_check_count,
        more_to_check=section.to_check_count - len(section.to_check),
    )


def _entry(entry: Entry, beside: _Beside) -> ListedEntry:
    product, price = entry.product, entry.option.price
    a_year = cost_a_year(entry.option, beside.need)
    return ListedEntry(
        card=entry_card(entry, beside.need),
        is_recommended=entry is beside.first,
        reasons=[one for one in entry.findings if not _is_on_card(one)],
        uncertain=entry.uncertain,
        lasts=lasting(beside.sustained, product.id, entry.option.capacity_bytes, price) if product else None,
        set_url=beside.set_urls.get(product.id, "") if product else "",
        a_year=format_money(a_year, price.currency) if price and a_year is not None else "",
    )


def _a_year_basis(need: Need) -> str:
    if need.gb_a_day:
        return f"by the years that its rating lasts at {need.gb_a_day:f} GB a day, at most {LONG_YEARS}"
    return f"over {format_years(need.years)}"


def _is_on_card(finding: Finding) -> bool:
    """A price is, and so is protection that meets the need."""
    if finding.criterion is Criterion.PRICE:
        return True
    return finding.criterion is Criterion.PROTECTION and finding.fit is Fit.YES


def entry_card(entry: Entry, need: Need, sentence: str = "") -> DriveCard:
    device, product = entry.device, entry.product
    shown = Shown(
        name=entry.short_name,
        url=entry.url,
        device_class=device.device_class if device else product.device_class if product else "",
        plp_statements=product.plp_statements if product else (),
        form_factors=product.form_factors if product else "",
        part_number=entry.part_number,
        latency_us=device.metrics.get("latency_4k_us") if device else None,
        digits=device.digits if device else None,
        origin=format_origin(device.device__elsewhere_count, device.device__result_count) if device else "",
    )
    return drive_card(shown, entry.option, need, sentence)


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
