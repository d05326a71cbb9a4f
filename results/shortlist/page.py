"""Help me choose: a short form, and a shortlist with reasons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

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
    format_years,
)
from results.advice.felt import felt_iops
from results.advice.fit import Fit
from results.advice.lifetime import LONG_YEARS
from results.advice.link import LINKS
from results.advice.shortlist import ProductRefusal
from results.catalogue.drive_card import DriveCard
from results.catalogue.prices import DEFAULT_CURRENCY
from results.core.addresses import address, drive_address, with_query
from results.core.formats import format_origin, format_price
from results.core.forms import FieldChoice, FieldRow, canonical_redirect, faults, field_rows
from results.core.head import Social
from results.core.public import public_page
from results.kinds.pool.found_sets import set_urls_of_products
from results.kinds.series.figures import Lasting, Row, lasting, newest_sustained
from results.shortlist.forms import DEFAULTS, ShortlistPageForm
from results.shortlist.query import Entry, Shortlist, ShortlistSection, TooSmall, find_shortlist

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
MAX_CARDS = 5  # the others are in a table
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
    lasts: Lasting | None
    set_url: str  # of runs of a pool with and without it, or ""
    a_year: str  # its price by the years that it lasts, or ""
    client_iops: float | None  # the sync writes a second of one NFS client


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


@public_page(ShortlistPageForm, in_sitemap=True)
def shortlist(request: HttpRequest) -> HttpResponse:
    form = ShortlistPageForm({**DEFAULTS, **request.GET.dict()})
    moved = canonical_redirect(request, ShortlistPageForm, DEFAULTS, form.plain())
    if moved is not None:
        return moved
    fields = _fields(form)
    more = [row for name, row in fields.items() if name not in QUESTIONS]
    context: dict[str, Any] = {
        "social": Social(TITLE, DESCRIPTION, address("shortlist")),
        "title": TITLE,
        "questions": [fields[name] for name in QUESTIONS],
        "more": more,
        "is_more_open": any(row.errors or row.value not in {"", DEFAULTS.get(row.name)} for row in more),
    }
    if not form.is_valid():
        context |= {"faults": faults(form)}
        return render(request, "results/shortlist/page.html", context, status=400)
    found, stated = find_shortlist(form.need()), request.GET.dict()
    sections = _sections(found)
    fitting = [entry for section in sections for entry in section.entries]
    context |= {
        "found": found,
        "need": ", ".join(describe(found.need)) or "none",
        "sections": sections,
        "entries": fitting[:MAX_CARDS],
        "others": fitting[MAX_CARDS:],
        "more_count": found.count - len(fitting),
        "a_year_basis": _a_year_basis(found.need),
        "near_misses": [
            *(_near_miss(refusal, found) for refusal in found.near_misses),
            *(_too_small(device, found) for device in found.too_small),
        ],
        "relaxations": [
            (relaxation.sentence, with_query(address("shortlist"), **{**stated, **relaxation.changes}))
            for relaxation in found.relaxations
        ],
        "why_not": [_refusal(refusal, found) for refusal in found.why_not],
        "any_protection_url": with_query(address("shortlist"), **{**stated, "plp": "any"}),
    }
    return render(request, "results/shortlist/page.html", context)


def _fields(form: ShortlistPageForm) -> dict[str, FieldRow]:
    """The fields by name, with a few budgets to choose from and short labels."""
    rows = {row.name: row for row in field_rows(form, HINTS)}
    budget, currency = rows["budget"], rows["currency"].value or DEFAULT_CURRENCY
    stated = form.plain().get("budget", budget.value)
    amounts = ["", *BUDGETS, *([stated] if stated not in {"", *BUDGETS} else [])]
    if form.is_valid():
        amounts.sort(key=lambda amount: Decimal(amount or 0))
    choices = [FieldChoice(amount, _amount(amount, currency), amount == stated) for amount in amounts]
    rows["budget"] = replace(budget, choices=choices)
    for name, labels in _CHIPS.items():
        short = [
            choice._replace(label=labels.get(choice.value, choice.label)) for choice in rows[name].choices
        ]
        rows[name] = replace(rows[name], choices=short)
    return rows


def _amount(text: str, currency: str) -> str:
    """As people write it; a wrong one is shown as it was typed."""
    if not text:
        return "any"
    try:
        return format_price(Decimal(text), currency)
    except InvalidOperation:
        return text


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
    entries = [entry for section in both.values() for entry in (*section.entries, *section.to_check)]
    ids = {entry.product.id for entry in entries if entry.product}
    beside = _Beside(
        found.need,
        newest_sustained(Q(device__product__in=ids)) if ids else [],
        set_urls_of_products(ids),
        next((entry for entry in found.measured.entries if entry.is_recommended), None),
    )
    return [_section(key, section, beside) for key, section in both.items()]


def _section(key: str, section: ShortlistSection, beside: _Beside) -> ListedSection:
    return ListedSection(
        key=key,
        title=_TITLES[key],
        entries=[_entry(entry, beside) for entry in section.entries],
        more=section.count - len(section.entries),
        to_check=[_entry(entry, beside) for entry in section.to_check],
        to_check_count=section.to_check_count,
        more_to_check=section.to_check_count - len(section.to_check),
    )


def _entry(entry: Entry, beside: _Beside) -> ListedEntry:
    product, price = entry.product, entry.option.price
    a_year = cost_a_year(entry.option, beside.need)
    return ListedEntry(
        card=entry_card(entry, beside.need),
        is_recommended=entry is beside.first,
        reasons=[finding for finding in entry.findings if not _is_on_card(finding)],
        uncertain=entry.uncertain,
        lasts=lasting(beside.sustained, product.id, entry.option.capacity_bytes, price) if product else None,
        set_url=beside.set_urls.get(product.id, "") if product else "",
        client_iops=felt_iops(entry.device.metrics) if entry.device else None,
        a_year=format_price(a_year, price.currency) if price and a_year is not None else "",
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
    return DriveCard(
        name=entry.name,
        url=entry.url,
        device_class=device.device_class if device else product.device_class if product else "",
        option=entry.option,
        need=need,
        plp_statements=product.plp_statements if product else (),
        form_factors=product.form_factors if product else "",
        latency_us=device.metrics.get("latency_4k_us") if device else None,
        digits=device.digits if device else None,
        origin=format_origin(device.device__elsewhere_count, device.device__result_count) if device else "",
        sentence=sentence,
    )


class NotFitting(NamedTuple):
    """A drive that doesn't fit, and why."""

    name: str
    url: str
    reason: str


def _near_miss(refusal: ProductRefusal, found: Shortlist) -> NotFitting:
    """A refusal with its capacity and price."""
    _, url, reason = _refusal(refusal, found)
    price = explain_one(refusal.option, found.need, Criterion.PRICE).sentence
    name = replace(refusal.candidate.name, capacity_bytes=refusal.option.capacity_bytes)
    return NotFitting(name.full, url, f"{reason}. {price}")


def _too_small(small: TooSmall, found: Shortlist) -> NotFitting:
    price = explain_one(small.option, found.need, Criterion.PRICE).sentence
    url = drive_address(small.device.device__page, small.device.device__slug)
    return NotFitting(small.name, url, f"{small.reason.sentence}. {price}")


def _refusal(refusal: ProductRefusal, found: Shortlist) -> NotFitting:
    product = found.products[refusal.candidate.id]
    return NotFitting(product.drive_name.short, address("product", product.slug), refusal.reason.sentence)
