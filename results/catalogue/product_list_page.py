"""The page with the list of products."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from parsers.base.units import TERABYTE
from results.catalogue.lists import (
    NoSuchPageError,
    canonical_url,
    number_text,
    pager,
    plain_field,
    tools,
    unpriced_notice,
)
from results.catalogue.matching.names import AGAINST
from results.catalogue.prices import Sighting
from results.catalogue.prices_on_pages import shown_condition
from results.catalogue.product_facts import ProductFact, fact_cells, is_known, read_facts
from results.catalogue.product_list import SORTS, ProductFilter, ProductsForm, ProductsPage, find_products
from results.catalogue.protection import source_link
from results.catalogue.statements import claim_figure
from results.charts.options import BadParameterError
from results.core.addresses import address, with_query
from results.core.formats import (
    format_capacity,
    format_count,
    format_device,
    format_number,
    format_origin,
    format_price,
)
from results.core.head import page_social
from results.core.public import public_page
from results.core.today import today
from results.kinds.latency_curve.metrics import ranked_metric
from results.models import Claim, DeviceRanking, Product
from results.models.choices import PlpEvidence, strongest_statement

# The columns that are left out if no row has a value
_SOMETIMES_EMPTY = ("endurance", "form_factors", "price", "launch_year")


@public_page(ProductsForm)
def products(request: HttpRequest) -> HttpResponse:
    form = ProductsForm(request.GET)
    if not form.is_valid():
        name, errors = next(iter(form.errors.items()))
        raise BadParameterError(name, str(errors[0]))
    filters = form.filters()
    if canonical := canonical_url(request, form, filters):
        return HttpResponseRedirect(canonical)
    if AGAINST.search(filters.query):
        return HttpResponseRedirect(with_query(address("search"), q=filters.query))
    try:
        found = find_products(filters)
    except NoSuchPageError as error:
        raise Http404("This list has fewer pages.") from error
    return render(request, "results/catalogue/products.html", _context(found))


def _context(found: ProductsPage) -> dict[str, Any]:
    filters = found.filters
    facts = [fact for fact in read_facts(filters.facts) if is_known(map(vars, found.products), fact.key)]
    rows = [_row(one, found, facts) for one in found.products]
    shared = tools(filters, found.counts, ProductFilter())
    shared["fields"].append(plain_field("sort", "Sort by", SORTS, filters.sort))
    return {
        **shared,
        **unpriced_notice(filters, found.unpriced, "product line"),
        "count": format_count(found.counts.total, "product line"),
        "sort_text": SORTS[filters.sort],
        "facts": facts,
        "rows": rows,
        "shown": {name: any(row[name] for row in rows) for name in _SOMETIMES_EMPTY},
        "page": pager(filters, found.page_count),
        **page_social(
            "Products: what could be a SLOG",
            "SSDs, NVRAM cards and disks with their power-loss protection, endurance, prices and measured latency.",
            with_query(address("products"), **{"class": filters.device_class}),
        ),
    }


def _row(product: Any, found: ProductsPage, facts: Sequence[ProductFact]) -> dict[str, Any]:
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
        "facts": fact_cells(vars(product), facts, found.filters.scope, today()),
    }


def _evidence(product: Product) -> dict[str, str] | None:
    """The strongest source that states the product's protection, or None."""
    strongest = strongest_statement(product.plp, product.plp_statements)
    if strongest is None:
        return None
    return {"label": PlpEvidence(strongest["evidence"]).label, "url": strongest["url"]}


def _measured(ranking: DeviceRanking) -> dict[str, Any]:
    device = ranking.device
    return {
        "latency": format_number(ranking.score, ranking.digits),
        "metric": ranked_metric(ranking.board).label,
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
    """The rating in drive writes per day, else the highest of the line in TB, or ""."""
    if product.rated_high is not None:
        low, high = number_text(product.rated_low), number_text(product.rated_high)
        return f"{high} DWPD" if low == high else f"{low} to {high} DWPD"
    stated = max((one["written_bytes"] / TERABYTE for one in product.endurance_tbw), default=None)
    written = stated or product.claimed_tbw
    return f"up to {written:,.0f} TB" if written else ""


def _price(one: Sighting) -> dict[str, Any]:
    return {
        "amount": format_price(one.price, one.currency),
        "offer": " ".join(filter(None, [format_capacity(one.capacity_bytes), shown_condition(one)])),
        "age": one.age(today()),
        "is_stale": not one.is_fresh(today()),
        "url": one.source_url,
    }
