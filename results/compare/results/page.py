"""The page that compares two results."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from results.compare.comparison import cleaned, render_shared
from results.compare.results.query import PairForm
from results.core.addresses import address, with_query
from results.core.head import Shared
from results.core.public import public_page

TEMPLATE = "results/compare/results/page.html"


@public_page(PairForm)
def compare_results(request: HttpRequest) -> HttpResponse:
    form = PairForm(request.GET)
    if form.errors and all(form.has_error(name, "required") for name in form.errors):
        return render(request, TEMPLATE, {"form": form})
    pair = cleaned(form)["pair"]
    preview = with_query(address("compare-results-preview"), a=pair.a.public_id, b=pair.b.public_id)
    badge = with_query(address("pair-badge"), a=pair.a.public_id, b=pair.b.public_id)
    shared = Shared(pair.title, pair.summary, pair.path, preview, badge)
    return render_shared(request, TEMPLATE, shared, preview_path=preview, has_oembed=True, pair=pair)
