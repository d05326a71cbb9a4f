"""The page with the list of products."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from parsers.base.units import TERABYTE
from results.catalogue.lists import (
    ListField,
    ListTools,
    canonical_url,
    choice_field,
    find_unpriced,
    number_text,
    pager,
)
from results.catalogue.matching.names import AGAINST
from results.catalogue.product_facts import FactCell, fact_cells, is_known, read_facts
from results.catalogue.product_list import SORTS, ProductFilter, ProductsForm, ProductsPage, find_products
from results.charts.options import BadParameterError
from results.core.addresses import address, with_query
from results.core.formats import format_origin
from results.core.head import Social
from results.core.prices import Sighting
from results.core.public import public_page
from results.core.today import today
from results.kinds.curve.metrics import ranked_metric
from results.models import Claim, DeviceRanking
from results.models.choices import PlpEvidence, strongest_statement


@public_page(ProductsForm, in_sitemap=True)
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
    return _render(request, find_products(filters))


@dataclass(frozen=True, slots=True)
class ProductTools(ListTools):
    """The list's tools, with a choice of its order."""

    filters: ProductFilter

    @property
    def fields(self) -> list[ListField]:
        return [*super(ProductTools, self).fields, choice_field("sort", "Sort by", SORTS, self.filters.sort)]


def _render(request: HttpRequest, found: ProductsPage) -> HttpResponse:
    filters = found.filters
    facts = [fact for fact in read_facts(filters.facts) if is_known(map(vars, found.products), fact.key)]
    rows = [
        ProductRow(
            product,
            found.rankings.get(product.pk),
            found.claims.get(product.pk),
            found.sightings.get(product.pk),
            fact_cells(vars(product), facts, filters.scope, today()),
            product.pk in found.unranked,
        )
        for product in found.products
    ]
    shown = {
        "endurance": any(row.endurance for row in rows),
        "price": any(row.price for row in rows),
        "form_factors": any(row.product.form_factors for row in rows),
        "launch_year": any(row.product.launch_year for row in rows),
    }
    context = {
        "tools": ProductTools(filters, found.counts.options, ProductFilter().url()),
        "unpriced": find_unpriced(filters, found.unpriced, "product line"),
        "count": found.counts.total,
        "sort_text": SORTS[filters.sort],
        "facts": facts,
        "rows": rows,
        "shown": shown,
        "page": pager(filters, found.page_count),
        "social": Social(
            "Products: what could be a SLOG",
            "SSDs, NVRAM cards and disks with their power-loss protection, endurance, prices and measured latency.",
            with_query(address("products"), **{"class": filters.device_class}),
            feed_path=address("product-feed"),
        ),
    }
    return render(request, "results/catalogue/products.html", context)


@dataclass(frozen=True, slots=True)
class ProductRow:
    """A line of the list; `product` has the annotations of results.catalogue.product_list."""

    product: Any
    ranking: DeviceRanking | None
    claim: Claim | None
    price: Sighting | None
    facts: Sequence[FactCell]
    is_unranked: bool

    @property
    def evidence(self) -> Mapping[str, str] | None:
        """The strongest source that states the product's protection, or None."""
        return strongest_statement(self.product.plp, self.product.plp_statements)

    @property
    def evidence_label(self) -> str:
        return PlpEvidence(self.evidence["evidence"]).label if self.evidence else ""

    @property
    def metric(self) -> str:
        return ranked_metric(self.ranking.board).label if self.ranking else ""

    @property
    def origin(self) -> str:
        device = self.ranking.device if self.ranking else None
        return format_origin(device.elsewhere_count, device.result_count) if device else ""

    @property
    def endurance(self) -> str:
        """The rating in drive writes per day, else the highest of the line in TB, or ""."""
        if self.product.rated_high is not None:
            low, high = number_text(self.product.rated_low), number_text(self.product.rated_high)
            return f"{high} DWPD" if low == high else f"{low} to {high} DWPD"
        stated = max((row["written_bytes"] / TERABYTE for row in self.product.endurance_tbw), default=None)
        written = stated or self.product.claimed_tbw
        return f"up to {written:,.0f} TB" if written else ""
