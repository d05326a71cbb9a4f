"""The page with the list of products."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_GET

from parsers.base.units import TERABYTE
from results.catalogue.facts import fact_cells, read_facts
from results.catalogue.limits import LIMITS, fact_choice, leaves_out_unknown, limit_fields
from results.catalogue.price_section import shown_condition
from results.catalogue.prices import Sighting
from results.catalogue.products import (
    CHOICES,
    PRODUCT_LIMITS,
    NoSuchPageError,
    ProductFilters,
    ProductsForm,
    ProductsPage,
    decimal_text,
    find_products,
)
from results.catalogue.protection import source_link
from results.catalogue.stated import claim_figure
from results.charts.options import BadParameterError
from results.core.formats import (
    format_capacity,
    format_count,
    format_device,
    format_number,
    format_origin,
    format_price,
)
from results.core.head import page_social
from results.core.limits import limit_searches
from results.core.links import address, with_query
from results.core.public import public_page
from results.core.today import today
from results.kinds.latency_curve.metrics import ranked_metric
from results.models import Claim, DeviceRanking, Product
from results.models.choices import PlpEvidence

_EVIDENCE = [one.value for one in PlpEvidence]  # strongest first
_SEARCH = "q"
_TAB_PARAMETERS = ("class",)  # not in the form


@require_GET
@limit_searches
@public_page
def products(request: HttpRequest) -> HttpResponse:
    form = ProductsForm(request.GET)
    if not form.is_valid():
        name, errors = next(iter(form.errors.items()))
        raise BadParameterError(name, str(errors[0]))
    filters = form.filters()
    canonical = with_query(request.path, **filters.parameters())
    if _is_not_canonical(request, filters):
        return HttpResponseRedirect(canonical)
    try:
        found = find_products(filters)
    except NoSuchPageError as error:
        raise Http404("This list has fewer pages.") from error
    return render(request, "results/catalogue/products.html", _context(found))


def _is_not_canonical(request: HttpRequest, filters: ProductFilters) -> bool:
    """Whether the URL has empty parameters or defaults, as a form sends them."""
    given = {name: value for name, value in request.GET.items() if name in ProductsForm({}).fields}
    return given != filters.parameters()


def products_url(filters: ProductFilters, **changes: str) -> str:
    return with_query(address("products"), **filters.parameters(**changes))


def _context(found: ProductsPage) -> dict[str, Any]:
    filters = found.filters
    return {
        "q": filters.query,
        "count": format_count(found.count, "product line"),
        "sort_text": CHOICES["sort"][1][filters.sort],
        "tabs": _tabs(found),
        "fields": _fields(filters),
        "limits": limit_fields(PRODUCT_LIMITS, filters.limits),
        "fact_choice": fact_choice(filters.facts),
        "facts": read_facts(filters.facts),
        "dwpd": decimal_text(filters.dwpd),
        "price": decimal_text(filters.price),
        "hidden_fields": [
            {"name": name, "value": filters.chosen[name]}
            for name in _TAB_PARAMETERS
            if name in filters.chosen
        ],
        "chips": _chips(filters),
        "clear_url": address("products"),
        "leaves_out_unknown": bool(
            filters.dwpd or {"interface", "form"} & set(filters.chosen) or leaves_out_unknown(filters.limits)
        ),
        "unpriced": format_count(found.unpriced, "product line") if found.unpriced else "",
        "unpriced_url": products_url(filters, price="", priced="no"),
        "currency": filters.currency,
        "rows": [_row(one, found) for one in found.products],
        "page": _pager(found),
        **page_social(
            "Products: what could be a SLOG",
            "SSDs, NVRAM cards and disks with their power-loss protection, endurance, prices and measured latency.",
            with_query(address("products"), **{"class": filters.chosen.get("class", "")}),
        ),
    }


def _tabs(found: ProductsPage) -> list[dict[str, Any]]:
    chosen = found.filters.chosen.get("class", "")
    counts = {"": sum(found.class_counts.values()), **found.class_counts}
    return [
        {
            "label": label,
            "url": products_url(found.filters, **{"class": value}),
            "is_current": value == chosen,
            "count": counts.get(value, 0),
        }
        for value, label in {"": "All", **CHOICES["class"][1]}.items()
    ]


def _fields(filters: ProductFilters) -> list[dict[str, Any]]:
    """The select fields without the class; those with a default have no empty option."""
    return [
        {
            "key": name,
            "label": label,
            "has_any": name not in {"currency", "sort"},
            "options": [
                {"value": value, "label": text, "is_chosen": value == _chosen(filters, name)}
                for value, text in options.items()
            ],
        }
        for name, (label, options) in CHOICES.items()
        if name not in _TAB_PARAMETERS
    ]


def _chosen(filters: ProductFilters, name: str) -> str:
    return {"currency": filters.currency, "sort": filters.sort}.get(name) or filters.chosen.get(name, "")


def _chips(filters: ProductFilters) -> list[dict[str, str]]:
    """The active filters, each with the URL of the list without it."""
    labels = {
        name: CHOICES[name][1][value]
        for name, value in filters.chosen.items()
        if name not in {"class", "currency", "sort"}
    }
    if "evidence" in labels:
        labels["evidence"] = f"stated by: {labels['evidence']}"
    if filters.dwpd is not None:
        labels["dwpd"] = f"at least {decimal_text(filters.dwpd)} DWPD"
    if filters.price is not None:
        labels["price"] = f"at most {format_price(filters.price, filters.currency)}"
    labels |= {key: LIMITS[key].chip(value, filters.scope) for key, value in filters.limits.items()}
    if filters.query:
        labels[_SEARCH] = f"“{filters.query}”"
    return [{"label": label, "url": products_url(filters, **{name: ""})} for name, label in labels.items()]


def _row(product: Any, found: ProductsPage) -> dict[str, Any]:
    ranking = found.rankings.get(product.pk)
    claim = found.claims.get(product.pk)
    sighting = found.sightings.get(product.pk)
    return {
        "name": product.full_name,
        "url": product.get_absolute_url(),
        "class_label": product.get_device_class_display(),
        "plp": product.plp_badge,
        "evidence": _evidence(product),
        "measured": _measured(ranking) if ranking else None,
        "is_unranked": product.pk in found.unranked,
        "claim": _claim(claim) if claim else None,
        "endurance": _endurance(product),
        "form_factors": product.form_factors,
        "price": _price(sighting) if sighting else None,
        "launch_year": product.launch_year or "",
        "facts": fact_cells(vars(product), read_facts(found.filters.facts), found.filters.scope, today()),
    }


def _evidence(product: Product) -> dict[str, str] | None:
    """The strongest source that states the product's protection, or None."""
    statements: list[dict[str, str]] = product.plp_statements
    agreeing = [one for one in statements if one["value"] == product.plp] or statements
    if not agreeing:
        return None
    strongest = min(agreeing, key=lambda one: _EVIDENCE.index(one["evidence"]))
    return {"label": PlpEvidence(strongest["evidence"]).label, "url": strongest["url"]}


def _measured(ranking: DeviceRanking) -> dict[str, Any]:
    device = ranking.device
    return {
        "latency": format_number(ranking.score_us),
        "metric": ranked_metric(ranking.method).label,
        "method": ranking.method,
        "n_units": ranking.unit_count,
        "device": format_device(device.model_name, device.capacity_bytes),
        "origin": format_origin(device.elsewhere_count, device.result_count),
        "url": device.get_absolute_url(),
    }


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "figure": claim_figure(claim),
        "quantity": claim.get_quantity_display(),
        "capacity": format_capacity(claim.capacity_bytes),
        "stated_by": claim.get_stated_by_display(),
        **source_link(claim.source_url),
    }


def _endurance(product: Any) -> str:
    """The rating in drive writes a day, else the highest of the line in TB, or ""."""
    if product.rated_high is not None:
        low, high = decimal_text(product.rated_low), decimal_text(product.rated_high)
        return f"{high} DWPD" if low == high else f"{low} to {high} DWPD"
    written = max((one["written_bytes"] for one in product.endurance_tbw), default=0)
    return f"up to {written / TERABYTE:,.0f} TB" if written else ""


def _price(one: Sighting) -> dict[str, Any]:
    return {
        "amount": format_price(one.price, one.currency),
        "offer": " ".join(filter(None, [format_capacity(one.capacity_bytes), shown_condition(one)])),
        "age": one.age(today()),
        "is_stale": not one.is_fresh(today()),
        "url": one.source_url,
    }


def _pager(found: ProductsPage) -> dict[str, Any]:
    before, after = found.filters.page - 1, found.filters.page + 1
    return {
        "number": found.filters.page,
        "count": found.page_count,
        "previous_url": products_url(found.filters, page=str(before) if before > 1 else "") if before else "",
        "next_url": products_url(found.filters, page=str(after)) if after <= found.page_count else "",
    }
